//! Pending submissions: recorded before a model is asked, never lost, judged once.

use std::time::{Duration, Instant};

use assize_testbed::ear::EventListener;
use serde_json::{Value, json};

use crate::judging::quest;
use crate::oracle::{Oracle, answered, best};
use crate::stage::{BINARY, Stage, codes, submit, summary, wait_for};

#[test]
fn a_submission_is_received_assessed_and_judged_and_replay_asks_nobody() {
    let oracle = Oracle::choosing(best);
    let stage = Stage::set(&[("kind", &oracle)]);
    let server = stage.serve();
    let admin = server.client(&server.admin_token());
    let id = submit(&admin, "summary", &json!({ "document": summary(7), "assessors": ["kind"] }));
    let judged = wait_for(&admin, "summary", id, "judged");
    assert_eq!(judged["verdict"]["assessor"]["name"], "kind");
    // Received, begun, reported, judged: the report has both sides word for word.
    let position = judged["receipt"]["position"].as_u64().unwrap();
    let (_, report) = admin.get(&format!("/api/v1/records/{}", position - 1)).unwrap();
    assert_eq!(report["kind"], "FindingsReported");
    let said = &report["event"]["FindingsReported"]["exchanges"][0];
    assert!(said["request"].as_str().unwrap().contains("json_schema"), "{said}");
    assert!(said["answer"].as_str().unwrap().contains("choices"));
    let same = submit(&admin, "summary", &json!({ "document": summary(7), "assessors": ["kind"] }));
    let again = wait_for(&admin, "summary", same, "judged");
    assert_eq!(again["verdict"]["points"], judged["verdict"]["points"]);
    assert_eq!(oracle.asked(), 1, "the same question is not asked twice");
    server.stop();
    drop(oracle);
    let data = stage.path("ledger.db");
    let replay =
        std::process::Command::new(BINARY).args(["replay", "--json", "--data"]).arg(data).output().unwrap();
    let found: Value = serde_json::from_slice(&replay.stdout).unwrap();
    assert_eq!((&found["verdicts"], &found["same"]), (&json!(2), &json!(2)), "{found}");
}

#[test]
fn a_model_that_is_down_delays_and_condemns_nobody() {
    let oracle = Oracle::always(503, "");
    let stage = Stage::set(&[("tired", &oracle)]);
    let server = stage.serve();
    let admin = server.client(&server.admin_token());
    let id = submit(
        &admin,
        "radio",
        &json!({
            "document": { "controller": "G-ABCD, runway 27, cleared to land", "pilot": "Cleared to land runway 27, G-ABCD" },
            "assessors": ["tired"]
        }),
    );
    let begun = Instant::now();
    while oracle.asked() < 2 {
        assert!(begun.elapsed() < Duration::from_secs(30), "it is asked again");
        std::thread::sleep(Duration::from_millis(20));
    }
    let (_, shown) = admin.get(&format!("/api/v1/assessments/radio/{id}")).unwrap();
    assert_eq!(shown["verdict"], Value::Null);
    oracle.say(|question| (200, answered(question, &|_| "right".to_owned())));
    let judged = wait_for(&admin, "radio", id, "judged");
    assert_eq!(judged["verdict"]["outcome"], "accepted");
    server.stop();
}

#[test]
fn whoever_listens_hears_how_far_it_has_come() {
    let oracle = Oracle::choosing(|_| "right".to_owned()).slow(Duration::from_millis(300));
    let stage = Stage::set(&[("slow", &oracle)]);
    let server = stage.serve();
    let token = server.admin_token();
    let admin = server.client(&token);
    let document = json!({ "controller": "G-ABCD, runway 27, cleared to land", "pilot": "Cleared to land runway 27, G-ABCD" });
    let id = submit(&admin, "radio", &json!({ "document": document, "assessors": ["slow"] }));
    let (_, received) = admin.get(&format!("/api/v1/records/{id}")).unwrap();
    let stream = received["stream"].as_str().unwrap();
    let mut ear = EventListener::open(server.url(), &[stream], Some(id - 1), &token).unwrap();
    for event in ["SubmissionReceived", "AssessmentBegun", "FindingsReported", "SubmissionJudged"] {
        let heard = ear.wait_for(event);
        assert!(!format!("{:?}", heard.data).contains("cleared"), "nothing of what was said is told");
    }
    server.stop();
}

#[test]
fn an_answer_that_cannot_be_used_is_replaced_and_recorded() {
    let oracle = Oracle::always(200, "no idea");
    let stage = Stage::set(&[("lost", &oracle)]);
    let server = stage.serve();
    let admin = server.client(&server.admin_token());
    let id = submit(&admin, "summary", &json!({ "document": summary(7), "assessors": ["lost"] }));
    let judged = wait_for(&admin, "summary", id, "judged");
    assert_eq!(judged["verdict"]["assessor"]["name"], "reading");
    assert!(codes(&judged["verdict"]).contains(&"assessor.replaced"), "{judged}");
    assert_eq!(oracle.asked(), 2, "once, and once more");
    server.stop();
}

#[test]
fn what_people_wrote_about_themselves_does_not_enter_the_chain() {
    let oracle = Oracle::choosing(|item| item["labels"][0].as_str().unwrap().to_owned());
    let stage = Stage::set(&[("kind", &oracle)]);
    let server = stage.serve();
    let admin = server.client(&server.admin_token());
    let body = json!({ "document": quest("my secret knee hurts"), "assessors": ["kind"] });
    let id = submit(&admin, "quest", &body);
    wait_for(&admin, "quest", id, "judged");
    assert!(oracle.questions()[0].to_string().contains("my secret knee"), "the model was told");
    server.stop();
    let data = stage.path("ledger.db");
    let ledger = rusqlite::Connection::open(data).unwrap();
    let mut held = 0;
    for table in ["records", "blobs"] {
        let columns: Vec<String> = ledger
            .prepare(&format!("select name from pragma_table_info('{table}')"))
            .unwrap()
            .query_map([], |row| row.get(0))
            .unwrap()
            .map(Result::unwrap)
            .collect();
        for column in columns {
            let query = format!(
                "select count(*) from {table} where instr(cast({column} as text), 'secret knee') > 0"
            );
            held += ledger.query_row(&query, [], |row| row.get::<_, i64>(0)).unwrap();
        }
    }
    assert_eq!(held, 0);
}
