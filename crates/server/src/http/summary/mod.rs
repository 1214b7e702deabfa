//! Summary runs over HTTP: opening a run, its board by model, and its export.

pub(crate) mod items;

use std::io::Write;

use assize_courts::summary::{SummaryCommand, SummaryEvent, SummaryRunView, SummaryState};
use assize_kernel::{Draft, Moment, RulebookRef, SmolStr, StreamId, to_json};
use assize_ledger::LedgerError;
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::App;
use super::access::Act;
use super::caller::Caller;
use super::contest::export::{BodyWriter, piped};
use super::courts::rulebook_of;
use super::input::{IdempotencyKey, Input};
use super::list_streams::page_of_opened;
use super::openapi::{Conflict, Forbidden, Unknown};
use super::path::PathParams;
use super::problem::Problem;
use super::query::{Pagination, QueryParams};
use super::records::find;
use super::schemas::Id;
use super::submit::{CommandRecorded, petition, recorded};
use assize_engine::Petition;

/// A run to open.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewSummaryRun {
    #[schema(value_type = Id)]
    id: String,
    /// The display name; defaults to the id.
    #[schema(min_length = 1, max_length = 200)]
    name: Option<String>,
    /// The name of a shipped rulebook; defaults to `locks`.
    rulebook: Option<String>,
}

/// A page of the runs, by id.
#[derive(Serialize, ToSchema)]
pub(crate) struct SummaryRunList {
    /// The total number of runs that the caller may see.
    total: usize,
    pub(crate) runs: Vec<SummaryRunListed>,
}

/// A run in the list.
#[derive(Serialize, ToSchema)]
pub(crate) struct SummaryRunListed {
    #[schema(value_type = Id)]
    pub(crate) id: String,
    /// The display name.
    pub(crate) name: String,
    pub(crate) rulebook: RulebookRef,
    pub(crate) opened_at: Moment,
}

