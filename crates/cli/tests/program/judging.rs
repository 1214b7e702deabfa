//! `assize judge` and `assize explain`.

use serde_json::{Value, json};

use crate::work_dir::{Ended, WorkDir};

fn document(wrong_attempts: u32) -> Value {
    json!({
        "task": { "type": "KIS", "video_id": "L01", "points": "10-20", "time_limit": 300 },
        "submission": { "answerSets": [{ "answers": [{ "mediaItemName": "L01", "start": 10, "end": 20 }] }] },
        "elapsed_seconds": 30,
        "wrong_attempts": wrong_attempts,
    })
}

/// The lines of what came out.
fn lines(ended: &Ended) -> Vec<Value> {
    ended.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_single_document_may_be_spread_over_lines() {
    let dir = WorkDir::new();
    let spread = serde_json::to_string_pretty(&document(1)).unwrap();
    dir.write("answer.json", &spread);
    for ended in
        [dir.run(&["judge", "contest", "answer.json"]), dir.run_with(&["judge", "contest", "-"], &spread)]
    {
        assert_eq!((ended.code, ended.err.as_str()), (0, ""));
        let [verdict] = &lines(&ended)[..] else { panic!("{}", ended.out) };
        assert_eq!((&verdict["outcome"], &verdict["points"]), (&json!("full"), &json!(85.0)));
    }
}

#[test]
fn lines_are_judged_in_their_order_and_a_bad_one_is_named_by_its_number() {
    let input = format!("{}\n\n{{\"task\": 3}}\n{{nonsense\n{}\n", document(1), document(2));
    let ended = WorkDir::new().run_with(&["judge", "contest", "-"], &input);
    assert_eq!((ended.code, ended.err.as_str()), (2, "assize: 2 documents could not be judged\n"));
    let lines = lines(&ended);
    assert_eq!(lines.len(), 4);
    assert_eq!([&lines[0]["points"], &lines[3]["points"]], [&json!(85.0), &json!(75.0)]);
    let refused = |message: &str| json!({ "code": "contest.document.malformed", "kind": "malformed", "message": message });
    assert_eq!(lines[1], json!({ "refused": refused("task: expected an object, found `3`"), "line": 3 }));
    let message = "document: not JSON: key must be a string at column 2";
    assert_eq!(lines[2], json!({ "refused": refused(message), "line": 4 }));
}

#[test]
fn a_line_that_is_not_utf_8_is_named_and_does_not_stop_the_others() {
    let dir = WorkDir::new();
    let [mut bad, good] = [document(1), document(2)].map(|document| format!("{document}\n").into_bytes());
    let column = 1 + bad.iter().position(|byte| *byte == b'L').unwrap();
    bad[column - 1] = 0xff;
    let message = format!("document: not UTF-8 at column {column}");
    let refused = json!({ "code": "contest.document.malformed", "kind": "malformed", "message": message });
    for (input, line) in [([&good[..], &bad, &good].concat(), 2), ([&bad[..], &good, &good].concat(), 1)] {
        std::fs::write(dir.path("answers.jsonl"), input).unwrap();
        let ended = dir.run(&["judge", "contest", "answers.jsonl"]);
        assert_eq!((ended.code, ended.err.as_str()), (2, "assize: one document could not be judged\n"));
        let mut lines = lines(&ended);
        assert_eq!(lines.remove(line - 1), json!({ "refused": refused, "line": line }));
        assert!(lines.len() == 2 && lines.iter().all(|line| line["points"] == 75.0), "{lines:?}");
    }
}

#[test]
fn a_mistake_in_a_document_of_several_lines_is_named_by_its_line_in_the_input() {
    let ended = WorkDir::new().run_with(&["judge", "contest", "-"], "\n\n{\n  \"task\": 1,\n  nonsense\n}\n");
    let message = "document: not JSON: key must be a string at column 3";
    let refused = json!({ "code": "contest.document.malformed", "kind": "malformed", "message": message });
    assert_eq!((ended.code, lines(&ended)), (2, vec![json!({ "refused": refused, "line": 5 })]));
}

#[test]
fn a_file_that_is_no_json_from_the_beginning_is_told_once() {
    let dir = WorkDir::new();
    dir.write("notes.txt", "\nbuy milk\nbuy bread\n");
    let message = "line 2 of `notes.txt` is no JSON: expected value at column 1";
    dir.run(&["judge", "contest", "notes.txt"]).wrong_use(message);
    let ended = dir.run_with(&["judge", "contest", "-"], "{nonsense\n{}\n");
    ended.wrong_use("line 1 of standard input is no JSON: key must be a string at column 2");
    let two_on_a_line = dir.run_with(&["judge", "contest", "-"], "{}{}\n{}\n");
    assert_eq!(lines(&two_on_a_line).len(), 2, "what begins as lines is taken as lines");
}

#[test]
fn what_cannot_be_judged_is_told() {
    let dir = WorkDir::new();
    let judge = |args: &[&str], input: &str| dir.run_with(&[&["judge"], args].concat(), input);
    let empty = "there is nothing to judge: the input is empty";
    judge(&["contest", "-"], "").wrong_use(empty);
    judge(&["contest", "-"], " \n\n").wrong_use(empty);
    let known = format!("there is no court `moon`; there is {}", crate::work_dir::courts());
    judge(&["moon", "-"], "{}").wrong_use(&known);
    judge(&["contest", "none.json"], "").wrong_use("`none.json`: No such file or directory (os error 2)");
    let message = "`none` is no file and no rulebook of contest; there is competition, tolerance, \
                   tolerance-strict, tolerance-lenient, vbs";
    judge(&["contest", "-", "--rulebook", "none"], "{}").wrong_use(message);
    std::fs::write(dir.path("bytes"), [0xff, 0xfe]).unwrap();
    judge(&["contest", "bytes"], "").wrong_use("the input is not UTF-8");
    std::fs::write(dir.path("spread"), b"{\n\"task\": \"\xff\"\n}").unwrap();
    judge(&["contest", "spread"], "").wrong_use("the input is not UTF-8");
    assert_eq!(judge(&["contest", "-"], "{}").err, "assize: one document could not be judged\n");
}

#[test]
fn a_rulebook_of_ones_own_is_judged_by_and_named_in_the_verdict() {
    let dir = WorkDir::new();
    let shipped = dir.run(&["rulebook", "show", "contest/competition"]).out;
    let mild = shipped.replace("penalty = 10 ", "penalty = 5 ").replace("\"competition\"", "\"mild\"");
    dir.write("mild.toml", &mild).write("wrong.toml", &mild.replace("penalty", "penality"));
    let ended = dir.run_with(&["judge", "contest", "-", "--rulebook", "mild.toml"], &document(1).to_string());
    let verdict = &lines(&ended)[0];
    assert_eq!((&verdict["rulebook"]["name"], &verdict["points"]), (&json!("mild"), &json!(90.0)));
    let wrong =
        dir.run_with(&["judge", "contest", "-", "--rulebook", "wrong.toml"], &document(1).to_string());
    wrong.wrong_use(
        "wrong.toml:13: score.penality: unknown field `penality`, expected one of `maximum`, `base`, `penalty`",
    );
}

const EXPLAINED: &str = "\
contest: full, 85 points
by rulebook competition v1 (838def534940), assessed by exact 1

Why
  info      all 2 boundaries matched  (contest.answer.exact)
            answer: 10,20
  major     1 wrong attempt before this one, 10 points  (contest.attempts.penalty)

How
  matched      = boundaries among the submitted values, each counted once
                 with boundaries = 2, submitted = 2
               = 2
  correctness  = 1 when matched = boundaries = submitted, else 0
                 with matched = 2, boundaries = 2, submitted = 2
               = 1
  time_factor  = 1 − elapsed ÷ limit, from 0 to 1
                 with elapsed = 30, limit = 300
               = 0.9
  score        = max(0, base + (maximum − base) × time_factor − wrong × penalty) × correctness, to 1 decimal
                 with base = 50, maximum = 100, time_factor = 0.9, wrong = 1, penalty = 10, correctness = 1
               = 85
";

#[test]
fn a_verdict_is_explained_so_that_the_arithmetic_can_be_redone() {
    let dir = WorkDir::new();
    let verdict = dir.run_with(&["judge", "contest", "-"], &document(1).to_string()).out;
    dir.run_with(&["explain", "-"], &verdict).fine(EXPLAINED);
    let answer_of_the_server = format!("{{\"receipt\": {{}}, \"verdict\": {verdict}}}");
    dir.write("answer.json", &answer_of_the_server).run(&["explain", "answer.json"]).fine(EXPLAINED);
    dir.run(&["explain", "answer.json", "--json"]).fine(&verdict);
}

#[test]
fn what_is_no_verdict_is_told() {
    let dir = WorkDir::new();
    let explain = |input: &str| dir.run_with(&["explain", "-"], input);
    explain("").wrong_use("there is nothing to explain: the input is empty");
    explain("nonsense").wrong_use("standard input is no JSON: expected ident at line 1 column 2");
    explain("[]").wrong_use("this is no verdict: expected an object, found `[]`");
    explain("{}").wrong_use("this is no verdict: missing field `court` at line 1 column 2");
    dir.run(&["explain", "none.json"]).wrong_use("`none.json`: No such file or directory (os error 2)");
}

#[test]
fn a_record_is_explained_by_its_position() {
    let dir = WorkDir::with_contest();
    let ended = dir.run(&["explain", "10"]);
    let head: Vec<&str> = ended.out.lines().take(3).collect();
    assert_eq!((ended.code, ended.err.as_str(), head[1]), (0, "", EXPLAINED.lines().nth(1).unwrap()));
    assert!(head[2].starts_with("record 10 of contest/spring, admin:organiser at 2"), "{}", head[2]);
    assert!(ended.out.contains("1 wrong attempt before this one, 10 points"), "{}", ended.out);
    dir.run(&["explain", "6"]).wrong_use("record 6 of contest/spring is no verdict: TaskStarted");
    dir.run(&["explain", "99"]).wrong_use("there is no record 99; the last one is 10");
    dir.run(&["explain", "10", "--data", "none.db"]).wrong_use("there is no file `none.db`");
}
