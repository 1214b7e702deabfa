//! `assize rejudge`: preview and adoption on the command line.

use serde_json::{Value, json};

use crate::work_dir::WorkDir;

const OVERRULE: &str = r#"{"OverruleAnswer": {"position": 9, "outcome": "full"}}"#;

fn report(dir: &WorkDir, args: &[&str]) -> (i32, Value) {
    let ended = dir.run(&[&["rejudge", "contest/spring", "--json"], args].concat());
    (ended.code, serde_json::from_str(&ended.out).unwrap())
}

#[test]
fn judged_once_more_as_it_stands_nothing_comes_out_otherwise() {
    let dir = WorkDir::with_contest();
    let said = "contest/spring up to record 10: 2 verdicts, none would come out otherwise\n";
    dir.run(&["rejudge", "contest/spring"]).fine(said);
    dir.run(&["rejudge", "contest/spring", "--rulebook", "competition"]).fine(said);
}

#[test]
fn a_ruling_is_shown_and_then_adopted_and_the_ledger_stays_whole() {
    let dir = WorkDir::with_contest();
    dir.write("ruling.json", OVERRULE);
    let (code, found) = report(&dir, &["--amend", "ruling.json"]);
    assert_eq!((code, &found["changed"][0]["after"]["outcome"]), (1, &json!("full")));
    assert_eq!(found["changed"][1]["after"]["refusal"], "contest.task.already_completed");
    let ended = dir.run(&["rejudge", "contest/spring", "--amend", "ruling.json"]);
    let points = |index: usize, side: &str| found["changed"][index][side]["points"].as_f64().unwrap();
    let expected = format!(
        "contest/spring up to record 10: 2 verdicts, 2 would come out otherwise\n\nVerdicts\n  \
         record  9  ants  incorrect, 0 → full, {}\n  \
         record 10  ants  full, {} → refused, 0  (contest.task.already_completed)\n",
        points(0, "after"),
        points(1, "before")
    );
    assert_eq!((ended.code, ended.err.as_str()), (1, ""));
    assert!(ended.out.starts_with(&expected), "{}", ended.out);
    assert!(ended.out.contains("\nBoard contest/spring\n  ants  1. with "), "{}", ended.out);

    let adopt = ["rejudge", "contest/spring", "--amend", "ruling.json", "--adopt"];
    assert_eq!(dir.run(&adopt).code, 2, "not without a reason");
    let told = ["--reason", "it was right", "--as", "judge:anna"];
    let ended = dir.run(&[&adopt[..], &told].concat());
    assert_eq!((ended.code, ended.err.as_str()), (0, ""));
    assert!(ended.out.ends_with("\nadopted: record 13\n"), "{}", ended.out);
    let again = report(&dir, &[&["--amend", "ruling.json"], &told[..]].concat());
    assert_eq!(again.0, 0, "it is so already");
    dir.run(&["replay"]).fine("13 records, 3 verdicts: 3 the same, 0 different, 0 unreadable\n");
    assert_eq!(dir.run(&["ledger", "verify"]).code, 0);
    let explained = dir.run(&["explain", "9"]).out;
    assert!(explained.ends_with("\nRevised by record 11, which counts instead\n"), "{explained}");
    let explained = dir.run(&["explain", "11"]).out;
    assert!(
        explained.contains("assessed by judge:anna 1") && explained.contains("it was right"),
        "{explained}"
    );

    dir.run(&["ledger", "export", "copy.jsonl"]);
    dir.run(&["ledger", "import", "copy.jsonl", "--data", "copy.db"]);
    let again = dir.run(&["replay", "--data", "copy.db"]);
    again.fine("13 records, 3 verdicts: 3 the same, 0 different, 0 unreadable\n");
}

#[test]
fn another_rulebook_is_named_with_the_one_before() {
    let dir = WorkDir::with_contest();
    let ended = dir.run(&["rejudge", "contest/spring", "--rulebook", "vbs"]);
    assert_eq!(ended.code, 1);
    assert!(ended.out.contains("\nrulebook competition v1 ("), "{}", ended.out);
    assert!(ended.out.contains(") → vbs v1 ("), "{}", ended.out);
    assert!(ended.out.contains("\n1 record beside them would say something else\n"), "{}", ended.out);
}

#[test]
fn a_ruling_beside_a_running_server_is_on_its_board() {
    let dir = WorkDir::with_contest();
    let server = dir.serve(&[]);
    dir.write("ruling.json", OVERRULE);
    let args = ["rejudge", "contest/spring", "--amend", "ruling.json", "--adopt", "--reason", "it was right"];
    assert_eq!(dir.run(&args).code, 0);
    let visitor = server.client("");
    assize_testbed::contest::eventually("the board has followed", || {
        let (_, board) = visitor.get("/api/v1/contests/spring/board").unwrap();
        board["position"] == 13
    });
    server.stop();
}

#[test]
fn what_cannot_be_rejudged_is_named() {
    let dir = WorkDir::with_contest();
    let rejudge = |args: &[&str]| dir.run(&[&["rejudge"], args].concat());
    rejudge(&["contest/none"]).wrong_use("there is no stream `contest/none`");
    let ended = rejudge(&["moot/spring"]);
    assert_eq!(ended.code, 2);
    assert!(ended.err.starts_with("assize: there is no court `moot`; there is contest"), "{}", ended.err);
    dir.write("odd.json", "{");
    let wrong = "`odd.json` is no JSON: EOF while parsing an object at line 1 column 1";
    rejudge(&["contest/spring", "--amend", "odd.json"]).wrong_use(wrong);
    dir.write("odd.json", r#"{"OverruleAnswer": {"position": 3, "outcome": "full"}}"#);
    let wrong = "amendment 1 is about nothing in contest/spring";
    rejudge(&["contest/spring", "--amend", "odd.json"]).wrong_use(wrong);
    let wrong = "`app:desk` may not; only an admin or a judge may";
    rejudge(&["contest/spring", "--as", "app:desk"]).wrong_use(wrong);
}
