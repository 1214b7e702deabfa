//! The content and headers of a delivery.

use assize_testbed::contest::eventually;
use assize_testbed::receiver::{Receiver, WebhookDelivery};
use serde_json::{Value, json};

use crate::stage::{FAST, Stage, is_signed};

#[test]
fn a_receiver_is_told_what_happens_signed_and_in_order() {
    let stage = Stage::set(FAST);
    let receiver = Receiver::start();
    let before = stage.contest("winter");
    let hook = stage.add(&receiver.url(), &["contest/spring"]);
    let contest = stage.contest("spring");
    let ants = stage.server.client(&contest.register("ants"));
    drop(before.register("bees"));
    contest.run_task("1", 60.0, 0.0);
    let path = contest.path("/tasks/1/submissions");
    let (status, _) = ants.post(&path, &assize_testbed::contest::right_answer(), None).unwrap();
    assert_eq!(status, 200);
    eventually("all five arrive", || receiver.received().len() >= 5);
    let received = receiver.received();
    received.iter().for_each(|one| is_signed(one, &hook));
    let told: Vec<Value> = received.iter().map(WebhookDelivery::json).collect();
    let kinds: Vec<&str> = told.iter().map(|one| one["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["ContestOpened", "TeamRegistered", "TaskAdded", "TaskStarted", "AnswerJudged"]);
    let positions: Vec<u64> = received.iter().map(WebhookDelivery::position).collect();
    assert!(positions.is_sorted(), "{positions:?}");
    assert!(told.iter().all(|one| one["stream"] == "contest/spring" && one["audience"] == "everyone"));
    assert_eq!(told[1]["data"], json!({ "kind": "TeamRegistered", "team": "ants", "name": null }));
    assert!(!received.iter().any(|one| one.body.contains(assize_testbed::contest::VIDEO)), "no ground truth");
    assert_eq!(received[0].header("content-type"), "application/json");
    stage.server.stop();
}

#[test]
fn a_court_as_a_topic_means_all_of_its_streams() {
    let stage = Stage::set(FAST);
    let receiver = Receiver::start();
    stage.add(&receiver.url(), &["contest"]);
    drop((stage.contest("spring"), stage.contest("autumn")));
    eventually("both arrive", || receiver.received().len() >= 2);
    let streams: Vec<Value> = receiver.received().iter().map(|one| one.json()["stream"].clone()).collect();
    assert_eq!(streams, ["contest/spring", "contest/autumn"]);
}

#[test]
fn a_webhook_can_be_tried_before_anything_happens() {
    let stage = Stage::set(FAST);
    let receiver = Receiver::start();
    let hook = stage.add(&receiver.url(), &["contest"]);
    let path = format!("/api/v1/webhooks/{}/test", hook.id);
    let (status, tried) = stage.admin().post(&path, &json!({}), None).unwrap();
    assert_eq!((status, &tried["delivered"], &tried["error"]), (200, &json!(true), &Value::Null));
    let received = receiver.received();
    is_signed(&received[0], &hook);
    assert_eq!(received[0].json()["kind"], "WebhookTested");
    assert_eq!(received[0].header("assize-delivery"), tried["delivery"]);
    receiver.answer(|_| (302, "location: http://127.0.0.1:1/\r\n".into()));
    let (_, tried) = stage.admin().post(&path, &json!({}), None).unwrap();
    assert_eq!(tried["error"], "the receiver answered 302; redirects are not followed");
    // Speaks TLS to somebody who does not.
    let hook = stage.add(&format!("https://{}/", receiver.address()), &["contest"]);
    let path = format!("/api/v1/webhooks/{}/test", hook.id);
    let (_, tried) = stage.admin().post(&path, &json!({}), None).unwrap();
    assert!(tried["error"].as_str().unwrap().starts_with("cannot connect: "), "{tried}");
}
