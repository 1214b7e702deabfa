//! Exams over HTTP: accepted by hunters, decided by judges or by the deadline.

use assize_courts::quest::QuestCommand;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use utoipa::ToSchema;

use super::super::App;
use super::super::access::Act;
use super::super::caller::Caller;
use super::super::input::{IdempotencyKey, Input};
use super::super::openapi::{Conflict, Forbidden, Unknown};
use super::super::path::PathParams;
use super::super::problem::Problem;
use super::super::schemas::Id;
use super::{CommandRecorded, HunterJudged, judged, petition, recorded, sealed, stream_of};
use assize_engine::Petition;

/// The exam to accept, with the id for its quest.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewExam {
    #[schema(value_type = Id)]
    id: String,
}

/// A judge's decision on an exam.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExamDecision {
    /// The quest of the exam.
    #[schema(value_type = Id)]
    quest: String,
    granted: bool,
    /// The judge's note: stored as personal text, which can be erased.
    #[schema(max_length = 4_000)]
    note: Option<String>,
}

/// Accepts the offered exam.
///
/// Its time limit starts, and a hand sign is drawn for this attempt.
#[utoipa::path(
    post, path = "/api/v1/hunters/{hunter}/exam", tag = "hunters",
    params(("hunter" = Id, Path, description = "The hunter"), IdempotencyKey),
    request_body = NewExam,
    responses((status = 201, description = "The exam was accepted", body = CommandRecorded), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn accept_exam(
    State(app): State<App>,
    PathParams(hunter): PathParams<String>,
    caller: Caller,
    input: Input<NewExam>,
) -> Result<(StatusCode, Json<CommandRecorded>), Problem> {
    let stream = stream_of(&hunter)?;
    caller.acts_as(&stream, &hunter)?;
    let key = input.key(&caller);
    let command = QuestCommand::AcceptExam { quest: input.value.id.into(), draw: draw()? };
    let answer = app.clerk.submit(petition(&app, &caller, stream, command, key)).await?;
    Ok((StatusCode::CREATED, recorded(&answer)?))
}

/// Grants an exam at once, or refuses it.
#[utoipa::path(
    post, path = "/api/v1/hunters/{hunter}/exam/decision", tag = "moderation",
    params(("hunter" = Id, Path, description = "The hunter"), IdempotencyKey),
    request_body = ExamDecision,
    responses((status = 200, description = "The exam was decided", body = HunterJudged), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn decide_exam(
    State(app): State<App>,
    PathParams(hunter): PathParams<String>,
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
    judged(&app.clerk.submit(petition).await?)
}

/// The random draw is part of the command: the court is deterministic.
fn draw() -> Result<u32, Problem> {
    getrandom::u32().map_err(|error| Problem::internal(&format!("no random bytes: {error}")))
}
