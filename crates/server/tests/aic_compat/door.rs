//! Access at the root: only the contest that an organiser has opened.

use serde_json::{Value, json};

use crate::hall::{Hall, refused};

const RIGHT: &str = "TR-V017-4890,5000,5001,5020";
const CLOSED: &str = "no contest is open to all; an admin opens one with `POST /api/v1/contests/{contest}/door/open`, or the server is started with `assize serve --open-contest FILE.csv`";

#[tokio::test]
async fn nothing_is_open_until_an_organiser_opens_it() {
    let hall = Hall::build().await;
    hall.must("/api/v1/contests", json!({ "id": "aic" })).await;
    assert_eq!(hall.text("ants", 1, RIGHT).await, refused(404, CLOSED));
    for path in ["/config", "/leaderboard", "/question/1/status", "/admin/sessions"] {
        assert_eq!(hall.get(path).await, refused(404, CLOSED), "{path}");
    }
    for path in ["/admin/start-question", "/admin/stop-question", "/admin/reset-all"] {
        assert_eq!(hall.curl(path, r#"{"question_id": 1}"#).await, refused(404, CLOSED), "{path}");
    }
}

#[tokio::test]
async fn one_contest_is_open_at_a_time_and_closed_when_told_so() {
    let hall = Hall::open("competition").await;
    hall.must("/api/v1/contests", json!({ "id": "other" })).await;
    let turn = async |contest: &str, way: &str| {
        let path = format!("/api/v1/contests/{contest}/door/{way}");
        let token = hall.must("/api/v1/tokens", json!({ "name": "desk", "role": "admin" })).await;
        hall.answer_of(token["token"].as_str().unwrap(), &path).await
    };
    assert_eq!(turn("other", "open").await, (409, "access.door.open".to_owned()));
    assert_eq!(turn("other", "close").await, (409, "access.door.closed".to_owned()));
    assert_eq!(turn("none", "open").await, (404, "resource.unknown".to_owned()));
    assert_eq!(hall.get("/config").await.0, 200);
    let closed = hall.must("/api/v1/contests/aic/door/close", json!({})).await;
    assert_eq!(closed["event"], json!({ "DoorClosed": { "stream": "contest/aic" } }));
    assert_eq!(hall.get("/config").await, refused(404, CLOSED));
    let opened = hall.must("/api/v1/contests/other/door/open", json!({})).await;
    assert_eq!(opened["event"], json!({ "DoorOpened": { "stream": "contest/other" } }));
    assert_eq!(hall.get("/question/1/status").await, refused(404, "there is no question `1`"));
}

#[tokio::test]
async fn what_lets_everybody_in_is_nobodys_token() {
    let hall = Hall::open("competition").await;
    let (_, listed) = hall.as_admin("GET", "/api/v1/tokens", "", "").await;
    let listed: Value = serde_json::from_str(&listed).unwrap();
    let row = listed["tokens"].as_array().unwrap().iter().find(|row| row["id"] == "000000000000").unwrap();
    assert_eq!((&row["actor"], &row["scope"]), (&json!("app:door"), &json!("contest/aic")));
    let (status, _) = hall.as_admin("DELETE", "/api/v1/tokens/000000000000", "", "").await;
    assert_eq!(status, 200, "it can be taken back as any other");
    assert_eq!(hall.get("/config").await, refused(404, CLOSED));
    hall.must("/api/v1/contests/aic/door/open", json!({})).await;
    assert_eq!(hall.get("/config").await.0, 200);
}

#[tokio::test]
async fn whoever_comes_through_a_proxy_needs_a_token_to_run_it() {
    let hall = Hall::open("competition").await;
    let needs = "this needs an admin's token, sent as `Authorization: Bearer …`, or a request from this machine itself, to `127.0.0.1` or `localhost`";
    let start = r#"{"question_id": 1}"#;
    for header in
        ["X-Forwarded-For: 127.0.0.1\r\n", "Forwarded: for=127.0.0.1\r\n", "Origin: https://evil.example\r\n"]
    {
        let answer = hall.send("POST", "/admin/start-question", header, start).await;
        assert_eq!(answer, refused(401, needs), "{header}");
        assert_eq!(hall.as_admin("POST", "/admin/start-question", header, start).await.0, 200, "{header}");
    }
    let bad = hall.send("POST", "/admin/start-question", "Authorization: Bearer nonsense\r\n", start).await;
    assert_eq!(bad, refused(401, "this token is not known here, has expired or was taken back"));
    let team = hall.must("/api/v1/contests/aic/teams", json!({ "id": "ants" })).await;
    let token = format!("Authorization: Bearer {}\r\n", team["token"].as_str().unwrap());
    let answer = hall.send("POST", "/admin/start-question", &token, start).await;
    assert_eq!(answer, refused(403, "this needs an admin's token"));
}

#[tokio::test]
async fn a_team_comes_in_with_its_first_answer_and_not_before() {
    let hall = Hall::running(1).await;
    hall.text("ants", 1, "TR-V017").await;
    hall.text("ants", 2, RIGHT).await;
    let odd = hall.text("the ants", 1, RIGHT).await;
    assert_eq!(
        odd,
        refused(400, "`the ants` cannot be a name; use 1 to 64 letters, digits, `.`, `_` or `-`")
    );
    assert_eq!(teams(&hall).await, json!([]));
    hall.at(15.0).text("ants", 1, RIGHT).await;
    assert_eq!(teams(&hall).await, json!([{ "team": "ants", "name": null }]));
}

#[tokio::test]
async fn nobody_can_fill_the_board_with_names() {
    let hall = Hall::running(1).await;
    for number in 0..1000 {
        hall.text(&format!("team-{number}"), 1, "TR-V017-1,2").await;
    }
    let full = "there are 1000 teams, and no more may come by themselves; an organiser registers them";
    assert_eq!(hall.text("one-more", 1, RIGHT).await, refused(403, full));
    assert_eq!(hall.at(15.0).text("team-7", 1, RIGHT).await.0, 200, "whoever is in is in");
    hall.must("/api/v1/contests/aic/teams", json!({ "id": "one-more" })).await;
    assert_eq!(hall.text("one-more", 1, RIGHT).await.0, 200);
}

#[tokio::test]
async fn while_the_boards_are_frozen_nothing_new_is_seen_of_them() {
    let hall = Hall::running(1).await;
    hall.at(15.0).text("early", 1, RIGHT).await;
    hall.must("/api/v1/contests/aic/boards/freeze", json!({})).await;
    let board = hall.get("/leaderboard?question_id=1").await;
    let (_, status) = hall.get("/question/1/status").await;
    hall.at(30.0).text("late", 1, RIGHT).await;
    assert_eq!(hall.get("/leaderboard?question_id=1").await, board);
    let expected = r#"{"question_id":1,"total_ranked":1,"rankings":[{"team_id":"early","score":97.5,"time_taken":15.0,"submit_count":1,"wrong_count":0,"rank":1}]}"#;
    assert_eq!(board.1, expected);
    assert!(status.contains(r#""completed_teams":null"#), "{status}");
    hall.must("/api/v1/contests/aic/boards/unfreeze", json!({})).await;
    assert!(hall.get("/leaderboard?question_id=1").await.1.contains(r#""total_ranked":2"#));
}

#[tokio::test]
async fn nothing_at_the_root_tells_the_ground_truth() {
    let hall = Hall::open("competition").await;
    let secret =
        json!({ "id": "5", "type": "QA", "video_id": "L9V9", "points": "77123-77456", "answer": "zebra" });
    hall.add(secret).await;
    hall.start(5).await;
    let wrong = hall.text("ants", 5, "QA-horse-L1V1-1,2").await;
    let odd = hall.text("ants", 5, "TR-L1V1-1,2").await;
    hall.at(400.0);
    let mut said = vec![wrong, odd, hall.text("ants", 5, "QA-horse-L1V1-1,2").await];
    for path in ["/config", "/leaderboard?question_id=5", "/question/5/status", "/admin/sessions"] {
        said.push(hall.get(path).await);
    }
    said.push(hall.curl("/admin/stop-question", r#"{"question_id": 5}"#).await);
    said.push(hall.curl("/admin/start-question", r#"{"question_id": 5}"#).await);
    for (_, text) in said {
        for secret in ["L9V9", "77123", "77456", "zebra"] {
            assert!(!text.contains(secret), "{secret} in {text}");
        }
    }
}

async fn teams(hall: &Hall) -> Value {
    let (_, seen) = hall.as_admin("GET", "/api/v1/contests/aic", "", "").await;
    serde_json::from_str::<Value>(&seen).unwrap()["teams"].clone()
}
