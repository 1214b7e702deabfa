//! From an empty server to a board.

use assize_testbed::client::Client;
use assize_testbed::contest::{POINTS, VIDEO, right_answer, wrong_answer};
use serde_json::{Value, json};

use crate::stage::{Stage, right, serve};

/// Does something as the organiser that is done for the first time.
#[track_caller]
fn done(admin: &Client, path: &str, body: &Value, expected: u16) -> Value {
    let (status, answer) = admin.post(&format!("/api/v1/contests{path}"), body, None).unwrap();
    assert_eq!((status, &answer["repeated"]), (expected, &json!(false)), "{answer}");
    answer
}

/// Opens a contest with a running task and returns the token of its only team.
fn organise(admin: &Client) -> String {
    let opened = done(admin, "", &json!({ "id": "spring", "name": "Spring contest" }), 201);
    assert_eq!(
        (&opened["receipt"]["position"], &opened["event"]["ContestOpened"]["name"]),
        (&json!(3), &json!("Spring contest"))
    );
    assert_eq!(opened["receipt"]["hash"].as_str().unwrap().len(), 64);
    let about = json!({ "id": "1", "type": "KIS", "video_id": VIDEO, "points": POINTS });
    assert_eq!(done(admin, "/spring/tasks", &about, 201)["event"]["TaskAdded"]["spec"]["video_id"], VIDEO);
    let ants = json!({ "id": "ants", "name": "The Ants", "contact": "ada@example.org" });
    let team = done(admin, "/spring/teams", &ants, 201);
    assert!(!team["event"].to_string().contains("ada@example.org"), "only its hash is in the chain");
    let started = done(admin, "/spring/tasks/1/start", &json!({}), 200);
    assert_eq!(started["event"]["TaskStarted"]["time_limit_ms"], 300_000);
    team["token"].as_str().unwrap().to_owned()
}

#[test]
fn a_contest_is_opened_run_and_read_with_nothing_but_the_printed_token() {
    let server = serve();
    let admin = server.client(&server.admin_token());
    let ants = server.client(&organise(&admin));
    let submit = |answer: Value| {
        let (status, judged) =
            ants.post("/api/v1/contests/spring/tasks/1/submissions", &answer, None).unwrap();
        assert_eq!(status, 200, "{judged}");
        judged
    };
    let wrong = submit(wrong_answer(7));
    assert_eq!(
        (&wrong["verdict"]["outcome"], &wrong["verdict"]["points"]),
        (&json!("incorrect"), &json!(0.0))
    );
    assert_eq!(wrong["verdict"]["detail"]["message"], "Wrong answer. Try again with penalty.");
    let right = submit(right_answer());
    assert_eq!(
        (&right["verdict"]["outcome"], &right["verdict"]["detail"]["wrong_attempts"]),
        (&json!("full"), &json!(1))
    );

    // Reading needs no token.
    let (_, board) = server.client("").get("/api/v1/contests/spring/board").unwrap();
    assert_eq!((&board["participants"], &board["position"]), (&json!(1), &right["receipt"]["position"]));
    assert_eq!(
        (&board["rows"][0]["rank"], &board["rows"][0]["points"]),
        (&json!(1), &right["verdict"]["points"])
    );
    let (_, contest) = server.client("").get("/api/v1/contests/spring").unwrap();
    let round = &contest["tasks"][0]["round"];
    assert_eq!(
        (&round["running"], &round["submissions"], &round["teams_completed"]),
        (&json!(true), &json!(2), &json!(1))
    );
    assert_eq!(done(&admin, "/spring/tasks/1/stop", &json!({}), 200)["event"]["TaskStopped"]["round"], 1);
    server.stop();
}

#[test]
fn a_verdict_can_be_read_again_by_whoever_it_is_about() {
    let stage = Stage::running();
    let (_, judged) = stage.submit(&stage.ants, &right(), None);
    let path = format!("/api/v1/records/{}", judged["receipt"]["position"]);
    let (status, record) = stage.ants.get(&path).unwrap();
    assert_eq!(
        (status, &record["kind"], &record["actor"]),
        (200, &json!("AnswerJudged"), &json!("participant:ants"))
    );
    assert_eq!((&record["verdict"], &record["receipt"]), (&judged["verdict"], &judged["receipt"]));
    assert_eq!(stage.bees.get(&path).unwrap().0, 404, "nobody else's business");
    stage.end();
}
