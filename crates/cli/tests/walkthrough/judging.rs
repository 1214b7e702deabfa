//! Judging without storing, and the list of courts and rulebooks.

use serde_json::{Value, json};

use crate::stage::Stage;

fn document() -> Value {
    let task = json!({ "type": "KIS", "video_id": "L01", "points": "10-20", "time_limit": 100 });
    let answers = json!([{ "mediaItemName": "L01", "start": 10 }, { "mediaItemName": "L01", "start": 20 }]);
    let submission = json!({ "answerSets": [{ "answers": answers }] });
    json!({ "task": task, "submission": submission, "elapsed_seconds": 50, "wrong_attempts": 1 })
}

#[test]
fn whoever_has_a_token_has_documents_judged_and_nothing_is_kept() {
    let stage = Stage::set();
    let before = stage.position();
    let (status, verdict) = stage.ants.post("/api/v1/judge/contest", &document(), None).unwrap();
    assert_eq!((status, &verdict["court"], &verdict["outcome"]), (200, &json!("contest"), &json!("full")));
    let named = stage.ants.post("/api/v1/judge/contest?rulebook=competition", &document(), None).unwrap();
    assert_eq!(named, (200, verdict));
    assert_eq!(stage.nobody.post("/api/v1/judge/contest", &document(), None).unwrap().0, 401);
    assert_eq!(stage.position(), before);
    stage.end();
}

#[test]
fn what_cannot_be_judged_is_refused_by_its_court() {
    let stage = Stage::set();
    let told = |path: &str, document: &Value| {
        let (status, problem) = stage.ants.post(path, document, None).unwrap();
        (status, problem["code"].as_str().unwrap().to_owned(), problem["detail"].as_str().unwrap().to_owned())
    };
    let expect = |found: (u16, String, String), status: u16, code: &str, detail: &str| {
        assert_eq!(found, (status, code.to_owned(), detail.to_owned()));
    };
    let (contest, mut late) = ("/api/v1/judge/contest", document());
    late["elapsed_seconds"] = json!(1_000);
    let detail = "received 1000 s after the start; answers were taken until 110 s";
    expect(told(contest, &late), 400, "contest.task.time_limit_exceeded", detail);
    let detail = "task: expected an object, found nothing";
    expect(told(contest, &json!({})), 400, "contest.document.malformed", detail);
    expect(told("/api/v1/judge/moot", &document()), 404, "resource.unknown", "there is no court `moot`");
    let detail = "there is no rulebook `mercy`; there is competition, tolerance, tolerance-strict, tolerance-lenient, vbs";
    expect(told("/api/v1/judge/contest?rulebook=mercy", &document()), 400, "request.malformed", detail);
    stage.end();
}

#[test]
fn courts_and_their_rulebooks_are_public() {
    let stage = Stage::set();
    let (_, list) = stage.nobody.get("/api/v1/courts").unwrap();
    let court = &list["courts"][0];
    assert_eq!((&court["court"], &court["rulebooks"][0]["name"]), (&json!("contest"), &json!("competition")));
    let reply = stage.nobody.send("GET", "/api/v1/rulebooks/contest/competition", &[], None).unwrap();
    assert_eq!((reply.status, reply.content_type.as_str()), (200, "application/toml"));
    let shipped = include_str!("../../../../rulebooks/contest/competition.toml");
    assert_eq!(reply.text, shipped, "byte for byte: its hash is in every verdict");
    assert_eq!(stage.nobody.get("/api/v1/rulebooks/contest/mercy").unwrap().0, 404);
    stage.end();
}
