//! Benchmark of the overhead of configured but unused models: start-up, a judged document and a durable submission,
//! with and without models.
//!
//! `cargo bench -p assize --bench models`. Takes about half a minute. Both programs are measured in turn, so that other
//! load affects both; no model is contacted, and its URL leads nowhere.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::indexing_slicing,
    clippy::cast_precision_loss,
    reason = "a benchmark stops where it cannot go on, and prints"
)]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use assize_testbed::client::Client;
use assize_testbed::contest::{Contest, wrong_answer};
use assize_testbed::server::Server;
use serde_json::json;
use tempfile::TempDir;

const STARTS: usize = 41;
const ROUNDS: usize = 20;
const REQUESTS: usize = 200;

const MODELS: &str = r#"
[assessors.small]
url = "http://127.0.0.1:9/v1"
model = "small"
[assessors.large]
url = "https://127.0.0.1:9/v1"
model = "large"
"#;

/// A program with its settings and data.
struct Program {
    directory: TempDir,
    settings: PathBuf,
}

/// A running server with its client.
struct Asked {
    server: Server,
    contest: Contest,
    team: Client,
    sent: usize,
}

fn main() {
    let programs = ["", MODELS].map(Program::new);
    println!("{:34} {:>14} {:>14} {:>7}", "middle of", "without", "two models", "ratio");
    let mut starts = [Vec::new(), Vec::new()];
    for _ in 0..STARTS {
        for (program, times) in programs.iter().zip(&mut starts) {
            times.push(program.start());
        }
    }
    line(&format!("{STARTS} starts"), &mut starts);

    let mut asked = programs.each_ref().map(Program::ask);
    let mut documents = [Vec::new(), Vec::new()];
    let mut submissions = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        for (number, asked) in asked.iter_mut().enumerate() {
            documents[number].extend((0..REQUESTS).map(|_| asked.judge()));
            submissions[number].extend((0..REQUESTS).map(|_| asked.submit()));
        }
    }
    line(&format!("{} radio calls judged", ROUNDS * REQUESTS), &mut documents);
    line(&format!("{} durable submissions", ROUNDS * REQUESTS), &mut submissions);
    for Asked { server, .. } in asked {
        server.stop();
    }
}

impl Program {
    fn new(settings: &str) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("settings.toml");
        std::fs::write(&path, settings).unwrap();
        Self { directory, settings: path }
    }

    fn serve(&self, data: &str) -> Server {
        let data = self.directory.path().join(data);
        let args = ["--data", data.to_str().unwrap(), "--config", self.settings.to_str().unwrap()];
        Server::start(Path::new(env!("CARGO_BIN_EXE_assize")), &args)
    }

    /// The time from the start until it listens, on existing data.
    fn start(&self) -> Duration {
        let begun = Instant::now();
        let server = self.serve("starts.db");
        let took = begun.elapsed();
        server.kill();
        took
    }

    fn ask(&self) -> Asked {
        let server = self.serve("asked.db");
        let contest = Contest::open(&server, &server.admin_token(), "bench");
        let team = server.client(&contest.register("team"));
        contest.run_task("task", 86_400.0, 0.0);
        Asked { server, contest, team, sent: 0 }
    }
}

impl Asked {
    fn judge(&self) -> Duration {
        let call = json!({
            "controller": "G-ABCD, runway 27, cleared to land", "pilot": "Cleared to land runway 27, G-ABCD"
        });
        let begun = Instant::now();
        assert_eq!(self.contest.admin.post("/api/v1/judge/radio", &call, None).unwrap().0, 200);
        begun.elapsed()
    }

    fn submit(&mut self) -> Duration {
        self.sent += 1;
        let path = self.contest.path("/tasks/task/submissions");
        let answer = wrong_answer(self.sent as u64);
        let begun = Instant::now();
        assert_eq!(self.team.post(&path, &answer, None).unwrap().0, 200);
        begun.elapsed()
    }
}

fn line(what: &str, times: &mut [Vec<Duration>; 2]) {
    let [without, with] = times.each_mut().map(|times| {
        times.sort_unstable();
        times[times.len() / 2].as_secs_f64() * 1e3
    });
    println!("{what:34} {without:>11.3} ms {with:>11.3} ms {:>6.2}x", with / without);
}
