//! Users: login, logout, CSRF, password guessing and disabled accounts.

use assize_testbed::contest::{eventually, within};
use serde_json::json;
use std::time::Duration;

use crate::browser::Browser;
use crate::installation::{Installation, login};

#[test]
fn somebody_logs_in_does_something_and_logs_out() {
    let installation = Installation::of_sqlite();
    let server = installation.serve();
    installation.add("anna", "admin", "");
    let mut anna = Browser::new(&server);
    let entered = anna.send("POST", "/api/v1/session", &[], &login("anna").to_string());
    assert_eq!(entered.status, 201, "{}", entered.body);
    let set = entered.header("set-cookie");
    assert!(set.ends_with("; HttpOnly; SameSite=Lax; Path=/; Max-Age=43200"), "{set}");
    let who = anna.get("/api/v1/session").json();
    assert_eq!((&who["name"], &who["role"], &who["scope"]), (&json!("anna"), &json!("admin"), &json!("")));
    assert_eq!(who["csrf"], entered.json()["csrf"]);

    let csrf = who["csrf"].as_str().unwrap().to_owned();
    let open = json!({ "id": "spring" }).to_string();
    let opened = anna.send("POST", "/api/v1/contests", &[("x-csrf-token", &csrf)], &open);
    assert_eq!(opened.status, 201, "{}", opened.body);
    let position = opened.json()["receipt"]["position"].to_string();
    assert_eq!(anna.get(&format!("/api/v1/records/{position}")).json()["actor"], "admin:anna");

    let cookie = anna.cookie.clone();
    assert_eq!(anna.send("DELETE", "/api/v1/session", &[("x-csrf-token", &csrf)], "").status, 204);
    assert_eq!(anna.cookie, None);
    anna.cookie = cookie;
    let gone = anna.get("/api/v1/session");
    assert_eq!((gone.status, &gone.json()["code"]), (401, &json!("access.unknown_session")));
    assert_eq!(gone.header("www-authenticate"), "Bearer");
    assert!(!server.log().contains("password of"), "no password in the log");
    server.stop();
}

#[test]
fn a_change_that_our_own_page_did_not_send_is_not_made() {
    let installation = Installation::of_sqlite();
    let server = installation.serve();
    installation.add("anna", "admin", "");
    let mut anna = Browser::new(&server);
    let csrf = anna.send("POST", "/api/v1/session", &[], &login("anna").to_string()).json()["csrf"].clone();
    let csrf = csrf.as_str().unwrap();
    let open = json!({ "id": "spring" }).to_string();
    let forgeries: [&[(&str, &str)]; 5] = [
        &[],
        &[("x-csrf-token", "")],
        &[("x-csrf-token", &csrf[1..])],
        &[("x-csrf-token", csrf), ("origin", "https://elsewhere.example")],
        &[("x-csrf-token", csrf), ("sec-fetch-site", "cross-site")],
    ];
    for headers in forgeries {
        let told = anna.send("POST", "/api/v1/contests", headers, &open);
        assert_eq!((told.status, &told.json()["code"]), (403, &json!("access.csrf")), "{headers:?}");
    }
    let mut bert = Browser::new(&server);
    installation.add("bert", "admin", "");
    let other = bert.send("POST", "/api/v1/session", &[], &login("bert").to_string()).json()["csrf"].clone();
    let told = anna.send("POST", "/api/v1/contests", &[("x-csrf-token", other.as_str().unwrap())], &open);
    assert_eq!(told.status, 403, "of another session");
    let token = format!("Bearer {}", server.admin_token());
    let told = anna.send("POST", "/api/v1/contests", &[("authorization", &token)], &open);
    assert_eq!(told.status, 201, "a token is sent by nobody's browser on its own: {}", told.body);
    server.stop();
}

