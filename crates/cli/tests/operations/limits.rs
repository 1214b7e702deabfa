//! Limits: body size, rate limits, timeouts and connections, with clear errors and service for the others.

use std::io::Write;
use std::net::TcpStream;

use assize_testbed::contest::{Contest, eventually};

use crate::wire::{ask, connect, get, hear, request, serve};

#[test]
fn a_body_that_is_too_long_is_refused_before_it_is_read() {
    let server = serve(&["--body-bytes", "2048"]);
    let authorization = format!("authorization: Bearer {}", server.admin_token());
    let mut stream = connect(&server);
    let head = "POST /api/v1/contests HTTP/1.1\r\nhost: test\r\n";
    let answer = ask(&mut stream, &format!("{head}{authorization}\r\ncontent-length: 50000000\r\n\r\n"));
    assert_eq!((answer.status, answer.code().as_str()), (413, "request.too_large"));
    let asking = "expect: 100-continue\r\ncontent-length: 3000\r\n\r\n";
    let answer = ask(&mut connect(&server), &format!("{head}{authorization}\r\n{asking}"));
    assert_eq!((answer.status, answer.code().as_str()), (413, "request.too_large"));
    let chunk = format!("800\r\n{}\r\n", " ".repeat(0x800));
    let text = format!("{head}{authorization}\r\ntransfer-encoding: chunked\r\n\r\n{chunk}{chunk}0\r\n\r\n");
    let answer = ask(&mut connect(&server), &text);
    assert_eq!((answer.status, answer.code().as_str()), (413, "request.too_large"));
    server.stop();
}

#[test]
fn whoever_sends_somewhat_too_much_hears_why_in_the_end() {
    let server = serve(&["--body-bytes", "2048"]);
    let authorization = format!("authorization: Bearer {}", server.admin_token());
    let text = request("POST", "/api/v1/contests", &[&authorization], &" ".repeat(4 << 20));
    let mut stream = connect(&server);
    let answer = ask(&mut stream, &text);
    assert_eq!((answer.status, answer.code().as_str()), (413, "request.too_large"));
    let again = ask(&mut stream, &request("GET", "/healthz", &[], ""));
    assert_eq!(again.status, 200, "the connection is still good");
    server.stop();
}

#[test]
fn a_body_of_a_mebibyte_is_read_with_little_memory_for_the_connection() {
    let server = serve(&[]);
    let authorization = format!("authorization: Bearer {}", server.admin_token());
    let body = format!("{}{}", " ".repeat((1 << 20) - 15), r#"{"id":"spring"}"#);
    let answer = ask(&mut connect(&server), &request("POST", "/api/v1/contests", &[&authorization], &body));
    assert_eq!(answer.status, 201, "{answer:?}");
    server.stop();
}

#[test]
fn a_body_that_does_not_come_is_given_up() {
    let server = serve(&["--body-seconds", "1"]);
    let authorization = format!("authorization: Bearer {}", server.admin_token());
    let mut stream = connect(&server);
    let head = format!(
        "POST /api/v1/contests HTTP/1.1\r\nhost: test\r\n{authorization}\r\ncontent-length: 99\r\n\r\n{{"
    );
    let answer = ask(&mut stream, &head);
    assert_eq!((answer.status, answer.code().as_str()), (408, "request.too_slow"));
    server.stop();
}

#[test]
fn a_head_that_does_not_end_or_is_too_long_ends_the_connection() {
    let server = serve(&["--head-seconds", "1"]);
    let mut slow = connect(&server);
    slow.write_all(b"GET /healthz HTTP/1.1\r\nhost:").unwrap();
    let mut rest = Vec::new();
    std::io::Read::read_to_end(&mut slow, &mut rest).unwrap();
    let text = request("GET", "/healthz", &[&format!("x-long: {}", "a".repeat(40_000))], "");
    let mut long = connect(&server);
    // The server may have hung up before all of it is written.
    let _ = long.write_all(text.as_bytes());
    assert_eq!(hear(&mut long).status, 431);
    assert_eq!(get(&server, "/healthz", &[]).status, 200);
    server.stop();
}

#[test]
fn whoever_asks_too_often_is_told_when_to_come_back() {
    let server = serve(&["--rate-per-address", "1", "--rate-on-loopback", "--trusted-proxies", "127.0.0.1"]);
    let ask = |client: &str| get(&server, "/healthz", &[&format!("x-forwarded-for: {client}")]);
    let told = (0..20).map(|_| ask("192.0.2.7")).find(|answer| answer.status != 200).expect("a limit");
    assert_eq!((told.status, told.code().as_str()), (429, "request.too_many"));
    assert_eq!(told.header("retry-after"), Some("1"));
    assert_eq!(ask("192.0.2.8").status, 200, "others are served");
    server.stop();
}

#[test]
fn one_token_may_not_use_up_what_others_need() {
    let server = serve(&["--rate-per-token", "1", "--rate-on-loopback"]);
    let ask = |token: &str| get(&server, "/healthz", &[&format!("authorization: Bearer {token}")]);
    let told = (0..20).map(|_| ask("greedy")).find(|answer| answer.status != 200).expect("a limit");
    assert_eq!(told.code(), "request.too_many");
    assert!(told.body.contains("with this token"), "{}", told.body);
    assert_eq!(ask("modest").status, 200);
    server.stop();
}

#[test]
fn a_connection_too_many_is_turned_away_and_taken_when_another_ends() {
    let server = serve(&["--connections", "2"]);
    let mut kept: Vec<TcpStream> = (0..2).map(|_| connect(&server)).collect();
    for stream in &mut kept {
        assert_eq!(ask(stream, &request("GET", "/healthz", &[], "")).status, 200);
    }
    let told = hear(&mut connect(&server));
    assert_eq!((told.status, told.code().as_str()), (503, "server.too_many_connections"));
    assert_eq!(told.header("retry-after"), Some("1"));
    drop(kept.pop());
    let taken = || ask(&mut connect(&server), &request("GET", "/healthz", &["connection: close"], "")).status;
    eventually("there is a place again", || taken() == 200);
    drop(kept);
    server.stop();
}

#[test]
fn an_answer_that_takes_too_long_promises_nothing_and_what_was_taken_is_done() {
    let directory = tempfile::TempDir::new().unwrap();
    let file = directory.path().join("assize.db");
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_assize"));
    let args = ["--data", file.to_str().unwrap(), "--request-seconds", "1"];
    let server = assize_testbed::server::Server::start(program, &args);
    let contest = Contest::open(&server, &server.admin_token(), "spring");
    let holding = rusqlite::Connection::open(&file).unwrap();
    holding.execute_batch("BEGIN IMMEDIATE").unwrap();
    let team = serde_json::json!({ "id": "ants" });
    let (status, told) = contest.admin.post(&contest.path("/teams"), &team, Some("once")).unwrap();
    assert_eq!((status, &told["code"]), (503, &"server.timeout".into()), "{told}");
    assert!(told["detail"].as_str().unwrap().contains("may still be done"), "{told}");
    holding.execute_batch("ROLLBACK").unwrap();
    let again = || contest.admin.post(&contest.path("/teams"), &team, Some("once")).unwrap();
    let (status, answer) = again();
    assert_eq!(
        (status, &answer["repeated"]),
        (201, &true.into()),
        "it had been taken and was done: {answer}"
    );
    server.stop();
}
