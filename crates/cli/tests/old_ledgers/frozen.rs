//! The frozen files, and a directory to use copies of them in.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use assize_testbed::server::Server;
use serde_json::Value;
use tempfile::TempDir;

const BINARY: &str = env!("CARGO_BIN_EXE_assize");

/// The directory with the frozen files.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/ledgers")
}

/// The versions that have left a ledger, in order.
pub(crate) fn versions() -> Vec<String> {
    let entries = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let exports = entries.filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    let mut versions: Vec<String> =
        exports.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    versions.sort();
    assert!(!versions.is_empty(), "there are no frozen ledgers");
    versions
}

/// A frozen file as text.
pub(crate) fn text(name: &str) -> String {
    fs::read_to_string(folder().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A SQLite file with a frozen ledger in it, of today's program.
pub(crate) struct Revived {
    directory: TempDir,
}

impl Revived {
    /// Every frozen ledger twice: imported from its export, and its own SQLite file.
    pub(crate) fn all() -> Vec<(String, Self)> {
        let both = |version: String| {
            let imported = (version.clone(), Self::imported(&version));
            [imported, (version.clone(), Self::opened(&version))]
        };
        versions().into_iter().flat_map(both).collect()
    }

    fn imported(version: &str) -> Self {
        let revived = Self { directory: TempDir::new().unwrap() };
        let export = folder().join(format!("{version}.jsonl"));
        revived.run(&["ledger", "import", export.to_str().unwrap()]);
        revived
    }

    fn opened(version: &str) -> Self {
        let revived = Self { directory: TempDir::new().unwrap() };
        let copy = revived.directory.path().join("assize.db");
        fs::copy(folder().join(format!("{version}.db")), copy).unwrap();
        revived
    }

    /// The SQLite file.
    pub(crate) fn file(&self) -> PathBuf {
        self.directory.path().join("assize.db")
    }

    /// Runs the program on it; what it said.
    #[track_caller]
    pub(crate) fn run(&self, args: &[&str]) -> String {
        let output = self.command(args).output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "assize {args:?}: {complaint}\n{said}");
        said
    }

    /// Serves it; with a token for everything.
    pub(crate) fn serve(&self) -> (Server, String) {
        let token = self.run(&["token", "--name", "reader"]).trim().to_owned();
        (Server::launch(self.command(&["serve", "--listen", "127.0.0.1:0"])), token)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(BINARY);
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("ASSIZE_"))
        {
            command.env_remove(name);
        }
        command.args(args).current_dir(self.directory.path());
        command
    }
}

/// What a version answered about its ledger: paths and JSON.
pub(crate) fn boards(version: &str) -> Vec<(String, Value)> {
    let answers: serde_json::Map<String, Value> =
        serde_json::from_str(&text(&format!("{version}-boards.json"))).unwrap();
    answers.into_iter().collect()
}
