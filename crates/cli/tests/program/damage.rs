//! Damaged and foreign ledgers: the errors name the position, or the program that can read them.

use assize_ledger::{Ledger, Snapshot, SqliteLedger};
use assize_testbed::contest::{Contest, eventually};
use assize_testbed::server::Server;

use crate::work_dir::WorkDir;

#[test]
fn a_changed_answer_is_found_by_verifying_and_by_replaying() {
    let dir = WorkDir::with_contest();
    dir.sql("UPDATE records SET body = replace(body, '\"wrong_before\":1', '\"wrong_before\":0') WHERE position = 10");
    let ended = dir.run(&["ledger", "verify"]);
    let problem = "record 10 (AnswerJudged of `contest/spring`) does not match its hash: it, or the one before it, \
                   was changed\n";
    assert_eq!((ended.code, ended.err.as_str(), ended.out.as_str()), (1, problem, "10 records, 1 problem\n"));
    let ended = dir.run(&["replay"]);
    let said = "10 records, 2 verdicts: 1 the same, 1 different, 0 unreadable\n";
    assert_eq!((ended.code, ended.out.as_str()), (1, said));
    let told = "record 10 of contest/spring: AnswerJudged.wrong_before: recorded 0, today 1\n";
    assert_eq!(ended.err, told);
}

#[test]
fn a_changed_verdict_is_found_too() {
    let dir = WorkDir::with_contest();
    dir.sql("UPDATE verdicts SET text = replace(text, '\"outcome\":\"full\"', '\"outcome\":\"partial\"')");
    assert_eq!(dir.run(&["ledger", "verify"]).code, 1);
    let ended = dir.run(&["replay", "--json"]);
    let found: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!((ended.code, &found["different"], &found["shown"][0]["position"]), (1, &1.into(), &10.into()));
    let what = serde_json::json!(["outcome: recorded \"partial\", today \"full\""]);
    assert_eq!(found["shown"][0]["what"], what);
}

#[test]
fn a_board_in_a_damaged_snapshot_is_not_shown() {
    let dir = WorkDir::with_contest();
    dir.run(&["ledger", "verify"]);
    let points = |server: &Server| {
        let (_, rows) = Contest::at(server, "", "spring").board(None);
        rows[0]["points"].as_f64().unwrap()
    };
    let server = dir.serve(&[]);
    let right = points(&server);
    server.stop();
    dir.sql("UPDATE snapshots SET body = replace(body, '\"points\":', '\"points\":9') WHERE name = 'assize/views'");
    let ended = dir.run(&["ledger", "verify"]);
    let problem = "the snapshot `assize/views` at position 10 is not what was saved; it is not used, and nothing is lost\n";
    assert_eq!((ended.code, ended.err.as_str(), ended.out.as_str()), (1, problem, "10 records, 1 problem\n"));
    let server = dir.serve(&[]);
    assert_eq!(points(&server), right);
    assert!(server.log().contains("a damaged snapshot is ignored"), "{}", server.log());
    server.stop();
    assert_eq!(dir.run(&["ledger", "verify"]).code, 0, "a new one was saved");
}

#[test]
fn a_snapshot_that_says_something_else_than_the_records_is_found_by_verifying() {
    let dir = WorkDir::with_contest();
    let ledger = SqliteLedger::open(&dir.path("assize.db")).unwrap();
    let views = ledger.snapshot("assize/views").unwrap().unwrap();
    let body = views.body.replace("\"points\":", "\"points\":9");
    assert_ne!(body, views.body);
    let state = Snapshot { name: "contest/spring".into(), version: 6, edition: "1".into(), ..views.clone() };
    ledger.writer().unwrap().save_snapshots(&[Snapshot { body, ..views }, state]).unwrap();
    drop(ledger);
    let ended = dir.run(&["ledger", "verify"]);
    assert_eq!((ended.code, ended.out.as_str()), (1, "10 records, 2 problems\n"));
    for name in ["assize/views", "contest/spring"] {
        let said = format!("the snapshot `{name}` at position 10 says something else than the records");
        assert!(ended.err.contains(&said), "{}", ended.err);
    }
}

#[test]
fn a_record_that_is_missing_is_named() {
    let dir = WorkDir::with_contest();
    dir.sql("DELETE FROM records WHERE position = 7");
    let ended = dir.run(&["ledger", "verify"]);
    assert_eq!((ended.code, ended.err.as_str()), (1, "record 7 is missing\n"));
    assert_eq!(ended.out, "9 records, 1 problem\n");
    let ended = dir.run(&["replay"]);
    assert_eq!(
        (ended.code, ended.err.lines().next()),
        (1, Some("record 8 of assize/access: record 7 is missing"))
    );
    assert!(ended.out.ends_with(", 1 gap\n"), "{}", ended.out);
}

