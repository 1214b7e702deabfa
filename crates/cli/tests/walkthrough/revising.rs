//! Revisions: preview, adoption with a reason, and no leak of the unadopted result.

use std::path::Path;

use assize_testbed::client::Client;
use assize_testbed::contest::{Contest, eventually, right_answer, wrong_answer};
use assize_testbed::ear::EventListener;
use assize_testbed::postgres::Cluster;
use assize_testbed::server::Server;
use serde_json::{Value, json};

use crate::stage::{MOMENTS, Stage, TEXT, VIDEO, guess, right};

const REASON: &str = "the-reason-of-the-jury";

fn position(answer: &Value) -> u64 {
    answer["receipt"]["position"].as_u64().unwrap()
}

fn participants(board: &[Value]) -> Vec<&str> {
    board.iter().map(|row| row["participant"].as_str().unwrap()).collect()
}

fn overrule(by: &Client, contest: &Contest, position: u64, outcome: &str) -> (u16, Value) {
    let path = contest.path(&format!("/submissions/{position}/overrule"));
    by.post(&path, &json!({ "outcome": outcome, "reason": REASON }), None).unwrap()
}

#[test]
fn a_corrected_ground_truth_is_looked_at_and_then_adopted() {
    let stage = Stage::running();
    let (admin, contest) = (&stage.contest.admin, &stage.contest);
    let (_, first) = stage.submit(&stage.ants, &right(), None);
    let other = json!({ "text": format!("QA-cornflower-{VIDEO}-{},{}", MOMENTS[0], MOMENTS[1]) });
    let (_, second) = stage.submit(&stage.bees, &other, None);
    assert_eq!(participants(&contest.board(None).1), ["ants", "bees"]);

    let amendments = json!([{ "CorrectTask": { "task": "q1", "answer": "cornflower" } }]);
    let rejudge = "/api/v1/streams/contest/spring/rejudge";
    let before = stage.position();
    let report = contest.must(rejudge, &json!({ "amendments": amendments }));
    assert_eq!((stage.position(), &report["verdicts"]), (before, &json!(2)), "nothing is recorded");
    let changed = |index: usize| {
        let each = &report["changed"][index];
        let outcome = |side: &str| each[side]["outcome"].as_str().unwrap().to_owned();
        (each["position"].as_u64().unwrap(), outcome("before"), outcome("after"))
    };
    assert_eq!(changed(0), (position(&first), "full".into(), "incorrect".into()));
    assert_eq!(changed(1), (position(&second), "incorrect".into(), "full".into()));
    let moves = &report["boards"][0]["moves"];
    assert_eq!((&moves[0]["participant"], &moves[0]["before"]["rank"]), (&json!("bees"), &json!(2)));
    assert_eq!(moves[0]["after"]["rank"], 1);

    let adopt = json!({ "amendments": amendments, "reason": REASON, "seen": report["position"] });
    let revisions = "/api/v1/streams/contest/spring/revisions";
    let (status, adopted) = admin.post(revisions, &adopt, Some("once")).unwrap();
    assert_eq!((status, &adopted["event"]["HistoryRevised"]["reason"]), (201, &json!(REASON)));
    let (status, again) = admin.post(revisions, &adopt, Some("once")).unwrap();
    assert_eq!((status, &again["receipt"], &again["repeated"]), (201, &adopted["receipt"], &json!(true)));
    assert_eq!(participants(&contest.board(None).1), ["bees", "ants"]);
    let (status, problem) = admin.post(revisions, &adopt, None).unwrap();
    assert_eq!((status, &problem["code"]), (409, &json!("revision.stale")));
    let (status, problem) =
        admin.post(revisions, &json!({ "amendments": amendments, "reason": REASON }), None).unwrap();
    assert_eq!((status, &problem["code"]), (409, &json!("revision.nothing")));
    assert_eq!(admin.post("/api/v1/streams/contest/none/rejudge", &json!({}), None).unwrap().0, 404);
    assert_eq!(admin.post("/api/v1/streams/moot/spring/rejudge", &json!({}), None).unwrap().0, 404);
    stage.end();
}

