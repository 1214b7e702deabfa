//! Many logins at once, and guessing: right passwords get through, guesses are slow.

use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use assize_engine::hash_password;
use assize_kernel::Moment;
use assize_ledger::{AccessChange, Batch, Ledger, SqliteLedger, UserAccount};
use assize_testbed::server::Server;
use serde_json::json;
use tempfile::TempDir;

use crate::browser::Browser;
use crate::installation::Installation;

const PASSWORD: &str = "the password of all";

/// A server with users `team-0`, `team-1`, … who have one password, behind a trusted proxy.
fn hall(teams: usize) -> (TempDir, Server) {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("ledger.db");
    let ledger = SqliteLedger::open(&file).unwrap();
    let password = hash_password(PASSWORD).unwrap();
    let user = |number: usize| UserAccount {
        name: format!("team-{number}"),
        role: "judge".into(),
        scope: String::new(),
        password: password.clone(),
        created: Moment::from_millis(0),
        disabled: None,
    };
    let access = (0..teams).map(user).map(AccessChange::User).collect();
    let mut writer = ledger.writer().unwrap();
    writer.lock().unwrap().commit(&Batch { access, ..Batch::default() }).unwrap();
    drop((writer, ledger));
    let server = Installation::of_file(&file).serve_with(&["--trusted-proxies", "127.0.0.1"]);
    (directory, server)
}

/// The status of a login from an address.
fn log_in(server: &Server, name: &str, password: &str, address: &str) -> u16 {
    let body = json!({ "name": name, "password": password }).to_string();
    let headers = [("x-forwarded-for", address)];
    Browser::new(server).send("POST", "/api/v1/session", &headers, &body).status
}

/// The statuses of logins that begin at the same time.
fn at_once<'a>(logins: impl ExactSizeIterator<Item = &'a (dyn Fn() -> u16 + Sync)>) -> Vec<u16> {
    let start = Barrier::new(logins.len());
    thread::scope(|scope| {
        let send = |login: &'a (dyn Fn() -> u16 + Sync)| {
            let start = &start;
            scope.spawn(move || {
                start.wait();
                login()
            })
        };
        let sent: Vec<_> = logins.map(send).collect();
        sent.into_iter().map(|login| login.join().unwrap()).collect()
    })
}

#[test]
fn two_hundred_teams_log_in_at_the_same_time_from_one_address() {
    let (_directory, server) = hall(200);
    let logins: Vec<_> = (0..200)
        .map(|number| {
            let server = &server;
            move || log_in(server, &format!("team-{number}"), PASSWORD, "192.0.2.1")
        })
        .collect();
    let told = at_once(logins.iter().map(|login| login as &(dyn Fn() -> u16 + Sync)));
    assert_eq!(told.iter().filter(|status| **status != 201).count(), 0, "{told:?}");
    // The tools of one team, all with its name.
    let same = || log_in(&server, "team-0", PASSWORD, "192.0.2.1");
    let told = at_once((0..40).map(|_| &same as &(dyn Fn() -> u16 + Sync)));
    assert_eq!(told.iter().filter(|status| **status != 201).count(), 0, "{told:?}");
    server.stop();
}

#[test]
fn guesses_that_arrive_at_once_are_limited_like_guesses_one_by_one() {
    let (_directory, server) = hall(1);
    let guess = || log_in(&server, "team-0", "not the password", "192.0.2.1");
    let told = at_once((0..40).map(|_| &guess as &(dyn Fn() -> u16 + Sync)));
    let wrong = told.iter().filter(|status| **status == 401).count();
    assert!((5..=11).contains(&wrong), "{told:?}");
    assert!(told.iter().all(|status| [401, 429].contains(status)), "{told:?}");
    server.stop();
}

#[test]
fn wrong_guesses_for_a_team_lock_it_out_neither_elsewhere_nor_the_others_beside_it() {
    let (_directory, server) = hall(40);
    while log_in(&server, "team-0", "not the password", "192.0.2.66") == 401 {}
    assert_eq!(log_in(&server, "team-0", PASSWORD, "192.0.2.66"), 429, "no more guesses from there");
    assert_eq!(log_in(&server, "team-0", PASSWORD, "192.0.2.1"), 201);
    // A guesser in the hall, whose address is that of all teams.
    for guess in 0..60 {
        let name = format!("team-{}", 1 + guess % 20);
        assert_eq!(log_in(&server, &name, "not the password", "192.0.2.1"), 401);
    }
    for team in 1..40 {
        assert_eq!(log_in(&server, &format!("team-{team}"), PASSWORD, "192.0.2.1"), 201);
    }
    server.stop();
}

#[test]
fn the_right_person_gets_in_while_a_name_and_an_address_are_guessed_at() {
    let (_directory, server) = hall(3);
    assert_eq!(log_in(&server, "team-1", PASSWORD, "192.0.2.1"), 201);
    // Many addresses guess one name until the guesses are delayed.
    let begun = Instant::now();
    let mut longest = Duration::ZERO;
    for address in 0..60 {
        let before = Instant::now();
        assert_eq!(log_in(&server, "team-0", "not the password", &format!("198.51.100.{address}")), 401);
        longest = longest.max(before.elapsed());
        if longest > Duration::from_secs(2) {
            break;
        }
    }
    assert!(longest > Duration::from_secs(2), "guesses are slow after a while: {:?}", begun.elapsed());
    assert_eq!(log_in(&server, "team-0", PASSWORD, "192.0.2.9"), 201, "only delayed");
    assert_eq!(log_in(&server, "team-0", PASSWORD, "192.0.2.9"), 201);
    // One address guesses many names until the guesses are delayed.
    let mut guess = 0;
    loop {
        let before = Instant::now();
        assert_eq!(log_in(&server, &format!("name-{guess}"), "not the password", "192.0.2.1"), 401);
        guess += 1;
        assert!(guess < 200, "guesses from one address are never delayed");
        if before.elapsed() > Duration::from_secs(1) {
            break;
        }
    }
    assert_eq!(log_in(&server, "team-2", PASSWORD, "192.0.2.1"), 201, "only delayed");
    let before = Instant::now();
    assert_eq!(log_in(&server, "team-1", PASSWORD, "192.0.2.1"), 201);
    assert!(before.elapsed() < Duration::from_secs(1), "a team known from this address is not delayed");
    server.stop();
}
