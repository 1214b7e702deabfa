//! The course of a contest over HTTP: moving the close of a task, and letting one task follow the other.

use assize_courts::contest::ContestCommand;
use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

use super::App;
use super::access::Act;
use super::address::Address;
use super::caller::Caller;
use super::contests::{Nothing, Recorded, recorded, stream_of};
use super::document::{Conflict, Forbidden, Unknown};
use super::hearing::petition;
use super::input::{IdempotencyKey, Input};
use super::problem::Problem;
use super::shapes::Id;

/// By how much the close of a task moves.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Adjustment {
    /// So much later, or earlier when it is negative. What answers earn stays as it was.
    #[schema(minimum = -604_800, maximum = 604_800)]
    by_seconds: f64,
}

/// Whether one task follows the other by itself.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Programme {
    /// The pause between the end of a task and the start of the next; null when people start them.
    #[schema(minimum = 0, maximum = 604_800)]
    pause_seconds: Option<f64>,
}

/// Extends or shortens a running task.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/tasks/{task}/adjust", tag = "contests",
    params(("contest" = Id, Path, description = "The contest"), ("task" = Id, Path, description = "The task"), IdempotencyKey),
    request_body = Adjustment,
    responses((status = 200, description = "It closes at another time", body = Recorded), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn adjust_task(
    State(app): State<App>,
    Address((contest, task)): Address<(String, String)>,
    caller: Caller,
    input: Input<Adjustment>,
) -> Result<Json<Recorded>, Problem> {
    let stream = stream_of(&contest)?;
    caller.may(Act::RunTask, &stream)?;
    let key = input.key(&caller);
    let command = ContestCommand::AdjustTask { task: task.into(), by_seconds: input.value.by_seconds };
    recorded(&app.clerk.hear(petition(&app, &caller, stream, command, key)).await?)
}

/// Keeps the public boards as they are from now on.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/boards/freeze", tag = "boards",
    params(("contest" = Id, Path, description = "The contest"), IdempotencyKey),
    request_body = Option<Nothing>,
    responses((status = 200, description = "They are frozen", body = Recorded), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn freeze_boards(
    State(app): State<App>,
    Address(contest): Address<String>,
    caller: Caller,
    input: Input<Nothing>,
) -> Result<Json<Recorded>, Problem> {
    change_boards(&app, &contest, &caller, &input, ContestCommand::FreezeBoards {}).await
}

/// Shows the public everything again.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/boards/unfreeze", tag = "boards",
    params(("contest" = Id, Path, description = "The contest"), IdempotencyKey),
    request_body = Option<Nothing>,
    responses((status = 200, description = "They are as they are", body = Recorded), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn unfreeze_boards(
    State(app): State<App>,
    Address(contest): Address<String>,
    caller: Caller,
    input: Input<Nothing>,
) -> Result<Json<Recorded>, Problem> {
    change_boards(&app, &contest, &caller, &input, ContestCommand::UnfreezeBoards {}).await
}

/// Shows the public how the next team really stands, the last one first.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/boards/reveal", tag = "boards",
    params(("contest" = Id, Path, description = "The contest"), IdempotencyKey),
    request_body = Option<Nothing>,
    responses((status = 200, description = "One more is known", body = Recorded), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn reveal_team(
    State(app): State<App>,
    Address(contest): Address<String>,
    caller: Caller,
    input: Input<Nothing>,
) -> Result<Json<Recorded>, Problem> {
    change_boards(&app, &contest, &caller, &input, ContestCommand::RevealTeam {}).await
}

async fn change_boards(
    app: &App,
    contest: &str,
    caller: &Caller,
    input: &Input<Nothing>,
    command: ContestCommand,
) -> Result<Json<Recorded>, Problem> {
    let stream = stream_of(contest)?;
    caller.may(Act::RunTask, &stream)?;
    let petition = petition(app, caller, stream, command, input.key(caller));
    recorded(&app.clerk.hear(petition).await?)
}

/// Lets one task follow the other by itself, or not any more.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/programme", tag = "contests",
    params(("contest" = Id, Path, description = "The contest"), IdempotencyKey),
    request_body = Option<Programme>,
    responses((status = 200, description = "It is set", body = Recorded), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn set_programme(
    State(app): State<App>,
    Address(contest): Address<String>,
    caller: Caller,
    input: Input<Programme>,
) -> Result<Json<Recorded>, Problem> {
    let stream = stream_of(&contest)?;
    caller.may(Act::RunTask, &stream)?;
    let key = input.key(&caller);
    let command = ContestCommand::SetProgramme { pause_seconds: input.value.pause_seconds };
    recorded(&app.clerk.hear(petition(&app, &caller, stream, command, key)).await?)
}
