//! Malformed requests: the error names the problem, and nothing is charged.

use serde_json::json;

use crate::stage::{Stage, guess};

/// Sends bytes as the organiser to a route below the contest.
fn told(stage: &Stage, below: &str, body: &str) -> (u16, String, String) {
    let reply = stage.contest.admin.send("POST", &stage.contest.path(below), body.as_bytes(), None).unwrap();
    let (status, problem) = reply.into_json();
    let word = |name: &str| problem[name].as_str().unwrap_or_default().to_owned();
    (status, word("code"), word("detail"))
}

#[track_caller]
fn malformed(found: (u16, String, String), detail: &str) {
    let (status, code, said) = found;
    assert_eq!((status, code.as_str(), said.as_str()), (400, "request.malformed", detail));
}

#[test]
fn a_body_that_is_no_json_is_told_where() {
    let stage = Stage::running();
    let detail = "the body cannot be read: expected `:` at line 2 column 8";
    malformed(told(&stage, "/teams", "{\n  \"id\" \"wasps\"}"), detail);
    let detail = "the body cannot be read: EOF while parsing an object at line 1 column 1";
    malformed(told(&stage, "/tasks/q1/submissions", "{"), detail);
    stage.end();
}

#[test]
fn a_field_that_is_not_known_or_missing_or_of_another_type_is_named() {
    let stage = Stage::running();
    let detail = "the body cannot be read: unknown field `nmae`, expected one of `id`, `name`, `contact` at line 1 column 22";
    malformed(told(&stage, "/teams", r#"{"id": "wasps", "nmae": 1}"#), detail);
    malformed(told(&stage, "/teams", "{}"), "the body cannot be read: missing field `id` at line 1 column 2");
    let detail = "the body cannot be read: unknown field `now`, there are no fields at line 1 column 6";
    malformed(told(&stage, "/tasks/q1/stop", r#"{"now": true}"#), detail);
    let kind = r#"{"id": "a", "type": "XX", "video_id": "b", "points": [1, 2]}"#;
    let detail = "the body cannot be read: unknown variant `XX`, expected one of `KIS`, `QA`, `TR` at line 1 column 24";
    malformed(told(&stage, "/tasks", kind), detail);
    let detail = "the body cannot be read: answerSets: expected a list, found `3`";
    malformed(told(&stage, "/tasks/q1/submissions", r#"{"answerSets": 3}"#), detail);
    stage.end();
}

#[test]
fn teams_tools_may_send_more_than_is_read() {
    let stage = Stage::running();
    let mut body = guess("rose");
    (body["question_id"], body["client"]) = (json!(17), json!({ "version": "2.1" }));
    assert_eq!(stage.submit(&stage.ants, &body, None).0, 200);
    stage.end();
}

#[test]
fn a_body_that_is_too_large_is_not_read() {
    let stage = Stage::running();
    let (limit, frame) = (1 << 20, r#"{"text": ""}"#.len());
    let body = |length: usize| format!(r#"{{"text": "{}"}}"#, "x".repeat(length - frame));
    let (status, code, detail) = told(&stage, "/tasks/q1/submissions", &body(limit + 1));
    assert_eq!((status, code.as_str()), (413, "request.too_large"));
    assert_eq!(detail, "the body is longer than 1048576 bytes");
    let reply =
        stage.ants.send("POST", &stage.contest.path("/tasks/q1/submissions"), body(limit).as_bytes(), None);
    assert_eq!(reply.unwrap().into_json().1["code"], "contest.answer.malformed", "one byte less is read");
    stage.end();
}

#[test]
fn what_does_not_exist_is_named() {
    let stage = Stage::running();
    let asked = |method: &str, path: &str| {
        let (status, problem) = stage.contest.admin.send(method, path, b"{}", None).unwrap().into_json();
        (status, problem["code"].as_str().unwrap().to_owned(), problem["detail"].as_str().unwrap().to_owned())
    };
    let expect = |found: (u16, String, String), status: u16, code: &str, detail: &str| {
        assert_eq!(found, (status, code.to_owned(), detail.to_owned()));
    };
    let unknown = "resource.unknown";
    expect(asked("GET", "/api/v1/nothing"), 404, unknown, "there is nothing at `/api/v1/nothing`");
    expect(asked("GET", "/api/v1/contests/none"), 404, unknown, "there is no contest `none`");
    expect(asked("GET", "/api/v1/contests/none/board"), 404, unknown, "there is no board `contest/none`");
    expect(asked("GET", "/api/v1/records/999"), 404, unknown, "there is no record `999`");
    expect(asked("GET", "/api/v1/records/x"), 404, unknown, "there is no record `x`");
    let route = "/api/v1/contests/spring";
    expect(asked("POST", route), 405, "request.wrong_method", "`/api/v1/contests/spring` does not take POST");
    let start = "/api/v1/contests/spring/tasks/none/start";
    expect(asked("POST", start), 404, "contest.task.unknown", "there is no task `none`");
    let start = "/api/v1/contests/none/tasks/q1/start";
    expect(asked("POST", start), 404, "contest.not_open", "the contest is not open");
    let asked_for = "/api/v1/contests/none/teams/ants/tokens";
    expect(asked("POST", asked_for), 404, unknown, "there is no team `ants` in `none`");
    expect(asked("GET", "/api/v1/contests/none/teams"), 404, unknown, "there is no contest `none`");
    stage.end();
}

#[test]
fn a_query_that_cannot_be_read_is_told_which_parameter() {
    let stage = Stage::running();
    let told = |query: &str| {
        let (status, problem) = stage.nobody.get(&stage.contest.path(&format!("/board?{query}"))).unwrap();
        let word = |name: &str| problem[name].as_str().unwrap_or_default().to_owned();
        (status, word("code"), word("detail"))
    };
    let many = "the query cannot be read: `limit` must be a whole number, is `many`";
    malformed(told("limit=many"), many);
    malformed(told("offset=-1"), "the query cannot be read: `offset` must be a whole number, is `-1`");
    let known = "there are `task`, `public`, `offset` and `limit`";
    malformed(told("tsk=q1"), &format!("the query cannot be read: `tsk` is not known; {known}"));
    assert_eq!(stage.nobody.get(&stage.contest.path("/board?limit=1&offset=0")).unwrap().0, 200);
    stage.end();
}

#[test]
fn a_name_that_cannot_be_one_is_refused() {
    let stage = Stage::running();
    let (status, problem) =
        stage.contest.admin.post("/api/v1/contests", &json!({ "id": "a/b" }), None).unwrap();
    let detail = "`a/b` cannot be a name; use 1 to 64 letters, digits, `.`, `_` or `-`";
    assert_eq!((status, &problem["detail"]), (400, &json!(detail)));
    stage.end();
}
