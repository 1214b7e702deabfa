//! Fixture: a contest with every kind of record on a real server, and the command line.

use std::path::{Path, PathBuf};
use std::process::Command;

use assize_testbed::contest::{Contest, right_answer, wrong_answer};
use assize_testbed::server::Server;
use serde_json::{Value, json};
use tempfile::TempDir;

pub(crate) const CONTACT: &str = "ada@example.org";

/// A server on a file of its own.
pub(crate) struct Place {
    pub(crate) server: Server,
    pub(crate) file: PathBuf,
    pub(crate) token: String,
    pub(crate) directory: TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("assize.db");
        let server = Server::start(assize(), &["--data", file.to_str().unwrap()]);
        let token = server.admin_token();
        Self { server, file, token, directory }
    }

    pub(crate) fn contest(&self, name: &str) -> Contest {
        Contest::at(&self.server, &self.token, name)
    }

    /// Runs the program on this ledger; exit code and everything it said.
    pub(crate) fn run(&self, args: &[&str]) -> (i32, String) {
        let mut command = Command::new(assize());
        command.args(args).arg("--data").arg(&self.file).env("NO_COLOR", "1");
        let done = command.output().unwrap();
        let said = [done.stdout, done.stderr].map(|text| String::from_utf8(text).unwrap()).concat();
        (done.status.code().unwrap(), said)
    }

    /// Writes a text into a file of this place.
    pub(crate) fn keep(&self, name: &str, text: &str) -> String {
        let file = self.directory.path().join(name);
        std::fs::write(&file, text).unwrap();
        file.to_str().unwrap().to_owned()
    }
}

pub(crate) fn assize() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_assize"))
}

/// A contest under a rulebook of its own choice in which about everything has happened that can; other contests
/// beside it, so that its records do not stand in a row.
pub(crate) fn eventful(place: &Place) -> Contest {
    let aside = Contest::open(&place.server, &place.token, "aside");
    let contest = Contest::at(&place.server, &place.token, "spring");
    contest
        .must("/api/v1/contests", &json!({ "id": "spring", "name": "Frühling", "rulebook": "competition" }));
    let ants = json!({ "id": "ants", "name": "=cmd|'/C calc'!A0", "contact": CONTACT });
    let ants = contest.must(&contest.path("/teams"), &ants)["token"].as_str().unwrap().to_owned();
    let bees = contest.register("bees");
    drop(contest.register("silent"));
    let hints = json!([{ "at_seconds": 0, "kind": "text", "content": "look near the beginning" }]);
    let task =
        json!({ "id": "tr", "type": "TR", "video_id": "V017", "points": "10-20-30-40", "hints": hints });
    contest.must(&contest.path("/tasks"), &task);
    let submit = |task: &str, token: &str, answer: &Value| {
        let client = contest.admin.with_token(token);
        let (status, judged) =
            client.post(&contest.path(&format!("/tasks/{task}/submissions")), answer, None).unwrap();
        assert_eq!(status, 200, "{judged}");
    };
    contest.run_task("kis", 300.0, 10.0);
    drop(aside.register("wasps"));
    submit("kis", &ants, &wrong_answer(1));
    submit("kis", &bees, &right_answer());
    submit("kis", &ants, &right_answer());
    contest.must(&contest.path("/tasks/kis/stop"), &json!({}));
    contest.start_task("tr", 300.0, 10.0);
    contest.must(&contest.path("/boards/freeze"), &json!({}));
    submit("tr", &bees, &json!({ "text": "TR-V017-10,20,30" }));
    aside.run_task("t1", 10.0, 0.0);
    submit("tr", &ants, &json!({ "text": "TR-V017-1,2" }));
    contest.must(&contest.path("/boards/reveal"), &json!({}));
    contest.must(&contest.path("/boards/unfreeze"), &json!({}));
    contest
}

/// Every verdict of a contest with its event, in order, as the records have them.
pub(crate) fn verdicts(contest: &Contest) -> Vec<(Value, Value)> {
    let mut found = Vec::new();
    for position in 1.. {
        let (status, record) = contest.admin.get(&format!("/api/v1/records/{position}")).unwrap();
        if status == 404 {
            return found;
        }
        if record["stream"] == format!("contest/{}", contest.name) && !record["verdict"].is_null() {
            found.push((record["event"].clone(), record["verdict"].clone()));
        }
    }
    found
}

/// Everybody's boards, without the position of their last change, which is another one elsewhere.
pub(crate) fn boards(contest: &Contest) -> Vec<Vec<Value>> {
    [None, Some("kis"), Some("tr")].map(|task| contest.board(task).1).to_vec()
}

/// The export of a contest, as text.
pub(crate) fn exported(contest: &Contest, query: &str) -> String {
    let reply = contest.admin.send("GET", &contest.path(&format!("/export{query}")), &[], None).unwrap();
    assert_eq!(reply.status, 200, "{}", reply.text);
    reply.text
}
