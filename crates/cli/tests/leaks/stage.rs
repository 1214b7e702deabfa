//! Fixture: a server with a contest whose secrets are unique strings, and clients of every role.

use std::path::Path;

use assize_testbed::client::Client;
use assize_testbed::contest::Contest;
use assize_testbed::server::Server;
use serde_json::{Value, json};

use crate::walk::Known;

pub(crate) const TASKS: [&str; 4] = ["kis", "qa", "tr", "soon"];

/// Somebody who looks.
pub(crate) struct Person {
    pub(crate) name: &'static str,
    pub(crate) token: String,
    /// What tools that log in by name send with each request; empty for whoever does not.
    pub(crate) session: String,
}

/// What a task hides.
pub(crate) struct Truth {
    pub(crate) task: &'static str,
    pub(crate) right: Value,
    pub(crate) secrets: Vec<&'static str>,
}

pub(crate) struct Stage {
    pub(crate) server: Server,
    pub(crate) contest: Contest,
    pub(crate) people: Vec<Person>,
}

pub(crate) fn truths() -> Vec<Truth> {
    let kis = json!({ "answerSets": [{ "answers": [
        { "mediaItemName": "ZQKISVIDEO", "start": 71_390_001, "end": 71_390_088 },
    ] }] });
    vec![
        Truth { task: "kis", right: kis, secrets: vec!["ZQKISVIDEO", "71390001", "71390088"] },
        Truth {
            task: "qa",
            right: json!({ "text": "QA-zanzibar quokka-ZQQAVIDEO-71390102,71390177" }),
            secrets: vec!["ZQQAVIDEO", "71390102", "71390177", "zanzibar", "quokka"],
        },
        Truth {
            task: "tr",
            right: json!({ "text": "TR-ZQTRVIDEO-71390203,71390204,71390305,71390306" }),
            secrets: vec!["ZQTRVIDEO", "71390203", "71390204", "71390305", "71390306"],
        },
        Truth {
            task: "soon",
            right: Value::Null,
            secrets: vec!["ZQSOONVIDEO", "71390404", "71390405", "soonest hint"],
        },
    ]
}

/// A wrong answer that says whose it is.
pub(crate) fn guess(task: &str, whose: &str, number: u64) -> Value {
    match task {
        "kis" => json!({ "answerSets": [{ "answers": [{ "mediaItemName": whose, "start": number }] }] }),
        "qa" => json!({ "text": format!("QA-{whose} thinks so-{whose}-{number}") }),
        _ => json!({ "text": format!("TR-{whose}-{number}") }),
    }
}

impl Stage {
    pub(crate) fn set(names: &[&'static str]) -> Self {
        let server = Server::start(
            Path::new(env!("CARGO_BIN_EXE_assize")),
            &["--ephemeral", "--metrics-for", "admins"],
        );
        let token = server.admin_token();
        let contest = Contest::at(&server, &token, names[0]);
        let mut people = vec![Person { name: "nobody", token: String::new(), session: String::new() }];
        for role in ["viewer", "app"] {
            let given = contest.must("/api/v1/tokens", &json!({ "name": role, "role": role }));
            let token = given["token"].as_str().unwrap().to_owned();
            people.push(Person { name: role, token, session: String::new() });
        }
        for name in names {
            let contest = Contest::open(&server, &token, name);
            for team in ["ants", "bees"] {
                let known = people.iter().any(|person| person.name == team);
                let token = contest.register(team);
                // A team of the same name in another contest is somebody else.
                let name = match team {
                    "ants" if known => "strange ants",
                    "bees" if known => "strange bees",
                    team => team,
                };
                people.push(Person { name, token, session: log_in(&contest, team) });
            }
            add_tasks(&contest);
        }
        Self { server, contest, people }
    }

    pub(crate) fn client(&self, name: &str) -> Client {
        self.server.client(&self.people.iter().find(|person| person.name == name).unwrap().token)
    }

    pub(crate) fn known(&self, contest: &'static str) -> Known {
        let head = self.contest.board(None).0;
        Known { contest, tasks: TASKS.to_vec(), teams: vec!["ants", "bees"], head }
    }

    /// Has a team answer; the verdict comes back with what it has to see.
    pub(crate) fn submit(&self, team: &Client, contest: &str, task: &str, answer: &Value) -> Value {
        let path = format!("/api/v1/contests/{contest}/tasks/{task}/submissions");
        let (status, judged) = team.post(&path, answer, None).unwrap();
        assert_eq!(status, 200, "{judged}");
        judged
    }
}

/// Logs a tool of a team in by a name and a password.
fn log_in(contest: &Contest, team: &str) -> String {
    let (name, password) = (format!("{}-{team}", contest.name), "a long enough password");
    let who = json!({ "name": name, "password": password });
    contest.must(&contest.path(&format!("/teams/{team}/users")), &who);
    let who = json!({ "username": name, "password": password });
    contest.must("/api/v2/login", &who)["sessionId"].as_str().unwrap().to_owned()
}

fn add_tasks(contest: &Contest) {
    let hints = json!([{ "at_seconds": 3_000, "kind": "text", "content": "the soonest hint" }]);
    let tasks = [
        json!({ "id": "kis", "type": "KIS", "video_id": "ZQKISVIDEO", "points": [71_390_001, 71_390_088] }),
        json!({ "id": "qa", "type": "QA", "video_id": "ZQQAVIDEO", "points": "71390102-71390177",
                "answer": "zanzibar quokka" }),
        json!({ "id": "tr", "type": "TR", "video_id": "ZQTRVIDEO", "points": "71390203-71390204-71390305-71390306" }),
        json!({ "id": "soon", "type": "KIS", "video_id": "ZQSOONVIDEO", "points": "71390404-71390405", "hints": hints }),
    ];
    for task in tasks {
        contest.must(&contest.path("/tasks"), &task);
    }
}
