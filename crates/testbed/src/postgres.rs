//! A temporary PostgreSQL cluster, removed after the test run however it ends.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use ::postgres::{Client, NoTls};
use tempfile::TempDir;

/// All clusters use the same port: it only names the socket in their directory.
const PORT: u16 = 5432;

/// The programs of PostgreSQL that tests run, all of one version.
const TOOLS: [&str; 3] = ["initdb", "pg_ctl", "pg_basebackup"];

/// A database server, reached over a Unix socket in its directory.
pub struct Cluster {
    directory: PathBuf,
    tools: PostgresTools,
    durable: bool,
    databases: AtomicU32,
    sweeper: Option<Child>,
}

impl Cluster {
    /// One cluster for all tests of this process.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Cluster> = OnceLock::new();
        SHARED.get_or_init(|| Self::start(false))
    }

    /// A cluster for one test. Only a durable one syncs to disk.
    #[must_use]
    pub fn start(durable: bool) -> Self {
        let tools = PostgresTools::find();
        let directory = TempDir::with_prefix("asz").expect("a temporary directory").keep();
        tools.hand_over(&directory);
        let sweeper = Some(sweeper(&tools, &directory));
        let cluster = Self { directory, tools, durable, databases: AtomicU32::new(0), sweeper };
        let data = cluster.data();
        cluster.run(
            "initdb",
            &["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "-D", &data],
        );
        cluster.resume();
        cluster
    }

    /// Creates an empty database and returns its URL.
    #[must_use]
    pub fn database(&self) -> String {
        let name = format!("test_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let mut client =
            Client::connect(&self.address("postgres"), NoTls).expect("connects to its own cluster");
        client.batch_execute(&format!("CREATE DATABASE {name}")).expect("makes a database");
        self.address(&name)
    }

    /// The URL of a database of this cluster.
    #[must_use]
    pub fn address(&self, database: &str) -> String {
        address(&self.directory, database)
    }

    /// The path of the cluster's socket.
    #[must_use]
    pub fn socket(&self) -> PathBuf {
        socket(&self.directory)
    }

    /// Stops the cluster like a power cut; committed data is still there after [`Cluster::resume`].
    pub fn stop(&self) {
        self.run("pg_ctl", &["-D", &self.data(), "-m", "immediate", "-w", "stop"]);
    }

    /// Starts the cluster, or restarts it.
    pub fn resume(&self) {
        let log = format!("{}/log", self.directory.display());
        let fsync = if self.durable { "on" } else { "off" };
        let options = format!(
            "-c listen_addresses='' -c unix_socket_directories='{}' -c port={PORT} -c fsync={fsync} \
             -c full_page_writes={fsync} -c max_connections=200",
            self.directory.display()
        );
        self.run("pg_ctl", &["-D", &self.data(), "-l", &log, "-o", &options, "-w", "start"]);
    }

    /// Whether commits wait for a standby, also when there is none.
    pub fn wait_for_standby(&self, wait: bool) {
        let names = if wait { "*" } else { "" };
        let mut client =
            Client::connect(&self.address("postgres"), NoTls).expect("connects to its own cluster");
        for statement in
            [&format!("ALTER SYSTEM SET synchronous_standby_names = '{names}'"), "SELECT pg_reload_conf()"]
        {
            client.batch_execute(statement).expect("changes a setting");
        }
    }

    /// Copies the data while the cluster is running.
    #[must_use]
    pub fn backup(&self) -> DataCopy {
        self.copy("backup", &[])
    }

    /// Stops the cluster and goes on with the data of a copy, as if it were restored from a backup.
    pub fn restore(&self, copy: &DataCopy) {
        self.stop();
        self.replace_data(copy);
        self.resume();
    }

    /// Starts a standby that receives what is committed, asynchronously.
    #[must_use]
    pub fn standby(&self) -> Standby<'_> {
        let standby = Standby { cluster: self, copy: self.copy("standby", &["-R"]) };
        standby.start();
        standby
    }

    fn copy(&self, name: &str, further: &[&str]) -> DataCopy {
        let copy = DataCopy { data: format!("{}/{name}", self.directory.display()) };
        let host = self.directory.display().to_string();
        let port = PORT.to_string();
        let options =
            ["-h", &host, "-p", &port, "-U", "postgres", "-X", "stream", "-c", "fast", "-D", &copy.data];
        self.run("pg_basebackup", &[&options[..], further].concat());
        copy
    }

    fn replace_data(&self, copy: &DataCopy) {
        std::fs::remove_dir_all(self.data()).expect("its data can be removed");
        std::fs::rename(&copy.data, self.data()).expect("the copy takes its place");
    }

    /// Suspends the cluster until the result is dropped: connections stay open, and nothing responds.
    #[must_use]
    pub fn freeze(&self) -> FrozenCluster<'_> {
        self.signal("-STOP");
        FrozenCluster(self)
    }

    fn signal(&self, signal: &str) {
        let file = std::fs::read_to_string(format!("{}/postmaster.pid", self.data())).expect("it runs");
        let first = file.lines().next().expect("its process id").trim().to_owned();
        let children = std::fs::read_to_string(format!("/proc/{first}/task/{first}/children"));
        let children = children.expect("its children");
        let all = std::iter::once(first.as_str()).chain(children.split_whitespace());
        let done = Command::new("kill").arg(signal).args(all).status();
        assert!(done.is_ok_and(|status| status.success()), "it cannot be told to stand still or go on");
    }

    fn data(&self) -> String {
        format!("{}/data", self.directory.display())
    }

    fn run(&self, tool: &str, arguments: &[&str]) {
        let output = self.tools.command(tool).args(arguments).stdin(Stdio::null()).output();
        let output = output.unwrap_or_else(|error| panic!("cannot run {tool}: {error}"));
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{tool} {arguments:?} failed: {told}");
    }
}

