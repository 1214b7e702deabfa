//! Documents of the quest court: the same bytes on the command line and over HTTP.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::stage::{Stage, log};

fn documents() -> Vec<Value> {
    let exercises = json!([{ "name": "Push-ups", "sets": 3, "reps": 10 }]);
    let plan =
        json!({ "estimated_duration_min": 30, "target_rpe": 7, "intensity": "High", "exercises": exercises });
    let profile = json!({ "class": "Tank", "rank": "E", "hunter_status": "Normal", "streak_days": 5 });
    let document = json!({ "quest_type": "Daily", "plan": plan, "log": log(), "profile": profile });
    let mut hurt = document.clone();
    hurt["log"]["user_feedback"] = json!("Mein Knie schmerzt, aber ich bin zufrieden");
    let mut impossible = document.clone();
    impossible["log"]["duration_seconds"] = json!(1);
    vec![document, hurt, impossible]
}

#[test]
fn lines_on_the_command_line_and_documents_over_http_give_the_same_bytes() {
    let stage = Stage::set();
    let lines: String = documents().iter().map(|document| format!("{document}\n")).collect();
    let mut program = Command::new(env!("CARGO_BIN_EXE_assize"))
        .args(["judge", "quest", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    program.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = program.wait_with_output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(printed.lines().count(), 3, "{printed}");
    for (document, line) in documents().iter().zip(printed.lines()) {
        let body = document.to_string();
        let reply = stage.app.send("POST", "/api/v1/judge/quest", body.as_bytes(), None).unwrap();
        assert_eq!(reply.text.trim_end(), line);
    }
    stage.end();
}
