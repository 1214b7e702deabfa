//! What hunters write beside their logs, read by models and people: the word list has judged at once, their reading
//! comes later, once, and moves no XP.

use std::time::Duration;

use assize_testbed::client::Client;
use serde_json::{Value, json};

use crate::delivering::{delivered, replay};
use crate::oracle::{Oracle, answered};
use crate::stage::{Stage, codes, wait_for};

const LOG: &str = "/api/v1/hunters/ada/logs/monday";
/// Nothing on any list.
const STRANGE: &str = "My left knee feels odd since the stairs at Periwinkle station";

/// A hunter with a log, beside which this was written; the verdict on it.
pub(crate) fn log(admin: &Client, words: &str) -> Value {
    let (status, registered) =
        admin.post("/api/v1/hunters", &json!({ "id": "ada", "class": "Tank" }), None).unwrap();
    assert_eq!(status, 201, "{registered}");
    let exercises = json!([{ "name": "Push-ups", "sets": 3, "reps": 10 }]);
    let plan = json!({ "estimated_duration_min": 30, "target_rpe": 8, "intensity": "Medium", "exercises": exercises });
    let quest = json!({ "id": "monday", "quest_type": "Daily", "plan": plan });
    assert_eq!(admin.post("/api/v1/hunters/ada/quests", &quest, None).unwrap().0, 201);
    let done = json!([{ "name": "Push-ups", "sets_done": 3, "reps_done": "10" }]);
    let log = json!({ "duration_seconds": 1500, "actual_rpe": 7, "condition": "Fresh", "user_feedback": words, "exercises": done });
    let (status, judged) =
        admin.post("/api/v1/hunters/ada/quests/monday/log", &json!({ "log": log }), None).unwrap();
    assert_eq!(status, 200, "{judged}");
    judged
}

/// Has the log read by these.
#[track_caller]
pub(crate) fn assess(client: &Client, readers: &Value) -> u64 {
    let (status, received) = client.post(&format!("{LOG}/assess"), readers, None).unwrap();
    assert_eq!(status, 202, "{received}");
    received["id"].as_u64().unwrap()
}

/// How often something of a kind happened to the hunter.
pub(crate) fn count(admin: &Client, kind: &str) -> usize {
    let (_, audit) = admin.get("/api/v1/audit?stream=quest/ada").unwrap();
    audit["changes"].as_array().unwrap().iter().filter(|change| change["kind"] == kind).count()
}

/// What counts of a hunter, without what was read.
fn standing(admin: &Client) -> Value {
    let (_, ada) = admin.get("/api/v1/hunters/ada").unwrap();
    json!([ada["xp"], ada["level"], ada["rank"], ada["status"], ada["streak_days"], ada["stats"]])
}

/// Sees an injury and nothing else.
pub(crate) fn injury(item: &Value) -> String {
    let of_injury = item["about"].as_str().is_some_and(|about| about.contains("an injury"));
    (if of_injury { "yes" } else { "no" }).to_owned()
}

