//! Login, logout and session ids.

use assize_kernel::Moment;
use serde_json::{Value, json};

use crate::hall::{Hall, password_of};

fn login(user: &str, password: &str) -> Value {
    json!({ "username": user, "password": password })
}

#[test]
fn somebody_logs_in_is_known_and_logs_out() {
    let hall = Hall::set();
    let mut tool = hall.stranger();
    let body = login("anna", &password_of("anna")).to_string();
    let entered = tool.raw("POST", "/login", &body, &[]);
    let cookie = entered.header("set-cookie").to_owned();
    let (status, user) = crate::contract::hold("POST", "/api/v2/login", entered);
    let session = user["sessionId"].as_str().unwrap().to_owned();
    let anna = json!({ "id": "anna", "username": "anna", "role": "PARTICIPANT", "sessionId": session });
    assert_eq!((status, &user), (200, &anna));
    let rest = cookie.strip_prefix(&format!("SESSIONID={session}"));
    assert_eq!(rest, Some("; HttpOnly; SameSite=Lax; Path=/api/v2; Max-Age=43200"));

    let by_cookie = [("cookie", &*format!("other=1; SESSIONID={session}"))];
    assert_eq!(tool.send("GET", "/user", "", &by_cookie), (200, anna.clone()));
    tool.session = session;
    assert_eq!(tool.get("/user"), (200, anna.clone()));
    let berta = hall.tool("berta");
    let (_, user) = berta.send("GET", "/user", "", &by_cookie);
    assert_eq!(user["username"], "berta", "what stands in the address comes first");

    let (status, told) = tool.get("/logout");
    assert_eq!((status, &told["status"]), (200, &json!(true)));
    assert_eq!(tool.get("/user").0, 401);
    assert_eq!(tool.get("/logout").0, 400, "nobody is logged in");
    assert_eq!(berta.get("/user").0, 200, "only who asked");
    hall.server.stop();
}

#[test]
fn nobody_gets_in_without_name_and_password() {
    let hall = Hall::set();
    let tool = hall.stranger();
    for (user, password) in [("anna", "not the password"), ("nobody", "password of nobody"), ("", "")] {
        assert_eq!(tool.post("/login", &login(user, password)).0, 401, "{user}");
    }
    for body in [
        "",
        "{}",
        "{",
        r#"["anna", "password of anna"]"#,
        r#"{"username": "anna"}"#,
        r#"{"username": null, "password": null}"#,
    ] {
        assert_eq!(tool.send("POST", "/login", body, &[]).0, 400, "{body}");
    }
    let operations = [
        "/user",
        "/client/evaluation/list",
        "/client/evaluation/currentTask/spring",
        "/evaluation/spring/state",
    ];
    for path in operations {
        assert_eq!(tool.get(path).0, 401, "{path}");
        let mut nonsense = hall.stranger();
        nonsense.session = "nonsense".into();
        assert_eq!(nonsense.get(path).0, 401, "{path}");
        let token = format!("Bearer {}", hall.contest.admin.token);
        assert_eq!(tool.send("GET", path, "", &[("authorization", &token)]).0, 401, "a token is no session");
    }
    for path in ["/submit/spring", "/log/query/spring", "/log/result/spring"] {
        assert_eq!(tool.post(path, &json!({ "answerSets": [] })).0, 401, "{path}");
    }
    assert_eq!(tool.get("/status/time").0, 200, "the time is no secret");
    hall.server.stop();
}

#[test]
fn guessing_is_made_slow_and_told_in_the_same_words() {
    let hall = Hall::set();
    let tool = hall.stranger();
    // Each attempt that is let through makes the next wait twice as long, however slow this machine is.
    let mut told = tool.raw("POST", "/login", &login("anna", "not the password").to_string(), &[]);
    while told.status == 401 {
        told = tool.raw("POST", "/login", &login("anna", "not the password").to_string(), &[]);
    }
    assert!(told.header("retry-after").parse::<u64>().unwrap() >= 1);
    assert_eq!(crate::contract::hold("POST", "/api/v2/login", told).0, 429);
    hall.server.stop();
}

