//! The server under test, with a contest of many teams and tasks.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use assize_testbed::contest::Contest;
use assize_testbed::server::Server;
use serde_json::json;

use crate::clients::{self, Load};

pub(crate) const TEAMS: usize = 256;
pub(crate) const TASKS: usize = 20;

/// A running server and the teams' tokens.
pub(crate) struct Stage {
    pub(crate) server: Server,
    pub(crate) tokens: Vec<String>,
    /// The number of the next answer, so that no run repeats an answer.
    runs: AtomicUsize,
}

impl Stage {
    pub(crate) fn set(args: &[&str]) -> Self {
        let server = Server::start(Path::new(env!("CARGO_BIN_EXE_assize")), args);
        let contest = Contest::open(&server, &server.admin_token(), "bench");
        let tokens = (0..TEAMS).map(|team| contest.register(&format!("team_{team:03}"))).collect();
        for task in (0..TASKS).map(|task| format!("task-{task:02}")) {
            let about =
                json!({ "id": task, "type": "TR", "video_id": "V017", "points": [4890, 5000, 5001, 5020] });
            contest.must(&contest.path("/tasks"), &about);
            contest.start_task(&task, 86_400.0, 0.0);
        }
        Self { server, tokens, runs: AtomicUsize::new(0) }
    }

    /// Host and port.
    pub(crate) fn address(&self) -> String {
        self.server.url().trim_start_matches("http://").to_owned()
    }

    /// The number of the first answer of a run.
    pub(crate) fn begin_at(&self) -> usize {
        self.runs.load(Ordering::Relaxed) * 100_000
    }

    pub(crate) fn run(&self, load: Load, connections: usize, seconds: f64) -> (u64, f64) {
        self.runs.fetch_add(1, Ordering::Relaxed);
        clients::run(self, load, connections, seconds)
    }
}

/// The processor time of a process, in seconds.
pub(crate) fn processor_time(process: u32) -> f64 {
    /// `USER_HZ` of Linux.
    const TICKS: f64 = 100.0;
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let after_name = stat.rsplit_once(')').unwrap().1;
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    let ticks = |index: usize| fields[index].parse::<f64>().unwrap();
    (ticks(11) + ticks(12)) / TICKS
}
