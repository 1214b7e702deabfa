//! Graceful shutdown: no new requests, accepted ones are finished, within a time limit.

use std::io::{Read, Write};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use assize_testbed::contest::eventually;
use assize_testbed::server::Server;

use crate::wire::{ask, connect, get, hear, request, serve};

fn ask_to_stop(server: &Server) {
    let told = Command::new("kill").args(["-TERM", &server.id().to_string()]).status();
    assert!(told.is_ok_and(|status| status.success()));
}

#[test]
fn a_request_that_was_taken_is_answered_and_idle_connections_are_closed() {
    let server = serve(&[]);
    let authorization = format!("authorization: Bearer {}", server.admin_token());
    let mut idle = connect(&server);
    assert_eq!(ask(&mut idle, &request("GET", "/healthz", &[], "")).status, 200);
    let mut busy = connect(&server);
    let whole =
        request("POST", "/api/v1/contests", &[&authorization, "expect: 100-continue"], r#"{"id":"spring"}"#);
    let (head, body) = whole.split_at(whole.len() - 15);
    // The server asks for the body when a handler waits for it: from then on the request is taken.
    assert_eq!(ask(&mut busy, head).status, 100);
    ask_to_stop(&server);
    assert_eq!(idle.read(&mut [0]).unwrap(), 0, "the idle one is closed");
    busy.write_all(body.as_bytes()).unwrap();
    let answer = hear(&mut busy);
    assert_eq!((answer.status, answer.header("connection")), (201, Some("close")));
    server.stop();
}

#[test]
fn whoever_never_ends_is_cut_off() {
    let server = serve(&["--closing-seconds", "1"]);
    let authorization = format!("authorization: Bearer {}", server.admin_token());
    let mut busy = connect(&server);
    let head = request("POST", "/api/v1/contests", &[&authorization, "expect: 100-continue"], "{}");
    assert_eq!(ask(&mut busy, head.strip_suffix("{}").unwrap()).status, 100);
    let started = Instant::now();
    server.stop();
    assert!(started.elapsed() < Duration::from_secs(9), "it waited for somebody who never ends");
}

#[test]
fn nothing_more_is_taken_while_it_stops() {
    let server = serve(&[]);
    assert_eq!(get(&server, "/readyz", &[]).status, 200);
    let authorization = format!("authorization: Bearer {}", server.admin_token());
    let mut busy = connect(&server);
    let head = request("POST", "/api/v1/contests", &[&authorization, "expect: 100-continue"], "{}");
    assert_eq!(ask(&mut busy, head.strip_suffix("{}").unwrap()).status, 100);
    ask_to_stop(&server);
    let address = server.url().strip_prefix("http://").unwrap().to_owned();
    eventually("nobody listens", || std::net::TcpStream::connect(&address).is_err());
    thread::spawn(move || busy.write_all(b"{}")).join().unwrap().unwrap();
    server.stop();
}
