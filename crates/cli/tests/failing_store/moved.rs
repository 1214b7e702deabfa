//! The file of a running server is moved, deleted or replaced: nothing is acknowledged that would be lost.

use std::fs;
use std::path::PathBuf;

use assize_ledger::SqliteLedger;
use assize_testbed::contest::eventually;
use serde_json::Value;

use crate::common::{Evidence, Sent, all_is_well, send_again};
use crate::is_unavailable;
use crate::sqlite::Stage;

impl Stage {
    /// A server that has judged these answers.
    fn having_judged(numbers: std::ops::RangeInclusive<u64>) -> (Self, Vec<Sent>) {
        let stage = Self::set("", &[]);
        let client = stage.server.client("");
        let mut sent: Vec<Sent> = numbers.map(|number| Sent::guess(&stage.team, number)).collect();
        sent.iter_mut().for_each(|each| assert_eq!(each.deliver(&client).unwrap().0, 200));
        (stage, sent)
    }

    fn beside(&self, name: &str) -> PathBuf {
        self.file.with_file_name(name)
    }

    fn ready(&self) -> (u16, Value) {
        self.server.client("").get("/readyz").unwrap()
    }

    /// An answer that is turned away, with these words.
    #[track_caller]
    fn turned_away(&self, number: u64, words: &str) -> Sent {
        let mut sent = Sent::guess(&self.team, number);
        let (status, answer) = sent.deliver(&self.server.client("")).unwrap();
        assert!(is_unavailable(status, &answer), "{answer}");
        let detail = answer["detail"].as_str().unwrap();
        assert!(detail.contains(words) && detail.contains(self.file.to_str().unwrap()), "{detail}");
        sent
    }
}

#[test]
fn a_moved_file_is_told_and_when_it_is_back_it_goes_on() {
    let (stage, mut sent) = Stage::having_judged(1..=3);
    let away = stage.beside("away.db");
    fs::rename(&stage.file, &away).unwrap();
    // Nobody sends anything: the server finds out because it is asked.
    eventually("it is not ready", || stage.ready().0 == 503);
    let detail = stage.ready().1["detail"].to_string();
    assert!(detail.contains("was moved or deleted while it was open"), "{detail}");
    sent.push(stage.turned_away(4, "was moved or deleted while it was open"));
    assert_eq!(stage.server.client("").get("/healthz").unwrap().0, 200, "the process lives");
    assert_eq!(stage.contest.board(None).0, sent[2].receipt.as_ref().unwrap().0, "boards as they were");
    fs::rename(&away, &stage.file).unwrap();
    eventually("it is ready again", || stage.ready().0 == 200);
    send_again(&mut sent, &stage.server.client(""));
    stage.end_well(&sent);
}

#[test]
fn a_deleted_file_is_told_and_none_is_made_in_its_place() {
    let (stage, _) = Stage::having_judged(1..=3);
    fs::remove_file(&stage.file).unwrap();
    stage.turned_away(4, "was moved or deleted while it was open");
    assert_eq!(stage.ready().0, 503);
    assert_eq!(stage.contest.admin.get("/api/v1/contests/spring").unwrap().0, 200, "reading goes on");
    assert!(!stage.file.exists());
}

#[test]
fn a_replaced_file_is_told_and_the_new_one_is_left_as_it_is() {
    let (stage, _) = Stage::having_judged(1..=3);
    let new = stage.beside("new.db");
    drop(SqliteLedger::open(&new).unwrap());
    let bytes = fs::read(&new).unwrap();
    fs::rename(&new, &stage.file).unwrap();
    stage.turned_away(4, "was replaced by another while it was open");
    eventually("it is not ready", || stage.ready().0 == 503);
    assert_eq!(fs::read(&stage.file).unwrap(), bytes);
}

#[test]
fn what_was_acknowledged_is_in_the_moved_file_after_a_kill() {
    let (stage, sent) = Stage::having_judged(1..=3);
    let away = stage.beside("away.db");
    fs::rename(&stage.file, &away).unwrap();
    stage.turned_away(4, "was moved or deleted while it was open");
    stage.server.kill();
    all_is_well(&mut Evidence::default(), &SqliteLedger::open(&away).unwrap(), &sent, &[]);
}

#[test]
fn what_was_acknowledged_outlives_a_log_that_was_deleted() {
    let (stage, sent) = Stage::having_judged(1..=3);
    fs::remove_file(stage.beside("assize.db-wal")).unwrap();
    stage.turned_away(4, "-wal`, a part of the open ledger, was moved or deleted");
    assert_eq!(stage.ready().0, 503);
    stage.server.kill();
    all_is_well(&mut Evidence::default(), &SqliteLedger::open(&stage.file).unwrap(), &sent, &[]);
}
