//! Tasks without ground truth, judged by people.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Mutex;
use std::thread;

use assize_testbed::client::Client;
use assize_testbed::contest::Contest;
use assize_testbed::ear::EventListener;
use assize_testbed::postgres::Cluster;
use assize_testbed::server::Server;
use serde_json::{Value, json};

use crate::stage::Stage;

/// A contest with a running task that people judge.
fn ask(contest: &Contest) {
    contest.must(&contest.path("/tasks"), &json!({ "id": "p1", "type": "KIS" }));
    contest.start_task("p1", 3_600.0, 10.0);
}

fn judge(server: &Client, admin: &Client, name: &str) -> Client {
    let (status, issued) =
        admin.post("/api/v1/tokens", &json!({ "name": name, "role": "judge" }), None).unwrap();
    assert_eq!(status, 201, "{issued}");
    server.with_token(issued["token"].as_str().unwrap())
}

fn send(contest: &Contest, team: &Client, start: u64) -> (u16, Value) {
    let answer = json!({ "answerSets": [{ "answers": [{ "mediaItemName": "V1", "start": start }] }] });
    team.post(&contest.path("/tasks/p1/submissions"), &answer, None).unwrap()
}

fn number(received: &Value) -> u64 {
    received["answer"].as_u64().unwrap()
}

#[test]
fn an_answer_waits_is_taken_by_one_judge_and_decided_for_all_who_gave_it() {
    let stage = Stage::set();
    let contest = &stage.contest;
    ask(contest);
    let [anna, ben] = ["anna", "ben"].map(|name| judge(&stage.nobody, &contest.admin, name));
    let (status, received) = send(contest, &stage.ants, 73_915);
    assert_eq!(
        (status, &received["outcome"], &received["verdict"]),
        (202, &json!("undecided"), &Value::Null)
    );
    let answer = number(&received);
    let (_, again) = send(contest, &stage.ants, 73_915);
    assert_eq!((number(&again), &again["repeated"]), (answer, &json!(true)));
    let bees = number(&send(contest, &stage.bees, 73_915).1);

    let (_, seen) = stage.nobody.get(&contest.path("")).unwrap();
    let task = &seen["tasks"][1];
    assert_eq!((&task["judged_by_people"], &task["round"]["waiting"]), (&json!(true), &json!(2)));
    let (_, queue) = anna.get(&contest.path("/queue?limit=1")).unwrap();
    assert_eq!(
        (&queue["total"], &queue["held"], &queue["answers"][0]["answer"]),
        (&json!(2), &json!(0), &json!(answer))
    );

    let (status, taken) = anna.post(&contest.path("/queue/take"), &json!({}), None).unwrap();
    assert_eq!((status, &taken["held"]["answers"][0]["start"]), (200, &json!(73_915)), "{taken}");
    assert_eq!((&taken["held"]["answer"], &taken["held"]["held_by"]), (&json!(answer), &json!("judge:anna")));
    assert!(!taken.to_string().contains("ants"), "whose it is does not matter: {taken}");
    let (status, nothing) = ben.post(&contest.path("/queue/take"), &json!({}), None).unwrap();
    assert_eq!(
        (status, &nothing["code"]),
        (404, &json!("contest.queue.empty")),
        "the bees' is the same answer"
    );
    let decide = |judge: &Client, answer: u64, word: Value| {
        judge.post(&contest.path(&format!("/queue/{answer}/decide")), &word, None).unwrap()
    };
    let (status, refused) = decide(&ben, answer, json!({ "outcome": "full" }));
    assert_eq!((status, &refused["code"]), (409, &json!("contest.answer.not_held")));
    let own = |client: &Client| client.get(&contest.path(&format!("/answers/{answer}"))).unwrap();
    assert_eq!((own(&stage.ants).1["status"].clone(), own(&stage.bees).0), (json!("waiting"), 404));

    let (status, settled) = decide(&anna, answer, json!({ "outcome": "full", "note": "well seen" }));
    assert_eq!((status, &settled["also_settled"]), (200, &json!(1)), "{settled}");
    let verdict = &settled["verdict"];
    assert_eq!((&verdict["outcome"], &verdict["assessor"]["name"]), (&json!("full"), &json!("judge:anna")));
    let (_, told) = own(&stage.ants);
    assert_eq!(
        (&told["status"], &told["verdict"], &told["settled"]),
        (&json!("judged"), verdict, &settled["receipt"])
    );
    let (_, told) = stage.bees.get(&contest.path(&format!("/answers/{bees}"))).unwrap();
    assert_eq!((&told["status"], &told["verdict"]["outcome"]), (&json!("judged"), &json!("full")));
    let rows = contest.board(Some("p1")).1;
    assert_eq!(rows.len(), 2, "both have scored: {rows:?}");
    let (status, late) = decide(&anna, bees, json!({ "outcome": "incorrect" }));
    assert_eq!((status, &late["code"]), (409, &json!("contest.answer.decided")));
    stage.end();
}

