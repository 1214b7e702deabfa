//! A clock that was set back or forward between two starts.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use assize_kernel::{Head, Millis, Moment, Record};
use assize_ledger::{Batch, Depth, Ledger, Scan, SqliteLedger};
use assize_testbed::contest::{Contest, eventually, right_answer};
use assize_testbed::server::Server;
use tempfile::TempDir;

const AN_HOUR: Millis = Millis(3_600_000);

/// The records of one ledger, written into another as if everything had happened later by `shift`.
fn shifted(from: &Path, to: &Path, shift: Millis) -> Moment {
    let mut head = Head::START;
    let mut records: Vec<Arc<Record>> = Vec::new();
    let ledger = SqliteLedger::open_existing(from).unwrap();
    let scan = Scan::all(0, Depth::Whole);
    let mut write = |record: Record| {
        let mut draft = record.draft;
        draft.at = draft.at + shift;
        records.push(Arc::new(head.seal(record.batch, draft)));
    };
    ledger
        .scan(scan, &mut |record| {
            write(record.to_record().unwrap());
            ControlFlow::Continue(())
        })
        .unwrap();
    let last = records.last().expect("something has happened").draft.at;
    let later = SqliteLedger::open(to).unwrap();
    let mut writer = later.writer().unwrap();
    writer.lock().unwrap().commit(&Batch { records, ..Batch::default() }).unwrap();
    last
}

fn serve(file: &Path) -> Server {
    let program = Path::new(env!("CARGO_BIN_EXE_assize"));
    Server::start(program, &["--data", file.to_str().unwrap()])
}

#[test]
fn a_clock_set_back_an_hour_between_two_starts_does_not_turn_time_back() {
    let directory = TempDir::new().unwrap();
    let [before, after] = ["before.db", "after.db"].map(|name| directory.path().join(name));
    let server = serve(&before);
    drop(Contest::open(&server, &server.admin_token(), "spring"));
    server.stop();
    // To the next server this machine's clock is an hour behind what is on record.
    let mut last = shifted(&before, &after, AN_HOUR);
    let server = serve(&after);
    let token = server.admin_token();
    let contest = Contest::at(&server, &token, "spring");
    let now = |contest: &Contest| contest.seen()["now"].as_str().unwrap().parse::<Moment>().unwrap();
    assert!(now(&contest) >= last, "it is not earlier than what is on record");
    let started: Moment = contest.run_task("hunt", 3_600.0, 10.0).parse().unwrap();
    assert!(started >= last);
    let team = contest.register("ants");
    server.stop();
    // And once more, with a task that is running.
    let server = serve(&after);
    let client = server.client(&team);
    let path = contest.path("/tasks/hunt/submissions");
    let (status, judged) = client.post(&path, &right_answer(), None).unwrap();
    assert_eq!((status, &judged["verdict"]["outcome"]), (200, &"full".into()), "{judged}");
    let received: Moment = judged["receipt"]["at"].as_str().unwrap().parse().unwrap();
    assert_eq!(judged["verdict"]["detail"]["elapsed_time"], (received - started).as_seconds(), "{judged}");
    last = last.max(received);
    assert!(now(&Contest::at(&server, &token, "spring")) >= last);
    server.stop();
}

#[test]
fn a_task_that_closes_at_a_start_with_the_clock_an_hour_ahead_is_named_in_the_log() {
    let directory = TempDir::new().unwrap();
    let [before, after] = ["before.db", "after.db"].map(|name| directory.path().join(name));
    let server = serve(&before);
    Contest::open(&server, &server.admin_token(), "spring").run_task("hunt", 600.0, 10.0);
    server.stop();
    let server = serve(&before);
    assert!(!server.log().contains("deadline"), "nothing is due: {}", server.log());
    server.stop();
    shifted(&before, &after, Millis(-AN_HOUR.0));
    let server = serve(&after);
    let line = "deadlines passed while no server was running, and fire now";
    eventually("the log names it", || {
        server.log().lines().any(|log| log.contains(line) && log.contains("contest/spring"))
    });
    server.stop();
}
