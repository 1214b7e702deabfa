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

/// A change to the closing time of a task.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Adjustment {
    /// The seconds by which the task closes later, or earlier if negative. The scoring of answers does not
    /// change.
    #[schema(minimum = -604_800, maximum = 604_800)]
    by_seconds: f64,
}

/// Whether tasks start one after the other automatically.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Programme {
    /// The pause between the end of a task and the start of the next, in seconds; null to start tasks by
    /// hand.
    #[schema(minimum = 0, maximum = 604_800)]
    pause_seconds: Option<f64>,
}

/// Extends or shortens a running task.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/tasks/{task}/adjust", tag = "contests",
    params(("contest" = Id, Path, description = "The contest"), ("task" = Id, Path, description = "The task"), IdempotencyKey),
    request_body = Adjustment,
    responses((status = 200, description = "The closing time was moved", body = ContestRecorded), Forbidden, Unknown, Conflict),
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

/// Freezes the public boards.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/boards/freeze", tag = "boards",
    params(("contest" = Id, Path, description = "The contest"), IdempotencyKey),
    request_body = Option<Nothing>,
    responses((status = 200, description = "The public boards are frozen", body = ContestRecorded), Forbidden, Unknown, Conflict),
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

/// Unfreezes the public boards.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/boards/unfreeze", tag = "boards",
    params(("contest" = Id, Path, description = "The contest"), IdempotencyKey),
    request_body = Option<Nothing>,
    responses((status = 200, description = "The public boards show the current standings", body = ContestRecorded), Forbidden, Unknown, Conflict),
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

/// Reveals the current standing of the next team on the frozen boards, the lowest first.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/boards/reveal", tag = "boards",
    params(("contest" = Id, Path, description = "The contest"), IdempotencyKey),
    request_body = Option<Nothing>,
    responses((status = 200, description = "The standing of a team was revealed", body = ContestRecorded), Forbidden, Unknown, Conflict),
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

/// Sets whether tasks start one after the other automatically.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/programme", tag = "contests",
    params(("contest" = Id, Path, description = "The contest"), IdempotencyKey),
    request_body = Option<Programme>,
    responses((status = 200, description = "The programme was set", body = ContestRecorded), Forbidden, Unknown, Conflict),
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
