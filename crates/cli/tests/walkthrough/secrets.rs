//! No response to a team or the public contains ground truth.

use assize_testbed::client::Client;
use assize_testbed::contest::eventually;
use serde_json::json;

use crate::stage::{MOMENTS, Stage, TEXT, VIDEO, guess, right};

/// Every route that can be read, for whoever asks, as the bytes that come back.
fn everything_readable(stage: &Stage, client: &Client) -> Vec<(String, String)> {
    let head = stage.position();
    let records = (0..=head + 1).map(|position| format!("/api/v1/records/{position}"));
    let contest =
        ["", "/board", "/board?task=q1", "/board?limit=1&offset=1", "/board?task=none", "/teams", "/tasks"];
    let contest = contest.iter().map(|below| stage.contest.path(below));
    let tasks =
        ["", "/start", "/stop", "/submissions"].map(|below| stage.contest.path(&format!("/tasks/q1{below}")));
    let others = ["/healthz", "/", "/api/v1/contests", "/api/v1/contests/none"].map(str::to_owned);
    let paths = records.chain(contest).chain(tasks).chain(others);
    paths.map(|path| (client.send("GET", &path, &[], None).unwrap().text, path)).collect()
}

#[track_caller]
fn keeps_the_secret(told: &str, what: &str) {
    let secrets = [VIDEO.to_owned(), TEXT.to_owned(), MOMENTS[0].to_string(), MOMENTS[1].to_string()];
    for secret in secrets {
        assert!(!told.contains(&secret), "{what} gives `{secret}` away: {told}");
    }
}

#[test]
fn no_route_gives_the_ground_truth_away_to_a_team_or_to_nobody() {
    let stage = Stage::set();
    for asked in [false, true] {
        if asked {
            stage.contest.start_task("q1", 3_600.0, 10.0);
            stage.submit(&stage.bees, &guess("rose"), None);
        }
        for client in [&stage.nobody, &stage.ants, &stage.bees] {
            for (told, path) in everything_readable(&stage, client) {
                keeps_the_secret(&told, &path);
            }
        }
    }
    let (_, seen) = stage.contest.admin.get("/api/v1/records/9").unwrap();
    assert_eq!(
        seen["event"]["TaskAdded"]["spec"]["video_id"], VIDEO,
        "the organiser sees what is hidden here"
    );
    stage.end();
}

#[test]
fn what_another_team_has_found_stays_hidden() {
    let stage = Stage::running();
    assert_eq!(stage.submit(&stage.bees, &right(), None).1["verdict"]["outcome"], "full");
    for client in [&stage.nobody, &stage.ants] {
        for (told, path) in everything_readable(&stage, client) {
            keeps_the_secret(&told, &path);
        }
    }
    stage.end();
}

#[test]
fn neither_a_wrong_verdict_nor_a_refusal_gives_the_ground_truth_away() {
    let stage = Stage::set();
    let early = stage.submit(&stage.ants, &guess("a"), None);
    stage.contest.start_task("q1", 3_600.0, 10.0);
    let wrong = stage.submit(&stage.ants, &guess("b"), None);
    let malformed = stage.submit(&stage.ants, &json!({ "text": "nonsense" }), None);
    stage.contest.must(&stage.contest.path("/tasks/q1/stop"), &json!({}));
    // What comes in the millisecond of the stop is still taken.
    eventually("a millisecond passes", || {
        let seen = stage.contest.seen();
        seen["now"] != seen["tasks"][0]["round"]["closed_at"]
    });
    let late = stage.submit(&stage.ants, &guess("c"), None);
    for ((status, told), expected) in [(early, 409), (wrong, 200), (malformed, 400), (late, 400)] {
        assert_eq!(status, expected, "{told}");
        keeps_the_secret(&told.to_string(), "a submission");
    }
    stage.end();
}
