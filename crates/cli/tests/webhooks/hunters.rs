//! Later events of hunters for an app: decisions of judges and changes of status.

use assize_testbed::client::Client;
use assize_testbed::contest::eventually;
use assize_testbed::receiver::{Receiver, WebhookDelivery};
use serde_json::{Value, json};

use crate::stage::{FAST, Stage, is_signed};

fn must(client: &Client, path: &str, body: &Value) -> Value {
    let (status, answer) = client.post(path, body, None).unwrap();
    assert!(status < 300, "{path}: {status} {answer}");
    answer
}

/// Thirty push-ups in 22 seconds: more than 80 a minute, and flagged.
fn hasty() -> Value {
    let done = json!({ "name": "Push-ups", "sets_done": 1, "reps_done": 30, "seconds": 22 });
    json!({ "duration_seconds": 1500, "actual_rpe": 7, "condition": "Fresh", "exercises": [done],
        "user_feedback": "my knee hurts" })
}

#[test]
fn an_app_is_told_of_verdicts_reports_and_what_judges_decide_about_them() {
    let stage = Stage::set(FAST);
    let receiver = Receiver::start();
    let hook = stage.add(&receiver.url(), &["quest/ada"]);
    let admin = stage.admin();
    let issued = must(&admin, "/api/v1/tokens", &json!({ "name": "kim", "role": "judge" }));
    let judge = stage.server.client(issued["token"].as_str().unwrap());
    for hunter in ["ada", "bob", "cleo", "dan"] {
        must(&admin, "/api/v1/hunters", &json!({ "id": hunter, "class": "Tank" }));
    }
    let exercises = json!([{ "name": "Push-ups", "sets": 3, "reps": 10 }]);
    let plan = json!({ "estimated_duration_min": 30, "target_rpe": 8, "intensity": "Medium", "exercises": exercises });
    let quest = json!({ "id": "monday", "quest_type": "Daily", "plan": plan });
    must(&admin, "/api/v1/hunters/ada/quests", &quest);
    must(&admin, "/api/v1/hunters/ada/quests/monday/log", &json!({ "log": hasty() }));
    for reporter in ["bob", "cleo", "dan"] {
        let report = json!({ "reporter": reporter, "reason": "impossible_numbers" });
        must(&admin, "/api/v1/hunters/ada/logs/monday/reports", &report);
    }
    let path = "/api/v1/hunters/ada/logs/monday/reports/bob/decision";
    must(&judge, path, &json!({ "confirmed": false, "note": "bob is mistaken" }));

    let wanted = |kind: &str| receiver.received().iter().any(|one| one.json()["kind"] == kind);
    eventually("the decision arrives", || wanted("ReportDecided"));
    let received = receiver.received();
    received.iter().for_each(|one| is_signed(one, &hook));
    let told: Vec<Value> = received.iter().map(WebhookDelivery::json).collect();
    let of = |kind: &str| {
        told.iter().filter(|one| one["kind"] == kind).map(|one| &one["data"]).collect::<Vec<_>>()
    };
    assert_eq!((of("LogJudged")[0]["quest"].as_str(), of("LogJudged").len()), (Some("monday"), 1));
    assert_eq!(of("ReportReceived").len(), 3);
    assert_eq!(of("ReportReceived")[2]["status"], "Flagged", "three have reported: {told:?}");
    assert_eq!(of("ReportDecided")[0]["status"], "Normal", "and two stand: {told:?}");
    for one in &received {
        for secret in ["knee", "mistaken", "reps_done", "bob"] {
            assert!(!one.body.contains(secret), "neither what people wrote nor who reported: {}", one.body);
        }
    }
    stage.server.stop();
}
