//! Judging one document by one model without storing it: on the command line and over HTTP.

use serde_json::json;

use crate::oracle::{Oracle, answered, best, worst};
use crate::stage::{Stage, codes, summary, verdict};

#[test]
fn a_summary_is_judged_by_what_a_model_found() {
    let oracle = Oracle::choosing(best);
    let stage = Stage::set(&[("kind", &oracle)]);
    let output = stage.run(&["judge", "summary", "-", "--assessor", "kind"], &summary(40).to_string());
    let judged = verdict(&output);
    assert_eq!(judged["assessor"]["name"], "kind");
    assert!(judged["assessor"]["version"].as_str().unwrap().starts_with("kind-1 by observe v1"), "{judged}");
    let claims = judged["detail"]["findings"]["claims"].as_array().unwrap();
    assert!(!claims.is_empty() && claims.iter().all(|claim| claim["label"] == "Supported"));
    assert_eq!(claims[0]["evidence"][0]["text"], "The city council of");
    assert_eq!(judged["detail"]["support"], 0.9);
    let told = String::from_utf8(output.stderr).unwrap();
    // 1000 × 2 + 100 × 10 millionths.
    assert!(told.contains("1 valid, 0 repaired, 0 replaced"), "{told}");
    assert!(told.contains("1 call, 1000 + 100 tokens, cost 0.0030"), "{told}");
}

#[test]
fn a_model_that_sees_everything_wrong_costs_the_summary_its_score_and_nothing_else() {
    let oracle = Oracle::choosing(worst);
    let stage = Stage::set(&[("harsh", &oracle)]);
    let document = summary(40).to_string();
    let judged = verdict(&stage.run(&["judge", "summary", "-", "--assessor", "harsh"], &document));
    let own = verdict(&stage.run(&["judge", "summary", "-"], &document));
    assert!(judged["points"].as_f64() < own["points"].as_f64());
    assert_eq!(judged["rulebook"], own["rulebook"]);
}

#[test]
fn radio_and_quest_ask_models_too() {
    let oracle = Oracle::choosing(|item| match item["labels"].as_array().unwrap().len() {
        5 if item["about"].as_str().unwrap().starts_with("PA_RUNWAY") => "critical".to_owned(),
        5 => "right".to_owned(),
        _ if item["about"].as_str().unwrap().starts_with("pain") => "yes".to_owned(),
        _ => "no".to_owned(),
    });
    let stage = Stage::set(&[("ear", &oracle)]);
    let call = json!({ "controller": "G-ABCD, line up runway 27", "pilot": "Lining up runway 09, G-ABCD" });
    let judged = verdict(&stage.run(&["judge", "radio", "-", "--assessor", "ear"], &call.to_string()));
    assert_eq!((&judged["outcome"], &judged["detail"]["safetyFlag"]), (&json!("blocked"), &json!(true)));
    assert!(judged["assessor"]["version"].as_str().unwrap().starts_with("ear ear-1"), "{judged}");
    let judged = verdict(
        &stage.run(&["judge", "quest", "-", "--assessor", "ear"], &quest("Mein Knie zwickt").to_string()),
    );
    assert_eq!(judged["assessor"]["name"], "ear");
    assert!(codes(&judged).contains(&"quest.reading.pain"), "{judged}");
}

/// A plain log; what it earns does not depend on what is written beside it.
pub(crate) fn quest(feedback: &str) -> serde_json::Value {
    json!({
        "quest_type": "Daily",
        "plan": { "estimated_duration_min": 30, "target_rpe": 7, "intensity": "Low",
                  "exercises": [{ "name": "Push-ups", "sets": 3, "reps": 10 }] },
        "log": { "duration_seconds": 1500, "actual_rpe": 7, "condition": "Fresh", "user_feedback": feedback,
                 "exercises": [{ "name": "Push-ups", "sets_done": 3, "reps_done": 10 }] },
        "profile": { "class": "Tank", "rank": "E", "hunter_status": "Normal", "streak_days": 0 }
    })
}

#[test]
fn the_reading_takes_over_from_a_model_that_gives_nothing_and_the_verdict_says_so() {
    for (status, content, why) in
        [(200, "I would give it a ten!", "could not be read"), (500, "", "it answered 500")]
    {
        let oracle = Oracle::always(status, content);
        let stage = Stage::set(&[("broken", &oracle)]);
        let document = summary(40).to_string();
        let judged = verdict(&stage.run(&["judge", "summary", "-", "--assessor", "broken"], &document));
        let own = verdict(&stage.run(&["judge", "summary", "-"], &document));
        assert_eq!((&judged["points"], &judged["detail"]), (&own["points"], &own["detail"]));
        assert_eq!(judged["assessor"], own["assessor"]);
        let reason = judged["reasons"].as_array().unwrap().last().unwrap();
        assert_eq!(reason["code"], "assessor.replaced");
        assert!(reason["message"].as_str().unwrap().contains(why), "{reason}");
    }
}

#[test]
fn over_http_a_query_names_the_model() {
    let oracle = Oracle::start(|question| (200, answered(question, &best)));
    let stage = Stage::set(&[("kind", &oracle)]);
    let server = stage.serve();
    let admin = server.client(&server.admin_token());
    let (status, judged) = admin.post("/api/v1/judge/summary?assessor=kind", &summary(3), None).unwrap();
    assert_eq!((status, &judged["assessor"]["name"]), (200, &json!("kind")));
    let (status, problem) = admin.post("/api/v1/judge/summary?assessor=moon", &summary(3), None).unwrap();
    assert_eq!(status, 400);
    assert_eq!(problem["detail"], "there is no assessor `moon`; there is kind");
    let (status, problem) = admin.post("/api/v1/judge/contest?assessor=kind", &json!({}), None).unwrap();
    assert_eq!((status, &problem["code"]), (400, &json!("assessment.no_bench")));
    let (_, listed) = admin.get("/api/v1/assessors").unwrap();
    assert_eq!(listed["assessors"][0]["calls"], 1);
    server.stop();
}

#[test]
fn a_wrong_setting_is_named_and_a_key_comes_from_the_environment_alone() {
    let oracle = Oracle::choosing(best);
    let stage = Stage::set(&[("kind", &oracle)]);
    stage.setting("[assessors.other]\nurl = \"not an address\"\nmodel = \"m\"\n");
    let output = stage.run(&["judge", "summary", "-", "--assessor", "kind"], &summary(1).to_string());
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("assessors.other: `url` must be an address"));
    let stage = Stage::set(&[]);
    stage.setting(
        "[assessors.kind]\nurl = \"http://127.0.0.1:9\"\nmodel = \"m\"\nkey_variable = \"NO_SUCH_KEY\"\n",
    );
    let output = stage.run(&["judge", "summary", "-", "--assessor", "kind"], &summary(1).to_string());
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("assessors.kind: the environment variable `NO_SUCH_KEY` is not set"), "{told}");
}
