//! Fixture: an in-memory server with a contest of one task and two teams.

use std::path::Path;

use assize_testbed::client::Client;
use assize_testbed::contest::Contest;
use assize_testbed::server::Server;
use serde_json::{Value, json};

/// What only the organiser may know of the task: no hash or time looks like these by chance.
pub(crate) const VIDEO: &str = "Zugspitze_2962";
pub(crate) const MOMENTS: [u64; 2] = [73_915_527, 73_915_981];
pub(crate) const TEXT: &str = "periwinkle";

pub(crate) struct Stage {
    pub(crate) contest: Contest,
    pub(crate) ants: Client,
    pub(crate) bees: Client,
    pub(crate) nobody: Client,
    server: Server,
}

pub(crate) fn serve() -> Server {
    Server::start(Path::new(env!("CARGO_BIN_EXE_assize")), &["--ephemeral"])
}

impl Stage {
    /// With a question that nobody has been asked yet.
    pub(crate) fn set() -> Self {
        let server = serve();
        let contest = Contest::open(&server, &server.admin_token(), "spring");
        let [ants, bees] = ["ants", "bees"].map(|team| server.client(&contest.register(team)));
        let question =
            json!({ "id": "q1", "type": "QA", "video_id": VIDEO, "points": MOMENTS, "answer": TEXT });
        contest.must(&contest.path("/tasks"), &question);
        Self { contest, ants, bees, nobody: server.client(""), server }
    }

    /// With the question asked.
    pub(crate) fn running() -> Self {
        let stage = Self::set();
        stage.contest.start_task("q1", 3_600.0, 10.0);
        stage
    }

    pub(crate) fn submit(&self, team: &Client, body: &Value, key: Option<&str>) -> (u16, Value) {
        team.post(&self.contest.path("/tasks/q1/submissions"), body, key).unwrap()
    }

    /// How far the ledger goes.
    pub(crate) fn position(&self) -> u64 {
        self.contest.board(None).0
    }

    /// Where the server listens, for whoever speaks HTTP by hand.
    pub(crate) fn address(&self) -> &str {
        self.server.url().trim_start_matches("http://")
    }

    pub(crate) fn end(self) {
        self.server.stop();
    }
}

/// A wrong answer.
pub(crate) fn guess(text: &str) -> Value {
    json!({ "text": format!("QA-{text}-L01-1,2") })
}

/// The right answer.
pub(crate) fn right() -> Value {
    json!({ "text": format!("QA-{TEXT}-{VIDEO}-{},{}", MOMENTS[0], MOMENTS[1]) })
}
