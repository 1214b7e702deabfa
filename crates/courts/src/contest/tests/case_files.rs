//! Messages of invalid case files and of failing cases.

use std::sync::Arc;

use assize_kernel::{AnyCourt, run_case};

#[track_caller]
fn check(from: &str, to: &str, expected: &str) {
    let text = CASE.replace(from, to);
    let courts: Vec<Arc<dyn AnyCourt>> = crate::courts();
    let said = match run_case(&courts, "half.toml", &text) {
        Ok(title) => title,
        Err(failure) => failure.to_string(),
    };
    assert_eq!(said, expected);
}

const CASE: &str = r#"
title = "No such team"
because = "It was never registered."
court = "contest"
rulebook = "competition"

[[steps]]
at = 0
command.OpenContest = { name = "Case" }

[[steps]]
at = 1
command.StopTask = { task = "1" }
refusal = { code = "contest.task.unknown", kind = "unknown", message = "there is no task `1`" }
"#;

#[test]
fn a_case_that_comes_out_gives_its_title() {
    check("", "", "No such team");
}

#[test]
fn every_difference_is_named_by_its_step_and_path() {
    check(
        r#"kind = "unknown", message = "there"#,
        r#"kind = "late", message = "here"#,
        "half.toml: No such team\n  step 2: kind: expected \"late\", got \"unknown\"\n  \
         step 2: message: expected \"here is no task `1`\", got \"there is no task `1`\"",
    );
}

#[test]
fn a_refusal_where_none_was_expected_is_told() {
    check(
        "refusal",
        "verdict",
        "half.toml: No such team\n  step 2: refused: there is no task `1` (contest.task.unknown)",
    );
}

#[test]
fn a_case_that_expects_nothing_fails() {
    let refusal = CASE.lines().find(|line| line.starts_with("refusal")).unwrap();
    check(refusal, "", "half.toml: No such team\n  nothing is expected");
}

#[test]
fn a_case_without_a_reason_fails() {
    check("It was never registered.", " ", "half.toml: No such team\n  title and because must say something");
}

#[test]
fn an_unknown_key_fails() {
    let said = "half.toml\n  TOML parse error at line 2, column 1\n    |\n  2 | titel = \"No such team\"\n    \
                | ^^^^^\n  unknown field `titel`";
    let text = CASE.replace("title", "titel");
    let failure = run_case(&crate::courts(), "half.toml", &text).unwrap_err();
    assert!(failure.to_string().starts_with(said), "{failure}");
}
