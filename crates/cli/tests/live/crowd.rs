//! Clients that reconnect under load: each receives every event once, in order.

use std::thread;

use assize_ledger::{PostgresLedger, SqliteLedger};
use assize_testbed::client::Client;
use assize_testbed::ear::EventListener;
use assize_testbed::postgres::Cluster;

use crate::stage::{BOARD, STREAM, Stage, guess, is_notice, positions, serve};

const SUBMITTERS: usize = 4;
const LISTENERS: u64 = 8;
const ANSWERS: u64 = 150;
/// The opening, the task, its start, the teams and their answers.
const RECORDS: usize = 3 + SUBMITTERS * (1 + ANSWERS as usize);

/// Listens until everything has been heard, over connections that are given up again and again.
fn listen(urls: &[&str], dice: u64) -> Vec<u64> {
    let (mut heard, mut dice) = (Vec::new(), dice);
    let mut throw = |sides: u64| {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (dice >> 33) % sides
    };
    while heard.len() < RECORDS {
        let url = urls[throw(urls.len() as u64) as usize];
        let topics: &[&str] = if throw(2) == 0 { &[STREAM] } else { &[BOARD, STREAM] };
        let mut last = heard.last().copied().unwrap_or(0);
        let Ok(mut ear) = EventListener::open(url, topics, Some(last), "") else { continue };
        for _ in 0..=throw(120) {
            let Some(said) = ear.next() else { break };
            if is_notice(&said) {
                heard.extend(said.id);
            } else {
                assert_eq!(said.event, "board", "nobody is so far behind: {said:?}");
            }
            assert!(said.id >= Some(last), "ids only grow: {said:?} after {last}");
            last = last.max(said.id.unwrap());
            if heard.len() >= RECORDS {
                break;
            }
        }
    }
    heard
}

/// Submits from several threads to all servers while others listen; returns what each of them heard.
fn storm(stage: &Stage, urls: &[&str]) -> Vec<Vec<u64>> {
    let teams: Vec<String> =
        (0..SUBMITTERS).map(|each| stage.contest.register(&format!("team{each}"))).collect();
    thread::scope(|scope| {
        let listening: Vec<_> = (0..LISTENERS).map(|dice| scope.spawn(move || listen(urls, dice))).collect();
        for (each, token) in teams.iter().enumerate() {
            let client = Client::new(urls[each % urls.len()], token);
            scope.spawn(move || {
                (0..ANSWERS).for_each(|number| {
                    guess(&client, number);
                })
            });
        }
        listening.into_iter().map(|each| each.join().unwrap()).collect()
    })
}

#[test]
fn whoever_comes_and_goes_hears_the_ledger_once_and_in_order() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("spring.db");
    let stage = Stage::set(&["--data", file.to_str().unwrap()]);
    let heard = storm(&stage, &[stage.server.url()]);
    stage.server.stop();
    let expected = positions(&SqliteLedger::open(&file).unwrap());
    assert_eq!(expected.len(), RECORDS);
    for ids in heard {
        assert_eq!(ids, expected);
    }
}

#[test]
fn whoever_goes_from_one_server_to_another_hears_the_ledger_once_and_in_order() {
    let address = Cluster::shared().database();
    let stage = Stage::set(&["--postgres", &address]);
    let other = serve(&["--postgres", &address]);
    let heard = storm(&stage, &[stage.server.url(), other.url()]);
    let expected = positions(&PostgresLedger::open(&address).unwrap());
    for ids in heard {
        assert_eq!(ids, expected);
    }
    other.stop();
    stage.server.stop();
}
