//! Many submissions at the end of a task: those received in time count, however long they wait to be decided.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot set the stage must stop"
)]

use std::collections::BTreeSet;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::ops::ControlFlow;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use assize_engine::system_time;
use assize_kernel::Moment;
use assize_ledger::{Depth, Ledger, Scan, SqliteLedger};
use assize_testbed::contest::{Contest, wrong_answer};
use assize_testbed::server::Server;
use rusqlite::Connection;
use serde_json::Value;

const SUBMISSIONS: usize = 2_000;
const TEAMS: usize = 100;
/// For so long before the end of the task nothing can be written; less than the server waits for the file.
const HELD: Duration = Duration::from_millis(3_500);

/// A submission on a connection of its own, not sent yet.
struct Waiting {
    stream: TcpStream,
    request: String,
}

impl Waiting {
    fn new(contest: &Contest, url: &str, token: &str, number: usize) -> Self {
        let address = url.strip_prefix("http://").unwrap();
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let (path, body) = (contest.path("/tasks/t1/submissions"), wrong_answer(number as u64).to_string());
        let head = format!("POST {path} HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}\r\n");
        let tail = format!("connection: close\r\ncontent-length: {}\r\n\r\n{body}", body.len());
        Self { stream, request: head + &tail }
    }

    fn send(&mut self) {
        self.stream.write_all(self.request.as_bytes()).unwrap();
    }

    fn is_answered(&self) -> bool {
        self.stream.set_nonblocking(true).unwrap();
        let looked = self.stream.peek(&mut [0; 1]);
        self.stream.set_nonblocking(false).unwrap();
        !looked.is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
    }

    fn answer(mut self) -> (String, Value) {
        let mut answer = String::new();
        self.stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {answer}"));
        (head.lines().next().unwrap_or_default().to_owned(), serde_json::from_str(body).unwrap())
    }
}

fn wait_until(moment: Moment) {
    while system_time() < moment {
        sleep(Duration::from_millis(5));
    }
}

/// Position and guess of every answer in the ledger, once each.
fn recorded(file: &Path) -> BTreeSet<(u64, u64)> {
    let mut found = BTreeSet::new();
    let ledger = SqliteLedger::open_existing(file).unwrap();
    let each = &mut |record: assize_kernel::RecordRef<'_>| {
        if record.kind == "AnswerJudged" {
            let body: Value = serde_json::from_str(record.body).unwrap();
            let guess = body["AnswerJudged"]["answers"][0]["start"].as_u64().unwrap();
            assert!(found.insert((record.position, guess)));
        }
        ControlFlow::Continue(())
    };
    ledger.scan(Scan::all(0, Depth::Whole), each).unwrap();
    found
}

#[test]
fn two_thousand_answers_that_wait_over_the_end_of_a_task_are_all_in_time() {
    rlimit::increase_nofile_limit(16_384).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("assize.db");
    let server = Server::start(Path::new(env!("CARGO_BIN_EXE_assize")), &["--data", file.to_str().unwrap()]);
    let contest = Contest::open(&server, &server.admin_token(), "spring");
    let tokens: Vec<String> = (0..TEAMS).map(|team| contest.register(&format!("team-{team}"))).collect();
    let mut waiting: Vec<Waiting> = (0..SUBMISSIONS)
        .map(|number| Waiting::new(&contest, server.url(), &tokens[number % TEAMS], number))
        .collect();
    let started: Moment = contest.run_task("t1", 5.0, 1.0).parse().unwrap();
    let closes: Moment = contest.seen()["tasks"][0]["round"]["closes_at"].as_str().unwrap().parse().unwrap();

    // Somebody holds the file while everybody hits enter, until the time is up.
    let held = Connection::open(&file).unwrap();
    wait_until(Moment::from_millis(closes.as_millis() - HELD.as_millis() as i64));
    held.execute_batch("BEGIN IMMEDIATE").unwrap();
    waiting.iter_mut().for_each(Waiting::send);
    wait_until(Moment::from_millis(closes.as_millis() + 200));
    assert!(
        !waiting.iter().any(Waiting::is_answered),
        "nothing can have been written yet, and the time is up"
    );
    held.execute_batch("ROLLBACK").unwrap();

    let mut acknowledged = BTreeSet::new();
    for (number, each) in waiting.into_iter().enumerate() {
        let (status, judged) = each.answer();
        assert_eq!(status, "HTTP/1.1 200 OK", "{judged}");
        let received: Moment = judged["receipt"]["at"].as_str().unwrap().parse().unwrap();
        assert!(started <= received && received <= closes, "{judged}");
        acknowledged.insert((judged["receipt"]["position"].as_u64().unwrap(), number as u64));
    }
    assert_eq!(acknowledged.len(), SUBMISSIONS);
    assert_eq!(recorded(&file), acknowledged, "what was answered is there, and nothing else");
    server.stop();
}