#[test]
fn guessing_passwords_is_made_slow() {
    let installation = Installation::of_sqlite();
    let server = installation.serve();
    installation.add("anna", "admin", "");
    let mut guesser = Browser::new(&server);
    let mut guess = |name: &str| {
        let body = json!({ "name": name, "password": "not the password" }).to_string();
        guesser.send("POST", "/api/v1/session", &[], &body)
    };
    for name in ["anna", "nobody"] {
        for _ in 0..5 {
            let told = guess(name);
            assert_eq!((told.status, &told.json()["code"]), (401, &json!("access.wrong_password")));
            assert_eq!(told.json()["detail"], "the name or the password is wrong", "whoever there is");
        }
        // Each attempt that is let through makes the next wait twice as long, however slow this machine is.
        let mut told = guess(name);
        while told.status == 401 {
            told = guess(name);
        }
        assert_eq!((told.status, &told.json()["code"]), (429, &json!("access.too_many_attempts")));
        assert!(told.header("retry-after").parse::<u64>().unwrap() >= 1);
    }
    server.stop();
}

#[test]
fn whoever_is_shut_out_is_out_at_once() {
    let installation = Installation::of_sqlite();
    let server = installation.serve();
    installation.add("anna", "judge", "");
    let mut anna = Browser::new(&server);
    let enter = |anna: &mut Browser, password: &str| {
        anna.send(
            "POST",
            "/api/v1/session",
            &[],
            &json!({ "name": "anna", "password": password }).to_string(),
        )
        .status
    };
    assert_eq!(enter(&mut anna, "password of anna"), 201);
    let (code, said) = installation.run(&["user", "password", "anna"], "another password\n");
    assert_eq!((code, said.as_str()), (0, "`anna` has another password now\n"));
    assert_eq!(anna.get("/api/v1/session").status, 401, "logged out everywhere");
    assert_eq!(enter(&mut anna, "password of anna"), 401);
    assert_eq!(enter(&mut anna, "another password"), 201);
    assert_eq!(installation.run(&["user", "disable", "anna"], "").0, 0);
    assert_eq!(anna.get("/api/v1/session").status, 401);
    assert_eq!(enter(&mut anna, "another password"), 401);
    let (code, said) = installation.run(&["user", "list"], "");
    assert!(
        code == 0 && said.starts_with("anna  judge  everything  ") && said.contains("  shut out "),
        "{said}"
    );
    for (args, message) in [
        (&["user", "disable", "anna"][..], "assize: `anna` has been disabled already\n"),
        (&["user", "disable", "bert"], "assize: there is nobody called `bert`\n"),
    ] {
        assert_eq!(installation.run(args, ""), (2, message.to_owned()));
    }
    let (code, said) = installation.run(&["user", "add", "bert", "--role", "admin"], "short\n");
    assert!(code == 2 && said.contains("10 to 1024 characters"), "{said}");
    server.stop();
}

#[test]
fn a_login_is_good_in_every_process_over_one_database() {
    let installation = Installation::of_postgres();
    let (one, two) = (installation.serve(), installation.serve());
    installation.add("anna", "admin", "");
    let mut anna = Browser::new(&one);
    assert_eq!(anna.send("POST", "/api/v1/session", &[], &login("anna").to_string()).status, 201);
    let mut elsewhere = Browser::new(&two);
    elsewhere.cookie = anna.cookie.clone();
    assert_eq!(elsewhere.get("/api/v1/session").json()["name"], "anna");
    let csrf = elsewhere.get("/api/v1/session").json()["csrf"].as_str().unwrap().to_owned();
    assert_eq!(elsewhere.send("DELETE", "/api/v1/session", &[("x-csrf-token", &csrf)], "").status, 204);
    assert_eq!(anna.get("/api/v1/session").status, 401);

    let token = one.admin_token();
    let (first, second) = (one.client(&token), two.client(&token));
    let wish = json!({ "name": "desk", "role": "app", "label": "sign-up" });
    let given = first.post("/api/v1/tokens", &wish, None).unwrap().1;
    let desk = two.client(given["token"].as_str().unwrap());
    eventually("the other process knows the token", || desk.get("/api/v1/session").unwrap().0 == 200);
    let id = given["event"]["TokenIssued"]["id"].as_str().unwrap();
    let revoked = first.send("DELETE", &format!("/api/v1/tokens/{id}"), &[], None).unwrap();
    assert_eq!(revoked.status, 200);
    let refused = || desk.get("/api/v1/session").unwrap().0 == 401;
    assert!(within(Duration::from_secs(10), refused), "the other process has forgotten it");
    assert_eq!(second.get("/api/v1/session").unwrap().0, 200, "and nothing else");
    one.stop();
    two.stop();
}
