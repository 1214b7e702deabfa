//! Fixture: a server with a contest, its team members, and their tools.

use std::path::Path;

use assize_testbed::client::{Client, Reply};
use assize_testbed::contest::Contest;
use assize_testbed::postgres::Cluster;
use assize_testbed::server::Server;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::contract::hold;

/// A server with the contest `spring`: the teams `ants` (anna, arno) and `bees` (berta).
pub(crate) struct Hall {
    pub(crate) server: Server,
    pub(crate) contest: Contest,
    /// Where the ledger is, as arguments.
    pub(crate) place: [String; 2],
    directory: Option<TempDir>,
}

/// A tool that somebody has logged in with; every answer is held to DRES's document.
pub(crate) struct Tool {
    client: Client,
    pub(crate) session: String,
}

pub(crate) fn password_of(user: &str) -> String {
    format!("password of {user}")
}

impl Hall {
    /// Over a file.
    pub(crate) fn set() -> Self {
        let directory = TempDir::new().unwrap();
        let file = directory.path().join("ledger.db").display().to_string();
        Self { directory: Some(directory), ..Self::over(["--data".into(), file]) }
    }

    /// Over a database.
    pub(crate) fn of_postgres() -> Self {
        Self::over(["--postgres".into(), Cluster::shared().database()])
    }

    fn over(place: [String; 2]) -> Self {
        let server = serve(&place);
        let contest = Contest::open(&server, &server.admin_token(), "spring");
        contest.must(&contest.path("/teams"), &json!({ "id": "ants", "name": "The Ants" }));
        contest.must(&contest.path("/teams"), &json!({ "id": "bees" }));
        let hall = Self { server, contest, place, directory: None };
        for (team, user) in [("ants", "anna"), ("ants", "arno"), ("bees", "berta")] {
            let body = json!({ "name": user, "password": password_of(user) });
            let added = hall.contest.must(&hall.contest.path(&format!("/teams/{team}/users")), &body);
            assert_eq!(added["password"], Value::Null, "who chose it knows it");
        }
        hall
    }

    /// Somebody's tool, logged in.
    pub(crate) fn tool(&self, user: &str) -> Tool {
        let mut tool = self.stranger();
        let body = json!({ "username": user, "password": password_of(user) });
        let (status, user) = tool.post("/login", &body);
        assert_eq!(status, 200, "{user}");
        tool.session = user["sessionId"].as_str().unwrap().to_owned();
        tool
    }

    /// A tool with which nobody has logged in.
    pub(crate) fn stranger(&self) -> Tool {
        Tool { client: self.server.client(""), session: String::new() }
    }

    /// Adds a task to the contest.
    pub(crate) fn add_task(&self, task: &Value) {
        self.contest.must(&self.contest.path("/tasks"), task);
    }

    /// Does something with a task, without saying how.
    pub(crate) fn tell(&self, task: &str, what: &str) {
        self.contest.must(&self.contest.path(&format!("/tasks/{task}/{what}")), &json!({}));
    }

    /// Ends the server and starts it again over the same file.
    pub(crate) fn restart(self) -> Self {
        let (token, place) = (self.contest.admin.token.clone(), self.place.clone());
        self.server.stop();
        Self::again(place, &token, self.directory)
    }

    /// Ends the server and leaves its file.
    pub(crate) fn stop(self) -> Option<TempDir> {
        self.server.stop();
        self.directory
    }

    /// The contest as it is in a ledger that was there before.
    pub(crate) fn again(place: [String; 2], token: &str, directory: Option<TempDir>) -> Self {
        let server = serve(&place);
        Self { contest: Contest::at(&server, token, "spring"), server, place, directory }
    }

    /// One more process over the same database, and somebody's session with it.
    pub(crate) fn elsewhere(&self, tool: &Tool) -> (Server, Tool) {
        let server = serve(&self.place);
        let tool = Tool { client: server.client(""), session: tool.session.clone() };
        (server, tool)
    }
}

impl Tool {
    pub(crate) fn get(&self, path: &str) -> (u16, Value) {
        self.send("GET", path, "", &[])
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        self.send("POST", path, &body.to_string(), &[])
    }

    /// Submits an answer; returns the status and what came of it.
    pub(crate) fn submit(&self, body: &Value) -> (u16, Value) {
        let (status, told) = self.post("/submit/spring", body);
        (status, told["submission"].clone())
    }

    pub(crate) fn send(
        &self,
        method: &str,
        path: &str,
        body: &str,
        headers: &[(&str, &str)],
    ) -> (u16, Value) {
        let path = self.address(path);
        let reply = self.client.send_with(method, &path, body.as_bytes(), headers).unwrap();
        hold(method, &path, reply)
    }

    /// The answer as it came.
    pub(crate) fn raw(&self, method: &str, path: &str, body: &str, headers: &[(&str, &str)]) -> Reply {
        self.client.send_with(method, &self.address(path), body.as_bytes(), headers).unwrap()
    }

    fn address(&self, path: &str) -> String {
        let session =
            if self.session.is_empty() { String::new() } else { format!("?session={}", self.session) };
        format!("/api/v2{path}{session}")
    }
}

fn serve(place: &[String; 2]) -> Server {
    Server::start(Path::new(env!("CARGO_BIN_EXE_assize")), &place.each_ref().map(String::as_str))
}
