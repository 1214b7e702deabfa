//! Quests of a hunter over HTTP: assigning them, and listing the open ones.

use assize_courts::quest::{Plan, QuestCommand, QuestType, QuestView};
use assize_kernel::Moment;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::super::App;
use super::super::access::Act;
use super::super::caller::Caller;
use super::super::input::{IdempotencyKey, Input};
use super::super::openapi::{Conflict, Forbidden, Unknown};
use super::super::path::PathParams;
use super::super::problem::Problem;
use super::super::schemas::Id;
use super::{CommandRecorded, look, petition, recorded, stream_of};

/// A quest to assign.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewQuest {
    #[schema(value_type = Id)]
    id: String,
    quest_type: QuestType,
    plan: Plan,
    /// When the quest expires; by default after the rulebook's `quest_hours`.
    expires_at: Option<Moment>,
}

/// The quests that wait for a log, the most urgent first.
#[derive(Serialize, ToSchema)]
pub(crate) struct QuestList {
    pub(crate) quests: Vec<QuestView>,
}

/// Assigns a quest to a hunter.
#[utoipa::path(
    post, path = "/api/v1/hunters/{hunter}/quests", tag = "hunters",
    params(("hunter" = Id, Path, description = "The hunter"), IdempotencyKey),
    request_body = NewQuest,
    responses((status = 201, description = "The quest was assigned", body = CommandRecorded), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn assign_quest(
    State(app): State<App>,
    PathParams(hunter): PathParams<String>,
    caller: Caller,
    input: Input<NewQuest>,
) -> Result<(StatusCode, Json<CommandRecorded>), Problem> {
    let stream = stream_of(&hunter)?;
    caller.may(Act::GuideHunter, &stream)?;
    let key = input.key(&caller);
    let NewQuest { id, quest_type, plan, expires_at } = input.value;
    let command = QuestCommand::AssignQuest { quest: id.into(), quest_type, plan, expires_at };
    let answer = app.clerk.submit(petition(&app, &caller, stream, command, key)).await?;
    Ok((StatusCode::CREATED, recorded(&answer)?))
}

/// Lists the quests of a hunter that wait for a log, for the hunter, their app, judges and admins.
#[utoipa::path(
    get, path = "/api/v1/hunters/{hunter}/quests", tag = "hunters",
    params(("hunter" = Id, Path, description = "The hunter")),
    responses((status = 200, description = "The open quests", body = QuestList), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn list_quests(
    State(app): State<App>,
    PathParams(hunter): PathParams<String>,
    caller: Caller,
) -> Result<Json<QuestList>, Problem> {
    caller.must_see_private(&stream_of(&hunter)?, &hunter)?;
    let quests = look(&app, &hunter, assize_courts::quest::Hunter::open_quests).await?;
    Ok(Json(QuestList { quests }))
}
