//! A running task survives a kill to the millisecond, until it closes by itself.

use assize_kernel::{Millis, Moment};
use assize_testbed::client::Client;
use assize_testbed::contest::{Contest, eventually, right_answer, wrong_answer};
use assize_testbed::server::Server;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::assize;
use crate::dice::Dice;

const LIMIT: f64 = 600.0;
const BUFFER: f64 = 10.0;

fn moment(value: &Value) -> Moment {
    value.as_str().unwrap().parse().unwrap()
}

/// The round of the one task, and the server's time with it.
fn round(contest: &Contest) -> (Value, Moment) {
    let seen = contest.seen();
    (seen["tasks"][0]["round"].clone(), moment(&seen["now"]))
}

/// Submits, and sees that receipt, record and verdict agree on how long after the start that was.
fn submit(contest: &Contest, token: &str, answer: &Value, started: Moment) -> Millis {
    let team: Client = contest.admin.with_token(token);
    let (status, judged) = team.post(&contest.path("/tasks/t1/submissions"), answer, None).unwrap();
    assert_eq!(status, 200, "{judged}");
    let elapsed = moment(&judged["receipt"]["at"]) - started;
    let (_, record) =
        contest.admin.get(&format!("/api/v1/records/{}", judged["receipt"]["position"])).unwrap();
    assert_eq!(record["event"]["AnswerJudged"]["elapsed_ms"], elapsed.0, "{record}");
    if judged["verdict"]["outcome"] == "full" {
        assert_eq!(judged["verdict"]["detail"]["elapsed_time"], elapsed.as_seconds(), "{judged}");
        // 50 + 50 × (1 − t ÷ T), in tenths, half up, with whole numbers.
        let limit = Millis::from_seconds(LIMIT).0;
        let tenths = (2 * (1_000 * limit - 500 * elapsed.0) + limit).div_euclid(2 * limit);
        assert_eq!(judged["verdict"]["points"], tenths as f64 / 10.0, "{judged}");
    }
    elapsed
}

#[test]
fn a_running_task_keeps_its_time_across_kills_and_closes_at_the_right_moment() {
    let mut dice = Dice::throw("a_running_task_keeps_its_time_across_kills_and_closes_at_the_right_moment");
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("assize.db");
    let serve = || Server::start(assize(), &["--data", file.to_str().unwrap()]);
    let mut server = serve();
    let token = server.admin_token();
    let mut contest = Contest::open(&server, &token, "spring");
    let teams: Vec<String> = (0..4).map(|team| contest.register(&format!("team-{team}"))).collect();
    let started: Moment = contest.run_task("t1", LIMIT, BUFFER).parse().unwrap();
    let (before, mut now) = round(&contest);
    let mut elapsed = Millis(0);
    for (number, team) in teams.iter().enumerate() {
        submit(&contest, team, &wrong_answer(number as u64), started);
        server.kill();
        dice.wait(0..300);
        server = serve();
        contest = Contest::at(&server, &token, "spring");
        let (after, later) = round(&contest);
        let times =
            |round: &Value| ["started_at", "closes_at", "running", "round"].map(|name| round[name].clone());
        assert_eq!(
            (times(&after), later > now),
            (times(&before), true),
            "the clock goes on, and the round with it"
        );
        now = later;
        let other = contest.register(&format!("other-{number}"));
        let this = submit(&contest, &other, &right_answer(), started);
        assert!(this > elapsed && this >= now - started, "{this:?} after {elapsed:?}");
        elapsed = this;
    }

    // The close is moved to a few seconds from now; whoever is alive then closes at that moment and no other.
    let by = (moment(&before["closes_at"]) - (now + Millis(3_000))).as_seconds().floor();
    contest.must(&contest.path("/tasks/t1/adjust"), &json!({ "by_seconds": -by }));
    let closes =
        started + Millis::from_seconds(LIMIT) + Millis::from_seconds(BUFFER) - Millis::from_seconds(by);
    server.kill();
    server = serve();
    contest = Contest::at(&server, &token, "spring");
    assert_eq!(moment(&round(&contest).0["closes_at"]), closes);
    eventually("the task closes by itself", || round(&contest).0["running"] == false);
    let (closed, now) = round(&contest);
    assert_eq!(moment(&closed["closed_at"]), closes);
    assert!(now >= closes, "it closed before its time");
    let late = contest.admin.with_token(&contest.register("late"));
    let (status, refused) = late.post(&contest.path("/tasks/t1/submissions"), &right_answer(), None).unwrap();
    assert_eq!((status, &refused["code"]), (400, &"contest.task.time_limit_exceeded".into()), "{refused}");
    server.stop();
}
