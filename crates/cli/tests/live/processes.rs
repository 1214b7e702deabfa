//! Several servers on one PostgreSQL: events of one are broadcast by the others, also when it is gone.

use std::time::{Duration, Instant};

use assize_testbed::contest::right_answer;
use assize_testbed::ear::EventListener;
use assize_testbed::postgres::Cluster;
use serde_json::Value;

use crate::stage::{BOARD, STREAM, Stage, guess, serve, submit};

#[test]
fn what_one_server_takes_is_heard_at_the_other_in_the_same_words() {
    let address = Cluster::shared().database();
    let stage = Stage::set(&["--postgres", &address]);
    let other = serve(&["--postgres", &address]);
    let ants = stage.team("ants");
    let mut ears = [stage.server.url(), other.url()]
        .map(|url| EventListener::open(url, &[STREAM, BOARD], Some(0), "").unwrap());
    for ear in &mut ears {
        ear.wait_for("board");
    }
    let mut slowest = Duration::ZERO;
    for number in 0..50 {
        let position = guess(&ants, number);
        let answered = Instant::now();
        let heard = ears.each_mut().map(|ear| ear.wait_for("AnswerJudged"));
        slowest = slowest.max(answered.elapsed());
        assert_eq!(heard[0].id, Some(position));
        assert_eq!(heard[0], heard[1]);
    }
    println!("the other server's listeners heard at most {slowest:?} after the answer");
    assert!(slowest < Duration::from_secs(5), "they follow, they do not poll: {slowest:?}");
    let position = submit(&ants, &right_answer());
    let boards = ears.each_mut().map(|ear| ear.wait_for("board"));
    assert_eq!((boards[0].id, &boards[0].data["rows"]), (Some(position), &boards[1].data["rows"]));
    other.stop();
    stage.server.stop();
}

#[test]
fn whoever_listened_to_a_server_that_is_killed_goes_on_at_another() {
    let address = Cluster::shared().database();
    let stage = Stage::set(&["--postgres", &address]);
    let other = serve(&["--postgres", &address]);
    let ants = stage.team("ants");
    let mut ear = EventListener::open(stage.server.url(), &[STREAM], None, "").unwrap();
    let mut last = ear.next().unwrap().id.unwrap();
    for number in 0..10 {
        guess(&ants, number);
        last = ear.next().unwrap().id.unwrap();
    }
    let unheard = guess(&ants, 10);
    let Stage { server, .. } = stage;
    server.kill();
    let elsewhere = other.client(&ants.token);
    let missed = guess(&elsewhere, 11);
    let mut ear = EventListener::open(other.url(), &[STREAM], Some(last), "").unwrap();
    let live = guess(&elsewhere, 12);
    let heard = [(); 3].map(|()| ear.next().unwrap().id.unwrap());
    assert_eq!(heard, [unheard, missed, live]);
    other.stop();
}

#[test]
fn whoever_is_shut_out_at_one_server_hears_nothing_more_at_the_other() {
    let address = Cluster::shared().database();
    let stage = Stage::set(&["--postgres", &address]);
    let other = serve(&["--postgres", &address]);
    let (contest, admin) = (&stage.contest, &stage.contest.admin);
    let [ants, bees] = ["ants", "bees"].map(|team| contest.register(team));
    let listen = |token: &str| {
        let mut ear = EventListener::open(other.url(), &[STREAM], None, token).unwrap();
        ear.wait_for("hello");
        ear
    };
    let (mut taken_back, mut kept, mut public) = (listen(&ants), listen(&bees), listen(""));
    let (_, tokens) = admin.get("/api/v1/tokens?limit=1000").unwrap();
    let of_ants = |token: &&Value| token["actor"] == "participant:ants";
    let id = tokens["tokens"].as_array().unwrap().iter().find(of_ants).unwrap()["id"].clone();
    let path = format!("/api/v1/tokens/{}", id.as_str().unwrap());
    assert_eq!(admin.send("DELETE", &path, &[], None).unwrap().status, 200);
    assert_eq!(taken_back.next(), None, "the connection ends by itself");
    let position = guess(&stage.server.client(&bees), 1);
    for ear in [&mut kept, &mut public] {
        assert_eq!(ear.next().unwrap().id, Some(position), "nobody else was disturbed");
    }
    let (status, _) = EventListener::open(other.url(), &[STREAM], None, &ants).err().unwrap();
    assert_eq!(status, 401);
    other.stop();
    stage.server.stop();
}
