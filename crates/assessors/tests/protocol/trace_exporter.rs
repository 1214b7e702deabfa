//! The export of traces, and that judging never waits for it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use assize_assessors::{AssessmentTrace, ModelCall, TraceExporter, TraceSettings, TraceTarget};
use assize_kernel::{Exchange, Usage};
use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, Method, Uri};
use serde_json::{Value, json};
use tokio::net::TcpListener;

type Told = Arc<Mutex<Vec<(String, HeaderMap, Value)>>>;

/// A server that accepts everything.
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

fn traced(submission: u64) -> AssessmentTrace {
    AssessmentTrace {
        court: "summary",
        submission,
        assessor: "small".into(),
        called: ModelCall {
            model: "small-1".into(),
            server: Some(("models.example".into(), 443)),
            max_tokens: 4096,
            temperature: 0.0,
            wants_json: true,
            response_id: Some("chatcmpl-1".into()),
            response_model: Some("small-1-2026".into()),
            finish_reason: Some("stop".into()),
        },
        time: (1_700_000_000_000, 1_700_000_002_500),
        exchanges: vec![Exchange { request: "{\"q\":1}".into(), answer: "{\"a\":2}".into() }],
        usage: Usage { calls: 1, tokens_in: 1000, tokens_out: 100, cost: 0.003 },
        verdict: Some(
            json!({ "outcome": "judged", "points": 7.5, "reasons": [{ "code": "summary.claim.partially" }] }),
        ),
    }
}

fn settings(url: &str) -> TraceSettings {
    let one = TraceTarget {
        url: url.to_owned(),
        key_variable: Some("KEY".into()),
        project: "house".into(),
        workspace: Some("team".into()),
    };
    TraceSettings { opik: Some(one.clone()), otlp: Some(TraceTarget { workspace: None, ..one }) }
}