/// A copy of the data of a cluster.
pub struct DataCopy {
    data: String,
}

/// A standby of a cluster.
pub struct Standby<'a> {
    cluster: &'a Cluster,
    copy: DataCopy,
}

impl Standby<'_> {
    /// Waits until everything that is committed has arrived.
    pub fn wait_until_equal(&self) {
        let ask = |address: &str, sql: &str| {
            let mut client = Client::connect(address, NoTls).expect("connects to its own cluster");
            client.query_one(sql, &[]).expect("it answers").get::<_, bool>(0)
        };
        let sent =
            "SELECT coalesce(bool_and(replay_lsn = pg_current_wal_lsn()), false) FROM pg_stat_replication";
        let equal = || ask(&self.cluster.address("postgres"), sent);
        assert!(
            crate::contest::within(std::time::Duration::from_secs(30), equal),
            "the standby stays behind"
        );
    }

    /// Stops the standby, so that it falls behind.
    pub fn stop(&self) {
        self.cluster.run("pg_ctl", &["-D", &self.copy.data, "-m", "fast", "-w", "stop"]);
    }

    /// Stops the primary like a power cut and promotes the stopped standby in its place, at its address.
    pub fn take_over(self) {
        self.cluster.stop();
        self.cluster.replace_data(&self.copy);
        self.cluster.resume();
        self.cluster.run("pg_ctl", &["-D", &self.cluster.data(), "-w", "promote"]);
    }

    fn start(&self) {
        let log = format!("{}/standby.log", self.cluster.directory.display());
        let options = format!(
            "-c listen_addresses='' -c unix_socket_directories='{}' -c hot_standby=off",
            self.copy.data
        );
        // With `hot_standby=off` nobody can connect, so it cannot be waited for.
        self.cluster.run("pg_ctl", &["-D", &self.copy.data, "-l", &log, "-o", &options, "-W", "start"]);
    }
}

/// A suspended cluster.
pub struct FrozenCluster<'a>(&'a Cluster);

