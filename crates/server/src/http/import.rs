//! Many tasks at once over HTTP: ground truth as CSV, all of it or nothing.

use assize_courts::contest::{ContestCommand, ContestEvent};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::App;
use super::access::Act;
use super::address::Address;
use super::caller::Caller;
use super::contests::stream_of;
use super::document::{Forbidden, Unknown};
use super::hearing::{last, petition};
use super::input::{IdempotencyKey, TextInput};
use super::problem::Problem;
use super::records::Receipt;
use super::shapes::Id;

/// Tasks are on record.
#[derive(Serialize, ToSchema)]
pub(super) struct Imported {
    /// Of the last one.
    pub(super) receipt: Receipt,
    /// Their ids, in the order of the programme.
    #[schema(value_type = Vec<Id>)]
    pub(super) tasks: Vec<String>,
    /// Whether this is the answer to an earlier request, given again.
    pub(super) repeated: bool,
}

/// Adds tasks with their ground truth, all of them or none.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/tasks/import", tag = "contests",
    params(("contest" = Id, Path, description = "The contest"), IdempotencyKey),
    request_body(
        content = String, content_type = "text/csv",
        description = "A header `id,type,scene_id,video_id,points[,answer]`, then a row for each task",
    ),
    responses((status = 201, description = "They are there", body = Imported), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn import_tasks(
    State(app): State<App>,
    Address(contest): Address<String>,
    caller: Caller,
    TextInput(input): TextInput,
) -> Result<(StatusCode, Json<Imported>), Problem> {
    let stream = stream_of(&contest)?;
    caller.may(Act::AddTask, &stream)?;
    let key = input.key(&caller);
    let command = ContestCommand::ImportTasks { csv: input.value };
    let answer = app.clerk.hear(petition(&app, &caller, stream, command, key)).await?;
    let tasks = answer.records.iter().map(|record| match serde_json::from_str(&record.draft.body) {
        Ok(ContestEvent::TaskAdded { task, .. }) => Ok(task.into()),
        _ => Err(Problem::internal("an import gave something that is no task")),
    });
    let tasks = tasks.collect::<Result<_, _>>()?;
    let (receipt, repeated) = (Receipt::of(last(&answer)?), answer.repeated);
    Ok((StatusCode::CREATED, Json(Imported { receipt, tasks, repeated })))
}
