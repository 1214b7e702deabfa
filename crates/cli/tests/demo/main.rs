//! `assize demo` as a process: the data is there, it changes, and Ctrl-C ends it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "these are tests"
)]

use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use assize_testbed::client::Client;
use assize_testbed::server::Server;
use serde_json::{Value, json};

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(Path::new(env!("CARGO_BIN_EXE_assize")));
    command.args(["demo", "--listen", "127.0.0.1:0"]).args(args);
    command
}

fn read(client: &Client, path: &str) -> Value {
    let (status, body) = client.get(&format!("/api/v1/{path}")).unwrap();
    assert_eq!(status, 200, "{path}: {body}");
    body
}

/// Waits until something is so; that it never is shows as a test that hangs, and ends there.
fn until(what: &str, mut so: impl FnMut() -> bool) {
    for _ in 0..600 {
        if so() {
            return;
        }
        sleep(Duration::from_millis(100));
    }
    panic!("a minute has passed: {what}");
}

/// Logs somebody in with the password that was printed.
fn log_in(server: &Server, name: &str) {
    let line = server.greeting().lines().find(|line| line.contains("with the password")).unwrap();
    let password = line.split("password ").nth(1).unwrap().split(',').next().unwrap();
    let body = json!({ "name": name, "password": password }).to_string();
    let reply = server.client("").send("POST", "/api/v1/session", body.as_bytes(), None).unwrap();
    assert_eq!(reply.status, 201, "{name}: {}", reply.text);
}

#[test]
fn every_court_is_filled_and_moves_and_an_interrupt_ends_it_well() {
    let server = Server::launch(command(&["--speed", "40"]));
    let (public, admin) = (server.client(""), server.client(&server.admin_token()));
    // What is over.
    let autumn = read(&public, "contests/autumn/board");
    assert_eq!(autumn["participants"], 20, "{autumn}");
    let hunters = read(&public, "hunters");
    assert_eq!(hunters["hunters"], 23, "24, and one of them Corrupted: {hunters}");
    let waiting = read(&admin, "moderation");
    assert!(waiting["total"].as_u64().unwrap() > 5, "{waiting}");
    let ines = read(&public, "hunters/ines");
    assert_eq!(ines["exam"]["pending"], false, "{ines}");
    // What goes on.
    let teams = |board: &Value| board["rows"].as_array().unwrap().iter().any(|row| row["points"] != 0.0);
    until("somebody scores in the contest that is running", || {
        teams(&read(&public, "contests/live-1/board"))
    });
    let sessions = || read(&admin, "radio/classes/morning")["sessions"].as_array().unwrap().len();
    until("a student begins one more session", || sessions() > 24);
    let logs = || read(&public, "hunters?limit=100")["rows"].clone();
    let before = logs();
    until("a hunter earns something", || logs() != before);
    for name in ["kim", "guests", "amelia", "ines"] {
        log_in(&server, name);
    }
    assert_eq!(server.log(), "", "it complains about nothing");
    let (code, rest) = server.interrupt();
    assert_eq!((code, rest.as_str()), (Some(0), "stopped; nothing was kept\n"));
}

#[test]
fn what_a_person_has_read_comes_to_the_log_here_too() {
    let server = Server::launch(command(&[]));
    let admin = server.client(&server.admin_token());
    let post = |path: &str, body: Value| {
        let (status, body) = admin.post(&format!("/api/v1/{path}"), &body, None).unwrap();
        assert!((200..300).contains(&status), "{path}: {body}");
        body
    };
    post("hunters", json!({ "id": "hana", "class": "Tank", "zone": "UTC" }));
    let plan = json!({
        "estimated_duration_min": 30, "target_rpe": 6, "intensity": "Medium",
        "exercises": [{ "name": "Push-ups", "sets": 3, "reps": 12 }],
    });
    post("hunters/hana/quests", json!({ "id": "monday", "quest_type": "Daily", "plan": plan }));
    let log = json!({
        "duration_seconds": 1500, "actual_rpe": 6, "condition": "Normal", "user_feedback": "something moved",
        "exercises": [{ "name": "Push-ups", "sets_done": 3, "reps_done": 12, "seconds": 200 }],
    });
    post("hunters/hana/quests/monday/log", json!({ "log": log }));
    let id = post("hunters/hana/logs/monday/assess", json!({ "people": 1 }))["id"].clone();
    post("assessments/quest/take", json!({}));
    let no = json!({ "quote": "", "label": "no" });
    let answers = json!({
        "sign_1": { "quote": "something moved", "label": "yes" }, "sign_2": no, "sign_3": no, "sign_4": no,
    });
    post(&format!("assessments/quest/{id}/findings"), json!({ "answers": answers }));
    until("the person's reading counts", || {
        read(&admin, "hunters/hana/logs/monday").to_string().contains(r#""name":"person""#)
    });
}

#[test]
fn what_is_kept_in_a_file_can_be_served_and_verified_later_and_is_not_filled_twice() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("demo.db");
    let data = data.to_str().unwrap();
    let server = Server::launch(command(&["--data", data, "--seed", "7"]));
    let (code, rest) = server.interrupt();
    assert_eq!(code, Some(0), "{rest}");
    let assize = |args: &[&str]| Command::new(env!("CARGO_BIN_EXE_assize")).args(args).output().unwrap();
    let again = assize(&["demo", "--listen", "127.0.0.1:0", "--data", data]);
    assert_eq!(again.status.code(), Some(2), "{again:?}");
    assert!(String::from_utf8_lossy(&again.stderr).contains("has records already"), "{again:?}");
    for check in [["ledger", "verify", "--data", data].as_slice(), &["replay", "--data", data]] {
        let done = assize(check);
        assert_eq!(done.status.code(), Some(0), "{done:?}");
    }
    let server = Server::start(Path::new(env!("CARGO_BIN_EXE_assize")), &["--data", data]);
    assert_eq!(read(&server.client(""), "contests/autumn/board")["participants"], 20);
    server.stop();
}
