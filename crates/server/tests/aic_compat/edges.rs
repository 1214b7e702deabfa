//! Edge cases at the root: the last millisecond, malformed requests, duplicates and late answers.

use serde_json::{Value, json};

use crate::hall::{Hall, refused};

const RIGHT: &str = "TR-V017-4890,5000,5001,5020";

fn scored(score: &str, wrong: u32, elapsed: &str, factor: &str) -> (u16, String) {
    let detail = format!(
        r#"{{"matched_events":4,"total_events":4,"wrong_attempts":{wrong},"elapsed_time":{elapsed},"time_factor":{factor}}}"#
    );
    (200, format!(r#"{{"success":true,"correctness":"full","score":{score},"detail":{detail}}}"#))
}

fn too_late(elapsed: &str, message: &str) -> (u16, String) {
    let detail = format!(
        r#"{{"error":"time_limit_exceeded","elapsed_time":{elapsed},"time_limit":300,"buffer_time":10,"message":"{message}"}}"#
    );
    (400, format!(r#"{{"detail":{detail}}}"#))
}

#[tokio::test]
async fn the_clock_is_right_to_the_millisecond() {
    let hall = Hall::running(1).await;
    assert_eq!(hall.at(0.0).text("at-once", 1, RIGHT).await, scored("100.0", 0, "0.0", "1.0"));
    assert_eq!(hall.at(15.001).text("thirds", 1, RIGHT).await, scored("97.5", 0, "15.001", "0.95"));
    assert_eq!(hall.at(300.0).text("limit", 1, RIGHT).await, scored("50.0", 0, "300.0", "0.0"));
    assert_eq!(hall.at(309.999).text("buffer", 1, RIGHT).await, scored("50.0", 0, "309.999", "0.0"));
    assert_eq!(hall.at(310.0).text("last", 1, RIGHT).await, scored("50.0", 0, "310.0", "0.0"));
    let message = "received 310.001 s after the start; answers were taken until 310 s";
    assert_eq!(hall.at(310.001).text("late", 1, RIGHT).await, too_late("310.001", message));
}

#[tokio::test]
async fn after_a_stop_it_is_too_late() {
    let hall = Hall::running(1).await;
    hall.at(60.0).curl("/admin/stop-question", r#"{"question_id": 1}"#).await;
    let message = "received 61 s after the start; answers were taken until 60 s";
    assert_eq!(hall.at(61.0).text("late", 1, RIGHT).await, too_late("61.0", message));
}

#[tokio::test]
async fn what_has_not_been_started_takes_no_answers() {
    let hall = Hall::running(2).await;
    let message = "question `1` has not been started";
    assert_eq!(hall.at(5.0).text("early", 1, RIGHT).await, too_late("0.0", message));
    assert_eq!(hall.text("early", 9, RIGHT).await, refused(404, "there is no question `9`"));
}

#[tokio::test]
async fn whoever_is_done_is_told_so_and_what_they_have() {
    let hall = Hall::running(1).await;
    assert_eq!(hall.at(15.0).text("team_01", 1, RIGHT).await.0, 200);
    let expected = r#"{"success":false,"error":"already_completed","detail":{"score":97.5,"completed_at":15.0},"message":"the question is completed with a score of 97.5"}"#;
    let again = hall.at(40.0).text("team_01", 1, "TR-V017-4890,5000,5001").await;
    assert_eq!(again, (200, expected.to_owned()));
    let partly = hall.at(41.0).text("team_02", 1, "TR-V017-4890,5000").await;
    assert!(partly.1.contains(r#""correctness":"partial""#), "half of it: {partly:?}");
    let done = hall.at(60.0).text("team_02", 1, RIGHT).await;
    assert!(done.1.contains("already_completed"), "partly right is done, too: {done:?}");
}

#[tokio::test]
async fn the_same_answer_within_ten_seconds_is_the_same_submission() {
    let hall = Hall::running(1).await;
    let first = hall.at(5.0).text("team_01", 1, "TR-V017-1,2,3,4").await;
    assert_eq!(hall.at(15.0).text("team_01", 1, "TR-V017-4,3,2,1").await, first, "no second penalty");
    let later = hall.at(15.001).text("team_01", 1, "TR-V017-1,2,3,4").await;
    assert!(later.1.contains(r#""wrong_attempts":2"#), "{later:?}");
    let right = hall.at(30.0).text("team_01", 1, RIGHT).await;
    assert_eq!(right, scored("75.0", 2, "30.0", "0.9"));
    assert_eq!(hall.at(31.0).text("team_01", 1, RIGHT).await, right, "before `already_completed`");
}

#[tokio::test]
async fn what_a_judge_has_decided_is_answered_to_whoever_sends_the_same() {
    let hall = Hall::open("competition").await;
    hall.add(json!({ "id": "4", "type": "QA", "video_id": "V017" })).await;
    hall.start(4).await;
    let waiting = hall.at(5.0).text("team_01", 4, "QA-a lake-V017-4890").await;
    assert!(waiting.0 == 200 && waiting.1.contains(r#""correctness":"undecided""#), "{waiting:?}");
    hall.must("/api/v1/contests/aic/queue/take", json!({})).await;
    hall.must("/api/v1/contests/aic/queue/1/decide", json!({ "outcome": "full" })).await;
    let again = hall.at(8.0).text("team_01", 4, "QA-a lake-V017-4890").await;
    assert!(again.0 == 200 && again.1.contains(r#""correctness":"full""#), "{again:?}");
    let another = hall.at(9.0).text("team_02", 4, "QA-a lake-V017-4890").await;
    assert!(another.0 == 200 && another.1.contains(r#""correctness":"full""#), "{another:?}");
}

#[tokio::test]
async fn a_key_gives_the_first_answer_again_for_each_team_by_itself() {
    let hall = Hall::running(1).await;
    let send = async |team: &str, text: &str| {
        let body = json!({ "team_id": team, "question_id": 1, "text": text }).to_string();
        hall.send("POST", "/submit", "Idempotency-Key: 1\r\n", &body).await
    };
    let first = send("team_01", "TR-V017-1,2").await;
    hall.at(100.0);
    assert_eq!(send("team_01", "TR-V017-1,2").await, first, "long after");
    let other = send("team_01", RIGHT).await;
    assert_eq!(other, refused(422, "this idempotency key was used for another request"));
    assert_eq!(send("team_02", RIGHT).await, scored("83.3", 0, "100.0", "0.667"), "another team's own key");
}

#[tokio::test]
async fn what_cannot_be_read_costs_nothing_and_shows_the_form() {
    let hall = Hall::running(1).await;
    hall.start(2).await;
    hall.start(3).await;
    let tr = "expected TR-<video>-<frame>,<frame>…";
    let kis = r#"expected {"mediaItemName": "<video>", "start": <ms>} for each boundary"#;
    for (question, answers, problem) in [
        (1, json!([{ "text": "TR-V017" }]), format!("answers[0].text is `TR-V017`; {tr}")),
        (
            1,
            json!([{ "text": "TR-V017-" }]),
            format!("answers[0].text has `` where a whole number belongs; {tr}"),
        ),
        (
            1,
            json!([{ "text": "TR-V017-4890,x" }]),
            format!("answers[0].text has `x` where a whole number belongs; {tr}"),
        ),
        (1, json!([{ "text": "QA-red-V017-1,2" }]), format!("answers[0].text is `QA-red-V017-1,2`; {tr}")),
        (1, json!([{ "mediaItemName": "V017", "start": 1 }]), format!("answers[0].text is missing; {tr}")),
        (
            1,
            json!([{ "text": RIGHT }, { "text": RIGHT }]),
            format!("there are 2 answers where one belongs; {tr}"),
        ),
        (1, json!([]), format!("there is no answer; {tr}")),
        (2, json!([{ "mediaItemName": "V017" }]), format!("answers[0].start is missing; {kis}")),
        (
            2,
            json!([{ "mediaItemName": "V017", "start": "soon" }]),
            format!("answers[0].start is `soon`, not a whole number; {kis}"),
        ),
        (
            3,
            json!([{ "text": RIGHT }]),
            format!("answers[0].text is `{RIGHT}`; expected QA-<answer>-<video>-<ms>,<ms>…"),
        ),
    ] {
        let body =
            json!({ "team_id": "team_01", "question_id": question, "answerSets": [{ "answers": answers }] });
        assert_eq!(hall.python("/submit", &body).await, refused(400, &problem));
    }
    assert_eq!(hall.at(15.0).text("team_01", 1, RIGHT).await, scored("97.5", 0, "15.0", "0.95"));
}

#[tokio::test]
async fn a_body_that_is_none_is_told_what_it_should_be() {
    let hall = Hall::running(1).await;
    let form = r#"expected {"team_id": "<team>", "question_id": <question>, "answerSets": [{"answers": […]}]} or {"team_id": "<team>", "text": "…"}"#;
    for (body, problem) in [
        ("team_id=ants&text=x", "the body cannot be read: invalid type"),
        ("{", "the body cannot be read: EOF while parsing"),
        ("[]", "the body cannot be read: document: expected an object, found a list"),
        (r#"{"answerSets": 5}"#, "the body cannot be read: answerSets: expected a list, found `5`"),
        (r#"{"text": "x"}"#, "`team_id` is missing"),
        ("", "`team_id` is missing"),
    ] {
        let (status, answer) = hall.curl("/submit", body).await;
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let detail = answer["detail"].as_str().unwrap();
        assert_eq!(status, 400, "{body}");
        let unparsed = body.starts_with("team_id") && detail.contains("cannot be read");
        assert!((detail.contains(problem) || unparsed) && detail.ends_with(form), "{body}: {detail}");
    }
    let long = format!(r#"{{"team_id": "{}"}}"#, "x".repeat(2 << 20));
    assert_eq!(hall.curl("/submit", &long).await, refused(413, "the body is longer than 1048576 bytes"));
}

#[tokio::test]
async fn every_way_of_sending_an_answer_is_understood() {
    let hall = Hall::running(1).await;
    hall.at(15.0);
    let bodies = [
        json!({ "team_id": "bare", "text": RIGHT }),
        json!({ "team_id": 7, "question_id": "1", "text": RIGHT }),
        json!({ "team_id": "no-question", "answerSets": [{ "answers": [{ "text": RIGHT }] }] }),
        json!({ "team_id": "more", "question_id": 1, "sessionId": "x", "answerSets": [{ "taskId": "x", "answers": [{ "text": RIGHT, "start": null }] }] }),
        json!({ "team_id": "second-set", "question_id": null, "answerSets": [{ "answers": [{ "text": RIGHT }] }, { "answers": [] }] }),
    ];
    for body in bodies {
        assert_eq!(hall.python("/submit", &body).await, scored("97.5", 0, "15.0", "0.95"), "{body}");
    }
    let body = json!({ "team_id": "bytes", "text": RIGHT }).to_string();
    for (team, kind) in
        [("none", ""), ("plain", "Content-Type: text/plain\r\n"), ("odd", "Content-Type: \r\n")]
    {
        let answer = hall.send("POST", "/submit", kind, &body.replace("bytes", team)).await;
        assert_eq!(answer, scored("97.5", 0, "15.0", "0.95"), "{kind}");
    }
}

#[tokio::test]
async fn extra_values_buy_nothing_and_order_does_not_count() {
    let hall = Hall::running(1).await;
    let guesses: Vec<String> = (4890..4990).map(|frame| frame.to_string()).collect();
    let guessed = hall.text("guesser", 1, &format!("TR-V017-{}", guesses.join(","))).await;
    assert!(guessed.1.contains(r#""correctness":"incorrect""#), "{guessed:?}");
    let mixed = hall.at(15.0).text("mixed", 1, "TR-V017-5020,4890,5001,5000").await;
    assert_eq!(mixed, scored("97.5", 0, "15.0", "0.95"));
}
