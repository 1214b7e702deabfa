//! Who may do what: whoever may not is told so, and nothing is recorded.

use assize_testbed::client::Client;
use serde_json::{Value, json};

use crate::stage::{Stage, guess};

/// Everything that only the organiser may do.
fn organising() -> [(&'static str, Value); 5] {
    let task = json!({ "id": "q9", "type": "KIS", "video_id": "L01", "points": [1, 2] });
    [
        ("/api/v1/contests", json!({ "id": "autumn" })),
        ("/api/v1/contests/spring/teams", json!({ "id": "wasps" })),
        ("/api/v1/contests/spring/tasks", task),
        ("/api/v1/contests/spring/tasks/q1/start", json!({})),
        ("/api/v1/contests/spring/tasks/q1/stop", json!({})),
    ]
}

#[track_caller]
fn refused(told: (u16, Value), status: u16, code: &str, detail: &str) {
    let (found, problem) = told;
    assert_eq!((found, &problem["code"], &problem["detail"]), (status, &json!(code), &json!(detail)));
}

#[test]
fn without_a_good_token_nothing_can_be_done() {
    let stage = Stage::running();
    let before = stage.position();
    let none = "send a token as `Authorization: Bearer …`";
    let stale = "this token is not known here, or has expired";
    let stranger = stage.nobody.with_token(&"0".repeat(64));
    let of_a_team = ("/api/v1/contests/spring/tasks/q1/submissions", guess("x"));
    for (path, body) in organising().into_iter().chain([of_a_team]) {
        for (client, detail) in [(&stage.nobody, none), (&stranger, stale)] {
            refused(client.post(path, &body, None).unwrap(), 401, "access.unknown_token", detail);
        }
    }
    refused(stage.nobody.get("/api/v1/records/1").unwrap(), 401, "access.unknown_token", none);
    assert_eq!(stage.position(), before);
    stage.end();
}

#[test]
fn a_team_cannot_organise() {
    let stage = Stage::running();
    let before = stage.position();
    for (path, body) in organising() {
        let told = stage.ants.post(path, &body, None).unwrap();
        refused(told, 403, "access.forbidden", "this needs an admin's token");
    }
    assert_eq!(stage.position(), before);
    stage.end();
}

#[test]
fn a_team_submits_as_itself_and_in_its_own_contest() {
    let stage = Stage::running();
    stage.contest.must("/api/v1/contests", &json!({ "id": "autumn" }));
    let before = stage.position();
    let mut body = guess("x");
    body["team_id"] = "bees".into();
    refused(stage.submit(&stage.ants, &body, None), 403, "access.forbidden", "this token is not `bees`'s");
    let elsewhere = "/api/v1/contests/autumn/tasks/q1/submissions";
    let told = stage.ants.post(elsewhere, &guess("x"), None).unwrap();
    refused(told, 403, "access.forbidden", "this token is not for contest/autumn");
    assert_eq!(stage.position(), before);
    body["team_id"] = "ants".into();
    assert_eq!(stage.submit(&stage.ants, &body, None).0, 200, "it may name itself");
    stage.end();
}

#[test]
fn an_organiser_submits_for_a_team_and_must_say_for_which() {
    let stage = Stage::running();
    let admin: &Client = &stage.contest.admin;
    let missing = "`team_id` is missing: an admin's token is no team's";
    refused(stage.submit(admin, &guess("x"), None), 400, "request.malformed", missing);
    let mut body = guess("x");
    body["team_id"] = "wasps".into();
    refused(stage.submit(admin, &body, None), 404, "contest.team.unknown", "there is no team `wasps`");
    body["team_id"] = "bees".into();
    assert_eq!(stage.submit(admin, &body, None).0, 200);
    stage.end();
}
