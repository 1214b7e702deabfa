//! Import of tasks over HTTP: ground truth as CSV, all or nothing.

use assize_courts::contest::{ContestCommand, ContestEvent};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::contests::stream_of;
use crate::http::App;
use crate::http::access::Act;
use crate::http::caller::Caller;
use crate::http::input::{IdempotencyKey, TextInput};
use crate::http::openapi::{Forbidden, Unknown};
use crate::http::path::PathParams;
use crate::http::problem::Problem;
use crate::http::records::Receipt;
use crate::http::schemas::Id;
use crate::http::submit::{last, petition};

/// The imported tasks.
#[derive(Serialize, ToSchema)]
#[schema(as = Imported)]
pub(crate) struct TasksImported {
    /// The receipt of the last task.
    pub(crate) receipt: Receipt,
    /// The ids of the tasks, in the order of the programme.
    #[schema(value_type = Vec<Id>)]
    pub(crate) tasks: Vec<String>,
    /// Whether this repeats the response to an earlier request.
    pub(crate) repeated: bool,
}

/// Imports tasks with their ground truth from CSV, all of them or none.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/tasks/import", tag = "contests",
    params(("contest" = Id, Path, description = "The contest"), IdempotencyKey),
    request_body(
        content = String, content_type = "text/csv",
        description = "A header `id,type,scene_id,video_id,points[,answer]`, then a row for each task",
    ),
    responses((status = 201, description = "The tasks were added", body = TasksImported), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn import_tasks(
    State(app): State<App>,
    PathParams(contest): PathParams<String>,
    caller: Caller,
    TextInput(input): TextInput,
) -> Result<(StatusCode, Json<TasksImported>), Problem> {
    let stream = stream_of(&contest)?;
    caller.may(Act::AddTask, &stream)?;
    let key = input.key(&caller);
    let command = ContestCommand::ImportTasks { csv: input.value };
    let answer = app.clerk.submit(petition(&app, &caller, stream, command, key)).await?;
    let tasks = answer.records.iter().map(|record| match serde_json::from_str(&record.draft.body) {
        Ok(ContestEvent::TaskAdded { task, .. }) => Ok(task.into()),
        _ => Err(Problem::internal("an import gave something that is no task")),
    });
    let tasks = tasks.collect::<Result<_, _>>()?;
    let receipt = Receipt::of(last(&answer)?);
    let repeated = answer.repeated;
    Ok((StatusCode::CREATED, Json(TasksImported { receipt, tasks, repeated })))
}
