//! A clock that was set back: the server continues from the time of the last record.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use assize_kernel::{Head, Millis, Moment, Record};
use assize_ledger::{Batch, Depth, Ledger, Scan, SqliteLedger};
use assize_testbed::contest::{Contest, right_answer};
use assize_testbed::server::Server;
use tempfile::TempDir;

const AN_HOUR: Millis = Millis(3_600_000);

/// The records of one ledger, written into another as if everything had happened an hour later.
fn an_hour_later(from: &Path, to: &Path) -> Moment {
    let mut head = Head::START;
    let mut records: Vec<Arc<Record>> = Vec::new();
    let ledger = SqliteLedger::open_existing(from).unwrap();
    let scan = Scan::all(0, Depth::Whole);
    let mut shift = |record: Record| {
        let mut draft = record.draft;
        draft.at = draft.at + AN_HOUR;
        records.push(Arc::new(head.seal(record.batch, draft)));
    };
    ledger
        .scan(scan, &mut |record| {
            shift(record.to_record().unwrap());
            ControlFlow::Continue(())
        })
        .unwrap();
    let last = records.last().expect("something has happened").draft.at;
    let later = SqliteLedger::open(to).unwrap();
    let mut writer = later.writer().unwrap();
    writer.lock().unwrap().commit(&Batch { records, ..Batch::default() }).unwrap();
    last
}

#[test]
fn a_clock_set_back_an_hour_between_two_starts_does_not_turn_time_back() {
    let directory = TempDir::new().unwrap();
    let [before, after] = ["before.db", "after.db"].map(|name| directory.path().join(name));
    let serve = |file: &Path| {
        let program = Path::new(env!("CARGO_BIN_EXE_assize"));
        Server::start(program, &["--data", file.to_str().unwrap()])
    };
    let server = serve(&before);
    drop(Contest::open(&server, &server.admin_token(), "spring"));
    server.stop();
    // To the next server this machine's clock is an hour behind what is on record.
    let mut last = an_hour_later(&before, &after);
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
