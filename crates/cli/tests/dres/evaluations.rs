//! The list of evaluations and their state.

use assize_testbed::contest::{POINTS, VIDEO, right_answer, wrong_answer};
use serde_json::{Value, json};

use crate::hall::{Hall, password_of};

fn kis(id: &str, more: &Value) -> Value {
    let mut task = json!({ "id": id, "type": "KIS", "video_id": VIDEO, "points": POINTS });
    let (fields, more) = (task.as_object_mut().unwrap(), more.as_object().unwrap().clone());
    fields.extend(more);
    task
}

#[test]
fn somebody_sees_the_contest_they_take_part_in_and_no_other() {
    let hall = Hall::set();
    hall.contest.must("/api/v1/contests", &json!({ "id": "autumn", "name": "Autumn contest" }));
    hall.contest.must("/api/v1/contests/autumn/teams", &json!({ "id": "ants" }));
    let body = json!({ "name": "alma", "password": password_of("alma") });
    hall.contest.must("/api/v1/contests/autumn/teams/ants/users", &body);
    hall.add_task(&kis("t1", &json!({})));
    hall.add_task(&kis("t2", &json!({ "time_limit_seconds": 90.5 })));

    let spring = json!([{
        "id": "spring", "name": "spring", "type": "SYNCHRONOUS", "status": "ACTIVE", "templateId": "spring",
        "teams": ["The Ants", "bees"],
        "taskTemplates": [
            { "name": "t1", "taskGroup": "KIS", "taskType": "KIS", "duration": 300 },
            { "name": "t2", "taskGroup": "KIS", "taskType": "KIS", "duration": 91 },
        ],
    }]);
    for user in ["anna", "berta"] {
        assert_eq!(hall.tool(user).get("/client/evaluation/list"), (200, spring.clone()), "{user}");
    }
    let (_, list) = hall.tool("alma").get("/client/evaluation/list");
    assert_eq!((list.as_array().unwrap().len(), &list[0]["id"]), (1, &json!("autumn")));
    for path in ["/client/evaluation/currentTask/spring", "/evaluation/spring/state"] {
        assert_eq!(hall.tool("alma").get(path).0, 404, "{path}");
    }
    hall.server.stop();
}

#[test]
fn an_organiser_takes_part_in_nothing_and_sees_everything() {
    let hall = Hall::set();
    let body = json!({ "name": "otto", "role": "admin", "password": password_of("otto") });
    hall.contest.must("/api/v1/users", &body);
    let otto = hall.tool("otto");
    assert_eq!(otto.get("/user").1["role"], "ADMIN");
    assert_eq!(otto.get("/client/evaluation/list"), (200, json!([])));
    assert_eq!(otto.get("/evaluation/spring/state").0, 200);
    for (path, body) in
        [("/submit/spring", right_answer()), ("/log/query/spring", json!({ "timestamp": 1, "events": [] }))]
    {
        assert_eq!(otto.post(path, &body).0, 401, "{path}");
    }
    hall.server.stop();
}

#[test]
fn a_contest_says_what_it_is_at() {
    let hall = Hall::set();
    hall.add_task(&kis("t1", &json!({})));
    let anna = hall.tool("anna");
    let state = || anna.get("/evaluation/spring/state").1;
    let current = || anna.get("/client/evaluation/currentTask/spring");

    let none = json!({ "evaluationId": "spring", "evaluationStatus": "ACTIVE", "taskStatus": "NO_TASK",
        "timeLeft": 0, "timeElapsed": 0 });
    assert_eq!((state(), current().0), (none, 404));

    let start = json!({ "time_limit_seconds": 1000, "countdown_seconds": 3600 });
    hall.contest.must(&hall.contest.path("/tasks/t1/start"), &start);
    let mut expected = json!({ "evaluationId": "spring", "evaluationStatus": "ACTIVE", "taskId": "t1:1",
        "taskStatus": "PREPARING", "taskTemplateId": "t1", "timeLeft": 0, "timeElapsed": 0 });
    assert_eq!(state(), expected);
    let t1 = json!({ "name": "t1", "taskGroup": "KIS", "taskType": "KIS", "duration": 1000 });
    assert_eq!(current(), (200, t1));

    hall.tell("t1", "stop");
    expected["taskStatus"] = json!("ENDED");
    assert_eq!((state(), current().0), (expected, 404));

    // An hour and a bit are left, and the buffer is not told of: a slow machine may take seconds of it.
    hall.contest.must(&hall.contest.path("/tasks/t1/start"), &json!({ "time_limit_seconds": 4000 }));
    let running = state();
    assert_eq!((&running["taskStatus"], &running["taskId"]), (&json!("RUNNING"), &json!("t1:2")));
    let (left, elapsed) = (running["timeLeft"].as_i64().unwrap(), running["timeElapsed"].as_i64().unwrap());
    assert!((3_000..=4_000).contains(&left) && (0..1_000).contains(&elapsed), "{running}");
    assert!((3_999..=4_000).contains(&(left + elapsed)), "{running}");
    for path in
        ["/client/evaluation/currentTask/winter", "/evaluation/winter/state", "/evaluation/a%20b/state"]
    {
        assert_eq!(anna.get(path).0, 404, "{path}");
    }
    hall.server.stop();
}

#[test]
fn nothing_that_is_told_has_the_ground_truth_or_another_teams_answer_in_it() {
    let hall = Hall::set();
    hall.add_task(&kis("t1", &json!({})));
    hall.tell("t1", "start");
    let (anna, berta) = (hall.tool("anna"), hall.tool("berta"));
    hall.contest.must(&hall.contest.path("/boards/freeze"), &json!({}));
    assert_eq!(berta.submit(&right_answer()), (200, json!("CORRECT")), "who submits is told, frozen or not");
    assert_eq!(anna.submit(&wrong_answer(1)), (200, json!("WRONG")));
    let operations = [
        "/user",
        "/client/evaluation/list",
        "/client/evaluation/currentTask/spring",
        "/evaluation/spring/state",
    ];
    for path in operations {
        let (status, told) = anna.get(path);
        assert_eq!(status, 200, "{path}");
        let told = told.to_string();
        for secret in [VIDEO, "4890", "5000", "L01_V001", "berta"] {
            assert!(!told.contains(secret), "{path} tells {secret}: {told}");
        }
    }
    hall.server.stop();
}
