//! A PostgreSQL that is there for one test run and gone afterwards, however the run ends.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use ::postgres::{Client, NoTls};
use tempfile::TempDir;

/// Every cluster has a directory of its own, so all may use the same port: it only names the socket.
const PORT: u16 = 5432;

/// A database server of our own, reached over a socket in its directory.
pub struct Cluster {
    directory: PathBuf,
    tools: Tools,
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

    /// A cluster for one test alone. Only a durable one waits for the disk.
    #[must_use]
    pub fn start(durable: bool) -> Self {
        let tools = Tools::find();
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

    /// Makes a new, empty database and returns how to connect to it.
    #[must_use]
    pub fn database(&self) -> String {
        let name = format!("test_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let mut client =
            Client::connect(&self.address("postgres"), NoTls).expect("connects to its own cluster");
        client.batch_execute(&format!("CREATE DATABASE {name}")).expect("makes a database");
        self.address(&name)
    }

    /// How to connect to a database of this cluster.
    #[must_use]
    pub fn address(&self, database: &str) -> String {
        address(&self.directory, database)
    }

    /// The socket it listens on.
    #[must_use]
    pub fn socket(&self) -> PathBuf {
        socket(&self.directory)
    }

    /// Stops it as a power cut would; what was committed is still there after [`Cluster::resume`].
    pub fn stop(&self) {
        self.run("pg_ctl", &["-D", &self.data(), "-m", "immediate", "-w", "stop"]);
    }

    /// Starts it (again).
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

    /// Has every process of it stand still until the result is dropped: connections stay open, and nothing is
    /// answered.
    #[must_use]
    pub fn freeze(&self) -> Frozen<'_> {
        self.signal("-STOP");
        Frozen(self)
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

/// A cluster that stands still.
pub struct Frozen<'a>(&'a Cluster);

impl Drop for Frozen<'_> {
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

/// How a client reaches a database whose server, or a stand-in for it, listens in this directory.
pub(crate) fn address(directory: &Path, database: &str) -> String {
    format!("host={} port={PORT} user=postgres dbname={database}", directory.display())
}

/// The socket that such a client looks for.
pub(crate) fn socket(directory: &Path) -> PathBuf {
    directory.join(format!(".s.PGSQL.{PORT}"))
}

/// Where PostgreSQL's programs are and how to run them.
struct Tools {
    directory: PathBuf,
    /// PostgreSQL refuses to run as root.
    as_root: bool,
}

impl Tools {
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
        // The directory of the tests may be closed to the user postgres.
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

/// Debian keeps each version in a directory of its own; the newest first.
fn installed_versions() -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir("/usr/lib/postgresql") else { return Vec::new() };
    let mut versions: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    let number = |path: &PathBuf| path.file_name()?.to_str()?.parse::<u32>().ok();
    versions.sort_by_key(|path| std::cmp::Reverse(number(path)));
    versions.into_iter().map(|version| version.join("bin")).collect()
}

/// Waits for the end of this process, even a sudden one, and then stops the cluster and removes its directory.
fn sweeper(tools: &Tools, directory: &Path) -> Child {
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
