//! Opens one contest to the routes at the root, and closes it again.

use assize_courts::contest::ContestState;
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::http::App;
use crate::http::access::Act;
use crate::http::caller::Caller;
use crate::http::contest::contests::{Nothing, stream_of, unknown_contest};
use crate::http::input::{IdempotencyKey, Input};
use crate::http::openapi::{Conflict, Forbidden, Unknown};
use crate::http::path::PathParams;
use crate::http::problem::Problem;
use crate::http::records::{Receipt, raw};
use crate::http::schemas::{AnyObject, Id};
use crate::http::submit::last;
use crate::http::tokens::change;
use assize_engine::AccessCommand;

/// The record of opening or closing a contest to anonymous callers.
#[derive(Serialize, ToSchema)]
#[schema(as = Switched)]
pub(super) struct SwitchResponse {
    receipt: Receipt,
    #[schema(value_type = AnyObject)]
    event: Box<RawValue>,
    /// Whether this repeats the response to an earlier request.
    repeated: bool,
}

/// Opens a contest to anonymous callers, at the root.
///
/// Everybody who can reach the server may submit there, for any team and without a token.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/door/open", tag = "open door",
    params(("contest" = Id, Path, description = "The contest"), IdempotencyKey),
    request_body = Option<Nothing>,
    responses((status = 200, description = "The contest is open to anonymous callers", body = SwitchResponse), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn open_door(
    State(app): State<App>,
    PathParams(contest): PathParams<String>,
    caller: Caller,
    input: Input<Nothing>,
) -> Result<Json<SwitchResponse>, Problem> {
    caller.may_everywhere(Act::IssueTokens)?;
    let stream = stream_of(&contest)?;
    let open = |state: &ContestState| state.rulebook().is_some();
    if !app.clerk.inspect(stream.clone(), open).await? {
        return Err(unknown_contest(&contest));
    }
    switch(&app, &caller, AccessCommand::OpenDoor { stream }, &input).await
}

/// Closes a contest to anonymous callers.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/door/close", tag = "open door",
    params(("contest" = Id, Path, description = "The contest"), IdempotencyKey),
    request_body = Option<Nothing>,
    responses((status = 200, description = "The contest is closed to anonymous callers", body = SwitchResponse), Forbidden, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn close_door(
    State(app): State<App>,
    PathParams(contest): PathParams<String>,
    caller: Caller,
    input: Input<Nothing>,
) -> Result<Json<SwitchResponse>, Problem> {
    caller.may_everywhere(Act::IssueTokens)?;
    let stream = stream_of(&contest)?;
    switch(&app, &caller, AccessCommand::CloseDoor { stream }, &input).await
}

async fn switch(
    app: &App,
    caller: &Caller,
    command: AccessCommand,
    input: &Input<Nothing>,
) -> Result<Json<SwitchResponse>, Problem> {
    let answer = change(app, caller, command, input.key(caller)).await?;
    let record = last(&answer)?;
    let receipt = Receipt::of(record);
    let event = raw(&record.draft.body)?;
    let repeated = answer.repeated;
    Ok(Json(SwitchResponse { receipt, event, repeated }))
}
