//! Running a contest at the root: start, stop, reset, and the public reads meanwhile.

use serde_json::{Value, json};

use crate::hall::{Hall, refused};

const RIGHT: &str = "TR-V017-4890,5000,5001,5020";

fn json_of(reply: (u16, String)) -> Value {
    assert_eq!(reply.0, 200, "{reply:?}");
    serde_json::from_str(&reply.1).unwrap()
}

#[tokio::test]
async fn a_question_is_started_for_as_long_as_is_said() {
    let hall = Hall::open("competition").await;
    let start = hall
        .at(2.5)
        .curl("/admin/start-question", r#"{"question_id": 1, "time_limit": 120, "buffer_time": 2.5}"#);
    let expected = r#"{"success":true,"question_id":1,"start_time":1794735002.5,"time_limit":120,"buffer_time":2.5,"message":"question 1 is running; teams can submit"}"#;
    assert_eq!(start.await, (200, expected.to_owned()));
    let start = hall.curl("/admin/start-question", r#"{"question_id": "2"}"#);
    let expected = r#"{"success":true,"question_id":2,"start_time":1794735002.5,"time_limit":300,"buffer_time":10,"message":"question 2 is running; teams can submit"}"#;
    assert_eq!(start.await, (200, expected.to_owned()));
}

#[tokio::test]
async fn what_cannot_be_started_is_named() {
    let hall = Hall::open("competition").await;
    let form = r#"expected {"question_id": <question>, "time_limit": <seconds>, "buffer_time": <seconds>}"#;
    for (body, status, detail) in [
        (
            "{}",
            400,
            format!("the body cannot be read: missing field `question_id` at line 1 column 2; {form}"),
        ),
        (
            r#"{"question_id": true}"#,
            400,
            format!(
                "the body cannot be read: `question_id` must be a text or a number at line 1 column 21; {form}"
            ),
        ),
        (r#"{"question_id": 9}"#, 404, "there is no question `9`".to_owned()),
        (
            r#"{"question_id": 1, "time_limit": -1}"#,
            400,
            "`time_limit`: must be from 0 to 604800 seconds, is -1".to_owned(),
        ),
        (
            r#"{"question_id": 1, "buffer_time": 1e9}"#,
            400,
            "`buffer_time`: must be from 0 to 604800 seconds, is 1000000000".to_owned(),
        ),
    ] {
        assert_eq!(hall.curl("/admin/start-question", body).await, refused(status, &detail), "{body}");
    }
}

#[tokio::test]
async fn a_stop_counts_what_was_done() {
    let hall = Hall::running(1).await;
    hall.at(5.0).text("ants", 1, "TR-V017-1,2").await;
    hall.at(6.0).text("ants", 1, RIGHT).await;
    hall.at(7.0).text("bees", 1, "TR-V017-3,4").await;
    let expected = r#"{"success":true,"question_id":1,"total_submissions":3,"completed_teams":1,"message":"question 1 has ended"}"#;
    for when in [10.0, 20.0] {
        let stopped = hall.at(when).curl("/admin/stop-question", r#"{"question_id": 1}"#).await;
        assert_eq!(stopped, (200, expected.to_owned()), "once is as good as twice");
    }
    let never = hall.curl("/admin/stop-question", r#"{"question_id": 2}"#).await;
    assert_eq!(never, refused(404, "question 2 has not been started"));
    let unknown = hall.curl("/admin/stop-question", r#"{"question_id": 9}"#).await;
    assert_eq!(unknown, refused(404, "there is no question `9`"));
}

#[tokio::test]
async fn the_clock_of_a_question_is_shown() {
    let hall = Hall::running(1).await;
    hall.at(5.0).text("ants", 1, RIGHT).await;
    hall.at(6.0).text("bees", 1, "TR-V017-3,4").await;
    for (when, active, elapsed, remaining) in
        [(60.25, true, "60.25", "239.75"), (305.0, true, "305.0", "0.0"), (310.001, false, "310.0", "0.0")]
    {
        let expected = format!(
            r#"{{"question_id":1,"is_active":{active},"elapsed_time":{elapsed},"remaining_time":{remaining},"time_limit":300,"buffer_time":10,"total_teams_submitted":2,"completed_teams":1}}"#
        );
        assert_eq!(hall.at(when).get("/question/1/status").await, (200, expected));
    }
    assert_eq!(hall.get("/question/2/status").await, refused(404, "question 2 has not been started"));
    assert_eq!(hall.get("/question/9/status").await, refused(404, "there is no question `9`"));
}

#[tokio::test]
async fn sessions_are_all_questions_that_were_started() {
    let hall = Hall::open("competition").await;
    assert_eq!(hall.get("/admin/sessions").await, (200, r#"{"total":0,"sessions":[]}"#.to_owned()));
    hall.start(2).await;
    hall.at(10.0).start(1).await;
    hall.at(20.0).text("ants", 1, RIGHT).await;
    let expected = r#"{"total":2,"sessions":[{"question_id":1,"is_active":true,"elapsed_time":10.0,"remaining_time":290.0,"total_teams":1,"completed_teams":1},{"question_id":2,"is_active":true,"elapsed_time":20.0,"remaining_time":280.0,"total_teams":0,"completed_teams":0}]}"#;
    assert_eq!(hall.get("/admin/sessions").await, (200, expected.to_owned()));
}

#[tokio::test]
async fn the_leaderboard_ranks_by_score_and_then_by_time() {
    let hall = Hall::running(1).await;
    assert_eq!(
        hall.get("/leaderboard").await,
        (200, r#"{"question_id":1,"total_ranked":0,"rankings":[]}"#.to_owned())
    );
    hall.at(10.0).text("slow", 1, "TR-V017-1,2").await;
    hall.at(15.0).text("fast", 1, RIGHT).await;
    hall.at(30.0).text("slow", 1, RIGHT).await;
    hall.at(30.0).text("half", 1, "TR-V017-4890,5000").await;
    hall.at(31.0).text("wrong", 1, "TR-V017-1,2").await;
    // 97.5 after 15 s; 95 − 10 for a wrong one; 95 ÷ 2; teams without a score are not ranked.
    let expected = r#"{"question_id":1,"total_ranked":3,"rankings":[{"team_id":"fast","score":97.5,"time_taken":15.0,"submit_count":1,"wrong_count":0,"rank":1},{"team_id":"slow","score":85.0,"time_taken":30.0,"submit_count":2,"wrong_count":1,"rank":2},{"team_id":"half","score":47.5,"time_taken":30.0,"submit_count":1,"wrong_count":0,"rank":3}]}"#;
    for address in ["/leaderboard?question_id=1", "/leaderboard", "/leaderboard?question_id=&_=1762480000"] {
        assert_eq!(hall.get(address).await, (200, expected.to_owned()), "{address}");
    }
    assert_eq!(hall.get("/leaderboard?question_id=9").await, refused(404, "there is no question `9`"));
}

#[tokio::test]
async fn without_a_question_the_one_that_runs_is_meant() {
    let hall = Hall::open("competition").await;
    let body = json!({ "team_id": "ants", "text": RIGHT });
    let none = "no question is running";
    assert_eq!(hall.python("/submit", &body).await, refused(400, none));
    let none = "no question is running; say which one is meant with `question_id`";
    assert_eq!(hall.get("/leaderboard").await, refused(400, none));
    hall.start(1).await;
    hall.start(2).await;
    let both = "`1` and `2` are running; say which one is meant with `question_id`";
    assert_eq!(hall.python("/submit", &body).await, refused(400, both));
    hall.at(5.0).curl("/admin/stop-question", r#"{"question_id": 2}"#).await;
    assert_eq!(json_of(hall.at(15.0).python("/submit", &body).await)["score"], 97.5);
}

#[tokio::test]
async fn a_restart_opens_a_new_round_and_loses_nothing() {
    let hall = Hall::running(1).await;
    hall.at(15.0).text("ants", 1, RIGHT).await;
    hall.at(20.0).start(1).await;
    assert_eq!(
        json_of(hall.get("/leaderboard").await)["total_ranked"],
        0,
        "the earlier round is off the board"
    );
    assert_eq!(
        json_of(hall.at(50.0).text("ants", 1, RIGHT).await)["score"],
        95.0,
        "30 s of the second round"
    );
    let seen = json_of(hall.as_admin("GET", "/api/v1/contests/aic", "", "").await);
    assert_eq!(seen["tasks"][0]["round"]["round"], 2);
    let audit = json_of(hall.as_admin("GET", "/api/v1/audit?stream=contest/aic", "", "").await);
    let kinds: Vec<&str> =
        audit["changes"].as_array().unwrap().iter().map(|change| change["kind"].as_str().unwrap()).collect();
    let told =
        ["TaskStarted", "TeamRegistered", "AnswerJudged", "TaskStopped", "TaskStarted", "AnswerJudged"];
    assert_eq!(&kinds[kinds.len() - told.len()..], told);
}

#[tokio::test]
async fn a_reset_puts_everything_away_and_erases_nothing() {
    let hall = Hall::running(1).await;
    hall.start(2).await;
    hall.at(15.0).text("ants", 1, RIGHT).await;
    let expected =
        r#"{"success":true,"deleted_sessions":2,"message":"2 questions were put away; nothing was erased"}"#;
    assert_eq!(hall.at(20.0).curl("/admin/reset-all", "").await, (200, expected.to_owned()));
    assert_eq!(hall.get("/admin/sessions").await, (200, r#"{"total":0,"sessions":[]}"#.to_owned()));
    assert_eq!(json_of(hall.get("/leaderboard?question_id=1").await)["total_ranked"], 0);
    assert_eq!(hall.get("/question/1/status").await, refused(404, "question 1 has not been started"));
    hall.at(30.0).start(1).await;
    assert_eq!(json_of(hall.at(60.0).text("ants", 1, RIGHT).await)["score"], 95.0);
    let seen = json_of(hall.as_admin("GET", "/api/v1/contests/aic", "", "").await);
    assert_eq!(seen["tasks"][0]["round"]["round"], 2, "the first one is in the ledger");
}

#[tokio::test]
async fn the_configuration_tells_everything_but_where_the_answers_are() {
    let hall = Hall::open("competition").await;
    hall.add(
        json!({ "id": "4", "type": "KIS", "video_id": "V017", "points": "7-8", "time_limit_seconds": 90 }),
    )
    .await;
    hall.start(2).await;
    let expected = r#"{"active_question_id":2,"type":"KIS","time_limit":300,"buffer_time":10,"p_max":100.0,"p_base":50.0,"p_penalty":10.0,"questions":{"1":{"type":"TR","default_time_limit":300,"default_buffer_time":10},"2":{"type":"KIS","default_time_limit":300,"default_buffer_time":10},"3":{"type":"QA","default_time_limit":300,"default_buffer_time":10},"4":{"type":"KIS","default_time_limit":90,"default_buffer_time":10}}}"#;
    assert_eq!(hall.get("/config").await, (200, expected.to_owned()));
}
