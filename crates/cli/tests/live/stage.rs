//! Fixture: a server with a contest and subscribers, and the events expected from its ledger.

use std::path::Path;

use assize_ledger::{Depth, Ledger, Scan};
use assize_testbed::client::Client;
use assize_testbed::contest::{Contest, wrong_answer};
use assize_testbed::ear::{EventListener, ReceivedEvent};
use assize_testbed::server::Server;

pub(crate) const STREAM: &str = "contest/spring";
pub(crate) const BOARD: &str = "board/contest/spring";

pub(crate) struct Stage {
    pub(crate) contest: Contest,
    pub(crate) server: Server,
}

pub(crate) fn serve(args: &[&str]) -> Server {
    Server::start(Path::new(env!("CARGO_BIN_EXE_assize")), args)
}

impl Stage {
    /// A contest with a task that runs for an hour, and no team yet.
    pub(crate) fn set(args: &[&str]) -> Self {
        let server = serve(args);
        let contest = Contest::open(&server, &server.admin_token(), "spring");
        contest.run_task("t1", 3_600.0, 10.0);
        Self { contest, server }
    }

    /// Somebody who listens to the contest and nothing else, without a token.
    pub(crate) fn ear(&self, last: Option<u64>) -> EventListener {
        EventListener::open(self.server.url(), &[STREAM], last, "").unwrap()
    }

    pub(crate) fn team(&self, name: &str) -> Client {
        self.server.client(&self.contest.register(name))
    }

    /// A record, as the organiser sees it.
    pub(crate) fn record(&self, position: u64) -> serde_json::Value {
        self.contest.admin.get(&format!("/api/v1/records/{position}")).unwrap().1
    }

    /// How far the ledger goes.
    pub(crate) fn position(&self) -> u64 {
        self.contest.board(None).0
    }
}

/// Submits something; returns where it stands in the ledger.
pub(crate) fn submit(team: &Client, body: &serde_json::Value) -> u64 {
    let (status, answer) = team.post("/api/v1/contests/spring/tasks/t1/submissions", body, None).unwrap();
    assert_eq!(status, 200, "{answer}");
    answer["receipt"]["position"].as_u64().unwrap()
}

/// A wrong answer.
pub(crate) fn guess(team: &Client, number: u64) -> u64 {
    submit(team, &wrong_answer(number))
}

/// The positions of a stream's records.
pub(crate) fn positions(ledger: &dyn Ledger) -> Vec<u64> {
    let mut positions = Vec::new();
    let each = &mut |record: assize_kernel::RecordRef<'_>| {
        positions.push(record.position);
        std::ops::ControlFlow::Continue(())
    };
    ledger.scan(Scan::stream(STREAM, 0, Depth::Facts), each).unwrap();
    positions
}

/// What is told of records, not of the stream of events itself.
pub(crate) fn is_notice(heard: &ReceivedEvent) -> bool {
    !matches!(heard.event.as_str(), "hello" | "reset" | "board" | "comment")
}
