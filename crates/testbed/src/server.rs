//! The `assize` program as a process: started, queried, stopped and killed.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use crate::client::Client;

/// The message of a graceful shutdown.
const FAREWELL: &str = "stopped; everything that was answered is on disk\n";

/// A listening server; killed on drop.
pub struct Server {
    process: Process,
    stdout: BufReader<ChildStdout>,
    greeting: String,
    url: String,
}

impl Server {
    /// Starts `assize serve` on a free port with these further arguments and waits until it listens.
    #[must_use]
    pub fn start(binary: &Path, args: &[&str]) -> Self {
        let mut command = Command::new(binary);
        command.args(["serve", "--listen", "127.0.0.1:0"]).args(args);
        Self::launch(command)
    }

    /// Waits until a command that ends in a server listens.
    #[must_use]
    pub fn launch(command: Command) -> Self {
        let mut process = Process::spawn(command);
        let stdout = process.child.stdout.take().expect("its standard output is ours");
        let mut server =
            Self { process, stdout: BufReader::new(stdout), greeting: String::new(), url: String::new() };
        while !server.greeting.contains("to get in") {
            let read = server.stdout.read_line(&mut server.greeting).expect("it says something readable");
            assert!(read > 0, "it ended before it listened, saying {:?}", server.greeting);
        }
        server.url = server.said("listening on").expect("it says where it listens");
        server
    }

    /// The server's URL, as `http://127.0.0.1:PORT`.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The admin's token, which is printed at the first start only.
    #[must_use]
    pub fn admin_token(&self) -> String {
        let said = self.said("to get in").unwrap_or_default();
        said.strip_prefix("admin token ").expect("this is not its first start").to_owned()
    }

    /// The link of the first login, which is printed at the first start only.
    #[must_use]
    pub fn first_login(&self) -> String {
        self.said("first login").expect("this is not its first start")
    }

    /// A client with this token.
    #[must_use]
    pub fn client(&self, token: &str) -> Client {
        Client::new(&self.url, token)
    }

    /// The output of the program at its start.
    #[must_use]
    pub fn greeting(&self) -> &str {
        &self.greeting
    }

    /// The process id.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.process.child.id()
    }

    /// The output to standard error so far.
    #[must_use]
    pub fn log(&self) -> String {
        self.process.log.lock().unwrap().clone()
    }

    /// Kills the process like a power cut: no signal handler, no last write.
    pub fn kill(mut self) {
        self.process.kill();
    }

    /// Terminates the server with SIGTERM, and asserts a graceful shutdown.
    pub fn stop(mut self) {
        let told = Command::new("kill").args(["-TERM", &self.id().to_string()]).status();
        assert!(told.is_ok_and(|status| status.success()), "it cannot be told to stop");
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).expect("it says something readable");
        let status = self.process.child.wait().expect("it ends");
        assert_eq!((status.code(), rest.lines().last()), (Some(0), FAREWELL.lines().next()), "{rest}");
    }

    /// Interrupts the server (Ctrl-C); returns the exit code and the output after the greeting.
    #[must_use]
    pub fn interrupt(mut self) -> (Option<i32>, String) {
        let told = Command::new("kill").args(["-INT", &self.id().to_string()]).status();
        assert!(told.is_ok_and(|status| status.success()), "it cannot be interrupted");
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).expect("it says something readable");
        (self.process.child.wait().expect("it ends").code(), rest)
    }

    /// The text after a label of the greeting.
    fn said(&self, label: &str) -> Option<String> {
        let line = self.greeting.lines().find(|line| line.trim_start().starts_with(label))?;
        Some(line.trim_start().strip_prefix(label)?.trim().to_owned())
    }
}

/// A process that is killed with its test; its standard error is shown when the test fails.
pub struct Process {
    child: Child,
    log: Arc<Mutex<String>>,
    listening: Option<JoinHandle<()>>,
}

impl Process {
    /// Starts the process, without waiting for output.
    #[must_use]
    pub fn spawn(mut command: Command) -> Self {
        command.env("ASSIZE_LOG", "info").env("NO_COLOR", "1");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|error| panic!("cannot run {command:?}: {error}"));
        let stderr = BufReader::new(child.stderr.take().expect("its standard error is ours"));
        let log = Arc::new(Mutex::new(String::new()));
        let heard = Arc::clone(&log);
        let listening = thread::spawn(move || {
            for line in stderr.lines().map_while(Result::ok) {
                *heard.lock().unwrap() += &format!("{line}\n");
            }
        });
        Self { child, log, listening: Some(listening) }
    }

    /// Sends SIGKILL and waits for the process to end.
    pub fn kill(&mut self) {
        // Fails when the process has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
        if let Some(listening) = self.listening.take() {
            let _ = listening.join();
        }
        if thread::panicking() {
            eprintln!("--- standard error of process {}:\n{}", self.child.id(), self.log.lock().unwrap());
        }
    }
}