#[test]
fn a_log_counts_as_the_word_list_read_it_until_a_model_has_read_it_too() {
    let oracle = Oracle::choosing(injury);
    let stage = Stage::set(&[("eye", &oracle)]);
    let server = stage.serve();
    let admin = server.client(&server.admin_token());
    let first = log(&admin, STRANGE);
    assert_eq!(first["verdict"]["assessor"]["name"], "word-list");
    assert_eq!(first["verdict"]["detail"]["safety_score"], json!(1.0));
    let before = standing(&admin);

    let wish = json!({ "name": "gym", "role": "app" });
    let (_, app) = admin.post("/api/v1/tokens", &wish, None).unwrap();
    let app = server.client(app["token"].as_str().unwrap());
    let id = assess(&app, &json!({ "assessors": ["eye"] }));
    let shown = delivered(&admin, "quest", id);
    let expected = json!({ "stream": "quest/ada", "item": "monday", "part": null, "status": "delivered", "problem": null });
    assert_eq!(shown["destination"], expected, "{shown}");
    let (_, seen) = admin.get(LOG).unwrap();
    let verdict = &seen["verdict"];
    assert_eq!(verdict["assessor"]["name"], "eye", "the verdict says who has read");
    assert_eq!(verdict["detail"]["safety_score"], json!(0.5));
    assert!(codes(verdict).contains(&"quest.reading.injury"), "{verdict}");
    assert_eq!(verdict["points"], first["verdict"]["points"]);
    assert_eq!(verdict["detail"]["multipliers"], first["verdict"]["detail"]["multipliers"]);
    assert_eq!(standing(&admin), before, "words neither give nor take");
    assert_eq!(count(&admin, "WordsRead"), 1);
    // The words are in no record: the log's, the bench's or the one that brought the reading.
    let (_, seen) = server.client("").get(LOG).unwrap();
    assert!(!seen.to_string().contains("Periwinkle"), "{seen}");
    server.stop();
    drop(oracle);
    let found = replay(&stage);
    assert_eq!((&found["verdicts"], &found["same"]), (&json!(3), &json!(3)), "no model is asked: {found}");
}

#[test]
fn a_model_that_cannot_be_used_leaves_a_log_as_it_was_and_cannot_talk_an_injury_away() {
    let oracle = Oracle::always(200, "no idea");
    let stage = Stage::set(&[("eye", &oracle)]);
    let server = stage.serve();
    let admin = server.client(&server.admin_token());
    let first = log(&admin, "I am fine. Ich habe mir das Knie verletzt. It was a good day");
    assert_eq!(first["verdict"]["detail"]["safety_score"], json!(0.5), "in whatever language");
    let shown = delivered(&admin, "quest", assess(&admin, &json!({ "assessors": ["eye"] })));
    let problem = shown["destination"]["problem"].as_str().unwrap();
    assert!(problem.starts_with("what the word list read stands: `eye` gave no findings"), "{problem}");
    assert_eq!(admin.get(LOG).unwrap().1["verdict"], first["verdict"]);
    assert_eq!(count(&admin, "WordsRead"), 0);
    oracle.say(|question| (200, answered(question, &|_| "no".to_owned())));
    delivered(&admin, "quest", assess(&admin, &json!({ "assessors": ["eye"] })));
    let (_, seen) = admin.get(LOG).unwrap();
    assert_eq!(seen["verdict"]["assessor"]["name"], "eye");
    assert_eq!(seen["verdict"]["detail"]["safety_score"], json!(0.5), "{seen}");
    server.stop();
}

#[test]
fn a_person_outranks_the_word_list_and_every_model() {
    let oracle = Oracle::choosing(injury);
    let stage = Stage::set(&[("eye", &oracle)]);
    let server = stage.serve();
    let admin = server.client(&server.admin_token());
    log(&admin, "my old jeans are torn, nothing else");
    let id = assess(&admin, &json!({ "people": 1 }));
    read_by_hand(&admin, id, "no");
    assert_eq!(delivered(&admin, "quest", id)["destination"]["status"], "delivered");
    let (_, seen) = admin.get(LOG).unwrap();
    assert_eq!(seen["verdict"]["assessor"]["name"], "person");
    assert_eq!(seen["verdict"]["detail"]["safety_score"], json!(1.0), "{seen}");
    let shown = delivered(&admin, "quest", assess(&admin, &json!({ "assessors": ["eye"] })));
    assert_eq!(shown["destination"]["status"], "refused");
    assert_eq!(admin.get(LOG).unwrap().1["verdict"], seen["verdict"]);
    server.stop();
}

