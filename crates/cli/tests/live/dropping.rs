//! Streams that end: slow clients, and a server shutdown.

use std::sync::mpsc::channel;
use std::time::Duration;

use assize_testbed::contest::eventually;
use assize_testbed::ear::EventListener;

use crate::stage::{STREAM, Stage, guess, is_notice};

#[test]
fn a_server_that_stops_ends_every_stream_at_once() {
    let stage = Stage::set(&["--ephemeral"]);
    let mut ears = [stage.ear(None), stage.ear(Some(0))];
    ears.iter_mut().for_each(|ear| drop(ear.next().unwrap()));
    let (ended, has_ended) = channel();
    let listening = std::thread::spawn(move || {
        for ear in &mut ears {
            while ear.next().is_some() {}
            ended.send(()).unwrap();
        }
    });
    stage.server.stop();
    for _ in 0..2 {
        has_ended.recv_timeout(Duration::from_secs(30)).unwrap();
    }
    listening.join().unwrap();
}

#[test]
fn who_does_not_read_keeps_nobody_else_waiting_and_is_told_the_rest_later() {
    let stage = Stage::set(&["--ephemeral"]);
    let ants = stage.team("ants");
    let deaf: Vec<EventListener> = (0..20).map(|_| stage.ear(None)).collect();
    let mut keen = stage.ear(None);
    let mut last = keen.next().unwrap().id.unwrap();
    for number in 0..2_000 {
        let position = guess(&ants, number);
        let heard = keen.next().unwrap();
        assert_eq!((heard.id, position), (Some(position), last + 1));
        last = position;
    }
    // What was in the pipes, or nothing: but no gap.
    for mut ear in deaf {
        let mut heard = ear.next().unwrap().id.unwrap();
        while heard < last {
            match ear.next() {
                Some(said) => {
                    assert_eq!(said.id, Some(heard + 1));
                    heard += 1;
                }
                None => ear = EventListener::open(stage.server.url(), &[STREAM], Some(heard), "").unwrap(),
            }
        }
    }
    stage.server.stop();
}

#[test]
fn a_sign_of_life_comes_when_nothing_happens() {
    let stage = Stage::set(&["--ephemeral"]);
    let mut ear = stage.ear(None);
    ear.comments = true;
    assert_eq!(ear.next().unwrap().event, "hello");
    let sign = ear.next().unwrap();
    assert!(!is_notice(&sign), "{sign:?}");
    assert_eq!(sign.event, "comment");
    let ants = stage.team("ants");
    eventually("and what happens is heard after it", || {
        guess(&ants, 1);
        ear.wait_for("TeamRegistered").id.is_some()
    });
    stage.server.stop();
}
