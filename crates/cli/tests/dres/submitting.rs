//! Submissions and their verdicts.

use assize_testbed::contest::{POINTS, VIDEO, right_answer, wrong_answer};
use serde_json::{Value, json};

use crate::hall::{Hall, Tool, password_of};

const CORRECT: &str = "CORRECT";
const WRONG: &str = "WRONG";

/// A hall in which a task of two boundaries runs.
fn hall() -> Hall {
    let hall = Hall::set();
    hall.contest.run_task("t1", 3_600.0, 10.0);
    hall
}

fn text(text: &str) -> Value {
    json!({ "answerSets": [{ "answers": [{ "text": text }] }] })
}

#[test]
fn a_wrong_answer_is_wrong_and_a_right_one_is_right_once() {
    let hall = hall();
    let anna = hall.tool("anna");
    let (status, told) = anna.post("/submit/spring", &wrong_answer(7));
    assert_eq!((status, told), (200, json!({ "status": true, "submission": WRONG, "description": "wrong" })));
    let (status, told) = anna.post("/submit/spring", &right_answer());
    assert_eq!((status, &told["submission"]), (200, &json!(CORRECT)));
    // Within the first seconds of an hour: 50 + 50 × (nearly 1) − 10.
    let points = told["description"].as_str().unwrap().strip_prefix("right: ").unwrap();
    let points: f64 = points.strip_suffix(" points").unwrap().parse().unwrap();
    assert!((80.0..=90.0).contains(&points), "{told}");
    assert_eq!(
        anna.submit(&right_answer()),
        (200, json!(CORRECT)),
        "the same answer again is the same answer"
    );
    let (status, told) = anna.post("/submit/spring", &wrong_answer(8));
    assert_eq!(status, 412, "the team is done: {told}");
    let (_, rows) = hall.contest.board(None);
    assert_eq!((&rows[0]["participant"], &rows[0]["points"]), (&json!("ants"), &json!(points)));
    hall.server.stop();
}

#[test]
fn people_of_one_team_share_its_attempts_and_each_team_has_its_own() {
    let hall = hall();
    let (anna, arno, berta) = (hall.tool("anna"), hall.tool("arno"), hall.tool("berta"));
    assert_eq!(anna.submit(&right_answer()), (200, json!(CORRECT)));
    assert_eq!(arno.post("/submit/spring", &wrong_answer(1)).0, 412);
    assert_eq!(berta.submit(&wrong_answer(1)), (200, json!(WRONG)));
    let (_, changes) = hall.contest.admin.get("/api/v1/audit?limit=1000&stream=contest/spring").unwrap();
    let answers =
        changes["changes"].as_array().unwrap().iter().filter(|change| change["kind"] == "AnswerJudged");
    let actors: Vec<_> = answers.map(|answer| answer["actor"].as_str().unwrap()).collect();
    assert_eq!(actors, ["participant:ants", "participant:bees"]);
    hall.server.stop();
}

#[test]
fn nulls_and_fields_that_nobody_knows_are_taken() {
    let hall = hall();
    let [start, end] = POINTS;
    let answer = |mark: u64| json!({ "text": null, "mediaItemName": VIDEO, "mediaItemCollectionName": null, "start": mark, "end": null });
    let body = json!({
        "answerSets": [{ "taskId": null, "taskName": null, "answers": [answer(start), answer(end)], "more": 1 }],
        "userId": null, "teamId": null,
    });
    assert_eq!(hall.tool("anna").submit(&body), (200, json!(CORRECT)));
    hall.server.stop();
}

#[test]
fn what_cannot_be_read_is_told_and_costs_nothing() {
    let hall = hall();
    let anna = hall.tool("anna");
    let bodies = [
        "",
        "{}",
        "[]",
        "{",
        "null",
        r#"{"answerSets": null}"#,
        r#"{"answerSets": []}"#,
        r#"{"answerSets": [{}]}"#,
        r#"{"answerSets": [{"answers": []}]}"#,
        r#"{"answerSets": [{"answers": [{}]}]}"#,
        r#"{"answerSets": [{"answers": [{"text": "what is this"}]}]}"#,
        r#"{"answerSets": [{"answers": [{"mediaItemName": "V1", "start": "soon"}]}]}"#,
        r#"{"answerSets": [{"answers": [{"mediaItemName": 5, "start": 5}]}]}"#,
        r#"{"answerSets": [{"answers": [["V1", "V1", 5, null]]}]}"#,
        r#"{"answerSets": [[null, null, [{"mediaItemName": "V1", "start": 5}]]]}"#,
        r#"{"answerSets": [{"taskName": 5, "answers": [{"mediaItemName": "V1", "start": 5}]}]}"#,
    ];
    for body in bodies {
        assert_eq!(anna.send("POST", "/submit/spring", body, &[]).0, 400, "{body}");
    }
    let huge = format!("{{\"answerSets\": \"{}\"}}", "x".repeat(1 << 20));
    assert_eq!(anna.send("POST", "/submit/spring", &huge, &[]).0, 413);
    let round = &hall.contest.seen()["tasks"][0]["round"];
    assert_eq!(round["submissions"], 0, "{round}");
    hall.server.stop();
}

