//! Servers and receivers that crash: every delivery arrives, in order.

use std::time::Duration;

use assize_testbed::contest::{Contest, eventually, within};
use assize_testbed::postgres::Cluster;
use assize_testbed::receiver::Receiver;
use assize_testbed::server::Server;

use crate::stage::{FAST, Stage, add, all_arrive, assize, is_signed, listed, submit, taken, to_be_told};

#[test]
fn nothing_is_lost_or_out_of_order_when_the_server_is_killed_and_the_receiver_is_away() {
    let mut stage = Stage::set(FAST);
    let mut receiver = Receiver::start();
    let address = receiver.address();
    let hook = stage.add(&receiver.url(), &["contest/spring"]);
    let contest = stage.contest("spring");
    let token = contest.register("ants");
    contest.run_task("1", 3600.0, 0.0);
    for round in 0..3 {
        let contest = Contest::at(&stage.server, &stage.token, "spring");
        let ants = stage.server.client(&token);
        submit(&contest, &ants, round * 100, 30);
        eventually("some arrive", || !taken(&receiver).is_empty());
        let heard = receiver.received();
        drop(receiver);
        submit(&contest, &ants, round * 100 + 50, 10);
        let expected = to_be_told(&stage.admin());
        stage = stage.crash();
        heard.iter().for_each(|one| is_signed(one, &hook));
        receiver = Receiver::start_at(address, |_| (200, String::new()));
        let before: Vec<u64> = heard.iter().map(|one| one.position()).collect();
        let last = *expected.last().unwrap();
        eventually("the rest arrives", || taken(&receiver).last() == Some(&last));
        let mut all = before;
        all.extend(taken(&receiver));
        let mut first_heard = Vec::new();
        for position in all {
            if !first_heard.contains(&position) {
                first_heard.push(position);
            }
        }
        let start = expected.iter().position(|position| *position == first_heard[0]).unwrap();
        assert_eq!(first_heard, expected[start..], "round {round}");
        assert!(start == 0 || round > 0, "the first round begins at the beginning");
        eventually("it is written down", || stage.listed(&hook)["position"] == last);
    }
}

#[test]
fn one_of_two_servers_delivers_and_the_other_takes_over_when_it_is_killed() {
    let cluster = Cluster::start(true);
    let address = cluster.database();
    let serve = || {
        let hooks = ["--webhooks-allow-private", "--webhooks-second", FAST];
        Server::start(assize(), &[&["--postgres", &address], hooks.as_slice()].concat())
    };
    let first = serve();
    let token = first.admin_token();
    let second = serve();
    let receiver = Receiver::start();
    let hook = add(&first.client(&token), &receiver.url(), &["contest/spring"]);
    let contest = Contest::open(&second, &token, "spring");
    let ants = contest.register("ants");
    contest.run_task("1", 3600.0, 0.0);
    submit(&contest, &second.client(&ants), 0, 20);
    let expected = all_arrive(&receiver, &second.client(&token));
    assert!(!within(Duration::from_millis(500), || receiver.received().len() > expected.len()), "each once");
    receiver.received().iter().for_each(|one| is_signed(one, &hook));

    // Whichever of them delivers is gone, as is the other one by turns.
    first.kill();
    submit(&contest, &second.client(&ants), 100, 20);
    all_arrive(&receiver, &second.client(&token));
    let third = serve();
    second.kill();
    let contest = Contest::at(&third, &token, "spring");
    submit(&contest, &third.client(&ants), 200, 20);
    let admin = third.client(&token);
    let expected = all_arrive(&receiver, &admin);
    let last = *expected.last().unwrap();
    eventually("it is written down", || listed(&admin, &hook)["position"] == last);
    third.stop();
}

#[test]
fn a_server_that_is_stopped_hands_over_at_once_and_sends_nothing_twice() {
    let stage = Stage::set(FAST);
    let receiver = Receiver::start();
    stage.add(&receiver.url(), &["contest/spring"]);
    let contest = stage.contest("spring");
    drop(contest.register("ants"));
    all_arrive(&receiver, &stage.admin());
    let again = stage.restart();
    let contest = Contest::at(&again.server, &again.token, "spring");
    drop(contest.register("bees"));
    let expected = all_arrive(&receiver, &again.admin());
    assert_eq!(receiver.received().len(), expected.len(), "nothing came twice");
}
