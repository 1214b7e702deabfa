//! Fixture: an in-memory server with hunters, an app that acts for them, and a judge.

use std::path::Path;

use assize_testbed::client::Client;
use assize_testbed::server::Server;
use serde_json::{Value, json};

pub(crate) struct Stage {
    pub(crate) app: Client,
    pub(crate) judge: Client,
    pub(crate) nobody: Client,
    pub(crate) server: Server,
}

impl Stage {
    pub(crate) fn set() -> Self {
        Self::on(Server::start(Path::new(env!("CARGO_BIN_EXE_assize")), &["--ephemeral"]))
    }

    pub(crate) fn on(server: Server) -> Self {
        let admin = server.client(&server.admin_token());
        let token = |role: &str| {
            let wish = json!({ "name": format!("the-{role}"), "role": role });
            let (status, given) = admin.post("/api/v1/tokens", &wish, None).unwrap();
            assert_eq!(status, 201, "{given}");
            server.client(given["token"].as_str().unwrap())
        };
        let (app, judge) = (token("app"), token("judge"));
        Self { app, judge, nobody: server.client(""), server }
    }

    /// Registers a hunter by the app, and gives them a client of their own.
    pub(crate) fn hunter(&self, id: &str) -> Client {
        let registered = must(&self.app, "/api/v1/hunters", &json!({ "id": id, "class": "Tank" }));
        self.server.client(registered["token"].as_str().unwrap())
    }

    pub(crate) fn give(&self, hunter: &str, quest: &str) {
        let exercises = json!([{ "name": "Push-ups", "sets": 3, "reps": 10 }]);
        let plan = json!({ "estimated_duration_min": 30, "target_rpe": 8, "intensity": "Medium", "exercises": exercises });
        let body = json!({ "id": quest, "quest_type": "Daily", "plan": plan });
        must(&self.app, &format!("/api/v1/hunters/{hunter}/quests"), &body);
    }

    /// Gives a hunter a quest, and has the app log that it was done.
    pub(crate) fn log(&self, hunter: &str, quest: &str) -> Value {
        self.give(hunter, quest);
        must(&self.app, &format!("/api/v1/hunters/{hunter}/quests/{quest}/log"), &json!({ "log": log() }))
    }

    pub(crate) fn end(self) {
        self.server.stop();
    }
}

/// Thirty push-ups in 25 minutes.
pub(crate) fn log() -> Value {
    json!({ "duration_seconds": 1500, "actual_rpe": 7, "condition": "Fresh",
            "exercises": [{ "name": "Push-ups", "sets_done": 3, "reps_done": "10" }] })
}

/// Thirty push-ups in 22 seconds, which is more than 80 a minute.
pub(crate) fn hasty_log() -> Value {
    let mut log = log();
    log["exercises"][0] = json!({ "name": "Push-ups", "sets_done": 1, "reps_done": 30, "seconds": 22 });
    log
}

#[track_caller]
pub(crate) fn must(client: &Client, path: &str, body: &Value) -> Value {
    let (status, answer) = client.post(path, body, None).unwrap();
    assert!(status < 300, "{path}: {status} {answer}");
    answer
}

#[track_caller]
pub(crate) fn refused(client: &Client, path: &str, body: &Value, status: u16, code: &str) {
    let (told, answer) = client.post(path, body, None).unwrap();
    assert_eq!((told, answer["code"].as_str().unwrap()), (status, code), "{path}: {answer}");
}

#[track_caller]
pub(crate) fn seen(client: &Client, path: &str) -> Value {
    let (status, answer) = client.get(path).unwrap();
    assert_eq!(status, 200, "{path}: {answer}");
    answer
}