#[test]
fn what_a_rule_forbids_is_told_as_that() {
    let hall = Hall::set();
    let anna = hall.tool("anna");
    let refused = |what: &str| {
        let (status, told) = anna.post("/submit/spring", &right_answer());
        assert_eq!(status, 412, "{what}: {told}");
        told["description"].as_str().unwrap().to_owned()
    };
    assert_eq!(refused("there is no task"), "no task is running");
    hall.add_task(&json!({ "id": "t1", "type": "KIS", "video_id": VIDEO, "points": POINTS }));
    assert_eq!(refused("no task was started"), "no task is running");
    hall.contest.must(&hall.contest.path("/tasks/t1/start"), &json!({ "countdown_seconds": 3600 }));
    assert_eq!(refused("it begins later"), "task `t1` has not been started");
    hall.tell("t1", "stop");
    hall.tell("t1", "start");
    hall.tell("t1", "stop");
    assert!(refused("it was stopped").starts_with("received "), "too late");
    hall.server.stop();
}

#[test]
fn only_a_contest_that_one_takes_part_in_takes_ones_answers() {
    let hall = hall();
    hall.contest.must("/api/v1/contests", &json!({ "id": "autumn" }));
    hall.contest.must("/api/v1/contests/autumn/teams", &json!({ "id": "ants" }));
    for evaluation in ["autumn", "winter", "a%20b"] {
        let (status, told) = hall.tool("anna").post(&format!("/submit/{evaluation}"), &right_answer());
        assert_eq!(status, 404, "{told}");
    }
    hall.server.stop();
}

#[test]
fn the_task_that_is_meant_can_be_named() {
    let hall = hall();
    let named = |tool: &Tool, field: &str, name: &str| {
        let mut body = right_answer();
        body["answerSets"][0][field] = json!(name);
        tool.post("/submit/spring", &body)
    };
    let (anna, berta) = (hall.tool("anna"), hall.tool("berta"));
    hall.contest.run_task("t2", 3_600.0, 10.0);
    let (status, told) = anna.post("/submit/spring", &right_answer());
    assert_eq!(status, 412, "two tasks are running: {told}");
    assert_eq!(named(&anna, "taskName", "t2").1["submission"], CORRECT);
    assert_eq!(named(&anna, "taskId", "t1:1").1["submission"], CORRECT, "as the state names it");
    for (field, name) in [("taskName", "t3"), ("taskId", "t1:2"), ("taskId", "7f0c")] {
        assert_eq!(named(&berta, field, name).0, 412, "{name}");
    }
    hall.tell("t2", "stop");
    assert_eq!(named(&berta, "taskName", "").1["submission"], CORRECT, "the one that is running");
    assert_eq!(named(&berta, "taskName", "t2").0, 412, "which was stopped");
    let boards = ["t1", "t2"].map(|task| hall.contest.board(Some(task)).1.len());
    assert_eq!(boards, [2, 1]);
    hall.server.stop();
}

#[test]
fn texts_answer_questions_and_name_frames() {
    let hall = Hall::set();
    let question =
        json!({ "id": "q", "type": "QA", "video_id": VIDEO, "points": POINTS, "answer": "red car" });
    hall.add_task(&question);
    hall.add_task(&json!({ "id": "f", "type": "TR", "video_id": VIDEO, "points": [10, 20, 30, 40] }));
    let anna = hall.tool("anna");
    hall.tell("q", "start");
    assert_eq!(anna.submit(&text(&format!("QA-blue car-{VIDEO}-4890,5000"))), (200, json!(WRONG)));
    assert_eq!(anna.post("/submit/spring", &right_answer()).0, 400, "the form of another kind of task");
    assert_eq!(anna.submit(&text(&format!("QA-Red  Car-{VIDEO}-4890,5000"))), (200, json!(CORRECT)));
    hall.tell("q", "stop");
    hall.tell("f", "start");
    let (status, told) = anna.post("/submit/spring", &text(&format!("TR-{VIDEO}-10,20,30")));
    assert_eq!((status, &told["submission"]), (200, &json!(CORRECT)), "three of four earn half: {told}");
    assert!(told["description"].as_str().unwrap().starts_with("partly right: "), "{told}");
    hall.server.stop();
}

#[test]
fn a_request_that_is_repeated_with_its_key_gets_the_first_answer() {
    let hall = hall();
    let anna = hall.tool("anna");
    let send =
        |body: &Value| anna.send("POST", "/submit/spring", &body.to_string(), &[("idempotency-key", "k1")]);
    let first = send(&wrong_answer(3));
    assert_eq!(first.1["submission"], WRONG);
    assert_eq!(send(&wrong_answer(3)), first);
    assert_eq!(send(&wrong_answer(4)).0, 422, "another body under the same key");
    assert_eq!(hall.contest.seen()["tasks"][0]["round"]["submissions"], 1);
    hall.server.stop();
}

#[test]
fn a_showdown_can_be_run_on_it() {
    let hall = Hall::set();
    hall.contest.must("/api/v1/contests", &json!({ "id": "show", "rulebook": "vbs" }));
    hall.contest.must("/api/v1/contests/show/teams", &json!({ "id": "ants" }));
    let body = json!({ "name": "alma", "password": password_of("alma") });
    hall.contest.must("/api/v1/contests/show/teams/ants/users", &body);
    let task = json!({ "id": "t1", "type": "KIS", "video_id": VIDEO, "points": [10_000, 20_000] });
    hall.contest.must("/api/v1/contests/show/tasks", &task);
    hall.contest.must("/api/v1/contests/show/tasks/t1/start", &json!({ "time_limit_seconds": 3_600 }));
    let alma = hall.tool("alma");
    let span = |start: u64, end: u64| {
        let answer = json!({ "mediaItemName": VIDEO, "start": start, "end": end });
        json!({ "answerSets": [{ "answers": [answer] }] })
    };
    assert_eq!(alma.post("/submit/show", &span(20_001, 30_000)).1["submission"], WRONG, "behind the target");
    assert_eq!(alma.post("/submit/show", &span(19_500, 30_000)).1["submission"], CORRECT, "it overlaps");
    hall.server.stop();
}
