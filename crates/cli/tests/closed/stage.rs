//! Fixture: a server with data, and a token for every role.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use assize_kernel::{Digest, Moment};
use assize_ledger::{AccessChange, AccessToken, Batch, Ledger, SqliteLedger};
use assize_testbed::client::Client;
use assize_testbed::contest::Contest;
use assize_testbed::server::Server;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Everybody there is.
pub(crate) const WHO: [&str; 10] =
    ["nobody", "expired", "viewer", "stranger", "other", "app", "team", "hunter", "judge", "admin"];

pub(crate) struct Stage {
    server: Server,
    /// An answer that `ants` gave.
    record: u64,
    /// One of theirs that waits for a judge.
    waiting: u64,
    _directory: TempDir,
}

impl Stage {
    pub(crate) fn set() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("ledger.db");
        let ledger = SqliteLedger::open(&file).unwrap();
        let access = WHO.into_iter().filter_map(token).map(AccessChange::Token).collect();
        let mut writer = ledger.writer().unwrap();
        writer.lock().unwrap().commit(&Batch { access, ..Batch::default() }).unwrap();
        drop((writer, ledger));
        let file = file.to_str().unwrap();
        let server = Server::start(
            Path::new(env!("CARGO_BIN_EXE_assize")),
            &["--data", file, "--metrics-for", "admins"],
        );
        let contest = Contest::open(&server, &secret("admin"), "spring");
        contest.must("/api/v1/contests", &json!({ "id": "winter" }));
        contest.must("/api/v1/contests/winter/teams", &json!({ "id": "ants" }));
        for team in ["ants", "bees"] {
            drop(contest.register(team));
        }
        let task = json!({ "id": "t1", "type": "KIS", "video_id": "L01", "points": [1, 2] });
        contest.must(&contest.path("/tasks"), &task);
        contest.start_task("t1", 3_600.0, 10.0);
        contest.must(&contest.path("/door/open"), &json!({}));
        let answer = json!({ "answerSets": [{ "answers": [{ "mediaItemName": "L09", "start": 7 }] }] });
        let ants: Client = server.client(&secret("team"));
        let (_, judged) = ants.post(&contest.path("/tasks/t1/submissions"), &answer, None).unwrap();
        let record = judged["receipt"]["position"].as_u64().expect("the answer is judged");
        for hunter in ["ada", "bob"] {
            contest.must("/api/v1/hunters", &json!({ "id": hunter, "class": "Tank" }));
        }
        contest.must("/api/v1/hunters/ada/quests", &quest());
        contest.must(&contest.path("/tasks"), &json!({ "id": "p1", "type": "KIS" }));
        contest.start_task("p1", 3_600.0, 10.0);
        let (_, received) = ants.post(&contest.path("/tasks/p1/submissions"), &answer, None).unwrap();
        let waiting = received["answer"].as_u64().expect("the answer waits");
        Self { server, record, waiting, _directory: directory }
    }

    /// The operations of the served document: their names, with method and path.
    pub(crate) fn operations(&self) -> BTreeMap<String, (String, String)> {
        self.described(|_| true)
    }

    /// Those with a request body.
    pub(crate) fn operations_with_body(&self) -> BTreeMap<String, (String, String)> {
        self.described(|operation| operation.get("requestBody").is_some())
    }

    fn described(&self, wanted: impl Fn(&Value) -> bool) -> BTreeMap<String, (String, String)> {
        let (_, document) = self.server.client("").get("/api/v1/openapi.json").unwrap();
        let mut operations = BTreeMap::new();
        for (path, item) in document["paths"].as_object().unwrap() {
            for (method, operation) in item.as_object().unwrap().iter().filter(|(_, about)| wanted(about)) {
                let name = operation["operationId"].as_str().unwrap().to_owned();
                let twice = operations.insert(name, (method.to_uppercase(), self.filled(path)));
                assert!(twice.is_none(), "{method} {path} has the name of another operation");
            }
        }
        operations
    }

    /// The status somebody gets who opens a page or sends its form.
    pub(crate) fn open(&self, who: &str, method: &str, path: &str, form: &str) -> u16 {
        let about = "Accept: text/html\r\nContent-Type: application/x-www-form-urlencoded\r\n";
        self.ask(who, method, &self.filled(path), (about, form))
    }

    /// The status somebody gets who calls an operation.
    pub(crate) fn call(&self, who: &str, method: &str, path: &str, body: Option<&Value>) -> u16 {
        let body = body.map(Value::to_string).unwrap_or_default();
        self.ask(who, method, path, ("Content-Type: application/json\r\n", &body))
    }

    /// The status somebody gets who announces a body and does not send it; none after a while.
    pub(crate) fn call_without_body(&self, who: &str, method: &str, path: &str) -> Option<u16> {
        let mut connection = TcpStream::connect(self.server.url().trim_start_matches("http://")).unwrap();
        connection.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500000\r\n");
        if who != "nobody" {
            head += &format!("Authorization: Bearer {}\r\n", secret(who));
        }
        connection.write_all(format!("{head}Content-Type: application/json\r\n\r\n").as_bytes()).unwrap();
        let mut line = String::new();
        BufReader::new(connection).read_line(&mut line).ok()?;
        line.split(' ').nth(1)?.parse().ok()
    }

    /// The body of the answer is left alone: it may never end.
    fn ask(&self, who: &str, method: &str, path: &str, (about, body): (&str, &str)) -> u16 {
        let mut connection = TcpStream::connect(self.server.url().trim_start_matches("http://")).unwrap();
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n");
        head += &format!("{about}Content-Length: {}\r\n", body.len());
        if who != "nobody" {
            head += &format!("Authorization: Bearer {}\r\n", secret(who));
        }
        connection.write_all(format!("{head}\r\n{body}").as_bytes()).unwrap();
        let mut line = String::new();
        BufReader::new(connection).read_line(&mut line).unwrap();
        line.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("an answer has a status")
    }

    pub(crate) fn end(self) {
        self.server.stop();
    }

    /// A path with what is there in the place of its parameters.
    fn filled(&self, path: &str) -> String {
        let (record, waiting) = (self.record.to_string(), self.waiting.to_string());
        let known = [
            ("{contest}", "spring"),
            ("{team}", "ants"),
            ("{task}", "t1"),
            ("{question}", "t1"),
            ("{position}", &record),
            ("{answer}", &waiting),
            ("{court}", "contest"),
            ("{name}", "competition"),
            ("{hunter}", "ada"),
            ("{quest}", "q1"),
            ("{reporter}", "bob"),
        ];
        let path = known.into_iter().fold(path.to_owned(), |path, (name, value)| path.replace(name, value));
        // Whatever else there is: somebody who may not must not find out that it does not exist.
        path.split('/')
            .map(|part| if part.starts_with('{') { "none" } else { part })
            .collect::<Vec<_>>()
            .join("/")
    }
}

