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
        let found = places.into_iter().find(|place| place.join("initdb").is_file());
        let directory = found.unwrap_or_else(|| {
            panic!("this test needs PostgreSQL's initdb and pg_ctl: apt-get install postgresql")
        });
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
    let script = r#"trap '' INT TERM HUP; place=$1; shift; read -r _; "$@" -D "$place/data" -m immediate stop; rm -rf "$place""#;
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