impl Drop for FrozenCluster<'_> {
    fn drop(&mut self) {
        self.0.signal("-CONT");
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if let Some(mut sweeper) = self.sweeper.take() {
            drop(sweeper.stdin.take());
            let _ = sweeper.wait();
        }
    }
}

/// The connection string of a database whose server, or its proxy, listens in this directory.
pub(crate) fn address(directory: &Path, database: &str) -> String {
    format!("host={} port={PORT} user=postgres dbname={database}", directory.display())
}

/// The path of the socket in this directory.
pub(crate) fn socket(directory: &Path) -> PathBuf {
    directory.join(format!(".s.PGSQL.{PORT}"))
}

/// The location of PostgreSQL's programs, and how to run them.
struct PostgresTools {
    directory: PathBuf,
    /// PostgreSQL refuses to run as root.
    as_root: bool,
}

impl PostgresTools {
    fn find() -> Self {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut places: Vec<PathBuf> = std::env::split_paths(&path).collect();
        places.extend(installed_versions());
        let has_all = |place: &PathBuf| TOOLS.iter().all(|tool| place.join(tool).is_file());
        let found = places.into_iter().find(has_all);
        let directory = found
            .unwrap_or_else(|| panic!("this test needs {}: apt-get install postgresql", TOOLS.join(", ")));
        let id = Command::new("id").arg("-u").output().expect("runs id").stdout;
        Self { directory, as_root: String::from_utf8_lossy(&id).trim() == "0" }
    }

    fn command(&self, tool: &str) -> Command {
        let tool = self.directory.join(tool);
        let mut command = if self.as_root {
            let mut command = Command::new("setpriv");
            command.args(["--reuid", "postgres", "--regid", "postgres", "--clear-groups"]).arg(tool);
            command
        } else {
            Command::new(tool)
        };
        // The user postgres may not be allowed to enter the working directory.
        command.current_dir("/");
        command
    }

    fn hand_over(&self, directory: &Path) {
        if self.as_root {
            let done = Command::new("chown").arg("postgres:postgres").arg(directory).status();
            assert!(done.is_ok_and(|status| status.success()), "cannot give {} away", directory.display());
        }
    }
}

/// Debian's directories of installed versions, newest first.
fn installed_versions() -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir("/usr/lib/postgresql") else { return Vec::new() };
    let mut versions: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    let number = |path: &PathBuf| path.file_name()?.to_str()?.parse::<u32>().ok();
    versions.sort_by_key(|path| std::cmp::Reverse(number(path)));
    versions.into_iter().map(|version| version.join("bin")).collect()
}

/// Spawns a process that waits until this one ends, even by a signal, then stops and removes the cluster.
fn sweeper(tools: &PostgresTools, directory: &Path) -> Child {
    let stop = tools.command("pg_ctl");
    let script = r#"trap '' INT TERM HUP; place=$1; shift; read -r _; for data in "$place"/*/; do "$@" -D "$data" -m immediate stop; done; rm -rf "$place""#;
    Command::new("sh")
        .args(["-c", script, "sweeper"])
        .arg(directory)
        .arg(stop.get_program())
        .args(stop.get_args())
        .current_dir("/")
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("runs sh")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_committed_survives_a_power_cut_and_nothing_is_left_in_the_end() {
        let cluster = Cluster::start(true);
        let address = cluster.database();
        let mut client = Client::connect(&address, NoTls).unwrap();
        client.batch_execute("CREATE TABLE kept AS SELECT 1 AS one").unwrap();
        cluster.stop();
        assert!(Client::connect(&address, NoTls).is_err());
        cluster.resume();
        let mut client = Client::connect(&address, NoTls).unwrap();
        assert_eq!(client.query_one("SELECT one FROM kept", &[]).unwrap().get::<_, i32>(0), 1);
        let directory = cluster.directory.clone();
        drop(cluster);
        assert!(!directory.exists());
    }
}
