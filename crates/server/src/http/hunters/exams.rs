//! Exams over HTTP: accepted by hunters, decided by judges unless the clock does.

use assize_courts::quest::QuestCommand;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use utoipa::ToSchema;

use super::super::App;
use super::super::access::Act;
use super::super::address::Address;
use super::super::caller::Caller;
use super::super::document::{Conflict, Forbidden, Unknown};
use super::super::input::{IdempotencyKey, Input};
use super::super::problem::Problem;
use super::super::shapes::Id;
use super::{Judged, Recorded, judged, petition, recorded, sealed, stream_of};
use crate::Petition;

/// What the exam's quest is to be called.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct NewExam {
    #[schema(value_type = Id)]
    id: String,
}

/// What a judge thinks of an exam.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct ExamDecision {
    /// Its quest.
    #[schema(value_type = Id)]
    quest: String,
    granted: bool,
    /// Why: kept where it can be erased.
    #[schema(max_length = 4_000)]
    note: Option<String>,
}

/// Accepts the exam that is offered: its clock runs, and a hand sign is drawn for this attempt.
#[utoipa::path(
    post, path = "/api/v1/hunters/{hunter}/exam", tag = "hunters",
    params(("hunter" = Id, Path, description = "The hunter"), IdempotencyKey),
    request_body = NewExam,
    responses((status = 201, description = "Its clock runs", body = Recorded), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(in super::super) async fn accept_exam(
    State(app): State<App>,
    Address(hunter): Address<String>,
    caller: Caller,
    input: Input<NewExam>,
) -> Result<(StatusCode, Json<Recorded>), Problem> {
    let stream = stream_of(&hunter)?;
    caller.acts_as(&stream, &hunter)?;
    let key = input.key(&caller);
    let command = QuestCommand::AcceptExam { quest: input.value.id.into(), draw: draw()? };
    let answer = app.clerk.hear(petition(&app, &caller, stream, command, key)).await?;
    Ok((StatusCode::CREATED, recorded(&answer)?))
}

/// Grants an exam at once, or refuses it.
#[utoipa::path(
    post, path = "/api/v1/hunters/{hunter}/exam/decision", tag = "moderation",
    params(("hunter" = Id, Path, description = "The hunter"), IdempotencyKey),
    request_body = ExamDecision,
    responses((status = 200, description = "It is decided", body = Judged), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(in super::super) async fn decide_exam(
    State(app): State<App>,
    Address(hunter): Address<String>,
    caller: Caller,
    input: Input<ExamDecision>,
) -> Result<Response, Problem> {
    let stream = stream_of(&hunter)?;
    caller.may(Act::Moderate, &stream)?;
    let key = input.key(&caller);
    let ExamDecision { quest, granted, note } = input.value;
    let (personal, note) = sealed(&hunter, note)?;
    let command = QuestCommand::DecideExam { quest: quest.into(), granted, note };
    let petition = Petition { personal, ..petition(&app, &caller, stream, command, key) };
    judged(&app.clerk.hear(petition).await?)
}

/// The draw comes in with the command: the court itself knows no chance.
fn draw() -> Result<u32, Problem> {
    getrandom::u32().map_err(|error| Problem::internal(&format!("no random bytes: {error}")))
}
