//! Frozen boards: unchanged for the public, current for organisers and teams.

use serde_json::{Value, json};

use crate::stage::{Stage, right};

fn points(board: &Value) -> Vec<(String, f64)> {
    let row =
        |row: &Value| (row["participant"].as_str().unwrap().to_owned(), row["points"].as_f64().unwrap());
    board["rows"].as_array().unwrap().iter().map(row).collect()
}

#[test]
fn a_frozen_board_tells_the_public_nothing_until_it_is_revealed() {
    let stage = Stage::running();
    let contest = &stage.contest;
    let board = |client: &assize_testbed::client::Client, query: &str| {
        let (status, board) = client.get(&contest.path(&format!("/board{query}"))).unwrap();
        assert_eq!(status, 200, "{board}");
        board
    };
    contest.must(&contest.path("/boards/freeze"), &json!({}));
    let before = board(&stage.nobody, "");
    let (status, verdict) = stage.submit(&stage.ants, &right(), None);
    assert_eq!((status, &verdict["verdict"]["outcome"]), (200, &json!("full")), "the team itself is told");

    assert_eq!(board(&stage.nobody, ""), before);
    assert_eq!(board(&stage.ants, ""), before, "no team sees more than the public");
    assert_eq!(board(&contest.admin, "?public=true"), before);
    let of_the_task = board(&stage.nobody, "?task=q1");
    assert_eq!(points(&of_the_task), [], "nobody had submitted to it when the boards were frozen");
    assert_eq!(of_the_task["board"], "contest/spring/q1");
    assert!(points(&board(&contest.admin, ""))[0].1 > 0.0, "organisers see it as it is");
    let round = &contest.seen()["tasks"][0]["round"];
    assert_eq!((&round["teams_completed"], &round["submissions"]), (&Value::Null, &Value::Null));

    while points(&board(&stage.nobody, "")) != points(&board(&contest.admin, "")) {
        contest.must(&contest.path("/boards/reveal"), &json!({}));
    }
    contest.must(&contest.path("/boards/unfreeze"), &json!({}));
    assert_eq!(board(&stage.nobody, ""), board(&contest.admin, ""));
    assert_eq!(contest.seen()["tasks"][0]["round"]["teams_completed"], 1);
    stage.end();
}
