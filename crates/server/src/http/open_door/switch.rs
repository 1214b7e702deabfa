//! The switch of an organiser: opens one contest to the routes at the root, and closes it again.

use assize_courts::contest::ContestState;
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::AccessCommand;
use crate::http::App;
use crate::http::access::Act;
use crate::http::address::Address;
use crate::http::caller::Caller;
use crate::http::contests::{Nothing, stream_of, unknown_contest};
use crate::http::document::{Conflict, Forbidden, Unknown};
use crate::http::hearing::last;
use crate::http::input::{IdempotencyKey, Input};
use crate::http::problem::Problem;
use crate::http::records::{Receipt, raw};
use crate::http::shapes::{AnyObject, Id};
use crate::http::tokens::change;

/// The switch has been turned.
#[derive(Serialize, ToSchema)]
pub(super) struct Switched {
    receipt: Receipt,
    #[schema(value_type = AnyObject)]
    event: Box<RawValue>,
    /// Whether this is the answer to an earlier request, given again.
    repeated: bool,
}

/// Opens a contest to all, at the root: everybody who can reach the server may submit there, for any team and without a token.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/door/open", tag = "open door",
    params(("contest" = Id, Path, description = "The contest"), IdempotencyKey),
    request_body = Option<Nothing>,
    responses((status = 200, description = "It is open to all", body = Switched), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(in crate::http) async fn open_door(
    State(app): State<App>,
    Address(contest): Address<String>,
    caller: Caller,
    input: Input<Nothing>,
) -> Result<Json<Switched>, Problem> {
    caller.may_everywhere(Act::IssueTokens)?;
    let stream = stream_of(&contest)?;
    let open = |state: &ContestState| state.rulebook().is_some();
    if !app.clerk.inspect(stream.clone(), open).await? {
        return Err(unknown_contest(&contest));
    }
    switch(&app, &caller, AccessCommand::OpenDoor { stream }, &input).await
}

/// Closes a contest that is open to all.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/door/close", tag = "open door",
    params(("contest" = Id, Path, description = "The contest"), IdempotencyKey),
    request_body = Option<Nothing>,
    responses((status = 200, description = "It is not open to all any more", body = Switched), Forbidden, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(in crate::http) async fn close_door(
    State(app): State<App>,
    Address(contest): Address<String>,
    caller: Caller,
    input: Input<Nothing>,
) -> Result<Json<Switched>, Problem> {
    caller.may_everywhere(Act::IssueTokens)?;
    let stream = stream_of(&contest)?;
    switch(&app, &caller, AccessCommand::CloseDoor { stream }, &input).await
}

async fn switch(
    app: &App,
    caller: &Caller,
    command: AccessCommand,
    input: &Input<Nothing>,
) -> Result<Json<Switched>, Problem> {
    let answer = change(app, caller, command, input.key(caller)).await?;
    let record = last(&answer)?;
    let (receipt, event, repeated) = (Receipt::of(record), raw(&record.draft.body)?, answer.repeated);
    Ok(Json(Switched { receipt, event, repeated }))
}
