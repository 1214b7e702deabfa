//! Fixture: a working directory, and the program run in it.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use assize_testbed::contest::{Contest, right_answer, wrong_answer};
use assize_testbed::server::Server;
use serde_json::json;
use tempfile::TempDir;

/// A directory of its own; file names in messages are relative to it.
pub(crate) struct WorkDir {
    directory: TempDir,
}

/// How a command has ended.
#[derive(Debug, PartialEq)]
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl WorkDir {
    pub(crate) fn new() -> Self {
        Self { directory: TempDir::new().unwrap() }
    }

    /// With a ledger in `assize.db` of a short contest: after the first keys (1, 2) opened (3, 4 holds the rulebook),
    /// a task added (5) and started (6), a team with a contact (7) and its token (8), a wrong answer (9) and the right
    /// one (10).
    pub(crate) fn with_contest() -> Self {
        let dir = Self::new();
        let server = dir.serve(&[]);
        let contest = Contest::open(&server, &server.admin_token(), "spring");
        contest.run_task("hunt", 3_600.0, 10.0);
        contest.must(&contest.path("/teams"), &json!({ "id": "ants", "contact": "ada@example.org" }));
        for mut answer in [wrong_answer(1), right_answer()] {
            answer["team_id"] = "ants".into();
            contest.must(&contest.path("/tasks/hunt/submissions"), &answer);
        }
        server.stop();
        dir
    }

    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.directory.path().join(file)
    }

    pub(crate) fn write(&self, file: &str, text: &str) -> &Self {
        std::fs::write(self.path(file), text).unwrap();
        self
    }

    pub(crate) fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.path(file)).unwrap()
    }

    /// Does something to `assize.db` behind the program's back.
    pub(crate) fn sql(&self, statement: &str) -> &Self {
        rusqlite::Connection::open(self.path("assize.db")).unwrap().execute_batch(statement).unwrap();
        self
    }

    /// The program with these arguments, not yet run.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_assize"));
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("ASSIZE_"))
        {
            command.env_remove(name);
        }
        command.args(args).current_dir(self.directory.path());
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ended {
        self.run_with(args, "")
    }

    /// Runs it with something on standard input.
    pub(crate) fn run_with(&self, args: &[&str], input: &str) -> Ended {
        finish(self.command(args), input)
    }

    /// Serves `assize.db` on a free port.
    pub(crate) fn serve(&self, args: &[&str]) -> Server {
        let mut command = self.command(&["serve", "--listen", "127.0.0.1:0"]);
        command.args(args);
        Server::launch(command)
    }
}

/// Runs a command to its end with something on standard input.
pub(crate) fn finish(mut command: Command, input: &str) -> Ended {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    // One that does not read its input has gone before all of it is written.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    Ended {
        code: output.status.code().expect("it ended by itself"),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

impl Ended {
    /// It ended well and said this and nothing else.
    #[track_caller]
    pub(crate) fn fine(&self, out: &str) {
        assert_eq!((self.code, self.err.as_str(), self.out.as_str()), (0, "", out));
    }

    /// It was used wrongly, and says what is wrong in one message.
    #[track_caller]
    pub(crate) fn wrong_use(&self, message: &str) {
        self.failed(2, &format!("assize: {message}\n"));
    }

    /// It wrote nothing but a complaint.
    #[track_caller]
    pub(crate) fn failed(&self, code: i32, err: &str) {
        assert_eq!((self.code, self.err.as_str(), self.out.as_str()), (code, err, ""));
    }
}

/// The names of the courts that ship, as messages list them.
pub(crate) fn courts() -> String {
    assize_engine::Courts::shipped().unwrap().names().collect::<Vec<_>>().join(", ")
}
