//! Verdicts that are wanted in a run or on a turn: they come there when the assessors have answered, once, whatever dies
//! on the way.

use std::time::{Duration, Instant};

use assize_testbed::client::Client;
use serde_json::{Value, json};

use crate::oracle::{Oracle, answered, best};
use crate::stage::{BINARY, Stage, codes, summary, wait_for};

pub(crate) const RUN: &str = "/api/v1/summary/runs/nightly";
pub(crate) const SESSION: &str = "/api/v1/radio/classes/spring/sessions/one";
const CALL: &str =
    "Behind the landing Boeing, line up and wait runway one six right behind, Coastal seven three four.";

/// Puts a summary into the run when this model has answered.
pub(crate) fn add(client: &Client, item: &str, number: usize, assessor: &str) -> (u16, Value) {
    let mut body = summary(number);
    body["item"] = json!(item);
    body["model"] = json!("writer");
    body["assessors"] = json!([assessor]);
    client.post(&format!("{RUN}/items"), &body, None).unwrap()
}

/// Waits until the verdict on a submission is where it is wanted, or cannot get there.
#[track_caller]
pub(crate) fn delivered(client: &Client, court: &str, id: u64) -> Value {
    let begun = Instant::now();
    loop {
        let shown = wait_for(client, court, id, "judged");
        if matches!(shown["destination"]["status"].as_str(), Some("delivered" | "refused")) {
            return shown;
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "still {shown}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

pub(crate) fn replay(stage: &Stage) -> Value {
    replay_at(&["--data", stage.path("ledger.db").to_str().unwrap()])
}

/// Every verdict of the ledger that is there, computed again.
pub(crate) fn replay_at(place: &[&str]) -> Value {
    let replay = std::process::Command::new(BINARY).args(["replay", "--json"]).args(place).output().unwrap();
    serde_json::from_slice(&replay.stdout).unwrap()
}

#[test]
fn a_summary_comes_into_its_run_when_its_assessors_have_answered() {
    let oracle = Oracle::always(503, "");
    let stage = Stage::set(&[("kind", &oracle)]);
    let server = stage.serve();
    let admin = server.client(&server.admin_token());
    assert_eq!(admin.post("/api/v1/summary/runs", &json!({ "id": "nightly" }), None).unwrap().0, 201);
    let (status, received) = add(&admin, "one", 7, "kind");
    assert_eq!(status, 202, "{received}");
    let id = received["id"].as_u64().unwrap();
    // A model that is down delays, and nothing stands in the run meanwhile.
    while oracle.asked() == 0 {
        std::thread::sleep(Duration::from_millis(20));
    }
    let (_, shown) = admin.get(&format!("/api/v1/assessments/summary/{id}")).unwrap();
    let expected = json!({ "stream": "summary/nightly", "item": "one", "part": "writer", "status": "waiting", "problem": null });
    assert_eq!((&shown["verdict"], &shown["destination"]), (&Value::Null, &expected));
    assert_eq!(admin.get(&format!("{RUN}/items/one")).unwrap().0, 404);
    assert_eq!(add(&admin, "one", 7, "kind").1["code"], "assessment.waits_already");
    oracle.say(|question| (200, answered(question, &best)));
    let shown = delivered(&admin, "summary", id);
    assert_eq!(shown["destination"]["status"], "delivered");
    let (status, kept) = admin.get(&format!("{RUN}/items/one")).unwrap();
    assert_eq!((status, &kept["verdict"]), (200, &shown["verdict"]), "the same verdict, word for word");
    assert_eq!(kept["verdict"]["assessor"]["name"], "kind");
    assert_eq!(kept["actor"], "system:bench", "{kept}");
    let (_, run) = admin.get(RUN).unwrap();
    assert_eq!(run["models"][0]["model"], "writer", "{run}");
    assert_eq!(add(&admin, "one", 7, "kind").1["code"], "summary.item.exists");
    // Whoever did not get the answer, and asks again, gets it now.
    let mut body = summary(8);
    body["item"] = json!("two");
    body["assessors"] = json!(["kind"]);
    let post = || admin.post(&format!("{RUN}/items"), &body, Some("k-1")).unwrap();
    let (_, second) = post();
    delivered(&admin, "summary", second["id"].as_u64().unwrap());
    let (status, again) = post();
    assert_eq!((status, &again["id"], &again["repeated"]), (202, &second["id"], &json!(true)), "{again}");
    server.stop();
    drop(oracle);
    let found = replay(&stage);
    assert_eq!((&found["verdicts"], &found["same"]), (&json!(4), &json!(4)), "{found}");
}

#[test]
fn a_run_says_when_the_reading_took_over() {
    let oracle = Oracle::always(200, "no idea");
    let stage = Stage::set(&[("lost", &oracle)]);
    let server = stage.serve();
    let admin = server.client(&server.admin_token());
    admin.post("/api/v1/summary/runs", &json!({ "id": "nightly" }), None).unwrap();
    let id = add(&admin, "one", 7, "lost").1["id"].as_u64().unwrap();
    delivered(&admin, "summary", id);
    let (_, kept) = admin.get(&format!("{RUN}/items/one")).unwrap();
    assert_eq!(kept["verdict"]["assessor"]["name"], "reading");
    assert!(codes(&kept["verdict"]).contains(&"assessor.replaced"), "{kept}");
    server.stop();
    let found = replay(&stage);
    assert_eq!((&found["verdicts"], &found["same"]), (&json!(2), &json!(2)), "{found}");
}

#[test]
fn a_run_is_whole_after_kills_and_no_summary_stands_in_it_twice() {
    let many = 12;
    let oracle = Oracle::choosing(best).slow(Duration::from_millis(100));
    let stage = Stage::set(&[("slow", &oracle)]);
    let mut server = stage.serve();
    let token = server.admin_token();
    server.client(&token).post("/api/v1/summary/runs", &json!({ "id": "nightly" }), None).unwrap();
    let client = server.client(&token);
    let ids: Vec<u64> = (0..many)
        .map(|number| add(&client, &format!("item-{number}"), number + 1, "slow").1["id"].as_u64().unwrap())
        .collect();
    for _ in 0..3 {
        std::thread::sleep(Duration::from_millis(150));
        server.kill();
        server = stage.serve();
    }
    let admin = server.client(&token);
    ids.iter()
        .for_each(|id| assert_eq!(delivered(&admin, "summary", *id)["destination"]["status"], "delivered"));
    let (_, list) = admin.get(&format!("{RUN}/items")).unwrap();
    assert_eq!(list["total"], json!(many), "{list}");
    server.stop();
    let found = replay(&stage);
    assert_eq!((&found["verdicts"], &found["same"]), (&json!(2 * many), &json!(2 * many)), "{found}");
}

#[test]
fn what_is_in_the_run_by_other_ways_is_not_replaced() {
    let oracle = Oracle::choosing(best).slow(Duration::from_millis(500));
    let stage = Stage::set(&[("slow", &oracle)]);
    let server = stage.serve();
    let admin = server.client(&server.admin_token());
    admin.post("/api/v1/summary/runs", &json!({ "id": "nightly" }), None).unwrap();
    let id = add(&admin, "one", 7, "slow").1["id"].as_u64().unwrap();
    let mut body = summary(7);
    body["item"] = json!("one");
    let (status, added) = admin.post(&format!("{RUN}/items"), &body, None).unwrap();
    assert_eq!(status, 201, "{added}");
    let shown = delivered(&admin, "summary", id);
    assert_eq!(shown["destination"]["status"], "refused");
    assert!(shown["destination"]["problem"].as_str().unwrap().contains("`one`"), "{shown}");
    let (_, kept) = admin.get(&format!("{RUN}/items/one")).unwrap();
    assert_eq!(kept["verdict"], added["verdict"]);
    server.stop();
}

/// A session with one turn in it.
pub(crate) fn fly(admin: &Client) -> Value {
    admin.post("/api/v1/radio/classes", &json!({ "id": "spring" }), None).unwrap();
    let session = json!({ "id": "one", "student": "ann", "scenario": "conditional-line-up" });
    let (status, opened) = admin.post("/api/v1/radio/classes/spring/sessions", &session, None).unwrap();
    assert_eq!(status, 201, "{opened}");
    let call = json!({ "text": CALL, "student": "ann" });
    let (status, judged) = admin.post(&format!("{SESSION}/turns"), &call, None).unwrap();
    assert_eq!(status, 200, "{judged}");
    judged
}

/// Has the first turn assessed.
fn assess(admin: &Client, assessor: &str) -> u64 {
    let body = json!({ "assessors": [assessor] });
    let (status, received) = admin.post(&format!("{SESSION}/turns/1/assess"), &body, None).unwrap();
    assert_eq!(status, 202, "{received}");
    received["id"].as_u64().unwrap()
}

#[test]
fn a_turn_counts_as_its_reader_heard_it_until_a_model_has_heard_it_too() {
    let oracle = Oracle::choosing(|_| "minor".to_owned());
    let stage = Stage::set(&[("ear", &oracle)]);
    let server = stage.serve();
    let admin = server.client(&server.admin_token());
    let first = fly(&admin);
    let id = assess(&admin, "ear");
    let shown = delivered(&admin, "radio", id);
    assert_eq!(shown["destination"]["status"], "delivered", "{shown}");
    let (_, session) = admin.get(SESSION).unwrap();
    let turn = &session["line"][0];
    assert!(turn.to_string().contains("assessed by ear ear-1"), "{turn}");
    assert_ne!(shown["verdict"]["points"], first["verdict"]["points"]);
    assert_eq!(session["score_total"], shown["verdict"]["points"], "{session}");
    let (status, problem) =
        admin.post(&format!("{SESSION}/turns/2/assess"), &json!({ "assessors": ["ear"] }), None).unwrap();
    assert_eq!(status, 404, "{problem}");
    server.stop();
    let found = replay(&stage);
    assert_eq!((&found["verdicts"], &found["same"]), (&json!(3), &json!(3)), "{found}");
}

#[test]
fn a_model_that_cannot_be_used_leaves_a_turn_as_it_was_and_nobody_speaks_after_an_instructor() {
    let oracle = Oracle::always(200, "no idea");
    let stage = Stage::set(&[("ear", &oracle)]);
    let server = stage.serve();
    let admin = server.client(&server.admin_token());
    let first = fly(&admin);
    let shown = delivered(&admin, "radio", assess(&admin, "ear"));
    let problem = shown["destination"]["problem"].as_str().unwrap();
    assert!(problem.starts_with("the reader's verdict stands: `ear` gave no findings"), "{problem}");
    let (_, session) = admin.get(SESSION).unwrap();
    assert_eq!(session["score_total"], first["session"]["score_total"]);
    oracle.say(|question| (200, answered(question, &|_| "right".to_owned())));
    let overrule = json!({ "reason": "heard it live", "findings": { "by": "person", "components": [] } });
    let (status, overruled) = admin.post(&format!("{SESSION}/turns/1/overrule"), &overrule, None).unwrap();
    assert_eq!(status, 200, "{overruled}");
    let shown = delivered(&admin, "radio", assess(&admin, "ear"));
    assert_eq!(shown["destination"]["status"], "refused");
    assert!(
        shown["destination"]["problem"].as_str().unwrap().contains("an instructor has overruled"),
        "{shown}"
    );
    server.stop();
}
