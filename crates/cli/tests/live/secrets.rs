//! Public events contain no secrets.

use assize_testbed::contest::{POINTS, VIDEO, right_answer};
use assize_testbed::ear::EventListener;

use crate::stage::{BOARD, STREAM, Stage, guess, submit};

/// The number of a guess; it looks like nothing else.
const GUESS: u64 = 73_915_527;

#[test]
fn neither_ground_truth_nor_answers_are_in_any_event() {
    let stage = Stage::set(&["--ephemeral"]);
    let (ants, bees) = (stage.team("ants"), stage.team("bees"));
    let topics = [STREAM, BOARD, "board/contest/spring/t1"];
    let mut live = EventListener::open(stage.server.url(), &topics, None, "").unwrap();
    guess(&ants, GUESS);
    let last = submit(&bees, &right_answer());
    let mut away = EventListener::open(stage.server.url(), &topics, Some(0), &ants.token).unwrap();
    for ear in [&mut live, &mut away] {
        let (mut boards, mut kinds) = (0, Vec::new());
        while boards < 2 || !kinds.contains(&last) {
            let heard = ear.next().unwrap();
            let said = format!("{heard:?}");
            let secrets = [VIDEO.to_owned(), POINTS[0].to_string(), POINTS[1].to_string(), GUESS.to_string()];
            for secret in secrets {
                assert!(!said.contains(&secret), "`{secret}` is given away: {said}");
            }
            boards += usize::from(heard.event == "board");
            kinds.extend(heard.id.filter(|_| heard.event == "AnswerJudged"));
        }
    }
    stage.server.stop();
}

#[test]
fn while_the_boards_are_frozen_nobody_hears_what_an_answer_has_earned() {
    let stage = Stage::set(&["--ephemeral"]);
    let ants = stage.team("ants");
    let contest = &stage.contest;
    let admin = &contest.admin.token;
    let listen =
        |token: &str| EventListener::open(stage.server.url(), &[STREAM, BOARD], None, token).unwrap();
    let (mut public, mut organiser) = (listen(""), listen(admin));
    let of = |answer: serde_json::Value| answer["receipt"]["position"].as_u64().unwrap();
    contest.must(&contest.path("/boards/freeze"), &serde_json::json!({}));
    submit(&ants, &right_answer());
    let scores = |said: &str| said.contains("full") || said.contains(r#""ties":[0"#);
    while !scores(&organiser.next().unwrap().data.to_string()) {}
    let thawed = of(contest.must(&contest.path("/boards/unfreeze"), &serde_json::json!({})));
    loop {
        let heard = public.next().unwrap();
        if scores(&heard.data.to_string()) {
            assert!(heard.id.unwrap() >= thawed, "told too early: {heard:?}");
            break;
        }
    }
    stage.server.stop();
}
