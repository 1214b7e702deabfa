//! A contest on a running server, set up and queried over HTTP only.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::Client;
use crate::server::Server;

/// The video of every task.
pub const VIDEO: &str = "L07_V031";
/// The boundaries of every task.
pub const POINTS: [u64; 2] = [4890, 5000];

/// An organiser with a contest.
pub struct Contest {
    /// Its name in URLs.
    pub name: String,
    /// The organiser.
    pub admin: Client,
}

impl Contest {
    /// Opens a contest of this name.
    #[must_use]
    pub fn open(server: &Server, token: &str, name: &str) -> Self {
        let contest = Self::at(server, token, name);
        contest.must("/api/v1/contests", &json!({ "id": name }));
        contest
    }

    /// A contest that is open already.
    #[must_use]
    pub fn at(server: &Server, token: &str, name: &str) -> Self {
        Self { name: name.to_owned(), admin: server.client(token) }
    }

    /// Registers a team and returns its token.
    #[must_use]
    pub fn register(&self, team: &str) -> String {
        let registered = self.must(&self.path("/teams"), &json!({ "id": team }));
        registered["token"].as_str().expect("a team gets its token").to_owned()
    }

    /// Adds a task of two boundaries and starts it with this time limit; returns the moment of the start.
    pub fn run_task(&self, task: &str, seconds: f64, buffer: f64) -> String {
        let about = json!({ "id": task, "type": "KIS", "video_id": VIDEO, "points": POINTS });
        self.must(&self.path("/tasks"), &about);
        self.start_task(task, seconds, buffer)
    }

    /// Starts a task; returns the moment of the start.
    pub fn start_task(&self, task: &str, seconds: f64, buffer: f64) -> String {
        let times = json!({ "time_limit_seconds": seconds, "buffer_seconds": buffer });
        let started = self.must(&self.path(&format!("/tasks/{task}/start")), &times);
        started["receipt"]["at"].as_str().expect("a receipt has a time").to_owned()
    }

    /// A path below that of the contest.
    #[must_use]
    pub fn path(&self, below: &str) -> String {
        format!("/api/v1/contests/{}{below}", self.name)
    }

    /// The contest as everybody sees it.
    #[must_use]
    pub fn seen(&self) -> Value {
        let (status, seen) = self.admin.get(&self.path("")).expect("it answers");
        assert_eq!(status, 200, "{seen}");
        seen
    }

    /// All rows of a board, and the ledger position it reflects.
    #[must_use]
    pub fn board(&self, task: Option<&str>) -> (u64, Vec<Value>) {
        let mut rows = Vec::new();
        loop {
            let task = task.map(|task| format!("&task={task}")).unwrap_or_default();
            let path = self.path(&format!("/board?limit=1000&offset={}{task}", rows.len()));
            let reply = self.admin.send("GET", &path, &[], None).expect("it answers");
            let position = reply.header("x-ledger-position").parse().expect("a board has a position");
            let (status, mut page) = reply.into_json();
            assert_eq!(status, 200, "{page}");
            let more = page["rows"].as_array_mut().expect("a board has rows");
            rows.append(more);
            if rows.len() as u64 >= page["participants"].as_u64().expect("a board says how many") {
                return (position, rows);
            }
        }
    }

    /// Sends a request that must succeed.
    pub fn must(&self, path: &str, body: &Value) -> Value {
        let (status, answer) = self.admin.post(path, body, None).expect("it answers");
        assert!((200..300).contains(&status), "{path}: {status} {answer}");
        answer
    }
}

/// An answer that is right.
#[must_use]
pub fn right_answer() -> Value {
    let [start, end] = POINTS;
    json!({ "answerSets": [{ "answers": [{ "mediaItemName": VIDEO, "start": start, "end": end }] }] })
}

/// A wrong answer; distinct for each number.
#[must_use]
pub fn wrong_answer(number: u64) -> Value {
    json!({ "answerSets": [{ "answers": [{ "mediaItemName": "L01_V001", "start": number }] }] })
}

/// Polls until the condition holds; panics after a minute.
pub fn eventually(what: &str, holds: impl FnMut() -> bool) {
    assert!(within(Duration::from_secs(60), holds), "waited in vain: {what}");
}

/// Polls until the condition holds; returns whether it did in time.
pub fn within(time: Duration, mut holds: impl FnMut() -> bool) -> bool {
    let end = Instant::now() + time;
    while !holds() {
        if Instant::now() >= end {
            return false;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    true
}
