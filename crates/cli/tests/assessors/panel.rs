//! Panels: several models that agree or differ, and people.

use serde_json::{Map, Value, json};

use crate::oracle::{Oracle, best, worst};
use crate::stage::{Stage, codes, submit, summary, wait_for};

#[test]
fn models_that_agree_judge_together() {
    let (one, two) = (Oracle::choosing(best), Oracle::choosing(best));
    let stage = Stage::set(&[("one", &one), ("two", &two)]);
    let server = stage.serve();
    let admin = server.client(&server.admin_token());
    let id = submit(&admin, "summary", &json!({ "document": summary(7), "assessors": ["one", "two"] }));
    let judged = wait_for(&admin, "summary", id, "judged");
    assert_eq!(judged["verdict"]["assessor"]["name"], "panel");
    assert!(codes(&judged["verdict"]).contains(&"assessor.panel"));
    server.stop();
}

#[test]
fn models_that_are_too_far_apart_send_it_to_a_person_whose_word_counts() {
    let (kind, harsh) = (Oracle::choosing(best), Oracle::choosing(worst));
    let stage = Stage::set(&[("kind", &kind), ("harsh", &harsh)]);
    let server = stage.serve();
    let admin = server.client(&server.admin_token());
    let id = submit(&admin, "summary", &json!({ "document": summary(7), "assessors": ["kind", "harsh"] }));
    wait_for(&admin, "summary", id, "referred");
    let (_, taken) = admin.post("/api/v1/assessments/summary/take", &json!({}), None).unwrap();
    assert_eq!(taken["id"], id);
    let mut answers = by_hand(&taken["asked"], "Partial");
    let findings = format!("/api/v1/assessments/summary/{id}/findings");
    answers.insert("tone".into(), json!({ "label": "cheerful" }));
    let (status, problem) = admin.post(&findings, &json!({ "answers": answers }), None).unwrap();
    assert_eq!((status, &problem["code"]), (400, &json!("assessment.answer")), "a person may mend it");
    answers.insert("tone".into(), json!({ "label": "neutral" }));
    let (status, judged) = admin.post(&findings, &json!({ "answers": answers }), None).unwrap();
    assert_eq!(status, 200, "{judged}");
    assert_eq!(judged["verdict"]["assessor"]["name"], "person");
    let (status, _) = admin.post(&findings, &json!({ "answers": answers }), None).unwrap();
    assert_eq!(status, 409, "it is judged");
    server.stop();
}

#[test]
fn two_people_look_at_the_same_and_their_agreement_is_measured() {
    let stage = Stage::set(&[]);
    let server = stage.serve();
    let admin = server.client(&server.admin_token());
    let token = json!({ "name": "ada", "role": "judge" });
    let (_, issued) = admin.post("/api/v1/tokens", &token, None).unwrap();
    let ada = server.client(issued["token"].as_str().unwrap());
    let id = submit(&admin, "summary", &json!({ "document": summary(7), "people": 2 }));
    for (who, label) in [(&admin, "Partial"), (&ada, "Not")] {
        let (status, taken) = who.post("/api/v1/assessments/summary/take", &json!({}), None).unwrap();
        assert_eq!(status, 200, "{taken}");
        let answers = by_hand(&taken["asked"], label);
        let path = format!("/api/v1/assessments/summary/{id}/findings");
        let (status, answer) = who.post(&path, &json!({ "answers": answers }), None).unwrap();
        assert_eq!(status, 200, "{answer}");
    }
    let judged = wait_for(&admin, "summary", id, "judged");
    assert_eq!(judged["verdict"]["assessor"]["name"], "panel");
    let (_, bench) = admin.get("/api/v1/assessments/summary").unwrap();
    let agreement = |kind: &str| {
        let all = bench["agreement"].as_array().unwrap();
        all.iter().find(|found| found["kind"] == kind).unwrap()["agreement"].clone()
    };
    assert_eq!((agreement("key_point"), agreement("claim")), (json!(0.0), json!(1.0)));
    let (status, problem) = ada.post("/api/v1/assessments/summary/take", &json!({}), None).unwrap();
    assert_eq!((status, &problem["code"]), (404, &json!("assessment.none_waiting")));
    server.stop();
}

/// Everything is as good as it can be without words to bear it out, but key points, which have this label.
fn by_hand(asked: &Value, key_points: &str) -> Map<String, Value> {
    let mut answers = Map::new();
    for item in asked["items"].as_array().unwrap() {
        let answer = match item["choice"]["label"]["labels"][0].as_str() {
            None => json!({ "number": 50 }),
            Some("Fully") => {
                let summary = asked["sources"][1]["text"].as_str().unwrap();
                json!({ "quote": summary.split('.').next().unwrap(), "label": key_points })
            }
            Some(label) => json!({ "quote": "", "label": label }),
        };
        answers.insert(item["id"].as_str().unwrap().to_owned(), answer);
    }
    answers
}
