//! `assize eval` with an earlier run (compare, resume), and on a directory.

use std::fs;

use serde_json::{Value, json};

use crate::work_dir::{Ended, WorkDir};

const ARTICLE: &str = "The council of Leeds approved a new tram line on Tuesday. Mayor Ann Berry said the line would \
    cost 250 million pounds. Shares in the builder Norcon rose by four per cent.";
const FAITHFUL: &str = "The council of Leeds approved a new tram line on Tuesday.";
const FALSE: &str = "Shares in the builder Norcon fell by four per cent.";

/// Rows with such summaries; an empty one cannot be judged.
fn table(summaries: &[&str]) -> String {
    let row = |(number, summary): (usize, &&str)| {
        let id = format!("row, \"{number}\"");
        json!({ "id": id, "model": format!("m{}", number % 2), "article": ARTICLE, "summary": summary })
    };
    summaries.iter().enumerate().map(row).map(|row| format!("{row}\n")).collect()
}

/// What is said of all rows together.
fn sums(ended: &Ended) -> String {
    let lines = ended.err.lines().skip_while(|line| !line.contains(" judged, "));
    lines.collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn check_resumed(form: &str) {
    let dir = WorkDir::new();
    dir.write("rows.jsonl", &table(&[FAITHFUL, FALSE, "", FAITHFUL, FALSE, FALSE]));
    let (whole, part) = (format!("whole.{form}"), format!("part.{form}"));
    let first = dir.run(&["eval", "rows.jsonl", "-o", &whole, "--report", "whole.html"]);
    let expected = dir.read(&whole);
    // Wherever it broke off, in the middle of a line or at its end.
    for length in (0..=expected.len()).step_by(97) {
        fs::write(dir.path(&part), &expected.as_bytes()[..length]).unwrap();
        let again = dir.run(&["eval", "rows.jsonl", "-o", &part, "--resume", "--report", "part.html"]);
        assert_eq!(dir.read(&part), expected, "broken off after {length} bytes: {}", again.err);
        assert_eq!((again.code, sums(&again)), (first.code, sums(&first)), "after {length} bytes");
        assert_eq!(dir.read("part.html"), dir.read("whole.html"), "after {length} bytes");
    }
}

#[test]
fn a_run_that_broke_off_is_gone_on_with_in_json_lines() {
    check_resumed("jsonl");
}

#[test]
fn a_run_that_broke_off_is_gone_on_with_in_csv() {
    check_resumed("csv");
}

#[test]
fn results_of_something_else_are_not_gone_on_with() {
    let dir = WorkDir::new();
    dir.write("one.jsonl", &table(&[FAITHFUL]));
    dir.write("two.jsonl", &table(&[FAITHFUL]).replace("row, ", "line, "));
    assert_eq!(dir.run(&["eval", "one.jsonl", "-o", "out.jsonl"]).code, 0);
    let before = dir.read("out.jsonl");
    let other = dir.run(&["eval", "two.jsonl", "-o", "out.jsonl", "--resume"]);
    assert_eq!((other.code, dir.read("out.jsonl")), (2, before), "{}", other.err);
    assert!(other.err.contains("line 1 is not of row 1"), "{}", other.err);
    let parquet = dir.run(&["eval", "one.jsonl", "-o", "out.parquet", "--resume"]);
    assert!(parquet.code == 2 && parquet.err.contains("cannot be gone on with"), "{}", parquet.err);
    assert_eq!(dir.run(&["eval", "one.jsonl", "--resume"]).code, 2, "there is no output");
}

#[test]
fn a_drop_below_the_baseline_fails() {
    let dir = WorkDir::new();
    dir.write("good.jsonl", &table(&[FAITHFUL, FAITHFUL]));
    dir.write("bad.jsonl", &table(&[FAITHFUL, FALSE]));
    for baseline in ["was.jsonl", "was.csv", "was.parquet"] {
        assert_eq!(dir.run(&["eval", "good.jsonl", "-o", baseline]).code, 0);
        let against = |rows: &str, more: &[&str]| {
            dir.run(&[&["eval", rows, "-o", "out.jsonl", "--baseline", baseline], more].concat())
        };
        assert_eq!(against("good.jsonl", &["--fail-on-drop"]).code, 0);
        assert_eq!(against("bad.jsonl", &[]).code, 0, "it is only compared");
        let dropped = against("bad.jsonl", &["--junit", "junit.xml", "--fail-on-drop"]);
        let said = "twin_lock.hallucination is 5.000 on average, the baseline&#39;s is 10.000";
        assert_eq!(dropped.code, 1);
        assert!(dropped.err.contains(&said.replace("&#39;", "'")), "{}", dropped.err);
        assert!(dropped.err.contains("   5.000   -5.000"), "{}", dropped.err);
        let junit = dir.read("junit.xml");
        assert!(junit.contains("tests=\"15\"") && junit.contains(said), "{junit}");
        assert_eq!(against("bad.jsonl", &["--fail-on-drop", "10"]).code, 0, "as far as it may fall");
    }
    assert_eq!(dir.run(&["eval", "good.jsonl", "--fail-on-drop"]).code, 2, "there is no baseline");
    let full = dir.run(&["eval", "good.jsonl", "-o", "full.jsonl", "--full"]);
    assert_eq!(full.code, 0, "{}", full.err);
    let wrong = dir.run(&["eval", "good.jsonl", "--baseline", "full.jsonl"]);
    assert!(wrong.code == 2 && wrong.err.contains("not the scores of an earlier run"), "{}", wrong.err);
}

#[test]
fn a_directory_is_all_tables_in_it_by_name() {
    let dir = WorkDir::new();
    fs::create_dir(dir.path("tables")).unwrap();
    dir.write("tables/b.jsonl", &table(&[FALSE]));
    dir.write("tables/a.csv", &format!("id,article,summary\nfirst,\"{ARTICLE}\",\"{FAITHFUL}\"\nbad,,\n"));
    dir.write("tables/notes.txt", "nothing to judge");
    let ended = dir.run(&["eval", "tables"]);
    let lines: Vec<Value> = ended.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((ended.code, lines.len()), (2, 3), "{}", ended.err);
    assert_eq!((&lines[0]["id"], &lines[0]["row"]), (&json!("first"), &json!(1)));
    let problem = "row 2 of `a.csv`: there is no column `article`, or it is empty";
    assert_eq!((&lines[1]["error"], &lines[2]["row"]), (&json!(problem), &json!(3)));
    fs::create_dir(dir.path("empty")).unwrap();
    let empty = dir.run(&["eval", "empty"]);
    assert!(
        empty.code == 2 && empty.err.contains("there is no JSON lines, CSV or Parquet file"),
        "{}",
        empty.err
    );
}
