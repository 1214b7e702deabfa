//! Fixture: a settings file with models, the program, and documents to judge.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use assize_testbed::client::Client;
use assize_testbed::server::Server;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::oracle::Oracle;

pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_assize");

pub(crate) struct Stage {
    pub(crate) directory: TempDir,
    config: PathBuf,
}

impl Stage {
    /// With these models, by name.
    pub(crate) fn set(models: &[(&str, &Oracle)]) -> Self {
        Self::patient(models, 20)
    }

    /// With models that are waited for so many seconds.
    pub(crate) fn patient(models: &[(&str, &Oracle)], seconds: u32) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let config = directory.path().join("settings.toml");
        let section = |(name, oracle): &(&str, &Oracle)| {
            let address = oracle.address();
            format!(
                "[assessors.{name}]\nurl = \"http://{address}/v1\"\nmodel = \"{name}-1\"\nattempts = 1\n\
                 timeout_seconds = {seconds}\nprice_in = 2.0\nprice_out = 10.0\n"
            )
        };
        std::fs::write(&config, models.iter().map(section).collect::<String>()).unwrap();
        Self { directory, config }
    }

    /// Adds lines to the settings file.
    pub(crate) fn setting(&self, lines: &str) {
        let known = std::fs::read_to_string(&self.config).unwrap();
        std::fs::write(&self.config, format!("{lines}\n{known}")).unwrap();
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Runs the program with this on its standard input.
    pub(crate) fn run(&self, args: &[&str], input: &str) -> Output {
        let mut command = Command::new(BINARY);
        command.args(args).arg("--config").arg(&self.config).current_dir(self.directory.path());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    }

    /// Starts a server on the same data as before.
    pub(crate) fn serve(&self) -> Server {
        self.serve_at(&["--data", self.path("ledger.db").to_str().unwrap()])
    }

    /// Starts a server whose data are there.
    pub(crate) fn serve_at(&self, place: &[&str]) -> Server {
        let config = ["--config", self.config.to_str().unwrap()];
        Server::start(Path::new(BINARY), &[place, &config].concat())
    }
}

/// What a verdict on one document says.
#[track_caller]
pub(crate) fn verdict(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

pub(crate) fn codes(verdict: &Value) -> Vec<&str> {
    verdict["reasons"].as_array().unwrap().iter().map(|reason| reason["code"].as_str().unwrap()).collect()
}

/// An article with a summary that is true to it; the number makes it another one.
pub(crate) fn summary(number: usize) -> Value {
    let article = format!(
        "The city council of Elmwood approved the new bridge over the river on Monday. The bridge will cost {number} \
         million dollars and open in 2029. Mayor Anna Keller said the old bridge from 1931 carries too much traffic. \
         Residents of the eastern district had asked for a second crossing for ten years. The council also decided to \
         plant two hundred trees along the new road. Opponents fear that the traffic will only move to other streets."
    );
    let summary = format!(
        "Elmwood's city council approved a new bridge that will cost {number} million dollars. Mayor Anna Keller said \
         the old bridge carries too much traffic."
    );
    json!({ "article": article, "summary": summary })
}

pub(crate) fn submit(client: &Client, court: &str, body: &Value) -> u64 {
    let (status, answer) = client.post(&format!("/api/v1/assessments/{court}"), body, None).unwrap();
    assert_eq!(status, 202, "{answer}");
    answer["id"].as_u64().unwrap()
}

/// Waits until a submission has come so far.
#[track_caller]
pub(crate) fn wait_for(client: &Client, court: &str, id: u64, status: &str) -> Value {
    let begun = Instant::now();
    loop {
        let (_, shown) = client.get(&format!("/api/v1/assessments/{court}/{id}")).unwrap();
        if shown["status"] == status {
            return shown;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "still {shown}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
