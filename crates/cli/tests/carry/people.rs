//! Transfer of judges' verdicts, an overrule, a revision and the logs of tools.

use assize_testbed::client::Client;
use assize_testbed::contest::{Contest, eventually, wrong_answer};
use serde_json::{Value, json};

use crate::stage::{Place, exported, verdicts};

const PASSWORD: &str = "password of anna";

fn moment(start: u64) -> Value {
    json!({ "answerSets": [{ "answers": [{ "mediaItemName": "V1", "start": start }] }] })
}

fn submit(contest: &Contest, team: &Client, task: &str, answer: &Value) -> Value {
    let path = contest.path(&format!("/tasks/{task}/submissions"));
    let (status, told) = team.post(&path, answer, None).unwrap();
    assert!([200, 202].contains(&status), "{told}");
    told
}

/// A contest in which judges have decided, one of them was overruled, and a ground truth was corrected; another one
/// beside it, so that its records stand elsewhere when they are carried.
fn disputed(place: &Place) -> Contest {
    let aside = Contest::open(&place.server, &place.token, "aside");
    let contest = Contest::open(&place.server, &place.token, "spring");
    let [ants, bees] = ["ants", "bees"].map(|team| contest.admin.with_token(&contest.register(team)));
    contest.must(&contest.path("/tasks"), &json!({ "id": "p1", "type": "KIS" }));
    contest.start_task("p1", 3_600.0, 10.0);
    submit(&contest, &ants, "p1", &moment(1_000));
    drop(aside.register("wasps"));
    submit(&contest, &bees, "p1", &moment(2_000));
    submit(&contest, &bees, "p1", &moment(1_000));
    for outcome in ["full", "incorrect"] {
        let taken = contest.must(&contest.path("/queue/take"), &json!({}));
        let path = contest.path(&format!("/queue/{}/decide", taken["held"]["answer"]));
        contest.must(&path, &json!({ "outcome": outcome, "note": "looked twice" }));
    }
    contest.run_task("t1", 3_600.0, 10.0);
    let wrong = submit(&contest, &bees, "t1", &wrong_answer(7));
    drop(aside.register("flies"));
    let scene = json!({ "mediaItemName": "L01_V001", "start": 8, "end": 9 });
    submit(&contest, &ants, "t1", &json!({ "answerSets": [{ "answers": [scene] }] }));
    let path = contest.path(&format!("/submissions/{}/overrule", wrong["receipt"]["position"]));
    contest.must(&path, &json!({ "outcome": "full", "reason": "the video was cut" }));
    // Now that is right which the ants have said.
    let correct = json!({ "CorrectTask": { "task": "t1", "video_id": "L01_V001", "points": [8, 9] } });
    let adopt = json!({ "amendments": [correct], "reason": "the wrong scene" });
    contest.must("/api/v1/streams/contest/spring/revisions", &adopt);
    contest
}

fn log(place: &Place, contest: &Contest) {
    let anna = json!({ "name": "anna", "password": PASSWORD });
    contest.must(&contest.path("/teams/ants/users"), &anna);
    let nobody = place.server.client("");
    let login = json!({ "username": "anna", "password": PASSWORD });
    let (_, user) = nobody.post("/api/v2/login", &login, None).unwrap();
    let path = format!("/api/v2/log/query/spring?session={}", user["sessionId"].as_str().unwrap());
    let event = json!({ "timestamp": 1, "category": "TEXT", "type": "concept", "value": "\"position\":7" });
    let (status, told) = nobody.post(&path, &json!({ "timestamp": 1, "events": [event] }), None).unwrap();
    assert_eq!(status, 200, "{told}");
}

/// Everybody's boards, without the position of their last change, which is another one elsewhere.
fn boards(contest: &Contest) -> Vec<Vec<Value>> {
    [None, Some("p1"), Some("t1")].map(|task| contest.board(task).1).to_vec()
}

fn logs(contest: &Contest) -> Vec<Value> {
    let (status, page) = contest.admin.get(&contest.path("/logs")).unwrap();
    assert_eq!(status, 200, "{page}");
    let entry =
        |entry: &Value| json!([entry["number"], entry["at"], entry["kind"], entry["team"], entry["log"]]);
    page["logs"].as_array().unwrap().iter().map(entry).collect()
}

#[test]
fn words_of_judges_overrules_revisions_and_logs_are_the_same_elsewhere() {
    let (here, there) = (Place::new(), Place::new());
    let contest = disputed(&here);
    log(&here, &contest);
    let (_, rows) = contest.board(Some("p1"));
    assert_eq!(rows.len(), 2, "both have scored where people judged: {rows:?}");
    assert!(contest.board(Some("t1")).1.iter().all(|row| row["points"].as_f64().unwrap() > 90.0));

    let file = there.keep("spring.json", &exported(&contest, ""));
    let (code, said) = there.run(&["contest", "import", &file]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains(" records and 1 log as contest/spring into "), "{said}");
    assert!(said.ends_with("tokens and logins are not carried; give new ones to: ants, bees\n"), "{said}");
    let copy = there.contest("spring");
    eventually("the other server has it", || copy.admin.get(&copy.path("")).unwrap().0 == 200);
    assert_eq!(boards(&copy), boards(&contest));
    let [before, after] = [&contest, &copy].map(verdicts);
    let words = |all: &[(Value, Value)]| all.iter().map(|(_, verdict)| verdict.clone()).collect::<Vec<_>>();
    assert_eq!(words(&after), words(&before));
    assert_eq!((logs(&copy), logs(&copy).len()), (logs(&contest), 1));
    assert_eq!((there.run(&["replay"]).0, there.run(&["ledger", "verify"]).0), (0, 0));

    // And it goes on: an equal answer of a new team gets the word that was said of the first.
    let wasps = copy.admin.with_token(&copy.register("wasps"));
    let told = submit(&copy, &wasps, "p1", &moment(2_000));
    assert_eq!(told["verdict"]["outcome"], "incorrect", "{told}");
    here.server.stop();
    there.server.stop();
}

#[test]
fn logs_that_were_changed_or_left_out_are_refused_and_logins_are_in_no_export() {
    let place = Place::new();
    let contest = disputed(&place);
    log(&place, &contest);
    let text = exported(&contest, "");
    assert!(!text.contains(PASSWORD) && !text.contains("$argon2"), "no password, and no digest of one");
    let document: Value = serde_json::from_str(&text).unwrap();
    let refused = |change: fn(&mut Value), expected: &str| {
        let mut changed = document.clone();
        change(&mut changed);
        let file = place.keep("broken.json", &changed.to_string());
        let (code, said) = place.run(&["contest", "import", &file, "--as", "copy"]);
        assert!(code == 2 && said.contains(expected), "{said}\nshould say: {expected}");
    };
    let other = |document: &mut Value| document["logs"][0]["event"]["QueriesLogged"]["team"] = json!("bees");
    refused(other, "record 1 (QueriesLogged, position ");
    let without = |document: &mut Value| document["logs"] = json!([]);
    refused(without, "do not lead to its end: something is missing");
    place.server.stop();
}
