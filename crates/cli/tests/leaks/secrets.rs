//! Ground truth is visible to organisers only, and the answers of a team to that team.

use assize_testbed::ear::EventListener;
use serde_json::json;

use crate::raw::{ask, ask_as};
use crate::stage::{Person, Stage, TASKS, guess, truths};
use crate::walk::calls;

/// What the teams guess; each looks like nothing else.
const ANTS: [&str; 2] = ["ZQANTSGUESS", "62840003"];
const BEES: [&str; 2] = ["ZQBEESGUESS", "62840004"];

/// What somebody may not come to know: the truth, unless they have said it themselves, and what others have said.
fn hidden_from(person: &Person) -> Vec<&'static str> {
    let truth = truths().into_iter().flat_map(|truth| truth.secrets);
    match person.name {
        // The bees have found two of the answers: of those, they know.
        "bees" => {
            let found = truths().into_iter().filter(|truth| ["tr", "soon"].contains(&truth.task));
            found.flat_map(|truth| truth.secrets).chain(ANTS).collect()
        }
        "ants" => truth.chain(BEES).collect(),
        _ => truth.chain(ANTS).chain(BEES).collect(),
    }
}

fn must_not_tell(person: &Person, what: &str, told: &str) {
    for secret in hidden_from(person) {
        assert!(!told.contains(secret), "{what} tells {} of `{secret}`:\n{told}", person.name);
    }
}

/// Asks for everything as everybody; what changes something is only tried without saying what.
fn walk(stage: &Stage, phase: &str, changing: bool) {
    let url = stage.server.url();
    for call in calls(url, &stage.known("spring")) {
        let reading = call.method == "GET";
        // Whoever is on this machine runs the contest that is open to all; here that is everybody.
        if !reading && (!changing || call.path.starts_with("/admin/")) {
            continue;
        }
        for person in &stage.people {
            let body = (!reading).then_some("{}");
            let told = ask_as(url, &call.method, &call.path, person, body);
            must_not_tell(person, &format!("{phase}: {} {}", call.method, call.path), &told);
        }
    }
}

fn listen(stage: &Stage) -> Vec<(&Person, EventListener)> {
    let mut topics = vec!["contest/spring".to_owned(), "board/contest/spring".to_owned()];
    topics.extend(TASKS.map(|task| format!("board/contest/spring/{task}")));
    let topics: Vec<&str> = topics.iter().map(String::as_str).collect();
    let ear =
        |person: &Person| EventListener::open(stage.server.url(), &topics, None, &person.token).unwrap();
    stage.people.iter().map(|person| (person, ear(person))).collect()
}

#[test]
fn no_answer_and_no_event_tells_what_is_not_to_be_known() {
    let stage = Stage::set(&["spring", "winter"]);
    let (contest, ants, bees) = (&stage.contest, stage.client("ants"), stage.client("bees"));
    let ears = listen(&stage);
    contest.must(&contest.path("/door/open"), &json!({}));
    walk(&stage, "before", false);

    for task in ["kis", "qa", "tr"] {
        contest.start_task(task, 3_600.0, 10.0);
    }
    contest.must(&contest.path("/tasks/soon/start"), &json!({ "countdown_seconds": 3_600 }));
    for task in ["kis", "qa", "tr"] {
        let told = stage.submit(&ants, "spring", task, &guess(task, ANTS[0], ANTS[1].parse().unwrap()));
        must_not_tell(&stage.people[3], "a verdict", &told.to_string());
        stage.submit(&bees, "spring", task, &guess(task, BEES[0], BEES[1].parse().unwrap()));
    }
    for truth in truths().iter().filter(|truth| ["kis", "qa"].contains(&truth.task)) {
        let told = stage.submit(&bees, "spring", truth.task, &truth.right);
        assert_eq!(told["verdict"]["outcome"], "full", "the walk knows what is right");
    }
    walk(&stage, "running", true);

    contest.must(&contest.path("/boards/freeze"), &json!({}));
    stage.submit(&ants, "spring", "tr", &guess("tr", ANTS[0], 62_840_003));
    walk(&stage, "frozen", false);
    contest.must(&contest.path("/boards/reveal"), &json!({}));
    walk(&stage, "revealing", false);
    contest.must(&contest.path("/boards/unfreeze"), &json!({}));
    for task in ["kis", "qa", "tr"] {
        contest.must(&contest.path(&format!("/tasks/{task}/stop")), &json!({}));
    }
    walk(&stage, "after", true);

    let last = contest.must(&contest.path("/teams"), &json!({ "id": "last" }));
    let last = last["receipt"]["position"].as_u64().unwrap();
    for (person, mut ear) in ears {
        let mut judged = 0;
        loop {
            let heard = ear.next().expect("it goes on until the last");
            must_not_tell(person, "an event", &format!("{heard:?}"));
            judged += u32::from(heard.event == "AnswerJudged");
            if heard.event == "TeamRegistered" && heard.id == Some(last) {
                break;
            }
        }
        assert!(judged >= 8, "{} heard of {judged} answers", person.name);
    }
    stage.server.stop();
}

#[test]
fn the_walk_finds_what_an_organiser_may_see() {
    let stage = Stage::set(&["spring", "winter"]);
    let url = stage.server.url();
    let calls = calls(url, &stage.known("spring"));
    let reading = calls.iter().filter(|call| call.method == "GET");
    let told: Vec<String> =
        reading.map(|call| ask(url, "GET", &call.path, &stage.contest.admin.token, None)).collect();
    for secret in truths().into_iter().flat_map(|truth| truth.secrets) {
        let where_it_is = told.iter().filter(|told| told.contains(secret)).count();
        assert!(where_it_is >= 2, "`{secret}` is found in {where_it_is} answers: the walk looks past it");
    }
    stage.server.stop();
}
