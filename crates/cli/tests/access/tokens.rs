//! Tokens: permissions of roles, scopes, expiry and revocation while the server runs.

use assize_testbed::client::Client;
use assize_testbed::contest::{Contest, eventually};
use assize_testbed::server::Server;
use serde_json::{Value, json};

use crate::installation::Installation;

fn give(server: &Server, wish: &Value) -> Client {
    let admin = server.client(&server.admin_token());
    let (status, given) = admin.post("/api/v1/tokens", wish, None).unwrap();
    assert_eq!(status, 201, "{given}");
    server.client(given["token"].as_str().unwrap())
}

fn id_of(client: &Client) -> String {
    assize_kernel::Digest::of(client.token.as_bytes()).to_string()[..12].to_owned()
}

#[test]
fn each_role_may_what_it_is_for() {
    let installation = Installation::of_sqlite();
    let server = installation.serve();
    let contest = Contest::open(&server, &server.admin_token(), "spring");
    contest.run_task("q1", 3_600.0, 10.0);
    let ants = server.client(&contest.register("ants"));
    let role = |role: &str| give(&server, &json!({ "name": role, "role": role }));
    let [judge, app, viewer] = ["judge", "app", "viewer"].map(role);
    let answer = json!({ "team_id": "ants", "text": "QA-x-L01-1,2",
        "answerSets": [{ "answers": [{ "mediaItemName": "L01", "start": 1 }] }] });
    let asked: [(&str, &str, Value, [u16; 4]); 7] = [
        ("POST", "/api/v1/contests", json!({ "id": "autumn" }), [403, 403, 403, 403]),
        ("POST", "/api/v1/contests/spring/tasks/q1/stop", json!({ "no": 1 }), [403, 403, 403, 403]),
        ("GET", "/api/v1/contests/spring/teams", json!(null), [403, 403, 403, 403]),
        ("GET", "/api/v1/tokens", json!(null), [403, 403, 403, 403]),
        ("GET", "/api/v1/audit", json!(null), [403, 403, 403, 403]),
        ("GET", "/api/v1/records/3", json!(null), [200, 404, 404, 404]),
        ("GET", "/api/v1/records/1", json!(null), [404, 404, 404, 404]),
    ];
    for (method, path, body, expected) in asked {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let told = [&judge, &app, &viewer, &ants]
            .map(|client| client.send(method, path, body.as_bytes(), None).unwrap().status);
        assert_eq!(told, expected, "{method} {path}");
    }
    let path = contest.path("/tasks/q1/submissions");
    let submit = |client: &Client| client.post(&path, &answer, None).unwrap().0;
    assert_eq!([&judge, &viewer, &app].map(submit), [403, 403, 200]);
    let (status, registered) = app.post(&contest.path("/teams"), &json!({ "id": "bees" }), None).unwrap();
    assert_eq!((status, registered["token"].is_string()), (201, true), "{registered}");
    let position = registered["receipt"]["position"].to_string();
    assert_eq!(app.get(&format!("/api/v1/records/{position}")).unwrap().0, 200, "it sees what it did");
    server.stop();
}