fn quest() -> Value {
    let exercises = json!([{ "name": "Push-ups", "reps": 10 }]);
    let plan =
        json!({ "estimated_duration_min": 30, "target_rpe": 7, "intensity": "Low", "exercises": exercises });
    json!({ "id": "q1", "quest_type": "Daily", "plan": plan })
}

fn secret(who: &str) -> String {
    format!("the-secret-of-{who}")
}

/// The token of somebody; none for nobody.
fn token(who: &str) -> Option<AccessToken> {
    let (actor, scope) = match who {
        "nobody" => return None,
        "expired" => ("admin:former", ""),
        "team" => ("participant:ants", "contest/spring"),
        "other" => ("participant:bees", "contest/spring"),
        "stranger" => ("participant:ants", "contest/winter"),
        "hunter" => ("participant:ada", "quest/ada"),
        "admin" => ("admin:admin", ""),
        "judge" => ("judge:judge", ""),
        "app" => ("app:app", ""),
        _ => ("viewer:viewer", ""),
    };
    Some(AccessToken {
        hash: Digest::of(secret(who).as_bytes()),
        actor: actor.into(),
        scope: scope.into(),
        label: String::new(),
        issued: Moment::from_millis(0),
        issued_by: String::new(),
        expires: (who == "expired").then(|| Moment::from_millis(1)),
        revoked: None,
    })
}
