//! Tasks judged by people: a submission is pending, and a later request has the decision.

use assize_testbed::contest::VIDEO;
use serde_json::{Value, json};

use crate::hall::Hall;

/// A hall in which a task without a ground truth runs.
fn hall() -> Hall {
    let hall = Hall::set();
    hall.add_task(&json!({ "id": "p1", "type": "KIS" }));
    hall.contest.must(&hall.contest.path("/tasks/p1/start"), &json!({ "time_limit_seconds": 3_600 }));
    hall
}

fn moment(start: u64) -> Value {
    json!({ "answerSets": [{ "answers": [{ "mediaItemName": VIDEO, "start": start }] }] })
}

/// A judge takes the next answer and says this of it.
fn decide(hall: &Hall, word: &Value) {
    let contest = &hall.contest;
    let taken = contest.must(&contest.path("/queue/take"), &json!({}));
    contest.must(&contest.path(&format!("/queue/{}/decide", taken["held"]["answer"])), word);
}

#[test]
fn an_answer_is_indeterminate_until_somebody_has_decided() {
    let hall = hall();
    let (anna, berta) = (hall.tool("anna"), hall.tool("berta"));
    let indeterminate = json!({
        "status": true, "submission": "INDETERMINATE", "description": "received; somebody will judge it",
    });
    assert_eq!(anna.post("/submit/spring", &moment(1_000)), (202, indeterminate.clone()));
    assert_eq!(anna.post("/submit/spring", &moment(1_000)), (202, indeterminate.clone()), "it still waits");
    assert_eq!(berta.post("/submit/spring", &moment(2_000)), (202, indeterminate));
    assert_eq!(hall.contest.seen()["tasks"][0]["round"]["submissions"], 2, "the same again is the same");

    decide(&hall, &json!({ "outcome": "incorrect" }));
    let wrong = json!({ "status": true, "submission": "WRONG", "description": "wrong" });
    assert_eq!(anna.post("/submit/spring", &moment(1_000)), (200, wrong.clone()));
    decide(&hall, &json!({ "outcome": "full" }));
    let (status, told) = anna.post("/submit/spring", &moment(2_000));
    assert_eq!((status, &told["submission"]), (200, &json!("CORRECT")), "as the equal answer was: {told}");
    assert!(told["description"].as_str().unwrap().starts_with("right: "), "{told}");
    let (_, rows) = hall.contest.board(None);
    let ranked: Vec<_> = rows.iter().map(|row| row["participant"].as_str().unwrap()).collect();
    assert_eq!(ranked, ["bees", "ants"], "a wrong attempt has cost the ants: {rows:?}");
    assert_eq!(anna.post("/submit/spring", &moment(3_000)).0, 412, "the team is done");
    hall.server.stop();
}

#[test]
fn an_answer_that_nobody_can_decide_is_told_as_that() {
    let hall = hall();
    let anna = hall.tool("anna");
    assert_eq!(anna.submit(&moment(1_000)), (202, json!("INDETERMINATE")));
    decide(&hall, &json!({ "outcome": "undecided", "note": "the picture is black" }));
    let (status, told) = anna.post("/submit/spring", &moment(1_000));
    let expected =
        json!({ "status": true, "submission": "UNDECIDABLE", "description": "it cannot be decided" });
    assert_eq!((status, told), (200, expected));
    hall.server.stop();
}
