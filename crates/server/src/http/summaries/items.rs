//! The summaries of a run over HTTP: each is read here, judged by the clerk, and kept.

use assize_courts::summary::{
    Findings, ItemsView, SummaryCommand, SummaryState, Texts, read, shipped_rulebook,
};
use assize_kernel::{Assessor, Refusal, RulebookRef, to_json};
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use utoipa::ToSchema;

use super::super::access::Act;
use super::super::address::Address;
use super::super::caller::Caller;
use super::super::document::{Conflict, Forbidden, Unknown};
use super::super::hearing::last;
use super::super::input::{IdempotencyKey, Input};
use super::super::problem::Problem;
use super::super::query::{Asked, Window};
use super::super::records::{Receipt, RecordView, find};
use super::super::shapes::summary as shapes;
use super::super::shapes::{self as kernel_shapes, AnyObject, Id, Verdict};
use super::super::{App, blocking};
use super::{petition, stream_of, unknown_run};
use crate::ClerkError;

/// What the court's own reading is called: nobody else is.
const READING: &str = "reading";

/// A summary that is to be judged and kept.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct NewSummary {
    /// Its name in the run.
    #[schema(value_type = Id)]
    item: String,
    /// The model that wrote it.
    #[schema(value_type = Option<Id>)]
    model: Option<String>,
    #[schema(min_length = 1, max_length = 2_000_000)]
    article: String,
    #[schema(min_length = 1, max_length = 2_000_000)]
    summary: String,
    /// Those of a language model or a person; the reading's otherwise.
    #[schema(value_type = Option<AnyObject>)]
    findings: Option<Box<Findings>>,
    /// Whose findings they are.
    #[schema(value_type = Option<kernel_shapes::Assessor>)]
    assessor: Option<Assessor>,
}

/// A summary was judged.
#[derive(ToSchema)]
#[allow(
    dead_code,
    reason = "described here, written by hand: the verdict is passed on as it stands in the ledger"
)]
pub(in super::super) struct SummaryAdded {
    receipt: Receipt,
    verdict: Verdict<AnyObject>,
    /// Whether this is the answer to an earlier request, given again.
    repeated: bool,
}

/// Judges a summary and keeps it.
#[utoipa::path(
    post, path = "/api/v1/summary/runs/{run}/items", tag = "summaries",
    params(("run" = Id, Path, description = "The run"), IdempotencyKey),
    request_body = NewSummary,
    responses((status = 201, description = "It was judged", body = SummaryAdded), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(in super::super) async fn add_summary(
    State(app): State<App>,
    Address(run): Address<String>,
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
    let command = blocking(&app, move |_| command(input.value, &rulebook)).await?;
    let answer = app.clerk.hear(petition(&app, &caller, stream, command, key)).await?;
    let record = last(&answer)?;
    let verdict = record.draft.verdict.as_deref();
    let verdict = verdict.ok_or_else(|| Problem::internal("a summary without a verdict"))?;
    let (receipt, repeated) = (to_json(&Receipt::of(record)), answer.repeated);
    let body = format!(r#"{{"receipt":{receipt},"verdict":{verdict},"repeated":{repeated}}}"#);
    Ok((StatusCode::CREATED, ([(header::CONTENT_TYPE, "application/json")], body).into_response()))
}

/// The command with what was read already: the clerk has only one pair of hands.
fn command(new: NewSummary, rulebook: &RulebookRef) -> Result<SummaryCommand, Problem> {
    let NewSummary { item, model, article, summary, mut findings, mut assessor } = new;
    // Under a rulebook of somebody's own the clerk reads itself.
    if let (None, Some(book)) = (&findings, shipped_rulebook(rulebook)) {
        let texts = Texts { article: &article, summary: &summary };
        let (found, reading) =
            read(book, texts).map_err(|refusal| ClerkError::Refused(Refusal::from(refusal)))?;
        (findings, assessor) = (Some(Box::new(found)), Some(reading));
    }
    let (item, model) = (item.into(), model.map(Into::into));
    Ok(SummaryCommand::JudgeSummary { item, model, article, summary, findings, assessor })
}

/// The summaries of a run in short, by name.
#[utoipa::path(
    get, path = "/api/v1/summary/runs/{run}/items", tag = "summaries",
    params(("run" = Id, Path, description = "The run"), Window),
    responses((status = 200, description = "A page of the summaries", body = shapes::ItemsView), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(in super::super) async fn list_summaries(
    State(app): State<App>,
    Address(run): Address<String>,
    Asked(window): Asked<Window>,
    caller: Caller,
) -> Result<Json<ItemsView>, Problem> {
    let stream = stream_of(&run)?;
    caller.may(Act::RunEvaluation, &stream)?;
    let look = move |state: &SummaryState| state.page(window.offset(), window.limit());
    app.clerk.inspect(stream, look).await?.map(Json).ok_or_else(|| unknown_run(&run))
}

/// A summary of a run with its texts, its verdict, and what a revision says in its place.
#[utoipa::path(
    get, path = "/api/v1/summary/runs/{run}/items/{item}", tag = "summaries",
    params(("run" = Id, Path, description = "The run"), ("item" = Id, Path, description = "The summary")),
    responses((status = 200, description = "Its record", body = RecordView), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(in super::super) async fn read_summary(
    State(app): State<App>,
    Address((run, item)): Address<(String, String)>,
    caller: Caller,
) -> Result<Json<RecordView>, Problem> {
    let stream = stream_of(&run)?;
    caller.may(Act::RunEvaluation, &stream)?;
    let unknown = || Problem::not_found(format!("there is no summary `{item}` in the run `{run}`"));
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
