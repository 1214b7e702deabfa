//! Adding, pausing, resuming and removing webhooks, and validation errors.

use std::time::Duration;

use assize_testbed::contest::{eventually, within};
use assize_testbed::receiver::Receiver;
use serde_json::json;

use crate::stage::{FAST, Stage, records, taken};

#[test]
fn a_paused_webhook_waits_and_a_removed_one_is_gone() {
    let stage = Stage::set(FAST);
    let receiver = Receiver::start();
    let hook = stage.add(&receiver.url(), &["contest"]);
    let one = format!("/api/v1/webhooks/{}", hook.id);
    let admin = stage.admin();
    let (status, paused) = admin.post(&format!("{one}/pause"), &json!({}), None).unwrap();
    assert_eq!((status, &paused["state"]), (200, &json!("paused")));
    let contest = stage.contest("spring");
    assert!(!within(Duration::from_millis(300), || !receiver.received().is_empty()));
    admin.post(&format!("{one}/resume"), &json!({}), None).unwrap();
    eventually("it arrives", || taken(&receiver).len() == 1);
    assert_eq!(admin.send("DELETE", &one, b"", None).unwrap().status, 204);
    assert_eq!(admin.send("DELETE", &one, b"", None).unwrap().status, 404);
    drop(contest.register("ants"));
    assert!(!within(Duration::from_millis(300), || receiver.received().len() > 1));
    assert_eq!(admin.get("/api/v1/webhooks").unwrap().1["webhooks"], json!([]));
    let recorded = records(&admin).into_iter().map(|(_, record)| record);
    let recorded: Vec<_> = recorded.filter(|record| record["stream"] == "assize/webhooks").collect();
    let kinds: Vec<_> = recorded.iter().map(|record| record["kind"].clone()).collect();
    assert_eq!(kinds, ["WebhookAdded", "WebhookPaused", "WebhookResumed", "WebhookRemoved"]);
    assert!(recorded.iter().all(|record| record["actor"] == "admin:organiser"));
}

#[test]
fn what_is_wrong_with_a_webhook_is_named() {
    let stage = Stage::set(FAST);
    let check = |body: serde_json::Value, code: &str, detail: &str| {
        let (status, problem) = stage.admin().post("/api/v1/webhooks", &body, None).unwrap();
        assert_eq!((status, problem["code"].as_str().unwrap()), (400, code), "{body}: {problem}");
        assert!(problem["detail"].as_str().unwrap().contains(detail), "{body}: {problem}");
    };
    let (url, topics) = ("https://example.org/", json!(["contest"]));
    check(json!({ "url": "ftp://example.org/", "topics": topics }), "webhook.url.invalid", "https://");
    check(json!({ "url": "https://a:b@example.org/", "topics": topics }), "webhook.url.invalid", "password");
    check(json!({ "url": "nonsense", "topics": topics }), "webhook.url.invalid", "cannot be read");
    check(json!({ "url": url, "topics": [] }), "request.malformed", "topics");
    check(json!({ "url": url, "topics": ["opera"] }), "request.malformed", "no court `opera`");
    check(json!({ "url": url, "topics": ["assize/tokens"] }), "request.malformed", "no court `assize`");
    check(json!({ "url": url, "topics": ["contest/a b"] }), "request.malformed", "topic `contest/a b`");
    check(json!({ "url": url, "topics": topics, "label": "x".repeat(201) }), "request.malformed", "label");
    check(json!({ "url": url, "topics": topics, "secret": "mine" }), "request.malformed", "secret");
    let (status, problem) = stage.admin().get("/api/v1/webhooks?page=2").unwrap();
    assert_eq!((status, &problem["code"]), (400, &json!("request.malformed")));
}

#[test]
fn a_request_repeated_with_its_key_adds_one_webhook_and_gets_the_same_secret() {
    let stage = Stage::set(FAST);
    let admin = stage.admin();
    let add = |label: &str, key: &str| {
        let about = json!({ "url": "https://example.org/", "topics": ["contest"], "label": label });
        admin.post("/api/v1/webhooks", &about, Some(key)).unwrap()
    };
    let (status, first) = add("wall", "k1");
    assert_eq!((status, &first["repeated"]), (201, &json!(false)));
    let (status, again) = add("wall", "k1");
    assert_eq!((status, &again["repeated"]), (201, &json!(true)));
    assert_eq!((&again["secret"], &again["webhook"]["id"]), (&first["secret"], &first["webhook"]["id"]));
    let (status, problem) = add("another", "k1");
    assert_eq!((status, &problem["code"]), (422, &json!("idempotency.key_reused")));
    add("wall", "k2");
    assert_eq!(admin.get("/api/v1/webhooks").unwrap().1["webhooks"].as_array().unwrap().len(), 2);
    assert_eq!(admin.get("/api/v1/webhooks?offset=1&limit=1").unwrap().1["webhooks"][0]["label"], "wall");
}
