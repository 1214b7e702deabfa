//! The events of one client: from now on, after the last event id, and when that is too old.

use assize_testbed::contest::right_answer;
use assize_testbed::ear::EventListener;
use serde_json::{Value, json};

use crate::stage::{BOARD, STREAM, Stage, guess, is_notice, submit};

#[test]
fn whoever_comes_is_told_where_it_stands_and_then_what_happens() {
    let stage = Stage::set(&["--ephemeral"]);
    let ants = stage.team("ants");
    let mut ear = stage.ear(None);
    let hello = ear.next().unwrap();
    assert_eq!((hello.event.as_str(), hello.id), ("hello", Some(stage.position())));
    assert_eq!(hello.data, json!({ "position": hello.id }));
    let position = submit(&ants, &right_answer());
    let heard = ear.next().unwrap();
    assert_eq!((heard.event.as_str(), heard.id), ("AnswerJudged", Some(position)));
    assert_eq!(heard.data["at"], stage.record(position)["receipt"]["at"]);
    let told =
        ["stream", "position", "kind", "team", "task", "outcome"].map(|field| heard.data[field].clone());
    let expected =
        [json!(STREAM), json!(position), json!("AnswerJudged"), json!("ants"), json!("t1"), json!("full")];
    assert_eq!(told, expected);
    stage.server.stop();
}

#[test]
fn whoever_comes_back_hears_what_it_missed_and_then_what_happens() {
    let stage = Stage::set(&["--ephemeral"]);
    let ants = stage.team("ants");
    let from_the_beginning = |ear: &mut EventListener, until: u64| {
        let mut ids = Vec::new();
        while ids.last() != Some(&until) {
            let heard = ear.next().unwrap();
            assert!(is_notice(&heard), "{heard:?}");
            ids.push(heard.id.unwrap());
        }
        ids
    };
    let last = guess(&ants, 1);
    let mut ear = stage.ear(Some(0));
    let missed = from_the_beginning(&mut ear, last);
    assert_eq!((missed.first(), missed.last()), (Some(&3), Some(&last)));
    assert_eq!(
        missed.len() as u64,
        last - 4,
        "all but the rulebook and who was let in, which nobody is told of"
    );
    let next = guess(&ants, 2);
    assert_eq!(ear.next().unwrap().id, Some(next));
    let mut again = EventListener::ask(
        stage.server.url(),
        &format!("/api/v1/events?topic={STREAM}&last_event_id={last}"),
        "",
    );
    assert_eq!(again.as_mut().map(|ear| ear.next().unwrap().id).unwrap(), Some(next));
    stage.server.stop();
}

#[test]
fn a_board_comes_whole_to_who_was_away_and_then_in_lines() {
    let stage = Stage::set(&["--ephemeral"]);
    let (ants, _bees) = (stage.team("ants"), stage.team("bees"));
    let mut ear = EventListener::open(stage.server.url(), &[BOARD], Some(1), "").unwrap();
    let whole = ear.next().unwrap();
    assert_eq!((whole.event.as_str(), &whole.data["reset"]), ("board", &Value::Bool(true)));
    assert_eq!(whole.data["rows"].as_array().unwrap().len(), 2);
    let position = submit(&ants, &right_answer());
    let moved = ear.next().unwrap();
    assert_eq!((moved.event.as_str(), moved.id), ("board", Some(position)));
    let (_, rows) = stage.contest.board(None);
    assert_eq!((&moved.data["rows"], &moved.data["reset"]), (&json!([rows[0]]), &Value::Bool(false)));
    stage.contest.must("/api/v1/contests/spring/tasks/t1/stop", &json!({}));
    let mut of_task =
        EventListener::open(stage.server.url(), &["board/contest/spring/t1"], None, "").unwrap();
    of_task.wait_for("hello");
    stage.contest.start_task("t1", 3_600.0, 10.0);
    assert_eq!(of_task.next().unwrap().data["gone"], json!(["ants", "bees"]), "a new round takes them off");
    stage.server.stop();
}

#[test]
fn whoever_heard_what_is_not_in_this_ledger_must_load_again() {
    let stage = Stage::set(&["--ephemeral"]);
    let ants = stage.team("ants");
    let mut ahead = EventListener::open(stage.server.url(), &[STREAM, BOARD], Some(1_000_000), "").unwrap();
    let reset = ahead.next().unwrap();
    assert_eq!((reset.event.as_str(), reset.id), ("reset", Some(stage.position())));
    assert_eq!(ahead.next().unwrap().data["reset"], true, "the board comes whole");
    let position = guess(&ants, 1);
    assert_eq!(ahead.next().unwrap().id, Some(position), "and it goes on from there");
    stage.server.stop();
}

#[test]
fn what_cannot_be_listened_to_is_a_problem_before_anything_is_said() {
    let stage = Stage::set(&["--ephemeral"]);
    let check = |path: &str, head: &str, expected: u16, code: &str| {
        let Err((status, body)) =
            EventListener::ask(stage.server.url(), &format!("/api/v1/events{path}"), head)
        else {
            panic!("{path} is listened to")
        };
        let problem: Value = serde_json::from_str(&body).unwrap();
        assert_eq!((status, &problem["code"]), (expected, &json!(code)), "{path}: {problem}");
    };
    let many: Vec<String> = (0..17).map(|each| format!("topic=contest/c{each}")).collect();
    for path in ["", "?topic=", "?topic=spring", "?topic=contest/a/b", "?topics=contest/spring"] {
        check(path, "", 400, "request.malformed");
    }
    check(&format!("?{}", many.join("&")), "", 400, "request.malformed");
    check("?topic=contest/spring&last_event_id=soon", "", 400, "request.malformed");
    check("?topic=contest/spring", "last-event-id: -1\r\n", 400, "request.malformed");
    for path in
        ["?topic=contest/autumn", "?topic=chess/spring", "?topic=assize/rulebooks", "?topic=board/chess"]
    {
        check(path, "", 404, "resource.unknown");
    }
    check("?topic=contest/spring", "authorization: Bearer nonsense\r\n", 401, "access.unknown_token");
    stage.server.stop();
}
