//! What a caller may not know of is answered like what does not exist: the same status and the same body.

use assize_testbed::client::Client;
use assize_testbed::contest::{Contest, right_answer};
use assize_testbed::server::Server;
use serde_json::{Value, json};

use crate::installation::Installation;

/// A participant with a token for a stream.
fn participant(server: &Server, name: &str, scope: &str) -> Client {
    let wish = json!({ "name": name, "role": "participant", "scope": scope });
    let (status, given) = server.client(&server.admin_token()).post("/api/v1/tokens", &wish, None).unwrap();
    assert_eq!(status, 201, "{given}");
    server.client(given["token"].as_str().unwrap())
}

/// The status and the body, without the request's id and with `X` in the place of what was asked for.
fn told(answer: (u16, Value), asked: &str) -> (u16, String) {
    let (status, mut body) = answer;
    body.as_object_mut().unwrap().remove("request_id");
    (status, body.to_string().replace(&format!("`{asked}`"), "`X`"))
}

/// Reads what is there and what is not.
#[track_caller]
fn reads_alike(client: &Client, path: impl Fn(&str) -> String, existing: &str, missing: &str) {
    let [hidden, absent] = [existing, missing].map(|name| told(client.get(&path(name)).unwrap(), name));
    assert_eq!((hidden.0, &hidden), (404, &absent));
}

/// Sends a command about what is there and about what is not.
#[track_caller]
fn sends_alike(client: &Client, path: impl Fn(&str) -> String, body: &Value, existing: &str, missing: &str) {
    let send = |name: &str| told(client.post(&path(name), body, None).unwrap(), name);
    let (hidden, absent) = (send(existing), send(missing));
    assert_eq!((hidden.0, &hidden), (404, &absent));
}

#[test]
fn another_students_session_is_answered_like_one_that_does_not_exist() {
    let installation = Installation::of_sqlite();
    let server = installation.serve();
    let admin = server.client(&server.admin_token());
    assert_eq!(admin.post("/api/v1/radio/classes", &json!({ "id": "spring" }), None).unwrap().0, 201);
    let (ann, ben) =
        (participant(&server, "ann", "radio/spring"), participant(&server, "ben", "radio/spring"));
    let session = |name: &str| format!("/api/v1/radio/classes/spring/sessions/{name}");
    let turns = |name: &str| format!("/api/v1/radio/classes/spring/sessions/{name}/turns");
    for name in ["one", "two"] {
        let open = json!({ "id": name, "scenario": "conditional-line-up" });
        assert_eq!(ann.post("/api/v1/radio/classes/spring/sessions", &open, None).unwrap().0, 201);
    }
    reads_alike(&ben, session, "one", "none");
    sends_alike(&ben, turns, &json!({ "text": "Roger" }), "one", "none");
    sends_alike(&ben, turns, &json!({ "text": "a".repeat(9_000) }), "one", "none");
    // A session that is over tells others no more than a running one.
    let calls = [
        "Behind the landing Boeing, line up and wait runway one six right behind, Coastal seven three four.",
        "Runway one six right, cleared for take-off, Coastal seven three four.",
    ];
    let judged = calls.map(|text| ann.post(&turns("two"), &json!({ "text": text }), None).unwrap().1);
    assert_eq!(judged[1]["session"]["outcome"], "completed", "{judged:?}");
    sends_alike(&ben, turns, &json!({ "text": "Roger" }), "two", "none");
    assert_eq!(
        ann.post(&turns("two"), &json!({ "text": "Roger" }), None).unwrap().0,
        400,
        "one's own is over"
    );
    server.stop();
}

#[test]
fn another_teams_answer_and_its_record_are_answered_like_what_does_not_exist() {
    let installation = Installation::of_sqlite();
    let server = installation.serve();
    let contest = Contest::open(&server, &server.admin_token(), "spring");
    let (ants, bees) = (contest.register("ants"), contest.register("bees"));
    contest.must(&contest.path("/tasks"), &json!({ "id": "p1", "type": "KIS" }));
    contest.start_task("p1", 3_600.0, 10.0);
    let (ants, bees) = (server.client(&ants), server.client(&bees));
    let (_, received) = ants.post(&contest.path("/tasks/p1/submissions"), &right_answer(), None).unwrap();
    let answer = received["answer"].to_string();
    let position = received["receipt"]["position"].to_string();
    let outsider = participant(&server, "ants", "contest/winter");
    for other in [&bees, &outsider] {
        reads_alike(other, |name| contest.path(&format!("/answers/{name}")), &answer, "999999");
        reads_alike(other, |name| format!("/api/v1/records/{name}"), &position, "999999");
    }
    assert_eq!(ants.get(&contest.path(&format!("/answers/{answer}"))).unwrap().0, 200);
    server.stop();
}

#[test]
fn another_apps_assessment_is_answered_like_one_that_does_not_exist() {
    let installation = Installation::of_sqlite();
    let server = installation.serve();
    let admin = server.client(&server.admin_token());
    let app = |name: &str| {
        let wish = json!({ "name": name, "role": "app" });
        let (_, given) = admin.post("/api/v1/tokens", &wish, None).unwrap();
        server.client(given["token"].as_str().unwrap())
    };
    let (one, two) = (app("one"), app("two"));
    let document = json!({ "article": "It rained for days.", "summary": "It rained." });
    let wanted = json!({ "document": document, "people": 1 });
    let (status, received) = one.post("/api/v1/assessments/summary", &wanted, None).unwrap();
    assert_eq!(status, 202, "{received}");
    let id = received["id"].to_string();
    reads_alike(&two, |name| format!("/api/v1/assessments/summary/{name}"), &id, "999999");
    assert_eq!(one.get(&format!("/api/v1/assessments/summary/{id}")).unwrap().0, 200);
    server.stop();
}

#[test]
fn a_private_log_is_answered_like_one_that_does_not_exist() {
    let installation = Installation::of_sqlite();
    let server = installation.serve();
    let contest = Contest::at(&server, &server.admin_token(), "none");
    for hunter in ["ada", "bob"] {
        contest.must("/api/v1/hunters", &json!({ "id": hunter, "class": "Tank" }));
    }
    let exercises = json!([{ "name": "Push-ups", "reps": 10 }]);
    let plan =
        json!({ "estimated_duration_min": 30, "target_rpe": 7, "intensity": "Low", "exercises": exercises });
    let quest = json!({ "id": "monday", "quest_type": "Daily", "plan": plan });
    contest.must("/api/v1/hunters/ada/quests", &quest);
    let log = json!({ "duration_seconds": 1500, "actual_rpe": 7, "condition": "Fresh",
        "exercises": [{ "name": "Push-ups", "sets_done": 1, "reps_done": "10" }] });
    let ada = participant(&server, "ada", "quest/ada");
    let bob = participant(&server, "bob", "quest/bob");
    let body = json!({ "log": log, "private": true });
    let (status, judged) = ada.post("/api/v1/hunters/ada/quests/monday/log", &body, None).unwrap();
    assert_eq!(status, 200, "{judged}");
    let below = |name: &str| format!("/api/v1/hunters/ada/logs/{name}");
    for other in [&bob, &server.client("")] {
        reads_alike(other, below, "monday", "tuesday");
    }
    sends_alike(
        &bob,
        |name| format!("{}/reports", below(name)),
        &json!({ "reason": "spam" }),
        "monday",
        "tuesday",
    );
    server.stop();
}
