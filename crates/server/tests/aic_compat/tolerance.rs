//! The older scoring by tolerance at the root: the expected results and the edge cases of the rules.

use serde_json::{Value, json};

use crate::hall::{Hall, Reply};

/// A contest with two events, as in the edge cases.
async fn hall() -> Hall {
    let hall = Hall::open("tolerance").await;
    let points = "4945-5010-5001-5020";
    hall.add(json!({ "id": "7", "type": "TR", "video_id": "V017", "points": points })).await;
    hall.add(json!({ "id": "8", "type": "KIS", "video_id": "V017", "points": "10000-20000-30000-40000" }))
        .await;
    hall.add(json!({ "id": "9", "type": "TR", "video_id": "V017", "points": "4945-4945-5010-5010" })).await;
    for question in [7, 8, 9] {
        hall.start(question).await;
    }
    hall.at(20.0);
    hall
}

fn score(reply: &Reply) -> Value {
    assert_eq!(reply.0, 200, "{reply:?}");
    serde_json::from_str::<Value>(&reply.1).unwrap()["score"].clone()
}

fn near(correctness: &str, score: &str, matched: u32) -> Reply {
    let success = correctness != "incorrect";
    let detail =
        format!(r#"{{"matched_events":{matched},"total_events":2,"wrong_attempts":0,"elapsed_time":20.0}}"#);
    (
        200,
        format!(r#"{{"success":{success},"correctness":"{correctness}","score":{score},"detail":{detail}}}"#),
    )
}

#[tokio::test]
async fn near_is_worth_something_and_far_is_not() {
    let hall = hall().await;
    assert_eq!(hall.text("perfect", 9, "TR-V017-4945,5010").await, near("full", "100.0", 2));
    // Twelve frames outside of each of two events: 100 − 12 = 88.
    assert_eq!(hall.text("boundary", 9, "TR-V017-4933,5022").await, near("partial", "88.0", 2));
    assert_eq!(hall.text("far", 9, "TR-V017-3000,6000").await, near("incorrect", "0", 0));
}

#[tokio::test]
async fn a_missing_value_scores_nothing_for_its_event() {
    let hall = hall().await;
    // 4999 lies in the first event, and the second has none: (100 + 0) ÷ 2.
    assert_eq!(hall.text("fewer", 7, "TR-V017-4999").await, near("partial", "50.0", 1));
    assert_eq!(hall.text("none", 7, "TR-V017-").await, near("incorrect", "0", 0));
    let empty = json!({ "team_id": "nothing", "question_id": 7, "answerSets": [{ "answers": [] }] });
    assert_eq!(hall.python("/submit", &empty).await, near("incorrect", "0", 0));
}

#[tokio::test]
async fn values_beyond_the_events_are_ignored() {
    let hall = hall().await;
    assert_eq!(hall.text("more", 7, "TR-V017-4999,5001,5050").await, near("full", "100.0", 2));
}

#[tokio::test]
async fn a_value_exactly_at_the_boundary_is_still_valid() {
    let hall = hall().await;
    // 4933 is twelve frames before the first event, 88; 5001 lies in the second: (88 + 100) ÷ 2 = 94.
    assert_eq!(hall.text("at-it", 7, "TR-V017-4933,5001").await, near("partial", "94.0", 2));
    // One frame further is worth nothing: (0 + 100) ÷ 2.
    assert_eq!(hall.text("beyond", 7, "TR-V017-4932,5001").await, near("partial", "50.0", 1));
}

#[tokio::test]
async fn one_millisecond_off_scores_99_99() {
    let hall = hall().await;
    let answers =
        json!([{ "mediaItemName": "V017", "start": 20_001 }, { "mediaItemName": "V017", "start": 40_001 }]);
    let body = json!({ "team_id": "ants", "question_id": 8, "answerSets": [{ "answers": answers }] });
    // A millisecond is 0.025 frames: 100 − 0.025 = 99.975, to two decimals half up 99.98.
    assert_eq!(score(&hall.python("/submit", &body).await), json!(99.98));
    let answers =
        json!([{ "mediaItemName": "V017", "start": 10_001 }, { "mediaItemName": "V017", "start": 40_001 }]);
    let body = json!({ "team_id": "bees", "question_id": 8, "answerSets": [{ "answers": answers }] });
    // The first lies inside: (100 + 99.975) ÷ 2 = 99.9875, 99.99.
    assert_eq!(score(&hall.python("/submit", &body).await), json!(99.99));
}

#[tokio::test]
async fn nothing_completes_and_the_best_counts() {
    let hall = hall().await;
    hall.text("ants", 7, "TR-V017-4999,5001").await;
    assert_eq!(score(&hall.at(40.0).text("ants", 7, "TR-V017-4999").await), json!(50.0));
    let board = hall.get("/leaderboard?question_id=7").await;
    let expected = r#"{"question_id":7,"total_ranked":1,"rankings":[{"team_id":"ants","score":100.0,"time_taken":20.0,"submit_count":2,"wrong_count":0,"rank":1}]}"#;
    assert_eq!(board, (200, expected.to_owned()));
}

#[tokio::test]
async fn the_configuration_names_what_being_near_is_worth() {
    let hall = hall().await;
    let (_, configuration) = hall.get("/config").await;
    let expected = r#"{"active_question_id":null,"type":null,"time_limit":300,"buffer_time":10,"max_score":100.0,"decay_rate":1.0,"frame_tolerance":12.0,"fps":25.0,"aggregation":"mean","questions":{"#;
    assert!(configuration.starts_with(expected), "{configuration}");
}
