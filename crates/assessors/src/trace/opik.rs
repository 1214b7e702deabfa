//! Opik: a trace for each submission, a span for the request to the model, the verdict as a feedback score.

use serde_json::{Value, json};

use super::ids::TraceIds;
use super::{AssessmentTrace, TraceClient};

pub(super) async fn tell(opik: &TraceClient, batch: &[(TraceIds, AssessmentTrace)]) {
    let traces: Vec<Value> = batch.iter().map(|(ids, traced)| trace(opik, ids, traced)).collect();
    opik.send(false, "/v1/private/traces/batch", &json!({ "traces": traces })).await;
    let spans: Vec<Value> = batch.iter().map(|(ids, traced)| span(opik, ids, traced)).collect();
    opik.send(false, "/v1/private/spans/batch", &json!({ "spans": spans })).await;
    let scores: Vec<Value> = batch.iter().filter_map(|(ids, traced)| score(opik, ids, traced)).collect();
    if !scores.is_empty() {
        opik.send(true, "/v1/private/traces/feedback-scores", &json!({ "scores": scores })).await;
    }
}

fn trace(opik: &TraceClient, ids: &TraceIds, traced: &AssessmentTrace) -> Value {
    json!({
        "id": ids.trace,
        "project_name": opik.project,
        "name": format!("{} {}", traced.court, traced.submission),
        "start_time": moment(traced.time.0),
        "end_time": moment(traced.time.1),
        "output": { "outcome": traced.verdict.as_ref().map(|verdict| &verdict["outcome"]) },
        "metadata": { "court": traced.court, "submission": traced.submission },
        "tags": ["assize", traced.court],
    })
}

fn span(opik: &TraceClient, ids: &TraceIds, traced: &AssessmentTrace) -> Value {
    let last = traced.exchanges.last();
    let read = |text: &str| serde_json::from_str::<Value>(text).ok();
    let mut span = json!({
        "id": ids.span,
        "trace_id": ids.trace,
        "project_name": opik.project,
        "name": traced.assessor,
        "type": "llm",
        "model": traced.called.model,
        "start_time": moment(traced.time.0),
        "end_time": moment(traced.time.1),
        "input": last.and_then(|said| read(&said.request)),
        "output": last.and_then(|said| read(&said.answer)),
        "usage": {
            "prompt_tokens": small(traced.usage.tokens_in),
            "completion_tokens": small(traced.usage.tokens_out),
            "total_tokens": small(traced.usage.tokens_in + traced.usage.tokens_out),
        },
    });
    // Without prices the cost is unknown, not zero.
    if let Some(span) = span.as_object_mut().filter(|_| traced.usage.cost > 0.0) {
        span.insert("total_estimated_cost".into(), traced.usage.cost.into());
    }
    span
}

/// The points and the reasons; none without points, because Opik rejects the whole batch for one invalid
/// score.
fn score(opik: &TraceClient, ids: &TraceIds, traced: &AssessmentTrace) -> Option<Value> {
    let verdict = traced.verdict.as_ref()?;
    let points = verdict["points"].as_f64()?;
    Some(json!({
        "id": ids.trace,
        "project_name": opik.project,
        "name": format!("{}.points", traced.court),
        "value": points,
        "reason": super::otlp::explanation(verdict),
        "source": "sdk",
    }))
}

/// Opik counts tokens in 32 bits.
fn small(tokens: u64) -> i32 {
    i32::try_from(tokens).unwrap_or(i32::MAX)
}

/// A time in the format of Opik.
fn moment(millis: i64) -> String {
    assize_kernel::Moment::from_millis(millis).to_string()
}
