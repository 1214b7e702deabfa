//! Permissions of roles: a forbidden request is refused, and nothing is recorded.

use std::io::{Read, Write};
use std::net::TcpStream;

use assize_testbed::client::Client;
use serde_json::{Value, json};

use crate::stage::{Stage, guess};

/// Everything that only the organiser may do.
fn organising() -> [(&'static str, Value); 6] {
    let task = json!({ "id": "q9", "type": "KIS", "video_id": "L01", "points": [1, 2] });
    [
        ("/api/v1/contests", json!({ "id": "autumn" })),
        ("/api/v1/contests/spring/teams", json!({ "id": "wasps" })),
        ("/api/v1/contests/spring/teams/ants/tokens", json!({})),
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
    let none = "send a token as `Authorization: Bearer …`, or log in";
    let stale = "this token is not known here, has expired or was taken back";
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
        let enrolling = path.contains("/teams");
        let needed =
            if enrolling { "this needs an admin's or an app's token" } else { "this needs an admin's token" };
        refused(told, 403, "access.forbidden", needed);
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

#[test]
fn a_team_that_has_lost_its_token_gets_another() {
    let stage = Stage::running();
    let issued = stage.contest.admin.post(&stage.contest.path("/teams/ants/tokens"), &json!({}), None);
    let (status, answer) = issued.unwrap();
    let again = stage.nobody.with_token(answer["token"].as_str().unwrap());
    assert_eq!((status, &answer["event"]["TokenIssued"]["actor"]), (201, &json!("participant:ants")));
    for ants in [&again, &stage.ants] {
        assert_eq!(stage.submit(ants, &guess("x"), None).0, 200);
    }
    let missing = stage.contest.admin.post(&stage.contest.path("/teams/wasps/tokens"), &json!({}), None);
    refused(missing.unwrap(), 404, "resource.unknown", "there is no team `wasps` in `spring`");
    stage.end();
}

#[test]
fn the_name_of_the_scheme_may_be_written_in_any_case() {
    let stage = Stage::running();
    let token = &stage.contest.admin.token;
    for (scheme, status) in [("bearer", "200 OK"), ("BEARER", "200 OK"), ("Basic", "401 Unauthorized")] {
        let head = format!("GET /api/v1/records/1 HTTP/1.1\r\nHost: x\r\nAuthorization: {scheme} {token}");
        let mut connection = TcpStream::connect(stage.address()).unwrap();
        connection.write_all(format!("{head}\r\nConnection: close\r\n\r\n").as_bytes()).unwrap();
        let mut reply = String::new();
        connection.read_to_string(&mut reply).unwrap();
        assert_eq!(reply.lines().next(), Some(&*format!("HTTP/1.1 {status}")), "{scheme}");
    }
    stage.end();
}
