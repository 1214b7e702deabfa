//! Receivers that fail, hang, unsubscribe or are given up.

use std::time::{Duration, Instant};

use assize_testbed::contest::{eventually, within};
use assize_testbed::receiver::Receiver;
use serde_json::{Value, json};

use crate::stage::{FAST, SLOW, Stage, VERY_FAST, all_arrive, is_signed, submit, taken, to_be_told};

#[test]
fn what_fails_is_tried_again_under_the_same_id_and_nothing_overtakes_it() {
    let stage = Stage::set(FAST);
    let receiver = Receiver::start();
    receiver.answer(|number| (if number < 3 { 500 } else { 200 }, String::new()));
    let hook = stage.add(&receiver.url(), &["contest/spring"]);
    let contest = stage.contest("spring");
    drop(contest.register("ants"));
    let told = all_arrive(&receiver, &stage.admin());
    let received = receiver.received();
    received.iter().for_each(|one| is_signed(one, &hook));
    let ids: Vec<&str> = received.iter().map(|one| one.header("assize-delivery")).collect();
    let (first, second) = (format!("{}-{}", hook.id, told[0]), format!("{}-{}", hook.id, told[1]));
    assert_eq!(ids, [&first, &first, &first, &first, &second]);
    eventually("that is written down", || stage.listed(&hook)["position"].as_u64().unwrap() >= told[1]);
    let listed = stage.listed(&hook);
    assert_eq!((&listed["state"], &listed["attempts"]), (&json!("active"), &json!(0)));
    assert_eq!(listed["last_error"]["error"], "the receiver answered 500");
    assert!(listed["last_success"].is_string() && listed["next_attempt"].is_null(), "{listed}");
}

#[test]
fn what_is_given_up_is_listed_and_can_be_sent_again() {
    let stage = Stage::set(VERY_FAST);
    let receiver = Receiver::start();
    receiver.answer(|number| (if number < 11 { 500 } else { 200 }, String::new()));
    let hook = stage.add(&receiver.url(), &["contest/spring"]);
    let contest = stage.contest("spring");
    drop(contest.register("ants"));
    let told = to_be_told(&stage.admin());
    eventually("the second arrives", || taken(&receiver) == told[1..]);
    let path = format!("/api/v1/webhooks/{}/dead", hook.id);
    let dead = || stage.admin().get(&path).unwrap().1["dead_letters"].as_array().unwrap().clone();
    eventually("it is listed", || {
        dead().len() == 1 && stage.listed(&hook)["position"].as_u64().unwrap() >= told[1]
    });
    let letter = dead().remove(0);
    let id = format!("{}-{}", hook.id, told[0]);
    assert_eq!((&letter["delivery"], &letter["attempts"]), (&json!(id), &json!(11)), "{letter}");
    assert_eq!(stage.listed(&hook)["dead_letters"], 1);

    let retry = format!("{path}/{id}/retry");
    receiver.answer(|_| (503, String::new()));
    let (status, tried) = stage.admin().post(&retry, &json!({}), None).unwrap();
    assert_eq!((status, &tried["delivered"]), (200, &json!(false)), "{tried}");
    assert_eq!(dead()[0]["error"], "the receiver answered 503");
    receiver.answer(|_| (200, String::new()));
    let (_, tried) = stage.admin().post(&retry, &json!({}), None).unwrap();
    assert_eq!((&tried["delivered"], &tried["delivery"]), (&json!(true), &json!(id)), "{tried}");
    assert_eq!((taken(&receiver), dead()), (vec![told[1], told[0]], vec![]));
    let (status, _) = stage.admin().post(&retry, &json!({}), None).unwrap();
    assert_eq!(status, 404);
}

#[test]
fn a_receiver_that_wants_nothing_more_pauses_its_webhook() {
    let stage = Stage::set(FAST);
    let receiver = Receiver::start();
    receiver.answer(|_| (410, String::new()));
    let hook = stage.add(&receiver.url(), &["contest/spring"]);
    let contest = stage.contest("spring");
    eventually("it is paused", || stage.listed(&hook)["state"] == "paused");
    drop(contest.register("ants"));
    assert!(!within(Duration::from_millis(300), || receiver.received().len() > 1));
    receiver.answer(|_| (200, String::new()));
    let (status, resumed) =
        stage.admin().post(&format!("/api/v1/webhooks/{}/resume", hook.id), &json!({}), None).unwrap();
    assert_eq!((status, &resumed["state"]), (200, &json!("active")));
    eventually("both arrive", || taken(&receiver).len() == 2);
    assert!(taken(&receiver).is_sorted());
}

#[test]
fn resuming_tries_at_once_what_would_have_had_to_wait() {
    let stage = Stage::set(SLOW);
    let receiver = Receiver::start();
    receiver.answer(|number| (if number == 0 { 500 } else { 200 }, String::new()));
    let hook = stage.add(&receiver.url(), &["contest/spring"]);
    drop(stage.contest("spring"));
    eventually("it has failed", || stage.listed(&hook)["attempts"] == 1);
    assert!(stage.listed(&hook)["next_attempt"].is_string());
    let resume = format!("/api/v1/webhooks/{}/resume", hook.id);
    stage.admin().post(&resume, &json!({}), None).unwrap();
    assert!(within(Duration::from_secs(30), || taken(&receiver).len() == 1), "an hour is far longer");
}

#[test]
fn a_receiver_that_hangs_holds_up_nobody_and_not_the_end() {
    let stage = Stage::set(FAST);
    let hanging = Receiver::start();
    hanging.answer(|_| {
        std::thread::sleep(Duration::from_secs(20));
        (200, String::new())
    });
    let receiver = Receiver::start();
    stage.add(&hanging.url(), &["contest"]);
    stage.add(&receiver.url(), &["contest"]);
    let contest = stage.contest("spring");
    let ants = stage.server.client(&contest.register("ants"));
    contest.run_task("1", 60.0, 0.0);
    submit(&contest, &ants, 1, 20);
    all_arrive(&receiver, &stage.admin());
    let began = Instant::now();
    stage.server.stop();
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    std::mem::forget(hanging);
}

#[test]
fn private_networks_are_closed_unless_they_are_opened() {
    let server = assize_testbed::server::Server::start(crate::stage::assize(), &["--ephemeral"]);
    let admin = server.client(&server.admin_token());
    let receiver = Receiver::start();
    let add = |url: &str| {
        let about = json!({ "url": url, "topics": ["contest"] });
        admin.post("/api/v1/webhooks", &about, None).unwrap()
    };
    for url in [receiver.url().as_str(), "http://[::1]/", "http://10.0.0.1/", "https://169.254.169.254/"] {
        let (status, problem) = add(url);
        assert_eq!((status, &problem["code"]), (400, &json!("webhook.url.private")), "{url}");
    }
    // A name says where it leads only when it is asked, and then that is seen.
    let (status, added) = add(&format!("http://localhost:{}/", receiver.address().port()));
    assert_eq!(status, 201, "{added}");
    let id = added["webhook"]["id"].as_str().unwrap();
    let (_, tried) = admin.post(&format!("/api/v1/webhooks/{id}/test"), &json!({}), None).unwrap();
    assert_eq!(tried["delivered"], false);
    let error = tried["error"].as_str().unwrap();
    assert!(error.starts_with("the address leads into a private network"), "{error}");
    assert_eq!(receiver.received().len(), 0, "nobody was spoken to");
    assert_eq!(added["webhook"]["last_error"], Value::Null);
}
