//! Idempotency: a repeated request is executed once and not penalised.

use serde_json::{Value, json};

use crate::stage::{Stage, guess, right};

#[test]
fn the_same_key_and_body_get_the_same_answer() {
    let stage = Stage::running();
    let (_, first) = stage.submit(&stage.ants, &guess("rose"), Some("k1"));
    let before = stage.position();
    let (status, second) = stage.submit(&stage.ants, &guess("rose"), Some("k1"));
    assert_eq!((status, &first["repeated"], &second["repeated"]), (200, &json!(false), &json!(true)));
    assert_eq!((&second["receipt"], &second["verdict"]), (&first["receipt"], &first["verdict"]));
    assert_eq!(stage.position(), before);
    stage.end();
}

#[test]
fn the_same_key_with_another_body_is_refused() {
    let stage = Stage::running();
    stage.submit(&stage.ants, &guess("rose"), Some("k1"));
    let before = stage.position();
    let (status, problem) = stage.submit(&stage.ants, &guess("tulip"), Some("k1"));
    assert_eq!((status, &problem["code"]), (422, &json!("idempotency.key_reused")));
    assert_eq!(problem["detail"], "this idempotency key was used for another request");
    assert_eq!(stage.position(), before);
    let (status, theirs) = stage.submit(&stage.bees, &guess("tulip"), Some("k1"));
    assert_eq!((status, &theirs["repeated"]), (200, &json!(false)), "another team has keys of its own");
    stage.end();
}

#[test]
fn a_refusal_is_not_remembered() {
    let stage = Stage::set();
    let (status, problem) = stage.submit(&stage.ants, &right(), Some("k1"));
    assert_eq!((status, &problem["code"]), (409, &json!("contest.task.not_started")));
    stage.contest.start_task("q1", 3_600.0, 10.0);
    let (status, judged) = stage.submit(&stage.ants, &right(), Some("k1"));
    assert_eq!((status, &judged["repeated"]), (200, &json!(false)), "{judged}");
    let (_, again) = stage.submit(&stage.ants, &right(), Some("k1"));
    assert_eq!((&again["receipt"], &again["repeated"]), (&judged["receipt"], &json!(true)));
    stage.end();
}

#[test]
fn organising_can_be_repeated_too() {
    let stage = Stage::set();
    let path = stage.contest.path("/teams");
    let register = || stage.contest.admin.post(&path, &json!({ "id": "wasps" }), Some("k1")).unwrap();
    let ((_, first), (status, second)) = (register(), register());
    assert_eq!((status, &second["repeated"], &second["receipt"]), (201, &json!(true), &first["receipt"]));
    assert!(first["token"].is_string() && second["token"].is_null(), "a secret is shown once: {second}");
    let another = stage.contest.path("/teams/wasps/tokens");
    let issue = || stage.contest.admin.post(&another, &json!({}), Some("k2")).unwrap();
    let ((_, issued), (status, again)) = (issue(), issue());
    assert_eq!((status, &again["repeated"], &again["token"]), (201, &json!(true), &Value::Null));
    assert_eq!((&again["receipt"], &again["event"]), (&issued["receipt"], &issued["event"]));
    stage.contest.start_task("q1", 3_600.0, 10.0);
    for (answer, text) in [(&first, "rose"), (&issued, "tulip")] {
        let wasps = stage.nobody.with_token(answer["token"].as_str().unwrap());
        assert_eq!(stage.submit(&wasps, &guess(text), None).0, 200, "both tokens let the team in");
    }
    stage.end();
}

#[test]
fn the_same_answer_within_ten_seconds_is_the_same_submission() {
    let stage = Stage::running();
    let wrong = |judged: &Value| judged["verdict"]["detail"]["wrong_attempts"].clone();
    let (_, first) = stage.submit(&stage.ants, &guess("rose"), None);
    let spelt_otherwise = json!({ "text": "QA- ROSE -L01-2,1" });
    let (status, again) = stage.submit(&stage.ants, &spelt_otherwise, None);
    assert_eq!(
        (status, &again["repeated"], &again["receipt"]),
        (200, &json!(true), &first["receipt"]),
        "{again}"
    );
    let (_, other) = stage.submit(&stage.ants, &guess("tulip"), None);
    assert_eq!((wrong(&first), wrong(&again), wrong(&other)), (json!(1), json!(1), json!(2)));
    stage.end();
}

#[test]
fn a_key_must_be_a_plain_word() {
    let stage = Stage::running();
    for key in ["", &"k".repeat(256)] {
        let (status, problem) = stage.submit(&stage.ants, &guess("rose"), Some(key));
        let detail = "`Idempotency-Key` must be 1 to 255 plain characters";
        assert_eq!((status, &problem["detail"]), (400, &json!(detail)));
    }
    assert_eq!(stage.submit(&stage.ants, &guess("rose"), Some(&"k".repeat(255))).0, 200);
    stage.end();
}
