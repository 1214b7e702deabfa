//! Verdicts brought into a run, onto a turn and to a hunter's log on PostgreSQL, by one of several servers, and by people
//! alone where no model is set up.

use std::time::Duration;

use assize_testbed::client::Client;
use assize_testbed::postgres::Cluster;
use serde_json::{Map, Value, json};

use crate::delivering::{RUN, SESSION, delivered, fly, replay_at};
use crate::hunters::{self, count};
use crate::oracle::{Oracle, worst};
use crate::stage::{Stage, summary};

const WORDS: &str = "My left knee feels odd since the stairs";

/// Has something of all three assessed; the court and the number of each.
fn ask(admin: &Client, readers: &Value) -> [(&'static str, u64); 3] {
    let mut item = summary(7);
    item["item"] = json!("one");
    for (name, value) in readers.as_object().unwrap() {
        item[name] = value.clone();
    }
    let id = |path: &str, body: &Value| {
        let (status, received) = admin.post(path, body, None).unwrap();
        assert_eq!(status, 202, "{path}: {received}");
        received["id"].as_u64().unwrap()
    };
    [
        ("summary", id(&format!("{RUN}/items"), &item)),
        ("radio", id(&format!("{SESSION}/turns/1/assess"), readers)),
        ("quest", hunters::assess(admin, readers)),
    ]
}

/// A run, a session and a hunter's log.
fn prepare(admin: &Client) {
    admin.post("/api/v1/summary/runs", &json!({ "id": "nightly" }), None).unwrap();
    fly(admin);
    hunters::log(admin, WORDS);
}

/// Everything is where it is wanted, once, by this name.
#[track_caller]
fn check(admin: &Client, asked: &[(&'static str, u64); 3], by: &str) {
    for (court, id) in asked {
        let shown = delivered(admin, court, *id);
        assert_eq!(shown["destination"]["status"], "delivered", "{shown}");
    }
    let (_, item) = admin.get(&format!("{RUN}/items/one")).unwrap();
    assert_eq!(item["verdict"]["assessor"]["name"], by, "{item}");
    let (_, session) = admin.get(SESSION).unwrap();
    let reason = session["line"][0]["overruled"]["reason"].as_str().unwrap();
    let who = if by == "person" { "admin:" } else { by };
    assert!(reason.starts_with(&format!("assessed by {who}")), "{session}");
    let (_, log) = admin.get("/api/v1/hunters/ada/logs/monday").unwrap();
    assert_eq!(log["verdict"]["assessor"]["name"], by, "{log}");
    assert_eq!(count(admin, "WordsRead"), 1);
}

#[test]
fn two_servers_on_one_database_bring_every_verdict_once_though_one_dies() {
    let database = Cluster::shared().database();
    let place = ["--postgres", database.as_str()];
    let oracle = Oracle::choosing(worst).slow(Duration::from_millis(300));
    let stage = Stage::patient(&[("eye", &oracle)], 2);
    let first = stage.serve_at(&place);
    let token = first.admin_token();
    let second = stage.serve_at(&place);
    prepare(&first.client(&token));
    let asked = ask(&first.client(&token), &json!({ "assessors": ["eye"] }));
    first.kill();
    check(&second.client(&token), &asked, "eye");
    second.stop();
    let found = replay_at(&place);
    // A turn and a log by the readers, three on the benches, and what was brought.
    assert_eq!((&found["verdicts"], &found["same"]), (&json!(8), &json!(8)), "{found}");
}

#[test]
fn people_alone_are_enough_on_postgresql_too() {
    let database = Cluster::shared().database();
    let place = ["--postgres", database.as_str()];
    let stage = Stage::set(&[]);
    let server = stage.serve_at(&place);
    let token = server.admin_token();
    let admin = server.client(&token);
    prepare(&admin);
    let asked = ask(&admin, &json!({ "people": 1 }));
    for (court, id) in &asked {
        answer_by_hand(&admin, court, *id);
    }
    // Killed before anything need be brought: the one that comes later does it.
    server.kill();
    let server = stage.serve_at(&place);
    check(&server.client(&token), &asked, "person");
    server.stop();
    let found = replay_at(&place);
    assert_eq!((&found["verdicts"], &found["same"]), (&json!(8), &json!(8)), "{found}");
}

/// A person answers every item with its first label, or 50.
fn answer_by_hand(admin: &Client, court: &str, id: u64) {
    let (status, taken) = admin.post(&format!("/api/v1/assessments/{court}/take"), &json!({}), None).unwrap();
    assert_eq!((status, &taken["id"]), (200, &json!(id)), "{taken}");
    let mut answers = Map::new();
    for item in taken["asked"]["items"].as_array().unwrap() {
        let text = |name: &Value| {
            let sources = taken["asked"]["sources"].as_array().unwrap();
            let source = sources.iter().find(|source| source["name"] == *name);
            source.map_or("", |source| source["text"].as_str().unwrap()).to_owned()
        };
        let answer = match item["choice"]["label"]["labels"][0].as_str() {
            None => json!({ "number": 50 }),
            Some(label) => json!({ "quote": text(&item["source"]), "label": label }),
        };
        answers.insert(item["id"].as_str().unwrap().to_owned(), answer);
    }
    let path = format!("/api/v1/assessments/{court}/{id}/findings");
    let (status, answer) = admin.post(&path, &json!({ "answers": answers }), None).unwrap();
    assert_eq!(status, 200, "{answer}");
}
