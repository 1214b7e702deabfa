//! Summaries of a run over HTTP: each is parsed here, then judged and recorded by the clerk.

use assize_courts::summary::{
    Findings, SummaryCommand, SummaryItemsView, SummaryRefusal, SummaryState, TextPair, read,
    shipped_rulebook,
};
use assize_kernel::{
    Assessor, Destination, Refusal, RulebookRef, SmolStr, StreamId, Verdict, check_name, to_json,
};
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;

use super::super::access::Act;
use super::super::assessments::placing::{
    AssessmentReceived, AssessmentRequest, book_of, may_ask, panel, place,
};
use super::super::caller::Caller;
use super::super::input::{IdempotencyKey, Input};
use super::super::openapi::{Conflict, Forbidden, Unknown};
use super::super::path::PathParams;
use super::super::problem::Problem;
use super::super::query::{Pagination, QueryParams};
use super::super::records::{Receipt, RecordView, find};
use super::super::schemas::{AnyObject, Id};
use super::super::submit::last;
use super::super::{App, blocking};
use super::{petition, stream_of, unknown_run};
use assize_engine::{ClerkError, RequestKey};

/// The assessor name of the court's own parser; reserved.
const READING: &str = "reading";

/// A summary to judge and store.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewSummary {
    /// The name of the summary in the run.
    #[schema(value_type = Id)]
    item: String,
    /// The model that wrote it.
    #[schema(value_type = Option<Id>)]
    model: Option<String>,
    #[schema(min_length = 1, max_length = 2_000_000)]
    article: String,
    #[schema(min_length = 1, max_length = 2_000_000)]
    summary: String,
    /// The findings of a language model or a person; by default the court reads the texts itself.
    #[schema(value_type = Option<AnyObject>)]
    findings: Option<Box<Findings>>,
    /// The author of the findings.
    assessor: Option<Assessor>,
    /// The models to ask, by their configured names; the summary is in the run when they have answered.
    #[serde(default)]
    #[schema(value_type = Vec<Id>, max_items = 9)]
    assessors: Vec<SmolStr>,
    /// The number of people to ask.
    #[serde(default)]
    #[schema(maximum = 9)]
    people: u32,
    /// The disagreement of the models, from 0 to 1, above which a person is asked; 0.25 by default.
    #[schema(minimum = 0, maximum = 1)]
    threshold: Option<f64>,
}

/// The verdict on a summary.
#[derive(ToSchema)]
#[allow(
    dead_code,
    reason = "described here, written by hand: the verdict is passed on as it stands in the ledger"
)]
pub(crate) struct SummaryAdded {
    receipt: Receipt,
    verdict: Verdict<AnyObject>,
    /// Whether this repeats the response to an earlier request.
    repeated: bool,
}