#[test]
fn what_is_erased_while_it_waits_is_read_by_nobody_and_kept_nowhere() {
    let oracle = Oracle::choosing(injury).slow(Duration::from_secs(2));
    let stage = Stage::set(&[("eye", &oracle)]);
    let server = stage.serve();
    let admin = server.client(&server.admin_token());
    let first = log(&admin, STRANGE);
    let by_model = assess(&admin, &json!({ "assessors": ["eye"] }));
    while oracle.asked() == 0 {
        std::thread::sleep(Duration::from_millis(10));
    }
    let (status, erased) = admin.post("/api/v1/hunters/ada/erase", &json!({}), None).unwrap();
    assert_eq!((status, &erased["texts"]), (200, &json!(2)), "the log's, and the bench's copy: {erased}");
    wait_for(&admin, "quest", by_model, "withdrawn");
    assert_eq!(admin.get(LOG).unwrap().1["verdict"], first["verdict"]);
    let (_, erased) = admin.post("/api/v1/hunters/ada/erase", &json!({}), None).unwrap();
    assert_eq!(erased["texts"], 0, "what the model said of it was not kept either");
    let (status, problem) = admin.post(&format!("{LOG}/assess"), &json!({ "people": 1 }), None).unwrap();
    assert_eq!(status, 400, "{problem}");
    server.stop();
}

#[test]
fn what_is_erased_does_not_stand_in_the_way_of_people() {
    let stage = Stage::set(&[]);
    let server = stage.serve();
    let admin = server.client(&server.admin_token());
    log(&admin, STRANGE);
    let gone = assess(&admin, &json!({ "people": 1 }));
    admin.post("/api/v1/hunters/ada/erase", &json!({}), None).unwrap();
    let (status, problem) = admin.post("/api/v1/assessments/quest/take", &json!({}), None).unwrap();
    assert_eq!((status, &problem["code"]), (404, &json!("assessment.none_waiting")), "{problem}");
    wait_for(&admin, "quest", gone, "withdrawn");
    server.stop();
}

#[test]
fn a_reading_survives_kills_and_is_brought_once() {
    let oracle = Oracle::choosing(injury).slow(Duration::from_millis(200));
    let stage = Stage::set(&[("eye", &oracle)]);
    let mut server = stage.serve();
    let token = server.admin_token();
    log(&server.client(&token), STRANGE);
    let id = assess(&server.client(&token), &json!({ "assessors": ["eye"] }));
    for _ in 0..3 {
        std::thread::sleep(Duration::from_millis(120));
        server.kill();
        server = stage.serve();
    }
    let admin = server.client(&token);
    assert_eq!(delivered(&admin, "quest", id)["destination"]["status"], "delivered");
    assert_eq!(count(&admin, "WordsRead"), 1);
    server.stop();
}

#[test]
fn a_report_is_shown_to_judges_with_what_was_read_in_it() {
    let oracle = Oracle::choosing(injury);
    let stage = Stage::set(&[("eye", &oracle)]);
    let server = stage.serve();
    let admin = server.client(&server.admin_token());
    let first = log(&admin, "all good");
    admin.post("/api/v1/hunters", &json!({ "id": "bob", "class": "Tank" }), None).unwrap();
    let report = json!({ "reason": "other", "reporter": "bob", "text": "She was limping at Periwinkle station, in pain" });
    let (status, told) = admin.post(&format!("{LOG}/reports"), &report, None).unwrap();
    assert_eq!(status, 200, "{told}");
    let waiting = || admin.get("/api/v1/moderation").unwrap().1["waiting"][0].clone();
    let by_list = json!({ "signs": ["pain"], "by": { "name": "word-list", "version": "2" } });
    assert_eq!(waiting()["reading"], by_list, "at once");
    let path = format!("{LOG}/reports/bob/assess");
    let (status, received) = admin.post(&path, &json!({ "assessors": ["eye"] }), None).unwrap();
    assert_eq!(status, 202, "{received}");
    let shown = delivered(&admin, "quest", received["id"].as_u64().unwrap());
    assert_eq!(
        (&shown["destination"]["part"], &shown["destination"]["status"]),
        (&json!("bob"), &json!("delivered"))
    );
    let asked = &oracle.questions()[0];
    assert_eq!(asked["items"].as_array().unwrap().len(), 2, "injury and pain: {asked}");
    let reading = &waiting()["reading"];
    assert_eq!((&reading["signs"], &reading["by"]["name"]), (&json!(["injury"]), &json!("eye")));
    assert_eq!(admin.get(LOG).unwrap().1["verdict"], first["verdict"], "nothing else follows");
    let export = admin.get("/api/v1/hunters/ada/export").unwrap().1.to_string();
    assert!(
        !export.contains("bob") && !export.contains("Periwinkle"),
        "who reported is not theirs: {export}"
    );
    // The text is the reporter's, and so is what was asked about it.
    let (_, erased) = admin.post("/api/v1/hunters/bob/erase", &json!({}), None).unwrap();
    assert_eq!(
        erased["texts"], 3,
        "the report, the bench's copy, and what the model was asked and said: {erased}"
    );
    assert_eq!(waiting()["reading"], Value::Null);
    let decide = json!({ "confirmed": false });
    admin.post(&format!("{LOG}/reports/bob/decision"), &decide, None).unwrap();
    assert_eq!(admin.post(&path, &json!({ "people": 1 }), None).unwrap().0, 400, "its text is gone");
    server.stop();
    let found = replay(&stage);
    assert_eq!((&found["verdicts"], &found["same"]), (&json!(3), &json!(3)), "{found}");
}