#[test]
fn a_login_is_the_same_on_every_interface() {
    let hall = Hall::set();
    let anna = hall.tool("anna");
    let browser = hall.server.client("");
    let cookie = format!("assize_session={}", anna.session);
    let who = browser.send_with("GET", "/api/v1/session", &[], &[("cookie", &cookie)]).unwrap().into_json().1;
    assert_eq!((&who["name"], &who["role"]), (&json!("anna"), &json!("participant")));
    assert_eq!(who["scope"], "contest/spring/ants");
    let csrf = [("cookie", &*cookie), ("x-csrf-token", who["csrf"].as_str().unwrap())];
    assert_eq!(browser.send_with("DELETE", "/api/v1/session", &[], &csrf).unwrap().status, 204);
    assert_eq!(anna.get("/user").0, 401);
    hall.server.stop();
}

#[test]
fn a_cookie_counts_only_for_our_own_pages() {
    let hall = Hall::set();
    let anna = hall.tool("anna");
    let cookie = format!("SESSIONID={}", anna.session);
    let stranger = hall.stranger();
    for header in [("origin", "https://elsewhere.example"), ("sec-fetch-site", "cross-site")] {
        for (method, path) in [("GET", "/user"), ("POST", "/submit/spring")] {
            assert_eq!(stranger.send(method, path, "{}", &[("cookie", &cookie), header]).0, 401, "{path}");
            assert_ne!(anna.send(method, path, "{}", &[header]).0, 401, "what is in the address was meant");
        }
        assert_eq!(stranger.send("GET", "/logout", "", &[("cookie", &cookie), header]).0, 400);
    }
    assert_eq!(anna.get("/user").0, 200, "and is still there");
    hall.server.stop();
}

#[test]
fn who_is_shut_out_or_has_another_password_is_out_at_once() {
    let hall = Hall::set();
    let (anna, arno) = (hall.tool("anna"), hall.tool("arno"));
    hall.contest.must(&hall.contest.path("/teams/ants/users/anna/disable"), &json!({}));
    assert_eq!((anna.get("/user").0, arno.get("/user").0), (401, 200));
    assert_eq!(anna.post("/login", &login("anna", &password_of("anna"))).0, 401);
    let given = hall.contest.must(&hall.contest.path("/teams/ants/users/arno/password"), &json!({}));
    assert_eq!(arno.get("/user").0, 401);
    let stranger = hall.stranger();
    assert_eq!(stranger.post("/login", &login("arno", &password_of("arno"))).0, 401);
    assert_eq!(stranger.post("/login", &login("arno", given["password"].as_str().unwrap())).0, 200);
    hall.server.stop();
}

#[test]
fn the_time_is_the_servers_in_milliseconds() {
    let hall = Hall::set();
    let now = || hall.contest.seen()["now"].as_str().unwrap().parse::<Moment>().unwrap().as_millis();
    let (before, (_, time), after) = (now(), hall.stranger().get("/status/time"), now());
    let time = time["timeStamp"].as_i64().unwrap();
    assert!((before..=after).contains(&time), "{before} {time} {after}");
    hall.server.stop();
}

#[test]
fn whatever_goes_wrong_below_the_address_is_told_in_the_same_words() {
    let hall = Hall::set();
    let tool = hall.stranger();
    for (method, path, status) in [("GET", "/nowhere", 404), ("POST", "/status/time", 405)] {
        let told = tool.raw(method, path, "", &[]);
        assert_eq!((told.status, told.content_type.as_str()), (status, "application/json"));
        let body: Value = serde_json::from_str(&told.text).unwrap();
        let fields: Vec<_> = body.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!((fields, &body["status"]), (vec!["status", "description"], &json!(false)));
    }
    hall.server.stop();
}