/// Judges and stores a summary; if assessors are asked, after they have answered.
#[utoipa::path(
    post, path = "/api/v1/summary/runs/{run}/items", tag = "summaries",
    params(("run" = Id, Path, description = "The run"), IdempotencyKey),
    request_body = NewSummary,
    responses(
        (status = 201, description = "The summary was judged", body = SummaryAdded),
        (status = 202, description = "The summary waits for its assessors", body = AssessmentReceived),
        Forbidden, Unknown, Conflict
    ),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn add_summary(
    State(app): State<App>,
    PathParams(run): PathParams<String>,
    caller: Caller,
    input: Input<NewSummary>,
) -> Result<(StatusCode, Response), Problem> {
    let stream = stream_of(&run)?;
    caller.may(Act::RunEvaluation, &stream)?;
    let key = input.key(&caller);
    if input.value.assessor.as_ref().is_some_and(|assessor| assessor.name == READING) {
        return Err(Problem::malformed("`assessor`: `reading` is the court's own, take another name"));
    }
    let rulebook = app.clerk.inspect(stream.clone(), |state: &SummaryState| state.rulebook.clone()).await?;
    let rulebook = rulebook.ok_or_else(|| unknown_run(&run))?;
    if !input.value.assessors.is_empty() || input.value.people > 0 {
        let received = have_assessed(&app, &caller, stream, rulebook, input.value, key).await?;
        return Ok((StatusCode::ACCEPTED, Json(received).into_response()));
    }
    let size = input.value.article.len() + input.value.summary.len();
    let command = move || command(input.value, &rulebook);
    let command = app.heavy_work.run(caller.token, size, command).await?;
    let answer = app.clerk.submit(petition(&app, &caller, stream, command, key)).await?;
    let record = last(&answer)?;
    let verdict = record.draft.verdict.as_deref();
    let verdict = verdict.ok_or_else(|| Problem::internal("a summary without a verdict"))?;
    let receipt = to_json(&Receipt::of(record));
    let repeated = answer.repeated;
    let body = format!(r#"{{"receipt":{receipt},"verdict":{verdict},"repeated":{repeated}}}"#);
    Ok((StatusCode::CREATED, ([(header::CONTENT_TYPE, "application/json")], body).into_response()))
}

/// Places a summary on the bench; its verdict is delivered to the run.
async fn have_assessed(
    app: &App,
    caller: &Caller,
    stream: StreamId,
    rulebook: RulebookRef,
    new: NewSummary,
    key: Option<RequestKey>,
) -> Result<AssessmentReceived, Problem> {
    let NewSummary { item, model, article, summary, findings, assessor, assessors, people, threshold } = new;
    may_ask(caller, &stream)?;
    if findings.is_some() || assessor.is_some() {
        return Err(Problem::malformed("`findings` and `assessors`: whoever has findings asks nobody"));
    }
    for name in [Some(&item), model.as_ref()].into_iter().flatten() {
        check_name(name).map_err(|bad| Problem::malformed(bad.to_string()))?;
    }
    let name: SmolStr = item.into();
    // A repeated request gets the first response, even when the summary is in the run by now.
    if !is_repeated(app, key.as_ref()).await? {
        let look = {
            let name = name.clone();
            move |state: &SummaryState| state.items.contains_key(&name)
        };
        if app.clerk.inspect(stream.clone(), look).await? {
            return Err(ClerkError::Refused(SummaryRefusal::ItemExists(name).into()).into());
        }
    }
    let document = to_json(&json!({ "article": article, "summary": summary }));
    let destination =
        Some(Destination { stream: stream.as_str().into(), item: name, part: model.map(Into::into) });
    let panel = panel(assessors, people, threshold);
    let wanted = AssessmentRequest { document, panel, destination, subject: None };
    let book = book_of(app, "summary", rulebook.hash).await?;
    place(app, caller, "summary", book, wanted, key).await
}

async fn is_repeated(app: &App, key: Option<&RequestKey>) -> Result<bool, Problem> {
    let Some(key) = key.map(|key| key.key.clone()) else { return Ok(false) };
    blocking(app, move |app| Ok(app.ledger.keys(&[key])?.iter().any(Option::is_some))).await
}

/// The command with the findings already read, since the clerk's thread is single.
fn command(new: NewSummary, rulebook: &RulebookRef) -> Result<SummaryCommand, Problem> {
    let NewSummary { item, model, article, summary, mut findings, mut assessor, .. } = new;
    // Under a custom rulebook the clerk reads the summary itself.
    if let (None, Some(book)) = (&findings, shipped_rulebook(rulebook)) {
        let texts = TextPair { article: &article, summary: &summary };
        let (found, reading) =
            read(book, texts).map_err(|refusal| ClerkError::Refused(Refusal::from(refusal)))?;
        (findings, assessor) = (Some(Box::new(found)), Some(reading));
    }
    let item = item.into();
    let model = model.map(Into::into);
    let remarks = Vec::new();
    Ok(SummaryCommand::JudgeSummary { item, model, article, summary, findings, assessor, remarks })
}

/// Lists the summaries of a run in short form, by name.
#[utoipa::path(
    get, path = "/api/v1/summary/runs/{run}/items", tag = "summaries",
    params(("run" = Id, Path, description = "The run"), Pagination),
    responses((status = 200, description = "A page of the summaries", body = SummaryItemsView), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn list_summaries(
    State(app): State<App>,
    PathParams(run): PathParams<String>,
    QueryParams(window): QueryParams<Pagination>,
    caller: Caller,
) -> Result<Json<SummaryItemsView>, Problem> {
    let stream = stream_of(&run)?;
    caller.may(Act::RunEvaluation, &stream)?;
    let look = move |state: &SummaryState| state.page(window.offset(), window.limit());
    app.clerk.inspect(stream, look).await?.map(Json).ok_or_else(|| unknown_run(&run))
}

/// Reads a summary of a run with its texts, its verdict and its revision, if there is one.
#[utoipa::path(
    get, path = "/api/v1/summary/runs/{run}/items/{item}", tag = "summaries",
    params(("run" = Id, Path, description = "The run"), ("item" = Id, Path, description = "The summary")),
    responses((status = 200, description = "The record of the summary", body = RecordView), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn read_summary(
    State(app): State<App>,
    PathParams((run, item)): PathParams<(String, String)>,
    caller: Caller,
) -> Result<Json<RecordView>, Problem> {
    let stream = stream_of(&run)?;
    caller.may(Act::RunEvaluation, &stream)?;
    let unknown = || {
        let message =
            format!("there is no summary `{item}` in the run `{run}`; what is being assessed is not yet");
        Problem::not_found(message)
    };
    let name = item.clone();
    let look = move |state: &SummaryState| state.items.get(name.as_str()).map(|kept| kept.position);
    let position = app.clerk.inspect(stream, look).await?.ok_or_else(unknown)?;
    let revised_at = app.clerk.views().revised_at(position);
    let found = blocking(&app, move |app| {
        let revision = revised_at.map(|position| find(app, position)).transpose()?.flatten();
        Ok(find(app, position)?.map(|record| (record, revision)))
    });
    let (record, revision) = found.await?.ok_or_else(unknown)?;
    Ok(Json(RecordView::of(&record, revision.as_ref(), None)?))
}
