//! The schedule of a contest over HTTP: moving the close of a task, and starting tasks one after the other.

use assize_courts::contest::ContestCommand;
use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

use super::contests::{ContestRecorded, Nothing, recorded, stream_of};
use crate::http::App;
use crate::http::access::Act;
use crate::http::caller::Caller;
use crate::http::input::{IdempotencyKey, Input};
use crate::http::openapi::{Conflict, Forbidden, Unknown};
use crate::http::path::PathParams;
use crate::http::problem::Problem;
use crate::http::schemas::Id;
use crate::http::submit::petition;

/// By how much the close of a task moves.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Adjustment {
    /// So much later, or earlier when it is negative. What answers earn stays as it was.
    #[schema(minimum = -604_800, maximum = 604_800)]
    by_seconds: f64,
}

/// Whether one task follows the other by itself.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Programme {
    /// The pause between the end of a task and the start of the next; null when people start them.
    #[schema(minimum = 0, maximum = 604_800)]
    pause_seconds: Option<f64>,
}

/// Extends or shortens a running task.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/tasks/{task}/adjust", tag = "contests",
    params(("contest" = Id, Path, description = "The contest"), ("task" = Id, Path, description = "The task"), IdempotencyKey),
    request_body = Adjustment,
    responses((status = 200, description = "It closes at another time", body = ContestRecorded), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn adjust_task(
    State(app): State<App>,
    PathParams((contest, task)): PathParams<(String, String)>,
    caller: Caller,
    input: Input<Adjustment>,
) -> Result<Json<ContestRecorded>, Problem> {
    let stream = stream_of(&contest)?;
    caller.may(Act::RunTask, &stream)?;
    let key = input.key(&caller);
    let command = ContestCommand::AdjustTask { task: task.into(), by_seconds: input.value.by_seconds };
    recorded(&app.clerk.submit(petition(&app, &caller, stream, command, key)).await?)
}

/// Keeps the public boards as they are from now on.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/boards/freeze", tag = "boards",
    params(("contest" = Id, Path, description = "The contest"), IdempotencyKey),
    request_body = Option<Nothing>,
    responses((status = 200, description = "They are frozen", body = ContestRecorded), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn freeze_boards(
    State(app): State<App>,
    PathParams(contest): PathParams<String>,
    caller: Caller,
    input: Input<Nothing>,
) -> Result<Json<ContestRecorded>, Problem> {
    change_boards(&app, &contest, &caller, &input, ContestCommand::FreezeBoards {}).await
}

/// Shows the public everything again.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/boards/unfreeze", tag = "boards",
    params(("contest" = Id, Path, description = "The contest"), IdempotencyKey),
    request_body = Option<Nothing>,
    responses((status = 200, description = "They are as they are", body = ContestRecorded), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn unfreeze_boards(
    State(app): State<App>,
    PathParams(contest): PathParams<String>,
    caller: Caller,
    input: Input<Nothing>,
) -> Result<Json<ContestRecorded>, Problem> {
    change_boards(&app, &contest, &caller, &input, ContestCommand::UnfreezeBoards {}).await
}

/// Shows the public how the next team really stands, the last one first.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/boards/reveal", tag = "boards",
    params(("contest" = Id, Path, description = "The contest"), IdempotencyKey),
    request_body = Option<Nothing>,
    responses((status = 200, description = "One more is known", body = ContestRecorded), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn reveal_team(
    State(app): State<App>,
    PathParams(contest): PathParams<String>,
    caller: Caller,
    input: Input<Nothing>,
) -> Result<Json<ContestRecorded>, Problem> {
    change_boards(&app, &contest, &caller, &input, ContestCommand::RevealTeam {}).await
}

async fn change_boards(
    app: &App,
    contest: &str,
    caller: &Caller,
    input: &Input<Nothing>,
    command: ContestCommand,
) -> Result<Json<ContestRecorded>, Problem> {
    let stream = stream_of(contest)?;
    caller.may(Act::RunTask, &stream)?;
    let petition = petition(app, caller, stream, command, input.key(caller));
    recorded(&app.clerk.submit(petition).await?)
}

/// Lets one task follow the other by itself, or not any more.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/programme", tag = "contests",
    params(("contest" = Id, Path, description = "The contest"), IdempotencyKey),
    request_body = Option<Programme>,
    responses((status = 200, description = "It is set", body = ContestRecorded), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn set_programme(
    State(app): State<App>,
    PathParams(contest): PathParams<String>,
    caller: Caller,
    input: Input<Programme>,
) -> Result<Json<ContestRecorded>, Problem> {
    let stream = stream_of(&contest)?;
    caller.may(Act::RunTask, &stream)?;
    let key = input.key(&caller);
    let command = ContestCommand::SetProgramme { pause_seconds: input.value.pause_seconds };
    recorded(&app.clerk.submit(petition(&app, &caller, stream, command, key)).await?)
}