/// The requests that both servers receive for these traces, by method and path.
async fn told(all: Vec<AssessmentTrace>, requests: usize) -> BTreeMap<String, (HeaderMap, Value)> {
    let (url, told) = neighbour().await;
    let trace_exporter = TraceExporter::start(&settings(&url), &|_| Some("k3y".into())).unwrap();
    all.into_iter().for_each(|one| trace_exporter.tell(one));
    while told.lock().unwrap().len() < requests {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let told = std::mem::take(&mut *told.lock().unwrap());
    told.into_iter().map(|(place, headers, body)| (place, (headers, body))).collect()
}

#[tokio::test]
async fn opik_gets_traces_spans_and_scores_in_its_own_fields() {
    let told = told((1..=3).map(traced).collect(), 5).await;
    let (headers, traces) = &told["POST /v1/private/traces/batch"];
    assert_eq!((&headers["authorization"], &headers["comet-workspace"]), (&key("k3y"), &key("team")));
    assert_eq!(traces["traces"].as_array().unwrap().len(), 3);
    let trace = &traces["traces"][0];
    assert_eq!(trace["id"].as_str().unwrap().chars().nth(14), Some('7'), "a UUID of version 7");
    assert_eq!(
        *trace,
        json!({
            "id": trace["id"], "project_name": "house", "name": "summary 1",
            "start_time": "2023-11-14T22:13:20.000Z", "end_time": "2023-11-14T22:13:22.500Z",
            "output": { "outcome": "judged" }, "metadata": { "court": "summary", "submission": 1 },
            "tags": ["assize", "summary"],
        })
    );
    let (_, spans) = &told["POST /v1/private/spans/batch"];
    let span = &spans["spans"][0];
    assert_eq!(
        *span,
        json!({
            "id": span["id"], "trace_id": trace["id"], "project_name": "house", "name": "small",
            "type": "llm", "model": "small-1",
            "start_time": "2023-11-14T22:13:20.000Z", "end_time": "2023-11-14T22:13:22.500Z",
            "input": { "q": 1 }, "output": { "a": 2 },
            "usage": { "prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100 },
            "total_estimated_cost": 0.003,
        })
    );
    let (_, scores) = &told["PUT /v1/private/traces/feedback-scores"];
    let first = json!({
        "id": trace["id"], "project_name": "house", "name": "summary.points", "value": 7.5,
        "reason": "summary.claim.partially", "source": "sdk",
    });
    assert_eq!(scores["scores"][0], first);
}

#[tokio::test]
async fn a_collector_gets_a_span_and_an_event_by_the_conventions() {
    let told = told(vec![traced(1)], 5).await;
    let (headers, traces) = &told["POST /v1/traces"];
    assert_eq!(headers["authorization"], "Bearer k3y");
    let scoped = |all: &Value| {
        let resource =
            json!({ "attributes": [{ "key": "service.name", "value": { "stringValue": "house" } }] });
        assert_eq!(all["resource"], resource);
        all.as_object().unwrap().values().find(|value| value.is_array()).unwrap()[0].clone()
    };
    let spans = scoped(&traces["resourceSpans"][0]);
    assert_eq!(spans["scope"]["name"], "assize");
    let span = &spans["spans"][0];
    assert_eq!(span["traceId"].as_str().map(str::len), Some(32));
    assert_eq!(span["spanId"].as_str().map(str::len), Some(16));
    let attributes = json!([
        { "key": "gen_ai.operation.name", "value": { "stringValue": "chat" } },
        { "key": "gen_ai.provider.name", "value": { "stringValue": "openai" } },
        { "key": "gen_ai.request.model", "value": { "stringValue": "small-1" } },
        { "key": "gen_ai.request.max_tokens", "value": { "intValue": "4096" } },
        { "key": "gen_ai.request.temperature", "value": { "doubleValue": 0.0 } },
        { "key": "gen_ai.usage.input_tokens", "value": { "intValue": "1000" } },
        { "key": "gen_ai.usage.output_tokens", "value": { "intValue": "100" } },
        { "key": "assize.assessor", "value": { "stringValue": "small" } },
        { "key": "assize.court", "value": { "stringValue": "summary" } },
        { "key": "assize.submission", "value": { "intValue": "1" } },
        { "key": "gen_ai.output.type", "value": { "stringValue": "json" } },
        { "key": "server.address", "value": { "stringValue": "models.example" } },
        { "key": "server.port", "value": { "intValue": "443" } },
        { "key": "gen_ai.response.id", "value": { "stringValue": "chatcmpl-1" } },
        { "key": "gen_ai.response.model", "value": { "stringValue": "small-1-2026" } },
        { "key": "gen_ai.response.finish_reasons", "value": { "arrayValue": { "values": [{ "stringValue": "stop" }] } } },
    ]);
    assert_eq!(
        *span,
        json!({
            "traceId": span["traceId"], "spanId": span["spanId"], "name": "chat small-1", "kind": 3,
            "startTimeUnixNano": "1700000000000000000", "endTimeUnixNano": "1700000002500000000",
            "attributes": attributes,
        })
    );
    let (_, logs) = &told["POST /v1/logs"];
    let event = &scoped(&logs["resourceLogs"][0])["logRecords"][0];
    let attributes = json!([
        { "key": "gen_ai.evaluation.name", "value": { "stringValue": "assize.summary" } },
        { "key": "gen_ai.evaluation.score.value", "value": { "doubleValue": 7.5 } },
        { "key": "gen_ai.evaluation.score.label", "value": { "stringValue": "judged" } },
        { "key": "gen_ai.evaluation.explanation", "value": { "stringValue": "summary.claim.partially" } },
    ]);
    assert_eq!(
        *event,
        json!({
            "timeUnixNano": "1700000002500000000", "observedTimeUnixNano": "1700000002500000000",
            "severityNumber": 9, "eventName": "gen_ai.evaluation.result",
            "traceId": span["traceId"], "spanId": span["spanId"], "attributes": attributes,
        })
    );
}

#[tokio::test]
async fn what_a_neighbour_would_refuse_is_left_out() {
    // No points, no price, more tokens than Opik counts.
    let usage = Usage { calls: 1, tokens_in: 1 << 40, tokens_out: 0, cost: 0.0 };
    let verdict = Some(json!({ "outcome": "undecided", "points": null, "reasons": [] }));
    let told = told(vec![AssessmentTrace { usage, verdict, ..traced(1) }], 4).await;
    assert!(!told.contains_key("PUT /v1/private/traces/feedback-scores"), "a score needs a value");
    let span = &told["POST /v1/private/spans/batch"].1["spans"][0];
    assert_eq!(span["usage"]["prompt_tokens"], i32::MAX);
    assert_eq!(span.get("total_estimated_cost"), None, "nobody has said what it costs");
    let event = &told["POST /v1/logs"].1["resourceLogs"][0]["scopeLogs"][0]["logRecords"][0];
    let keys: Vec<&str> =
        event["attributes"].as_array().unwrap().iter().map(|one| one["key"].as_str().unwrap()).collect();
    assert!(!keys.contains(&"gen_ai.evaluation.score.value"), "{keys:?}");
}

fn key(text: &str) -> HeaderValue {
    HeaderValue::from_str(text).unwrap()
}

#[tokio::test]
async fn a_neighbour_that_does_not_listen_is_waited_for_by_nobody() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let trace_exporter = TraceExporter::start(&settings(&url), &|_| Some("k3y".into())).unwrap();
    // Far more than are kept: telling returns all the same.
    (0..5_000).for_each(|number| trace_exporter.tell(traced(number)));
    assert!(trace_exporter.is_told());
    assert!(!TraceExporter::start(&TraceSettings::default(), &|_| None).unwrap().is_told());
}
