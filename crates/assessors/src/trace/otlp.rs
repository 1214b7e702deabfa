//! OpenTelemetry by HTTP and JSON: a span by the conventions for generative models, and the verdict as an event.

use serde_json::{Value, json};

use super::ids::Ids;
use super::{Post, Traced};

/// As many reasons are told.
const MOST_REASONS: usize = 5;

pub(super) async fn tell(otlp: &Post, batch: &[(Ids, Traced)]) {
    let resource = json!({ "attributes": [text("service.name", &otlp.project)] });
    let scope = json!({ "name": "assize", "version": env!("CARGO_PKG_VERSION") });
    let spans: Vec<Value> = batch.iter().map(|(ids, traced)| span(ids, traced)).collect();
    let scoped = json!([{ "scope": scope, "spans": spans }]);
    let traces = json!({ "resourceSpans": [{ "resource": resource, "scopeSpans": scoped }] });
    otlp.send(false, "/v1/traces", &traces).await;
    let events: Vec<Value> = batch.iter().filter_map(|(ids, traced)| event(ids, traced)).collect();
    if !events.is_empty() {
        let scoped = json!([{ "scope": scope, "logRecords": events }]);
        let logs = json!({ "resourceLogs": [{ "resource": resource, "scopeLogs": scoped }] });
        otlp.send(false, "/v1/logs", &logs).await;
    }
}

fn span(ids: &Ids, traced: &Traced) -> Value {
    json!({
        "traceId": ids.otel_trace,
        "spanId": ids.otel_span,
        "name": format!("chat {}", traced.assessor.1),
        "kind": 3,
        "startTimeUnixNano": nanos(traced.time.0),
        "endTimeUnixNano": nanos(traced.time.1),
        "attributes": [
            text("gen_ai.operation.name", "chat"),
            text("gen_ai.provider.name", "openai"),
            text("gen_ai.request.model", &traced.assessor.1),
            whole("gen_ai.usage.input_tokens", traced.usage.tokens_in),
            whole("gen_ai.usage.output_tokens", traced.usage.tokens_out),
            text("assize.assessor", &traced.assessor.0),
            text("assize.court", traced.court),
            whole("assize.submission", traced.submission),
        ],
    })
}

/// `gen_ai.evaluation.result`, within the span of the model that looked.
fn event(ids: &Ids, traced: &Traced) -> Option<Value> {
    let verdict = traced.verdict.as_ref()?;
    Some(json!({
        "timeUnixNano": nanos(traced.time.1),
        "observedTimeUnixNano": nanos(traced.time.1),
        "severityNumber": 9,
        "eventName": "gen_ai.evaluation.result",
        "traceId": ids.otel_trace,
        "spanId": ids.otel_span,
        "attributes": [
            text("gen_ai.evaluation.name", &format!("assize.{}", traced.court)),
            { "key": "gen_ai.evaluation.score.value", "value": { "doubleValue": verdict["points"] } },
            text("gen_ai.evaluation.score.label", verdict["outcome"].as_str().unwrap_or_default()),
            text("gen_ai.evaluation.explanation", &explanation(verdict)),
        ],
    }))
}

/// The reasons of a verdict, the weightiest first: their codes, which hold nobody's words.
pub(super) fn explanation(verdict: &Value) -> String {
    let reasons = verdict["reasons"].as_array().into_iter().flatten();
    let codes: Vec<&str> = reasons.filter_map(|reason| reason["code"].as_str()).take(MOST_REASONS).collect();
    codes.join(", ")
}

fn text(key: &str, value: &str) -> Value {
    json!({ "key": key, "value": { "stringValue": value } })
}

fn whole(key: &str, value: u64) -> Value {
    json!({ "key": key, "value": { "intValue": value.to_string() } })
}

fn nanos(millis: i64) -> String {
    (i128::from(millis) * 1_000_000).to_string()
}
