//! Fixture: a server on a file or a database, and the command line on the same data.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use assize_testbed::postgres::Cluster;
use assize_testbed::server::Server;
use serde_json::{Value, json};
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_assize");

/// Where a ledger is, as arguments.
pub(crate) struct Installation {
    place: [String; 2],
    _directory: Option<TempDir>,
}

impl Installation {
    pub(crate) fn of_sqlite() -> Self {
        let directory = TempDir::new().unwrap();
        let file = directory.path().join("ledger.db");
        Self { _directory: Some(directory), ..Self::of_file(&file) }
    }

    /// On a file that the test removes.
    pub(crate) fn of_file(file: &Path) -> Self {
        Self { place: ["--data".into(), file.display().to_string()], _directory: None }
    }

    pub(crate) fn of_postgres() -> Self {
        Self { place: ["--postgres".into(), Cluster::shared().database()], _directory: None }
    }

    pub(crate) fn serve(&self) -> Server {
        self.serve_with(&[])
    }

    /// With these further arguments.
    pub(crate) fn serve_with(&self, args: &[&str]) -> Server {
        let place = self.place.each_ref().map(String::as_str);
        Server::start(Path::new(PROGRAM), &[&place, args].concat())
    }

    /// Runs the program beside the server; returns its exit code and what it said.
    pub(crate) fn run(&self, args: &[&str], input: &str) -> (i32, String) {
        let mut command = Command::new(PROGRAM);
        command.args(args).args(&self.place).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        (output.status.code().unwrap(), said)
    }

    /// Adds somebody whose password is `password of NAME`.
    pub(crate) fn add(&self, name: &str, role: &str, scope: &str) {
        let args = ["user", "add", name, "--role", role, "--scope", scope];
        let (code, said) = self.run(&args, &format!("password of {name}\n"));
        assert_eq!((code, said), (0, format!("`{name}` can log in now\n")));
    }
}

/// What logs somebody in.
pub(crate) fn login(name: &str) -> Value {
    json!({ "name": name, "password": format!("password of {name}") })
}
