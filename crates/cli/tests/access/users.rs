//! User administration over HTTP: add, list, change passwords and disable, also of team members.

use assize_testbed::client::Client;
use assize_testbed::contest::{Contest, right_answer};
use assize_testbed::server::Server;
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::installation::Installation;

/// The status and the code of a problem, or the body.
fn post(client: &Client, path: &str, body: &Value) -> (u16, Value) {
    let (status, answer) = client.post(path, body, None).unwrap();
    let told = if status < 400 { answer } else { answer["code"].clone() };
    (status, told)
}

/// Whether somebody gets in; the browser is logged in then.
fn gets_in(server: &Server, name: &str, password: &str) -> Option<(Browser, String)> {
    let mut browser = Browser::new(server);
    let body = json!({ "name": name, "password": password }).to_string();
    let entered = browser.send("POST", "/api/v1/session", &[], &body);
    assert!([201, 401].contains(&entered.status), "{}", entered.body);
    (entered.status == 201).then(|| (browser, entered.json()["csrf"].as_str().unwrap().to_owned()))
}

#[test]
fn an_admin_adds_people_and_shuts_them_out() {
    let installation = Installation::of_sqlite();
    let server = installation.serve();
    let admin = server.client(&server.admin_token());
    let (status, added) = post(&admin, "/api/v1/users", &json!({ "name": "judith", "role": "judge" }));
    let event = json!({ "UserAdded": { "name": "judith", "role": "judge", "scope": "" } });
    assert_eq!((status, &added["event"]), (201, &event));
    let made = added["password"].as_str().unwrap();
    assert_eq!((made.len(), added["repeated"].as_bool()), (23, Some(false)));
    let chosen =
        json!({ "name": "otto", "role": "admin", "scope": "contest/spring", "password": "chosen by otto" });
    assert_eq!(post(&admin, "/api/v1/users", &chosen).1["password"], Value::Null, "who chose it knows it");
    assert!(
        gets_in(&server, "judith", made).is_some() && gets_in(&server, "otto", "chosen by otto").is_some()
    );

    let (_, list) = admin.get("/api/v1/users").unwrap();
    let seen = |person: &Value| {
        [&person["name"], &person["role"], &person["scope"], &person["disabled"]].map(Value::clone)
    };
    let people: Vec<_> = list["users"].as_array().unwrap().iter().map(seen).collect();
    let expected = [
        [json!("judith"), json!("judge"), json!(""), json!(null)],
        [json!("otto"), json!("admin"), json!("contest/spring"), json!(null)],
    ];
    assert_eq!((&list["total"], people), (&json!(2), expected.to_vec()));
    assert!(!list.to_string().contains("argon2"), "{list}");

    let (mut judith, _) = gets_in(&server, "judith", made).unwrap();
    let (status, changed) = post(&admin, "/api/v1/users/judith/password", &json!({}));
    assert_eq!((status, judith.get("/api/v1/session").status), (200, 401), "logged out everywhere");
    assert!(gets_in(&server, "judith", made).is_none());
    let (mut judith, _) = gets_in(&server, "judith", changed["password"].as_str().unwrap()).unwrap();
    assert_eq!(post(&admin, "/api/v1/users/judith/disable", &json!({})).0, 200);
    assert_eq!(judith.get("/api/v1/session").status, 401);
    assert!(gets_in(&server, "judith", changed["password"].as_str().unwrap()).is_none());

    let (_, audit) = admin.get("/api/v1/audit?stream=assize/access&limit=1000").unwrap();
    let kinds: Vec<_> =
        audit["changes"].as_array().unwrap().iter().map(|change| change["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds[kinds.len() - 4..], ["UserAdded", "UserAdded", "PasswordChanged", "UserDisabled"]);
    let log = server.log();
    assert!(!log.contains(made) && !log.contains("chosen by otto"), "no password in the log");
    server.stop();
}

#[test]
fn what_cannot_be_is_refused_and_a_repeated_request_shows_no_password_again() {
    let installation = Installation::of_sqlite();
    let server = installation.serve();
    let admin = server.client(&server.admin_token());
    installation.add("anna", "judge", "");
    let user = |more: Value| {
        let mut user = json!({ "name": "bert", "role": "judge" });
        user.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        user
    };
    for (body, status, code) in [
        (user(json!({ "name": "anna" })), 409, "access.user.exists"),
        (user(json!({ "name": "a b" })), 400, "access.name.invalid"),
        (user(json!({ "password": "short" })), 400, "access.password.unsuitable"),
        (user(json!({ "scope": "a/b/c/d" })), 400, "access.scope.invalid"),
        (user(json!({ "scope": "contest/spring/ants" })), 400, "access.scope.invalid"),
        (user(json!({ "role": "participant" })), 400, "access.scope.invalid"),
        (user(json!({ "role": "system" })), 400, "access.role.invalid"),
        (user(json!({ "role": "king" })), 400, "request.malformed"),
    ] {
        assert_eq!(post(&admin, "/api/v1/users", &body), (status, json!(code)), "{body}");
    }
    for (path, status, code) in [
        ("/api/v1/users/bert/password", 404, "access.user.unknown"),
        ("/api/v1/users/bert/disable", 404, "access.user.unknown"),
    ] {
        assert_eq!(post(&admin, path, &json!({})), (status, json!(code)));
    }
    assert_eq!(post(&admin, "/api/v1/users/anna/disable", &json!({})).0, 200);
    assert_eq!(post(&admin, "/api/v1/users/anna/disable", &json!({})), (409, json!("access.user.disabled")));
    let send = || admin.post("/api/v1/users", &user(json!({})), Some("k1")).unwrap().1;
    let (first, again) = (send(), send());
    assert!(first["password"].is_string() && again["password"].is_null(), "{again}");
    assert_eq!((&again["receipt"], &again["repeated"]), (&first["receipt"], &json!(true)));
    let scoped = admin.post(
        "/api/v1/tokens",
        &json!({ "name": "x", "role": "admin", "scope": "contest/spring" }),
        None,
    );
    let scoped = server.client(scoped.unwrap().1["token"].as_str().unwrap());
    assert_eq!(scoped.get("/api/v1/users").unwrap().0, 403, "people concern the whole server");
    server.stop();
}

#[test]
fn somebody_changes_their_own_password_who_knows_the_old_one() {
    let installation = Installation::of_sqlite();
    let server = installation.serve();
    installation.add("anna", "judge", "");
    let (mut anna, csrf) = gets_in(&server, "anna", "password of anna").unwrap();
    let (mut elsewhere, _) = gets_in(&server, "anna", "password of anna").unwrap();
    let mut change = |old: &str, new: &str| {
        let body = json!({ "old": old, "new": new }).to_string();
        let told = anna.send("POST", "/api/v1/session/password", &[("x-csrf-token", &csrf)], &body);
        (told.status, told.json()["code"].clone())
    };
    assert_eq!(change("not the password", "another password"), (401, json!("access.wrong_password")));
    assert_eq!(change("password of anna", "short"), (400, json!("access.password.unsuitable")));
    assert_eq!(change("password of anna", "another password").0, 200);
    assert_eq!(elsewhere.get("/api/v1/session").status, 401, "logged out everywhere");
    assert!(gets_in(&server, "anna", "password of anna").is_none());
    let (mut anna, csrf) = gets_in(&server, "anna", "another password").unwrap();
    let mut told = 401;
    let body = json!({ "old": "a guess of it", "new": "another password" }).to_string();
    while told == 401 {
        told = anna.send("POST", "/api/v1/session/password", &[("x-csrf-token", &csrf)], &body).status;
    }
    assert_eq!(told, 429, "guessing the old one is as slow as logging in");
    let admin = server.client(&server.admin_token());
    assert_eq!(
        post(&admin, "/api/v1/session/password", &json!({ "old": "a", "new": "b" })).0,
        403,
        "a token has none"
    );
    server.stop();
}

#[test]
fn the_people_of_a_team_act_as_the_team() {
    let installation = Installation::of_sqlite();
    let server = installation.serve();
    let contest = Contest::open(&server, &server.admin_token(), "spring");
    let bees = contest.register("bees");
    contest.must(&contest.path("/teams"), &json!({ "id": "ants" }));
    contest.run_task("t1", 3_600.0, 10.0);
    let added = contest.must(&contest.path("/teams/ants/users"), &json!({ "name": "anna" }));
    let scope = &added["event"]["UserAdded"]["scope"];
    assert_eq!(scope, "contest/spring/ants");
    let (mut anna, csrf) = gets_in(&server, "anna", added["password"].as_str().unwrap()).unwrap();
    let answer = right_answer().to_string();
    let path = contest.path("/tasks/t1/submissions");
    let judged = anna.send("POST", &path, &[("x-csrf-token", &csrf)], &answer);
    assert_eq!(judged.status, 200, "{}", judged.body);
    let position = judged.json()["receipt"]["position"].to_string();
    assert_eq!(anna.get(&format!("/api/v1/records/{position}")).json()["actor"], "participant:ants");
    let bees = server.client(&bees);
    assert_eq!(bees.get(&format!("/api/v1/records/{position}")).unwrap().0, 404);

    let (_, users) = contest.admin.get(&contest.path("/teams/ants/users")).unwrap();
    assert_eq!((&users["total"], &users["users"][0]["name"]), (&json!(1), &json!("anna")));
    assert_eq!(contest.admin.get(&contest.path("/teams/bees/users")).unwrap().1["total"], 0);
    for below in [
        "/teams/bees/users/anna/disable",
        "/teams/bees/users/anna/password",
        "/teams/wasps/users/anna/disable",
    ] {
        assert_eq!(
            post(&contest.admin, &contest.path(below), &json!({})),
            (404, json!("resource.unknown")),
            "{below}"
        );
    }
    assert_eq!(anna.get("/api/v1/session").json()["name"], "anna");
    assert_eq!(post(&contest.admin, &contest.path("/teams/ants/users/anna/disable"), &json!({})).0, 200);
    assert_eq!(anna.get("/api/v1/session").status, 401);
    server.stop();
}

#[test]
fn an_organiser_of_one_contest_manages_its_teams_people_and_no_others() {
    let installation = Installation::of_sqlite();
    let server = installation.serve();
    let spring = Contest::open(&server, &server.admin_token(), "spring");
    spring.must("/api/v1/contests", &json!({ "id": "autumn" }));
    for contest in ["spring", "autumn"] {
        spring.must(&format!("/api/v1/contests/{contest}/teams"), &json!({ "id": "ants" }));
    }
    let wish = json!({ "name": "otto", "role": "admin", "scope": "contest/spring" });
    let otto = spring.must("/api/v1/tokens", &wish);
    let otto = server.client(otto["token"].as_str().unwrap());
    let add = |contest: &str, name: &str| {
        post(&otto, &format!("/api/v1/contests/{contest}/teams/ants/users"), &json!({ "name": name })).0
    };
    assert_eq!((add("spring", "anna"), add("autumn", "arno")), (201, 403));
    server.stop();
}