#[test]
fn judges_hear_what_arrives_the_public_hears_what_was_decided_and_a_freeze_hides_it() {
    let stage = Stage::set();
    let contest = &stage.contest;
    ask(contest);
    let anna = judge(&stage.nobody, &contest.admin, "anna");
    let url = format!("http://{}", stage.address());
    let listen = |token: &str| EventListener::open(&url, &["contest/spring"], None, token).unwrap();
    let (mut judges, mut public, mut team) = (listen(&anna.token), listen(""), listen(&stage.ants.token));
    let first = number(&send(contest, &stage.ants, 73_915).1);
    let second = number(&send(contest, &stage.ants, 73_916).1);
    assert_eq!(judges.wait_for("AnswerReceived").data["answer"], first);
    contest.must(&contest.path("/boards/freeze"), &json!({}));
    assert_eq!(contest.seen()["tasks"][1]["round"]["waiting"], Value::Null, "counts are hidden");
    anna.post(&contest.path("/queue/take"), &json!({}), None).unwrap();
    anna.post(&contest.path(&format!("/queue/{first}/decide")), &json!({ "outcome": "full" }), None).unwrap();
    for ear in [&mut public, &mut team] {
        let heard = loop {
            let heard = ear.next().unwrap();
            assert!(!["AnswerReceived", "AnswerTaken"].contains(&heard.event.as_str()), "{heard:?}");
            assert!(!heard.data.to_string().contains("73915"), "{heard:?}");
            if heard.event == "AnswerJudged" {
                break heard;
            }
        };
        assert_eq!((&heard.data["answer"], &heard.data["outcome"]), (&json!(first), &Value::Null));
    }
    assert_eq!(team.wait_for("AnswerSetAside").data["answer"], second, "an earlier one was right");
    let (_, told) = stage.ants.get(&contest.path(&format!("/answers/{first}"))).unwrap();
    assert_eq!(told["verdict"]["outcome"], "full", "its own team is told during a freeze too");
    let (_, told) = stage.ants.get(&contest.path(&format!("/answers/{second}"))).unwrap();
    assert_eq!((&told["status"], &told["verdict"]), (&json!("set_aside"), &Value::Null));
    contest.must(&contest.path("/boards/unfreeze"), &json!({}));
    let last = contest.board(None).0;
    let mut public = EventListener::open(&url, &["contest/spring"], Some(0), "").unwrap();
    while public.next().unwrap().id != Some(last) {}
    stage.end();
}

#[test]
fn judges_at_two_servers_over_one_database_never_hold_the_same_answer() {
    const ANSWERS: u64 = 30;
    let address = Cluster::shared().database();
    let servers =
        [(); 2].map(|()| Server::start(Path::new(env!("CARGO_BIN_EXE_assize")), &["--postgres", &address]));
    let contest = Contest::open(&servers[0], &servers[0].admin_token(), "spring");
    ask(&contest);
    for team in 0..ANSWERS {
        let team = servers[0].client(&contest.register(&format!("team-{team}")));
        assert_eq!(send(&contest, &team, 1_000 + ANSWERS).0, 202);
        assert_eq!(send(&contest, &team, u64::from_str_radix(&team.token[..8], 16).unwrap()).0, 202);
    }
    let decided = Mutex::new(BTreeSet::new());
    let work = |judge: Client| loop {
        let (status, taken) = judge.post(&contest.path("/queue/take"), &json!({}), None).unwrap();
        if status == 404 {
            break;
        }
        let answer = &taken["held"]["answer"];
        let path = contest.path(&format!("/queue/{answer}/decide"));
        let (status, settled) = judge.post(&path, &json!({ "outcome": "incorrect" }), None).unwrap();
        assert_eq!(status, 200, "who holds an answer decides it: {settled}");
        assert!(decided.lock().unwrap().insert(answer.as_u64()), "{answer} was held by two");
    };
    let judges: Vec<Client> = (0..6)
        .map(|number| judge(&servers[number % 2].client(""), &contest.admin, &format!("judge-{number}")))
        .collect();
    // Who finds nothing may come back while others still decide what holds the rest up.
    while contest.seen()["tasks"][0]["round"]["waiting"] != 0 {
        thread::scope(|scope| {
            judges.iter().for_each(|judge| _ = scope.spawn(|| work(judge.with_token(&judge.token))))
        });
    }
    let decided = decided.into_inner().unwrap().len() as u64;
    assert_eq!(decided, 1 + ANSWERS, "what all had given was decided once, everything else one by one");
    for server in servers {
        server.stop();
    }
}
