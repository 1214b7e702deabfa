//! Logs of tools: stored, visible to judges, never judged.

use serde_json::{Value, json};

use crate::hall::Hall;

pub(crate) fn query(value: &str) -> Value {
    let event =
        json!({ "timestamp": 1_700_000_000_000_i64, "category": "TEXT", "type": "free", "value": value });
    json!({ "timestamp": 1_700_000_000_001_i64, "events": [event] })
}

pub(crate) fn result(count: u32) -> Value {
    let answer = |rank: u32| {
        let item = json!({ "mediaItemName": format!("L01_V{rank:05}"), "start": rank, "end": rank + 1 });
        json!({ "answer": item, "rank": rank })
    };
    let results: Vec<_> = (1..=count).map(answer).collect();
    json!({ "timestamp": 7, "sortType": "list", "resultSetAvailability": "top", "results": results, "events": [] })
}

pub(crate) fn logs(hall: &Hall, query: &str) -> Value {
    let (status, logs) = hall.contest.admin.get(&hall.contest.path(&format!("/logs{query}"))).unwrap();
    assert_eq!(status, 200, "{logs}");
    logs
}

#[test]
fn what_is_logged_is_kept_in_order_for_those_who_judge() {
    let hall = Hall::set();
    assert_eq!(logs(&hall, ""), json!({ "logs": [], "next": null }));
    let (anna, berta) = (hall.tool("anna"), hall.tool("berta"));
    let long = result(2_000);
    assert!(long.to_string().len() > 100_000);
    for (path, body) in [("/log/query/spring", &query("red car")), ("/log/result/spring", &long)] {
        let (status, told) = anna.post(path, body);
        assert_eq!((status, &told["status"]), (200, &json!(true)), "{told}");
    }
    assert_eq!(berta.post("/log/query/spring", &query("blue car")).0, 200);

    let hall = hall.restart();
    let all = logs(&hall, "");
    let entries = all["logs"].as_array().unwrap();
    let seen: Vec<_> = entries
        .iter()
        .map(|entry| (&entry["number"], &entry["kind"], &entry["team"], &entry["user"]))
        .collect();
    let expected = [
        (1, "QueriesLogged", "ants", "anna"),
        (2, "ResultsLogged", "ants", "anna"),
        (3, "QueriesLogged", "bees", "berta"),
    ];
    let expected =
        expected.map(|(number, kind, team, user)| (json!(number), json!(kind), json!(team), json!(user)));
    assert_eq!(seen, expected.each_ref().map(|(number, kind, team, user)| (number, kind, team, user)));
    assert_eq!((&entries[0]["log"], &entries[1]["log"]), (&query("red car"), &long));
    let page = logs(&hall, "?after=1&limit=1");
    assert_eq!((&page["logs"][0]["number"], &page["next"]), (&json!(2), &json!(2)));
    assert_eq!(logs(&hall, "?after=3")["logs"], json!([]));

    let judge = hall.contest.must("/api/v1/tokens", &json!({ "name": "judith", "role": "judge" }));
    let judge = hall.server.client(judge["token"].as_str().unwrap());
    assert_eq!(judge.get("/api/v1/contests/spring/logs").unwrap().1, all);
    assert_eq!(judge.get("/api/v1/contests/winter/logs").unwrap().0, 404);
    hall.server.stop();
}

#[test]
fn what_is_logged_is_nobody_elses_business() {
    let hall = Hall::set();
    assert_eq!(hall.tool("anna").post("/log/query/spring", &query("red car")).0, 200);
    let position = logs(&hall, "")["logs"][0]["position"].clone();
    let token = hall.contest.must(&hall.contest.path("/teams/bees/tokens"), &json!({}));
    let bees = hall.server.client(token["token"].as_str().unwrap());
    assert_eq!(bees.get("/api/v1/contests/spring/logs").unwrap().0, 403);
    assert_eq!(bees.get(&format!("/api/v1/records/{position}")).unwrap().0, 404);
    for client in [&bees, &hall.server.client("")] {
        assert_eq!(client.get("/api/v1/events?topic=log/spring").unwrap().0, 404);
    }
    for path in ["/api/v1/contests", "/api/v1/contests/spring", "/api/v1/contests/spring/board"] {
        let (_, told) = bees.get(path).unwrap();
        assert!(!told.to_string().contains("red car"), "{path}: {told}");
    }
    hall.server.stop();
}

#[test]
fn what_is_left_out_or_null_or_not_known_does_no_harm_and_nonsense_is_refused() {
    let hall = Hall::set();
    let anna = hall.tool("anna");
    let sparse = [
        ("/log/query/spring", json!({})),
        ("/log/query/spring", json!({ "timestamp": null, "events": null, "serverTimeStamp": 5 })),
        ("/log/query/spring", json!({ "events": [{}, { "category": null, "value": null }] })),
        ("/log/result/spring", json!({ "results": [{ "answer": { "text": null }, "rank": null }] })),
    ];
    for (path, body) in &sparse {
        assert_eq!(anna.post(path, body).0, 200, "{body}");
    }
    let nonsense = [
        ("/log/query/spring", "[]"),
        ("/log/query/spring", "{"),
        ("/log/query/spring", r#"{"timestamp": "now"}"#),
        ("/log/query/spring", r#"{"events": [{"category": "GUESSING"}]}"#),
        ("/log/query/spring", r#"{"events": [null]}"#),
        ("/log/query/spring", r#"{"events": [[1, "TEXT", "free", "x"]]}"#),
        ("/log/result/spring", r#"{"results": [{"rank": 1}]}"#),
        ("/log/result/spring", r#"{"results": [{"answer": {"start": "soon"}}]}"#),
    ];
    for (path, body) in nonsense {
        assert_eq!(anna.send("POST", path, body, &[]).0, 400, "{body}");
    }
    for path in ["/log/query/winter", "/log/result/winter"] {
        assert_eq!(anna.post(path, &json!({})).0, 404);
    }
    let kept = logs(&hall, "");
    let kept: Vec<_> = kept["logs"].as_array().unwrap().iter().map(|entry| entry["log"].clone()).collect();
    let expected =
        [json!({}), json!({}), json!({ "events": [{}, {}] }), json!({ "results": [{ "answer": {} }] })];
    assert_eq!(kept, expected);
    hall.server.stop();
}

#[test]
fn a_tool_that_logs_without_end_is_told_to_wait() {
    let hall = Hall::set();
    let (anna, berta) = (hall.tool("anna"), hall.tool("berta"));
    // Fifty may come at once and ten each second, so that this ends unless a request takes a tenth of a second.
    let told = (0..1_000).find(|_| anna.post("/log/query/spring", &json!({})).0 == 429);
    assert!(told.is_some_and(|sent| sent >= 50), "{told:?}");
    assert_eq!(berta.post("/log/query/spring", &json!({})).0, 200, "another team may");
    hall.server.stop();
}

#[test]
fn a_log_that_is_repeated_with_its_key_is_kept_once() {
    let hall = Hall::set();
    let anna = hall.tool("anna");
    for _ in 0..3 {
        let sent =
            anna.send("POST", "/log/query/spring", &query("x").to_string(), &[("idempotency-key", "k1")]);
        assert_eq!(sent.0, 200);
    }
    assert_eq!(logs(&hall, "")["logs"].as_array().unwrap().len(), 1);
    hall.server.stop();
}
