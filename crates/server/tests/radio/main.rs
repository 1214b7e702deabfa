//! A radio session over HTTP with a manual clock: it ends on time, to the millisecond, even without requests.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot set the stage must stop"
)]

#[path = "../aic_compat/hall.rs"]
#[allow(dead_code, reason = "the hall has more doors than this needs")]
mod hall;

use hall::Hall;
use serde_json::{Value, json};

const SESSION: &str = "/api/v1/radio/classes/spring/sessions/one";
const LINE_UP: &str =
    "Behind the landing Boeing, line up and wait runway one six right behind, Coastal seven three four.";

/// A class in which `ann` has started a scenario at the start of the clock.
async fn class() -> Hall {
    let hall = Hall::build().await;
    hall.must("/api/v1/radio/classes", json!({ "id": "spring" })).await;
    let session = json!({ "id": "one", "student": "ann", "scenario": "conditional-line-up" });
    hall.must("/api/v1/radio/classes/spring/sessions", session).await;
    hall
}

async fn seen(hall: &Hall, path: &str) -> Value {
    let (status, body) = hall.as_admin("GET", path, "", "").await;
    assert_eq!(status, 200, "{body}");
    serde_json::from_str(&body).unwrap()
}

/// Polls until the session has ended: the manual clock jumps ahead of the server's timers.
async fn ended(hall: &Hall) -> Value {
    for _ in 0..1_000 {
        let session = seen(hall, SESSION).await;
        if !session["outcome"].is_null() {
            return session;
        }
    }
    panic!("it never ended")
}

#[tokio::test]
async fn a_session_that_nobody_answers_in_has_timed_out_ninety_seconds_after_its_beginning() {
    let hall = class().await;
    let begun = seen(hall.at(89.999), SESSION).await;
    assert_eq!((&begun["outcome"], &begun["phase"]), (&Value::Null, &json!("line-up")));
    // The page is opened an hour later, with no request in between.
    let session = ended(hall.at(3_600.0)).await;
    assert_eq!(session["outcome"], "timeout");
    assert_eq!(session["total_time"], 90.0, "ended when its time was over, not when somebody looked");
    assert_eq!((&session["phase"], &session["idle_at"]), (&Value::Null, &Value::Null));
    let class = seen(&hall, "/api/v1/radio/classes/spring").await;
    assert_eq!(class["sessions"][0]["outcome"], "timeout");
}

#[tokio::test]
async fn every_answer_gives_another_ninety_seconds() {
    let hall = class().await;
    let say = json!({ "text": LINE_UP, "student": "ann" });
    let judged = hall.at(89.0).must(&format!("{SESSION}/turns"), say).await;
    assert_eq!(
        (&judged["verdict"]["outcome"], &judged["session"]["outcome"]),
        (&json!("accepted"), &Value::Null)
    );
    assert_eq!(seen(hall.at(178.999), SESSION).await["outcome"], Value::Null);
    let session = ended(hall.at(179.0)).await;
    assert_eq!((&session["outcome"], &session["total_time"]), (&json!("timeout"), &json!(179.0)));
    assert_eq!(
        (&session["turns"], &session["score_total"]),
        (&json!(1), &json!(5.0)),
        "what was earned stays"
    );
}

#[tokio::test]
async fn a_class_has_a_board_for_its_instructors() {
    let hall = class().await;
    let say = json!({ "text": LINE_UP, "student": "ann" });
    hall.at(5.0).must(&format!("{SESSION}/turns"), say).await;
    let board = seen(&hall, "/api/v1/radio/classes/spring/board").await;
    assert_eq!(board["rows"], json!([{ "rank": 1, "participant": "ann", "points": 5.0, "ties": [0, 0] }]));
    let (_, status, _) = hall.exchange("GET", "/api/v1/radio/classes/spring/board", "", "").await;
    assert_eq!(status, 401);
    let (_, status, _) = hall.exchange("GET", "/api/v1/events?topic=board/radio/spring", "", "").await;
    assert_eq!(status, 404, "nor is it told to whoever listens");
}
