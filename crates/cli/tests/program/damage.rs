//! A ledger that is not what was written: it is told where, and by whom it can be read.

use crate::desk::Desk;

#[test]
fn a_changed_answer_is_found_by_verifying_and_by_replaying() {
    let desk = Desk::with_contest();
    desk.sql("UPDATE records SET body = replace(body, '\"wrong_before\":1', '\"wrong_before\":0') WHERE position = 7");
    let ended = desk.run(&["ledger", "verify"]);
    let problem = "record 7 (AnswerJudged of `contest/spring`) does not match its hash: it, or the one before it, \
                   was changed\n";
    assert_eq!(
        (ended.code, ended.err.as_str(), ended.out.as_str()),
        (1, problem, "7 records, one problem\n")
    );
    let ended = desk.run(&["replay"]);
    let said = "7 records, 2 verdicts: 1 the same, 1 different, 0 unreadable\n";
    assert_eq!((ended.code, ended.out.as_str()), (1, said));
    assert!(ended.err.starts_with("record 7 of contest/spring: recorded {"), "{}", ended.err);
}

#[test]
fn a_changed_verdict_is_found_too() {
    let desk = Desk::with_contest();
    desk.sql(
        "UPDATE records SET verdict = replace(verdict, '\"outcome\":\"full\"', '\"outcome\":\"partial\"')",
    );
    assert_eq!(desk.run(&["ledger", "verify"]).code, 1);
    let ended = desk.run(&["replay", "--json"]);
    let found: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!((ended.code, &found["different"], &found["shown"][0]["position"]), (1, &1.into(), &7.into()));
}

#[test]
fn a_record_that_is_missing_is_named() {
    let desk = Desk::with_contest();
    desk.sql("DELETE FROM records WHERE position = 5");
    let ended = desk.run(&["ledger", "verify"]);
    assert_eq!((ended.code, ended.err.as_str()), (1, "record 5 is missing\n"));
    assert_eq!(ended.out, "6 records, one problem\n");
}

#[test]
fn a_record_that_cannot_be_read_keeps_the_server_from_starting() {
    let desk = Desk::with_contest();
    desk.sql("UPDATE records SET body = '{' WHERE position = 5; DELETE FROM snapshots");
    desk.run(&["serve", "--listen", "127.0.0.1:0"]).failed(
        3,
        "assize: internal error: record 5 of contest/spring (TeamRegistered) cannot be read: EOF while parsing an \
         object at line 1 column 1\n",
    );
    let ended = desk.run(&["replay"]);
    assert_eq!(ended.out, "7 records, 2 verdicts: 2 the same, 0 different, 1 unreadable\n");
    assert_eq!(ended.code, 1);
}

#[test]
fn a_ledger_of_a_newer_program_is_left_alone() {
    let desk = Desk::with_contest();
    desk.sql("PRAGMA user_version = 99");
    let message = "`assize.db` was written by a newer assize (schema 99, this program knows up to 1); use the newer \
                   program, or import an export of it";
    for command in [&["ledger", "verify"][..], &["replay"], &["serve", "--listen", "127.0.0.1:0"], &["token"]]
    {
        desk.run(command).wrong_use(message);
    }
}
