//! OTLP over HTTP with JSON: a span by the semantic conventions for generative AI, and the verdict as an
//! event.

use serde_json::{Value, json};

use super::ids::TraceIds;
use super::{AssessmentTrace, TraceClient};

/// The maximal number of reasons in an explanation.
const MAX_REASONS: usize = 5;
/// `SPAN_KIND_CLIENT`.
const CLIENT: u8 = 3;
/// `SEVERITY_NUMBER_INFO`.
const INFO: u8 = 9;

pub(super) async fn tell(otlp: &TraceClient, batch: &[(TraceIds, AssessmentTrace)]) {
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

fn span(ids: &TraceIds, traced: &AssessmentTrace) -> Value {
    json!({
        "traceId": ids.otel_trace,
        "spanId": ids.otel_span,
        "name": format!("chat {}", traced.called.model),
        "kind": CLIENT,
        "startTimeUnixNano": nanos(traced.time.0),
        "endTimeUnixNano": nanos(traced.time.1),
        "attributes": attributes(traced),
    })
}

fn attributes(traced: &AssessmentTrace) -> Vec<Value> {
    let called = &traced.called;
    let mut attributes = vec![
        text("gen_ai.operation.name", "chat"),
        // The protocol; the provider itself follows from `server.address`.
        text("gen_ai.provider.name", "openai"),
        text("gen_ai.request.model", &called.model),
        whole("gen_ai.request.max_tokens", called.max_tokens.into()),
        double("gen_ai.request.temperature", called.temperature),
        whole("gen_ai.usage.input_tokens", traced.usage.tokens_in),
        whole("gen_ai.usage.output_tokens", traced.usage.tokens_out),
        text("assize.assessor", &traced.assessor),
        text("assize.court", traced.court),
        whole("assize.submission", traced.submission),
    ];
    if called.wants_json {
        attributes.push(text("gen_ai.output.type", "json"));
    }
    if let Some((host, port)) = &called.server {
        attributes.extend([text("server.address", host), whole("server.port", (*port).into())]);
    }
    attributes.extend(called.response_id.as_deref().map(|id| text("gen_ai.response.id", id)));
    attributes.extend(called.response_model.as_deref().map(|model| text("gen_ai.response.model", model)));
    attributes.extend(called.finish_reason.as_deref().map(|reason| {
        let values = json!([{ "stringValue": reason }]);
        json!({ "key": "gen_ai.response.finish_reasons", "value": { "arrayValue": { "values": values } } })
    }));
    attributes
}

/// `gen_ai.evaluation.result`, in the span of the assessing model, because the span of the assessed output is
/// unknown.
fn event(ids: &TraceIds, traced: &AssessmentTrace) -> Option<Value> {
    let verdict = traced.verdict.as_ref()?;
    let mut attributes = vec![text("gen_ai.evaluation.name", &format!("assize.{}", traced.court))];
    attributes
        .extend(verdict["points"].as_f64().map(|points| double("gen_ai.evaluation.score.value", points)));
    let outcome = verdict["outcome"].as_str().unwrap_or_default();
    attributes.push(text("gen_ai.evaluation.score.label", outcome));
    attributes.push(text("gen_ai.evaluation.explanation", &explanation(verdict)));
    Some(json!({
        "timeUnixNano": nanos(traced.time.1),
        "observedTimeUnixNano": nanos(traced.time.1),
        "severityNumber": INFO,
        "eventName": "gen_ai.evaluation.result",
        "traceId": ids.otel_trace,
        "spanId": ids.otel_span,
        "attributes": attributes,
    }))
}

/// The codes of the reasons of a verdict, most severe first; codes contain no personal text.
pub(super) fn explanation(verdict: &Value) -> String {
    let reasons = verdict["reasons"].as_array().into_iter().flatten();
    let codes: Vec<&str> = reasons.filter_map(|reason| reason["code"].as_str()).take(MAX_REASONS).collect();
    codes.join(", ")
}

fn text(key: &str, value: &str) -> Value {
    json!({ "key": key, "value": { "stringValue": value } })
}

fn double(key: &str, value: f64) -> Value {
    json!({ "key": key, "value": { "doubleValue": value } })
}

fn whole(key: &str, value: u64) -> Value {
    json!({ "key": key, "value": { "intValue": value.to_string() } })
}

fn nanos(millis: i64) -> String {
    (i128::from(millis) * 1_000_000).to_string()
}