#[test]
fn a_scope_is_a_limit() {
    let installation = Installation::of_sqlite();
    let server = installation.serve();
    let contest = Contest::open(&server, &server.admin_token(), "spring");
    contest.must("/api/v1/contests", &json!({ "id": "autumn" }));
    let scoped = |scope: &str| give(&server, &json!({ "name": "helper", "role": "admin", "scope": scope }));
    let (one, court, other) = (scoped("contest/spring"), scoped("contest"), scoped("quest"));
    let register = |client: &Client, contest: &str, team: &str| {
        client.post(&format!("/api/v1/contests/{contest}/teams"), &json!({ "id": team }), None).unwrap().0
    };
    assert_eq!([register(&one, "spring", "a"), register(&one, "autumn", "a")], [201, 403]);
    assert_eq!([register(&court, "spring", "b"), register(&court, "autumn", "b")], [201, 201]);
    assert_eq!(register(&other, "spring", "c"), 403);
    for client in [&one, &court] {
        assert_eq!(client.get("/api/v1/tokens").unwrap().0, 403, "that is for the whole server");
    }
    let admin = server.client(&server.admin_token());
    for (wish, code) in [
        (json!({ "name": "x", "role": "participant" }), "access.scope.invalid"),
        (json!({ "name": "x", "role": "admin", "scope": "a/b/c" }), "access.scope.invalid"),
        (json!({ "name": "no good", "role": "admin" }), "access.name.invalid"),
        (json!({ "name": "x", "role": "system" }), "access.role.invalid"),
        (json!({ "name": "x", "role": "pope" }), "request.malformed"),
        (json!({ "name": "x", "role": "admin", "expires": "2001-01-01T00:00:00Z" }), "request.malformed"),
    ] {
        let (status, told) = admin.post("/api/v1/tokens", &wish, None).unwrap();
        assert_eq!((status, &told["code"]), (400, &json!(code)), "{wish}");
    }
    server.stop();
}

#[test]
fn a_token_is_good_until_its_end_or_until_it_is_taken_back() {
    let installation = Installation::of_sqlite();
    let server = installation.serve();
    let admin = server.client(&server.admin_token());
    let short = give(&server, &json!({ "name": "x", "role": "judge", "expires_in_seconds": 1 }));
    eventually("it has expired", || short.get("/api/v1/session").unwrap().0 == 401);
    let judge = give(&server, &json!({ "name": "x", "role": "judge", "label": "the jury" }));
    assert_eq!(judge.get("/api/v1/session").unwrap().0, 200);
    let path = format!("/api/v1/tokens/{}", id_of(&judge));
    assert_eq!(admin.send("DELETE", &path, &[], None).unwrap().status, 200);
    assert_eq!(judge.get("/api/v1/session").unwrap().0, 401, "at once");
    assert_eq!(admin.send("DELETE", &path, &[], None).unwrap().status, 409);
    assert_eq!(admin.send("DELETE", "/api/v1/tokens/none", &[], None).unwrap().status, 404);
    let (_, page) = admin.get("/api/v1/tokens?limit=2").unwrap();
    let (_, rest) = admin.get(&format!("/api/v1/tokens?after={}", page["next"].as_str().unwrap())).unwrap();
    let all =
        [page["tokens"].as_array().unwrap().clone(), rest["tokens"].as_array().unwrap().clone()].concat();
    let found = all.iter().find(|token| token["id"] == id_of(&judge)).unwrap();
    assert_eq!((&found["label"], &found["issued_by"]), (&json!("the jury"), &json!("admin:organiser")));
    assert!(found["revoked"].is_string() && rest["next"].is_null() && all.len() == 3, "{all:?}");
    assert!(!page.to_string().contains(&judge.token));
    server.stop();
}

#[test]
fn a_token_taken_back_at_the_prompt_is_refused_by_a_running_server() {
    for installation in [Installation::of_sqlite(), Installation::of_postgres()] {
        let server = installation.serve();
        let args = ["token", "--role", "judge", "--name", "anna", "--expires", "1h", "--label", "x"];
        let (code, said) = installation.run(&args, "");
        assert_eq!(code, 0, "{said}");
        let judge = server.client(said.trim());
        assert_eq!(judge.get("/api/v1/session").unwrap().1["role"], "judge");
        let (_, listed) = installation.run(&["token", "list"], "");
        let line = listed.lines().find(|line| line.starts_with(&id_of(&judge))).unwrap();
        assert!(line.contains("  judge:anna  everything  ") && line.ends_with("  x"), "{line}");
        let (code, said) = installation.run(&["token", "revoke", &id_of(&judge)], "");
        assert_eq!((code, said), (0, format!("`{}` is not good any more\n", id_of(&judge))));
        eventually("the server has noticed", || judge.get("/api/v1/session").unwrap().0 == 401);
        server.stop();
    }
}
