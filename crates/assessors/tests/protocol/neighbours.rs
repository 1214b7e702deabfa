//! What neighbours are told, and that nobody waits for them.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use assize_assessors::{Neighbour, NeighbourSettings, Neighbours, Traced};
use assize_kernel::{Exchange, Usage};
use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, Method, Uri};
use serde_json::{Value, json};
use tokio::net::TcpListener;

type Told = Arc<Mutex<Vec<(String, HeaderMap, Value)>>>;

/// Somebody who takes everything.
async fn neighbour() -> (String, Told) {
    let told = Told::default();
    let heard = told.clone();
    let take = move |method: Method, uri: Uri, headers: HeaderMap, body: Bytes| async move {
        let body = serde_json::from_slice(&body).unwrap();
        heard.lock().unwrap().push((format!("{method} {}", uri.path()), headers, body));
        "{}"
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, Router::new().fallback(take)).await.unwrap() });
    (url, told)
}

fn traced(submission: u64) -> Traced {
    Traced {
        court: "summary",
        submission,
        assessor: ("small".into(), "small-1".into()),
        time: (1_700_000_000_000, 1_700_000_002_500),
        exchanges: vec![Exchange { request: "{\"q\":1}".into(), answer: "{\"a\":2}".into() }],
        usage: Usage { calls: 1, tokens_in: 1000, tokens_out: 100, cost: 0.003 },
        verdict: Some(
            json!({ "outcome": "judged", "points": 7.5, "reasons": [{ "code": "summary.claim.partially" }] }),
        ),
    }
}

fn settings(url: &str) -> NeighbourSettings {
    let one = Neighbour {
        url: url.to_owned(),
        key_variable: Some("KEY".into()),
        project: "house".into(),
        workspace: Some("team".into()),
    };
    NeighbourSettings { opik: Some(one.clone()), otlp: Some(Neighbour { workspace: None, ..one }) }
}

#[tokio::test]
async fn opik_and_a_collector_are_told_in_batches() {
    let (url, told) = neighbour().await;
    let neighbours = Neighbours::start(&settings(&url), &|_| Some("k3y".into())).unwrap();
    (1..=3).for_each(|number| neighbours.tell(traced(number)));
    while told.lock().unwrap().len() < 5 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let told = told.lock().unwrap();
    let at = |path: &str| told.iter().find(|(place, ..)| place == path).unwrap_or_else(|| panic!("{path}"));
    let (_, headers, traces) = at("POST /v1/private/traces/batch");
    assert_eq!(
        (&headers["authorization"], &headers["comet-workspace"]),
        (&"k3y".parse().unwrap(), &"team".parse().unwrap())
    );
    assert_eq!(traces["traces"].as_array().unwrap().len(), 3);
    let (_, _, spans) = at("POST /v1/private/spans/batch");
    let (trace, span) = (&traces["traces"][0], &spans["spans"][0]);
    assert_eq!(span["trace_id"], trace["id"]);
    assert_eq!(trace["id"].as_str().unwrap().chars().nth(14), Some('7'), "a UUID of version 7");
    assert_eq!((&span["input"], &span["usage"]["total_tokens"]), (&json!({ "q": 1 }), &json!(1100)));
    let (_, _, scores) = at("PUT /v1/private/traces/feedback-scores");
    assert_eq!(
        (&scores["scores"][0]["value"], &scores["scores"][0]["reason"]),
        (&json!(7.5), &json!("summary.claim.partially"))
    );
    let (_, headers, traces) = at("POST /v1/traces");
    assert_eq!(headers["authorization"], "Bearer k3y");
    let span = &traces["resourceSpans"][0]["scopeSpans"][0]["spans"][0];
    assert_eq!(span["startTimeUnixNano"], "1700000000000000000");
    let (_, _, logs) = at("POST /v1/logs");
    let event = &logs["resourceLogs"][0]["scopeLogs"][0]["logRecords"][0];
    assert_eq!(
        (&event["eventName"], &event["spanId"]),
        (&json!("gen_ai.evaluation.result"), &span["spanId"])
    );
    assert_eq!(event["spanId"].as_str().unwrap().len(), 16);
    assert_eq!(event["attributes"][1]["value"]["doubleValue"], 7.5);
}

#[tokio::test]
async fn a_neighbour_that_does_not_listen_is_waited_for_by_nobody() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let neighbours = Neighbours::start(&settings(&url), &|_| Some("k3y".into())).unwrap();
    // Far more than are kept: telling returns all the same.
    (0..5_000).for_each(|number| neighbours.tell(traced(number)));
    assert!(neighbours.is_told());
    assert!(!Neighbours::start(&NeighbourSettings::default(), &|_| None).unwrap().is_told());
}