/// Opens a run of summaries.
#[utoipa::path(
    post, path = "/api/v1/summary/runs", tag = "summaries",
    params(IdempotencyKey),
    request_body = NewSummaryRun,
    responses((status = 201, description = "The run was opened", body = CommandRecorded), Forbidden, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn open_summary_run(
    State(app): State<App>,
    caller: Caller,
    input: Input<NewSummaryRun>,
) -> Result<(StatusCode, Json<CommandRecorded>), Problem> {
    let stream = stream_of(&input.value.id)?;
    caller.may(Act::RunEvaluation, &stream)?;
    let key = input.key(&caller);
    let NewSummaryRun { id, name, rulebook } = input.value;
    let rulebook = rulebook.map(|name| rulebook_of(&app, "summary", &name)).transpose()?;
    let command = SummaryCommand::OpenRun { name: name.unwrap_or(id) };
    let petition = Petition { rulebook, ..petition(&app, &caller, stream, command, key) };
    Ok((StatusCode::CREATED, recorded(&app.clerk.submit(petition).await?)?))
}

/// Lists the runs that the caller may see, by id.
#[utoipa::path(
    get, path = "/api/v1/summary/runs", tag = "summaries",
    params(Pagination),
    responses((status = 200, description = "A page of the runs", body = SummaryRunList), Forbidden),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn list_summary_runs(
    State(app): State<App>,
    QueryParams(window): QueryParams<Pagination>,
    caller: Caller,
) -> Result<Json<SummaryRunList>, Problem> {
    caller.must_have_role_for(Act::RunEvaluation)?;
    let within = |stream: &StreamId| caller.may(Act::RunEvaluation, stream).is_ok();
    let (total, runs) = page_of_opened(&app, "summary", window, within, listed).await?;
    Ok(Json(SummaryRunList { total, runs }))
}

/// Reads a run with the models that wrote its summaries, best first.
#[utoipa::path(
    get, path = "/api/v1/summary/runs/{run}", tag = "summaries",
    params(("run" = Id, Path, description = "The run")),
    responses((status = 200, description = "The run", body = SummaryRunView), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn read_summary_run(
    State(app): State<App>,
    PathParams(run): PathParams<String>,
    caller: Caller,
) -> Result<Json<SummaryRunView>, Problem> {
    let stream = stream_of(&run)?;
    caller.may(Act::RunEvaluation, &stream)?;
    let view = app.clerk.inspect(stream, SummaryState::view).await?;
    view.map(Json).ok_or_else(|| unknown_run(&run))
}

/// Exports every summary of a run as JSON lines, in the order of the ledger: the texts and the current
/// verdict.
#[utoipa::path(
    get, path = "/api/v1/summary/runs/{run}/export", tag = "summaries",
    params(("run" = Id, Path, description = "The run")),
    responses(
        (status = 200, description = "One line for each summary", content((String = "application/jsonl"))),
        Forbidden, Unknown
    ),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn export_summary_run(
    State(app): State<App>,
    PathParams(run): PathParams<String>,
    caller: Caller,
) -> Result<Response, Problem> {
    let stream = stream_of(&run)?;
    caller.may(Act::RunEvaluation, &stream)?;
    let positions = app.clerk.inspect(stream.clone(), SummaryState::positions).await?;
    let positions = positions.ok_or_else(|| unknown_run(&run))?;
    let disposition = format!("attachment; filename=\"{run}.jsonl\"");
    let headers =
        [(header::CONTENT_TYPE, "application/jsonl".to_owned()), (header::CONTENT_DISPOSITION, disposition)];
    let body = piped(app, stream, move |app, _, out| write_lines(app, &positions, out));
    Ok((headers, body).into_response())
}

/// A summary in the export.
#[derive(Serialize)]
struct SummaryLine<'a> {
    item: SmolStr,
    model: Option<SmolStr>,
    article: String,
    summary: String,
    verdict: &'a RawValue,
}

fn write_lines(app: &App, positions: &[u64], out: &mut BodyWriter) -> Result<(), LedgerError> {
    let gone = |error: std::io::Error| LedgerError::Unavailable(error.to_string());
    for position in positions {
        let line =
            line(app, *position).map_err(|problem| LedgerError::Unavailable(format!("{problem:?}")))?;
        out.write_all(line.as_bytes()).map_err(gone)?;
    }
    out.flush().map_err(gone)
}

/// The export line of the summary that was judged at a position.
fn line(app: &App, position: u64) -> Result<String, Problem> {
    let broken = || Problem::internal(&format!("record {position} is no summary's"));
    let record = find(app, position)?.ok_or_else(broken)?;
    let read = serde_json::from_str(&record.draft.body).map_err(|_| broken())?;
    let SummaryEvent::SummaryJudged { item, model, article, summary, .. } = read else {
        return Err(broken());
    };
    let revised_at = app.clerk.views().revised_at(position);
    let revised = revised_at.map(|position| find(app, position)).transpose()?.flatten();
    let counts = revised.as_ref().and_then(|revised| revised.draft.verdict.as_deref());
    let counts = counts.or(record.draft.verdict.as_deref()).ok_or_else(broken)?;
    let verdict = serde_json::from_str(counts).map_err(|_| broken())?;
    Ok(to_json(&SummaryLine { item, model, article, summary, verdict }) + "\n")
}

/// The list entry of a run, from its first record.
fn listed(id: String, first: &Draft) -> Option<SummaryRunListed> {
    match serde_json::from_str(&first.body).ok()? {
        SummaryEvent::RunOpened { name, rulebook } => {
            Some(SummaryRunListed { id, name, rulebook, opened_at: first.at })
        }
        _ => None,
    }
}

fn stream_of(run: &str) -> Result<StreamId, Problem> {
    StreamId::new("summary", run).map_err(|error| Problem::malformed(error.to_string()))
}

fn unknown_run(run: &str) -> Problem {
    Problem::not_found(format!("there is no run `{run}`"))
}
