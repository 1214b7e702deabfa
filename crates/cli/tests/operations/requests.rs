//! Headers of every response, and the request log.

use assize_testbed::contest::eventually;
use assize_testbed::server::Server;
use serde_json::Value;

use crate::wire::{ask, connect, get, request, serve};

#[test]
fn every_answer_tells_browsers_what_they_may_do() {
    let server = serve(&[]);
    for path in ["/healthz", "/nowhere", "/api/v1/contests/none"] {
        let answer = get(&server, path, &[]);
        let policy = "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";
        assert_eq!(answer.header("content-security-policy"), Some(policy));
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("referrer-policy"), Some("same-origin"));
        assert_eq!(answer.header("cross-origin-resource-policy"), Some("same-origin"));
        for absent in ["server", "strict-transport-security", "access-control-allow-origin", "vary"] {
            assert_eq!(answer.header(absent), None, "{absent}");
        }
    }
    server.stop();
}

#[test]
fn pages_elsewhere_are_let_in_only_when_they_are_named() {
    let server = serve(&["--cors-origins", "https://board.example,https://other.example"]);
    let asked = ["origin: https://board.example", "access-control-request-method: POST"];
    let preflight = ask(&mut connect(&server), &request("OPTIONS", "/api/v1/contests", &asked, ""));
    assert_eq!((preflight.status, preflight.body.as_str()), (204, ""));
    assert_eq!(preflight.header("access-control-allow-origin"), Some("https://board.example"));
    assert!(preflight.header("access-control-allow-headers").unwrap().contains("idempotency-key"));
    let asked = ["origin: https://evil.example", "access-control-request-method: POST"];
    let stranger = ask(&mut connect(&server), &request("OPTIONS", "/api/v1/contests", &asked, ""));
    assert_eq!((stranger.status, stranger.header("access-control-allow-origin")), (405, None));
    assert_eq!(stranger.header("vary"), Some("origin"));
    let answer = get(&server, "/nowhere", &["origin: https://other.example"]);
    assert_eq!(answer.header("access-control-allow-origin"), Some("https://other.example"));
    server.stop();
}

#[test]
fn a_request_is_known_by_its_id_in_answer_problem_and_log() {
    let server = serve(&["--log", "debug", "--log-format", "json"]);
    let token = server.admin_token();
    let authorization = format!("authorization: Bearer {token}");
    let path = "/api/v1/records/7?secret=hunter2";
    let answer = get(&server, path, &["x-request-id: from-afar.1", &authorization]);
    assert_eq!((answer.status, answer.header("x-request-id")), (404, Some("from-afar.1")));
    assert_eq!(serde_json::from_str::<Value>(&answer.body).unwrap()["request_id"], "from-afar.1");
    let line = noted(&server, "from-afar.1");
    assert_eq!(
        (&line["method"], &line["status"], &line["role"]),
        (&"GET".into(), &404.into(), &"admin".into())
    );
    assert_eq!(line["route"], "/api/v1/records/{position}");
    assert!(line["milliseconds"].as_f64().is_some_and(|time| time > 0.0), "{line}");
    let log = server.log();
    assert!(!log.contains("hunter2") && !log.contains(&token), "{log}");
    let made = get(&server, "/healthz", &["x-request-id: \"nonsense\""]);
    assert_eq!(made.header("x-request-id").unwrap().len(), 16);
    server.stop();
}

/// The line of a JSON log about a request.
fn noted(server: &Server, id: &str) -> Value {
    let find = || {
        let log = server.log();
        let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).expect("a line of JSON"));
        lines.into_iter().find(|line| line["request"] == id)
    };
    eventually("the log has it", || find().is_some());
    find().unwrap()
}
