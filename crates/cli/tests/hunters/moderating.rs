//! Reports, the moderation queue, and reinstatement.

use serde_json::json;

use crate::stage::{Stage, must, refused, seen};

#[test]
fn three_reporters_flag_a_hunter_and_a_dismissal_brings_them_back() {
    let stage = Stage::set();
    let ada = stage.hunter("ada");
    stage.log("ada", "monday");
    let path = "/api/v1/hunters/ada/logs/monday/reports";
    let reporters: Vec<_> = ["r1", "r2", "r3"].map(|name| stage.hunter(name)).into();
    for (index, reporter) in reporters.iter().enumerate() {
        let told = must(reporter, path, &json!({ "reason": "spam", "text": "I was there, and ada was not" }));
        let action = if index < 2 { "None" } else { "Flag" };
        assert_eq!(told["verdict"]["detail"]["log_action"], action);
    }
    refused(&reporters[0], path, &json!({ "reason": "spam" }), 409, "quest.report.repeated");
    refused(&ada, path, &json!({ "reason": "spam" }), 403, "quest.report.own");
    let hunter = seen(&stage.nobody, "/api/v1/hunters/ada");
    assert_eq!((&hunter["status"], &hunter["badge"]), (&json!("Flagged"), &json!("yellow")));
    assert_eq!(seen(&stage.nobody, "/api/v1/hunters")["rows"][0]["flagged"], true);
    // Who reported is for judges.
    let public = seen(&stage.nobody, "/api/v1/hunters/ada/logs").to_string();
    assert!(!public.contains("r1") && public.contains("waiting"), "{public}");
    let queue = seen(&stage.judge, "/api/v1/moderation");
    let first = &queue["waiting"][0];
    assert_eq!((&queue["total"], &first["reporter"]), (&json!(3), &json!("r1")));
    assert_eq!(first["text"], "I was there, and ada was not");
    assert_eq!(ada.get("/api/v1/moderation").unwrap().0, 403);

    let decision = json!({ "confirmed": false, "note": "ada was there" });
    must(&stage.judge, "/api/v1/hunters/ada/logs/monday/reports/r1/decision", &decision);
    assert_eq!(seen(&stage.nobody, "/api/v1/hunters/ada")["status"], "Normal");
    assert_eq!(seen(&stage.judge, "/api/v1/moderation")["total"], 2);
    stage.end();
}

#[test]
fn five_reports_a_day_are_enough_whoever_they_are_about() {
    let stage = Stage::set();
    let envy = stage.hunter("envy");
    for number in 0..6 {
        let hunter = format!("h{number}");
        drop(stage.hunter(&hunter));
        stage.log(&hunter, "monday");
    }
    for number in 0..5 {
        let path = format!("/api/v1/hunters/h{number}/logs/monday/reports");
        must(&envy, &path, &json!({ "reason": "fake_proof" }));
    }
    let path = "/api/v1/hunters/h5/logs/monday/reports";
    refused(&envy, path, &json!({ "reason": "fake_proof" }), 409, "quest.report.too_many");
    // An app reports for whom it names.
    refused(&stage.app, path, &json!({ "reason": "fake_proof" }), 400, "request.malformed");
    must(&stage.app, path, &json!({ "reason": "fake_proof", "reporter": "h0" }));
    stage.end();
}

#[test]
fn under_fair_only_a_judge_makes_somebody_corrupted() {
    let stage = Stage::set();
    must(&stage.app, "/api/v1/hunters", &json!({ "id": "ada", "class": "Tank", "rulebook": "fair" }));
    stage.log("ada", "monday");
    must(&stage.judge, "/api/v1/hunters/ada/status", &json!({ "corrupted": true, "note": "confessed" }));
    assert_eq!(seen(&stage.nobody, "/api/v1/hunters/ada")["badge"], "red");
    assert_eq!(seen(&stage.nobody, "/api/v1/hunters")["rows"], json!([]));
    must(&stage.judge, "/api/v1/hunters/ada/status", &json!({ "corrupted": false }));
    assert_eq!(seen(&stage.nobody, "/api/v1/hunters")["rows"][0]["hunter"], "ada");
    stage.end();
}
