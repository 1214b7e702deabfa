//! A failing store under a running server: clients get errors, nothing is charged, and the server recovers.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot set the stage must stop"
)]

#[path = "../common/mod.rs"]
mod common;
mod history;
mod moved;
mod postgres;
mod processes;
mod slow;
mod sqlite;

use serde_json::Value;

/// Whether somebody was told, cleanly, that nothing was done or that nobody knows.
#[track_caller]
fn is_unavailable(status: u16, answer: &Value) -> bool {
    if status == 200 {
        return false;
    }
    let codes = ["ledger.unavailable", "ledger.commit_unknown"].map(Value::from);
    assert!(status == 503 && codes.contains(&answer["code"]), "{status} {answer}");
    assert_eq!((&answer["status"], &answer["title"]), (&503.into(), &"Service Unavailable".into()));
    assert!(answer["detail"].as_str().is_some_and(|detail| !detail.is_empty()), "{answer}");
    true
}