#[test]
fn a_team_sees_the_old_verdict_and_the_new_one_with_the_reason() {
    let stage = Stage::running();
    let (_, judged) = stage.submit(&stage.ants, &guess("violet"), None);
    let own = format!("/api/v1/records/{}", position(&judged));
    assert_eq!(stage.ants.get(&own).unwrap().1["revision"], Value::Null);
    let (status, ruled) = overrule(&stage.contest.admin, &stage.contest, position(&judged), "full");
    assert_eq!((status, &ruled["verdict"]["outcome"]), (200, &json!("full")), "{ruled}");
    let (_, record) = stage.ants.get(&own).unwrap();
    assert_eq!(record["verdict"], judged["verdict"], "what was told at the time stays readable");
    let revision = &record["revision"];
    assert_eq!((&revision["verdict"], &revision["receipt"]), (&ruled["verdict"], &ruled["receipt"]));
    let verdict = &revision["verdict"];
    assert_eq!(verdict["reasons"][0]["code"], "contest.judge.right");
    assert_eq!(verdict["reasons"][0]["evidence"][1]["text"], REASON);
    assert_eq!(verdict["assessor"]["name"], "admin:organiser");
    assert_eq!(stage.bees.get(&own).unwrap().0, 404);
    let of_judges = format!("/api/v1/records/{}", position(&ruled));
    assert_eq!(stage.ants.get(&of_judges).unwrap().0, 404);
    let (status, problem) = stage.submit(&stage.ants, &right(), None);
    assert_eq!((status, &problem["code"]), (409, &json!("contest.task.already_completed")));
    for nothing in [1, 999] {
        assert_eq!(overrule(&stage.contest.admin, &stage.contest, nothing, "full").0, 404);
    }
    assert_eq!(overrule(&stage.ants, &stage.contest, position(&judged), "full").0, 403);
    stage.end();
}

#[test]
fn what_is_ruled_during_a_freeze_is_heard_by_the_team_and_not_by_the_public() {
    let stage = Stage::running();
    let (contest, url) = (&stage.contest, format!("http://{}", stage.address()));
    contest.must(&contest.path("/boards/freeze"), &json!({}));
    let (_, judged) = stage.submit(&stage.ants, &guess("violet"), None);
    let public_board = || stage.nobody.get(&contest.path("/board")).unwrap();
    let topics = ["contest/spring", "board/contest/spring"];
    let mut ears = ["", &stage.bees.token, &stage.ants.token, &contest.admin.token]
        .map(|token| EventListener::open(&url, &topics, None, token).unwrap());
    let before = public_board();
    overrule(&contest.admin, contest, position(&judged), "full");
    assert_eq!(public_board(), before);
    let thawed = position(&contest.must(&contest.path("/boards/unfreeze"), &json!({})));
    let heard = ears.each_mut().map(|ear| {
        let all: Vec<_> =
            std::iter::from_fn(|| ear.next()).take_while(|heard| heard.id != Some(thawed)).collect();
        let kinds: Vec<_> = all.iter().map(|heard| heard.event.clone()).collect();
        (kinds, format!("{all:?}"))
    });
    for (index, (kinds, said)) in heard.iter().enumerate() {
        assert!(kinds.contains(&"HistoryRevised".to_owned()), "{kinds:?}");
        let concerned = index >= 2;
        assert_eq!(kinds.contains(&"RecordRevised".to_owned()), concerned, "{index}: {kinds:?}");
        for secret in [REASON, TEXT, VIDEO, "full"] {
            assert!(!said.contains(secret), "`{secret}` is given away: {said}");
        }
    }
    assert!(heard[3].1.contains("\"points\": Number(1"), "organisers hear of the board: {}", heard[3].1);
    assert_eq!(contest.board(None).1[0]["participant"], "ants");
    stage.end();
}

#[test]
fn another_process_over_the_same_database_follows() {
    let address = Cluster::shared().database();
    let serve = || Server::start(Path::new(env!("CARGO_BIN_EXE_assize")), &["--postgres", &address]);
    let one = serve();
    let contest = Contest::open(&one, &one.admin_token(), "spring");
    let [ants, bees] = ["ants", "bees"].map(|team| one.client(&contest.register(team)));
    contest.run_task("t1", 3_600.0, 10.0);
    let submit = |team: &Client, answer: &Value| {
        position(&team.post(&contest.path("/tasks/t1/submissions"), answer, None).unwrap().1)
    };
    let first = submit(&ants, &wrong_answer(1));
    submit(&bees, &right_answer());
    let two = serve();
    let elsewhere = Contest::at(&two, &contest.admin.token, "spring");
    assert_eq!(participants(&elsewhere.board(None).1), ["bees", "ants"]);
    assert_eq!(overrule(&contest.admin, &contest, first, "full").0, 200);
    eventually("the ants lead at the other process too", || {
        participants(&elsewhere.board(None).1) == ["ants", "bees"]
    });
    let record = format!("/api/v1/records/{first}");
    let seen = |client: &Client| client.get(&record).unwrap().1["revision"].clone();
    assert_eq!(seen(&elsewhere.admin)["verdict"]["outcome"], "full");
    assert_eq!(seen(&elsewhere.admin), seen(&contest.admin));
    // Taken back there, and seen here.
    assert_eq!(overrule(&elsewhere.admin, &elsewhere, first, "incorrect").0, 200);
    eventually("the bees lead again", || participants(&contest.board(None).1) == ["bees", "ants"]);
    two.stop();
    one.stop();
}
