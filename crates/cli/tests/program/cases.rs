//! `assize check`: case files without Rust.

use serde_json::Value;

use crate::work_dir::WorkDir;

const CASE: &str = r#"
title = "a bare text is no known-item answer"
because = "such an answer names a video and its moments"
court = "contest"
rulebook = "competition"

[document]
elapsed_seconds = 150
wrong_attempts = 0
task = { type = "KIS", video_id = "L01", points = "10-20" }
submission = { text = "L01" }

[refusal]
code = "contest.answer.malformed"
kind = "malformed"
message = "answers[0].mediaItemName is missing; expected {\"mediaItemName\": \"<video>\", \"start\": <ms>} for each boundary"

[refusal.detail]
expected = "{\"mediaItemName\": \"<video>\", \"start\": <ms>} for each boundary"
"#;

#[test]
fn cases_that_come_out_are_counted() {
    let dir = WorkDir::new();
    std::fs::create_dir_all(dir.path("cases/deeper")).unwrap();
    dir.write("cases/one.toml", CASE).write("cases/deeper/two.toml", CASE).write("cases/notes.md", "no case");
    dir.run(&["check", "cases"]).fine("2 passed, 0 failed\n");
    dir.run(&["check", "cases/one.toml", "cases"]).fine("3 passed, 0 failed\n");
}

#[test]
fn a_directory_that_says_that_it_holds_no_cases_is_left_out() {
    let dir = WorkDir::new();
    std::fs::create_dir_all(dir.path("cases/ledgers/rulebooks")).unwrap();
    dir.write("cases/one.toml", CASE).write("cases/ledgers/rulebooks/own.toml", "court = \"contest\"\n");
    assert_eq!(dir.run(&["check", "cases"]).code, 1);
    dir.write("cases/ledgers/.not-cases", "");
    dir.run(&["check", "cases"]).fine("1 passed, 0 failed\n");
    dir.run(&["check", "cases/ledgers"]).wrong_use("there are no case files (*.toml) there");
}

#[test]
fn a_case_that_fails_is_told_path_by_path() {
    let dir = WorkDir::new();
    let wrong = CASE
        .replace("kind = \"malformed\"", "kind = \"late\"")
        .replace("message = \"answers", "message = \"answer");
    dir.write("right.toml", CASE).write("wrong.toml", &wrong);
    let ended = dir.run(&["check", "wrong.toml", "right.toml"]);
    let form = r#"; expected {\"mediaItemName\": \"<video>\", \"start\": <ms>} for each boundary"#;
    let told = format!(
        "wrong.toml: a bare text is no known-item answer\n  kind: expected \"late\", got \"malformed\"\n  message: expected \
         \"answer[0].mediaItemName is missing{form}\", got \"answers[0].mediaItemName is missing{form}\"\n\n\
         1 passed, 1 failed\n"
    );
    assert_eq!((ended.code, ended.err.as_str(), ended.out), (1, "", told));
}

#[test]
fn programs_get_a_line_for_each_case() {
    let dir = WorkDir::new();
    dir.write("a.toml", CASE).write("b.toml", "x");
    let ended = dir.run(&["check", "a.toml", "b.toml", "--json"]);
    let lines: Vec<Value> = ended.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((ended.code, lines.len()), (1, 2));
    assert_eq!(
        lines[0],
        serde_json::json!({ "file": "a.toml", "passed": true, "said": "a bare text is no known-item answer" })
    );
    assert_eq!((&lines[1]["file"], &lines[1]["passed"]), (&"b.toml".into(), &false.into()));
    assert!(lines[1]["said"].as_str().unwrap().contains("key with no value, expected `=`"), "{}", lines[1]);
}

#[test]
fn a_place_without_cases_is_wrong_use() {
    let dir = WorkDir::new();
    std::fs::create_dir(dir.path("empty")).unwrap();
    dir.run(&["check", "empty"]).wrong_use("there are no case files (*.toml) there");
    dir.run(&["check", "none"]).wrong_use("`none`: No such file or directory (os error 2)");
}

#[test]
fn what_came_out_is_written_into_the_file_once_it_is_blessed() {
    let dir = WorkDir::new();
    let wrong = CASE.replace("kind = \"malformed\"", "kind = \"late\"   # a comment stays");
    dir.write("a.toml", CASE).write("b.toml", &wrong);
    assert_eq!(dir.run(&["check", "a.toml", "b.toml"]).code, 1);
    assert_eq!(dir.read("b.toml"), wrong, "nothing is written unasked");
    dir.run(&["check", "--bless", "a.toml", "b.toml"]).fine(
        "b.toml: a bare text is no known-item answer\n  kind: expected \"late\", got \"malformed\"\n  rewritten\n\n\
         1 passed, 1 rewritten, 0 failed\n",
    );
    assert_eq!(dir.read("a.toml"), CASE);
    assert_eq!(dir.read("b.toml"), wrong.replace("\"late\"", "\"malformed\""));
    dir.run(&["check", "a.toml", "b.toml"]).fine("2 passed, 0 failed\n");
}

#[test]
fn a_case_that_fails_otherwise_is_not_blessed() {
    let dir = WorkDir::new();
    let refused = CASE.replace("rulebook = \"competition\"", "rulebook = \"none\"");
    let shorter = CASE.replace("kind = \"malformed\"\n", "");
    dir.write("a.toml", &refused).write("b.toml", &shorter).write("c.toml", "x");
    let ended = dir.run(&["check", "--bless", "a.toml", "b.toml", "c.toml"]);
    assert_eq!((ended.code, ended.out.matches("not rewritten").count()), (1, 3), "{}", ended.out);
    assert!(ended.out.ends_with("0 passed, 0 rewritten, 3 failed\n"), "{}", ended.out);
    assert_eq!((dir.read("a.toml"), dir.read("b.toml")), (refused, shorter));
}