#[test]
fn a_gap_in_a_stream_is_found_by_replaying() {
    let dir = WorkDir::with_contest();
    dir.sql("UPDATE records SET version = 9 WHERE position = 10");
    let ended = dir.run(&["replay"]);
    let told = "record 10 of contest/spring: record 10 is version 9 of `contest/spring` where 6 must be\n";
    let said = "10 records, 2 verdicts: 2 the same, 0 different, 0 unreadable, 1 gap\n";
    assert_eq!((ended.code, ended.err.as_str(), ended.out.as_str()), (1, told, said));
}

#[test]
fn an_end_that_was_cut_off_is_noticed_by_whoever_has_kept_a_receipt() {
    let dir = WorkDir::with_contest();
    let said = dir.run(&["ledger", "verify"]).out;
    let kept = said.trim().rsplit(' ').next().unwrap();
    dir.run(&["ledger", "verify", "--head", kept]).fine(&said);
    dir.sql("DELETE FROM records WHERE position = 10");
    assert_eq!(dir.run(&["ledger", "verify"]).code, 0, "the chain by itself does not show it");
    let ended = dir.run(&["ledger", "verify", "--head", kept]);
    let told = format!("no record has the hash {kept}: the end was cut off, or this is another ledger\n");
    assert_eq!((ended.code, ended.err, ended.out.as_str()), (1, told, "9 records, 1 problem\n"));
    let ended = dir.run(&["ledger", "verify", "--head", "abc"]);
    assert!(ended.code == 2 && ended.err.contains("`abc` is not a digest"), "{}", ended.err);
}

#[test]
fn what_another_edition_has_judged_is_compared_and_counted_apart() {
    let dir = WorkDir::with_contest();
    dir.sql(
        "UPDATE records SET edition = 0 WHERE position >= 9;
         UPDATE verdicts SET text = replace(text, '\"outcome\":\"full\"', '\"outcome\":\"partial\"')",
    );
    let ended = dir.run(&["replay"]);
    let told = "record 10 of contest/spring: outcome: recorded \"partial\", today \"full\"\n\
                2 verdicts were given by another edition (contest:0), 1 different today\n";
    let said =
        "10 records, 2 verdicts: 1 the same, 0 different, 0 unreadable, 1 different under another edition\n";
    assert_eq!((ended.code, ended.err.as_str(), ended.out.as_str()), (0, told, said));
    let found: serde_json::Value = serde_json::from_str(&dir.run(&["replay", "--json"]).out).unwrap();
    let other = &found["other_editions"]["contest:0"];
    assert_eq!((&other["verdicts"], &other["different"]), (&2.into(), &1.into()));
    assert_eq!((&found["different"], &found["shown"]), (&0.into(), &serde_json::json!([])));
}

#[test]
fn a_server_tells_its_log_whether_the_chain_is_whole() {
    let dir = WorkDir::with_contest();
    let server = dir.serve(&[]);
    eventually("the chain is checked", || {
        server.log().contains("INFO assize::serve: the chain is whole records=10")
    });
    server.stop();
    dir.sql("UPDATE records SET actor = 'admin:nobody' WHERE position = 9");
    let server = dir.serve(&[]);
    let problem = "ERROR assize::serve: record 9 (AnswerJudged of `contest/spring`) does not match its hash: it, or \
                   the one before it, was changed; see `assize ledger verify`";
    eventually("the change is found", || server.log().contains(problem));
    server.stop();
}

#[test]
fn a_record_that_cannot_be_read_keeps_the_server_from_starting() {
    let dir = WorkDir::with_contest();
    dir.sql("UPDATE records SET body = '{' WHERE position = 7; DELETE FROM snapshots");
    dir.run(&["serve", "--listen", "127.0.0.1:0"]).failed(
        3,
        "assize: record 7 of contest/spring (TeamRegistered) cannot be read: EOF while parsing an object at line 1 \
         column 1; `assize ledger verify` says what is wrong with the ledger\n",
    );
    let ended = dir.run(&["replay"]);
    assert_eq!(ended.out, "10 records, 2 verdicts: 2 the same, 0 different, 1 unreadable\n");
    assert_eq!(ended.code, 1);
}

#[test]
fn a_ledger_of_a_newer_program_is_left_alone() {
    let dir = WorkDir::with_contest();
    dir.sql("PRAGMA user_version = 99");
    let message = "`assize.db` was written by a newer assize (schema 99, this program knows up to 5); use the newer \
                   program, or import an export of it";
    for command in [&["ledger", "verify"][..], &["replay"], &["serve", "--listen", "127.0.0.1:0"], &["token"]]
    {
        dir.run(command).wrong_use(message);
    }
}