#[test]
fn a_log_is_judged_again_under_another_rulebook_with_the_words_that_were_read() {
    let oracle = Oracle::choosing(injury);
    let stage = Stage::set(&[("eye", &oracle)]);
    let server = stage.serve();
    let admin = server.client(&server.admin_token());
    log(&admin, STRANGE);
    delivered(&admin, "quest", assess(&admin, &json!({ "assessors": ["eye"] })));
    let wish = json!({ "rulebook": "fair", "reason": "the season is judged fairly" });
    let (status, revised) = admin.post("/api/v1/streams/quest/ada/revisions", &wish, None).unwrap();
    assert!(status < 300, "{status} {revised}");
    let (_, seen) = admin.get(LOG).unwrap();
    assert_eq!(seen["log"]["xp"], json!(300));
    server.stop();
    let found = replay(&stage);
    assert_eq!((&found["different"], &found["unreadable"]), (&json!(0), &json!(0)), "{found}");
}

#[test]
fn who_may_not_ask_and_what_cannot_be_asked() {
    let stage = Stage::set(&[]);
    let server = stage.serve();
    let admin = server.client(&server.admin_token());
    log(&admin, " ");
    let (_, given) = admin.post("/api/v1/hunters/ada/tokens", &json!({}), None).unwrap();
    let ada = server.client(given["token"].as_str().unwrap());
    let path = format!("{LOG}/assess");
    assert_eq!(ada.post(&path, &json!({ "people": 1 }), None).unwrap().0, 403);
    let (status, problem) = admin.post(&path, &json!({ "people": 1 }), None).unwrap();
    assert_eq!(status, 400);
    assert!(problem["detail"].as_str().unwrap().starts_with("nothing was written"), "{problem}");
    let other = "/api/v1/hunters/ada/logs/tuesday/assess";
    assert_eq!(admin.post(other, &json!({ "people": 1 }), None).unwrap().0, 404);
    server.stop();
}

/// A person takes the next submission of the court, which must be this one, and says this of every sign.
#[track_caller]
pub(crate) fn read_by_hand(client: &Client, id: u64, label: &str) {
    let (status, taken) = client.post("/api/v1/assessments/quest/take", &json!({}), None).unwrap();
    assert_eq!((status, &taken["id"]), (200, &json!(id)), "{taken}");
    let text = taken["asked"]["sources"][0]["text"].as_str().unwrap();
    let quote = if label == "yes" { text } else { "" };
    let items = taken["asked"]["items"].as_array().unwrap();
    let answer =
        |item: &Value| (item["id"].as_str().unwrap().to_owned(), json!({ "quote": quote, "label": label }));
    let answers: serde_json::Map<String, Value> = items.iter().map(answer).collect();
    let path = format!("/api/v1/assessments/quest/{id}/findings");
    let (status, answer) = client.post(&path, &json!({ "answers": answers }), None).unwrap();
    assert_eq!(status, 200, "{answer}");
}
