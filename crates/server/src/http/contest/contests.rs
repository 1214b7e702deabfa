//! Contests over HTTP: opening, tasks and submissions.

use assize_courts::contest::{
    ContestCommand, ContestEvent, ContestState, ContestView, SubmissionBody, TaskHint, TaskPoints, TaskType,
};
use assize_kernel::{Moment, StreamId, Verdict};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::http::App;
use crate::http::access::Act;
use crate::http::caller::Caller;
use crate::http::courts::rulebook_of;
use crate::http::input::{IdempotencyKey, Input};
use crate::http::openapi::{Conflict, Forbidden, Unknown};
use crate::http::path::PathParams;
use crate::http::problem::Problem;
use crate::http::records::{Receipt, raw};
use crate::http::schemas::Id;
use crate::http::schemas::contest as schemas;
use crate::http::submit::{last, petition};
use assize_engine::{Answer, Petition};

/// A contest to open.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewContest {
    #[schema(value_type = Id)]
    id: String,
    /// The display name; defaults to the id.
    #[schema(min_length = 1, max_length = 200)]
    name: Option<String>,
    /// The name of a shipped rulebook; defaults to `competition`.
    rulebook: Option<String>,
}

/// A task with its ground truth; without `points`, people judge the answers.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewTask {
    #[schema(value_type = Id)]
    id: String,
    #[serde(rename = "type")]
    task_type: TaskType,
    /// The authors' name of the scene; not used for judging.
    #[schema(max_length = 200)]
    scene_id: Option<String>,
    /// The video that contains the answer; required with `points`.
    #[schema(min_length = 1, max_length = 200)]
    video_id: Option<String>,
    #[schema(value_type = Option<schemas::PointsSchema>)]
    points: Option<TaskPoints>,
    /// `QA` only: the required text; `\regex\` is a regular expression for the whole text.
    answer: Option<String>,
    /// The time limit in seconds; defaults to the rulebook's.
    #[schema(minimum = 0, maximum = 604_800)]
    time_limit_seconds: Option<f64>,
    /// The hints that are shown while the task is running.
    #[serde(default)]
    #[schema(required = false, max_items = 100)]
    hints: Vec<TaskHint>,
    /// Whether the task is a rehearsal to test the connections, which scores nothing.
    #[serde(default)]
    rehearsal: bool,
}

impl From<NewTask> for ContestCommand {
    fn from(task: NewTask) -> Self {
        Self::AddTask {
            task: task.id.into(),
            task_type: task.task_type,
            scene_id: task.scene_id,
            video_id: task.video_id,
            points: task.points,
            answer: task.answer,
            time_limit_seconds: task.time_limit_seconds,
            hints: task.hints,
            rehearsal: task.rehearsal,
        }
    }
}

/// The times of a round.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Start)]
pub(crate) struct StartTask {
    /// The time limit in seconds; defaults to the task's, then to the rulebook's.
    #[schema(minimum = 0, maximum = 604_800)]
    time_limit_seconds: Option<f64>,
    /// How long after the time limit answers are accepted, in seconds; defaults to the rulebook's.
    #[schema(minimum = 0, maximum = 604_800)]
    buffer_seconds: Option<f64>,
    /// The countdown before the start, in seconds; none by default.
    #[schema(minimum = 0, maximum = 604_800)]
    countdown_seconds: Option<f64>,
}

/// No parameters.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}

/// A contest with the server's time, so that pages can draw clocks.
#[derive(Serialize, ToSchema)]
#[schema(as = Contest)]
pub(crate) struct TimedContest {
    pub(crate) now: Moment,
    #[serde(flatten)]
    #[schema(inline)]
    pub(crate) contest: ContestView,
}

/// A recorded event.
#[derive(Serialize, ToSchema)]
#[schema(as = ContestRecorded)]
pub(crate) struct ContestRecorded {
    receipt: Receipt,
    #[schema(value_type = schemas::ContestEventSchema)]
    event: Box<RawValue>,
    /// Whether this repeats the response to an earlier request.
    repeated: bool,
}

/// The verdict on an answer.
#[derive(ToSchema)]
#[schema(as = Judged)]
#[allow(
    dead_code,
    reason = "described here, written by hand: the verdict is passed on as it stands in the ledger"
)]
pub(crate) struct SubmissionJudged {
    receipt: Receipt,
    verdict: Verdict<schemas::ContestDetail>,
    /// Whether this repeats the response to an earlier request.
    repeated: bool,
}

/// An answer that waits for a judge.
#[derive(ToSchema)]
#[schema(as = Received)]
#[allow(dead_code, reason = "described here, written below")]
pub(crate) struct SubmissionReceived {
    receipt: Receipt,
    /// The number of the answer; its status is at `/answers/{answer}`.
    #[schema(minimum = 1)]
    answer: u64,
    /// Always `undecided`.
    outcome: String,
    /// Whether this repeats the response to an earlier request.
    repeated: bool,
}

/// Opens a contest.
#[utoipa::path(
    post, path = "/api/v1/contests", tag = "contests",
    params(IdempotencyKey),
    request_body = NewContest,
    responses((status = 201, description = "The contest was opened", body = ContestRecorded), Forbidden, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn open_contest(
    State(app): State<App>,
    caller: Caller,
    input: Input<NewContest>,
) -> Result<(StatusCode, Json<ContestRecorded>), Problem> {
    let stream = stream_of(&input.value.id)?;
    caller.may(Act::OpenContest, &stream)?;
    let key = input.key(&caller);
    let NewContest { id, name, rulebook } = input.value;
    let rulebook = rulebook.map(|name| rulebook_of(&app, "contest", &name)).transpose()?;
    let command = ContestCommand::OpenContest { name: name.unwrap_or_else(|| id.clone()) };
    let petition = Petition { rulebook, ..petition(&app, &caller, stream, command, key) };
    Ok((StatusCode::CREATED, recorded(&app.clerk.submit(petition).await?)?))
}

/// Reads the public view of a contest.
#[utoipa::path(
    get, path = "/api/v1/contests/{contest}", tag = "contests",
    params(("contest" = Id, Path, description = "The contest")),
    responses((status = 200, description = "The contest", body = TimedContest), Unknown)
)]
pub(crate) async fn read_contest(
    State(app): State<App>,
    PathParams(contest): PathParams<String>,
) -> Result<Json<TimedContest>, Problem> {
    let look = |state: &ContestState| state.rulebook().is_some().then(|| state.view());
    let view = app.clerk.inspect(stream_of(&contest)?, look).await?;
    let contest = view.ok_or_else(|| unknown_contest(&contest))?;
    Ok(Json(TimedContest { now: app.clerk.now(), contest }))
}

/// Adds a task with its ground truth.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/tasks", tag = "contests",
    params(("contest" = Id, Path, description = "The contest"), IdempotencyKey),
    request_body = NewTask,
    responses((status = 201, description = "The task was added", body = ContestRecorded), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn add_task(
    State(app): State<App>,
    PathParams(contest): PathParams<String>,
    caller: Caller,
    input: Input<NewTask>,
) -> Result<(StatusCode, Json<ContestRecorded>), Problem> {
    let stream = stream_of(&contest)?;
    caller.may(Act::AddTask, &stream)?;
    let key = input.key(&caller);
    let petition = petition(&app, &caller, stream, ContestCommand::from(input.value), key);
    Ok((StatusCode::CREATED, recorded(&app.clerk.submit(petition).await?)?))
}

/// Starts a task.
///
/// The clock runs from the receipt of the request, or from the end of the countdown.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/tasks/{task}/start", tag = "contests",
    params(("contest" = Id, Path, description = "The contest"), ("task" = Id, Path, description = "The task"), IdempotencyKey),
    request_body = Option<StartTask>,
    responses((status = 200, description = "The task was started", body = ContestRecorded), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn start_task(
    State(app): State<App>,
    PathParams((contest, task)): PathParams<(String, String)>,
    caller: Caller,
    input: Input<StartTask>,
) -> Result<Json<ContestRecorded>, Problem> {
    let stream = stream_of(&contest)?;
    caller.may(Act::RunTask, &stream)?;
    let key = input.key(&caller);
    let StartTask { time_limit_seconds, buffer_seconds, countdown_seconds } = input.value;
    let task = task.into();
    let command = ContestCommand::StartTask { task, time_limit_seconds, buffer_seconds, countdown_seconds };
    let petition = petition(&app, &caller, stream, command, key);
    recorded(&app.clerk.submit(petition).await?)
}

/// Stops a running task.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/tasks/{task}/stop", tag = "contests",
    params(("contest" = Id, Path, description = "The contest"), ("task" = Id, Path, description = "The task"), IdempotencyKey),
    request_body = Option<Nothing>,
    responses((status = 200, description = "The task was stopped", body = ContestRecorded), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn stop_task(
    State(app): State<App>,
    PathParams((contest, task)): PathParams<(String, String)>,
    caller: Caller,
    input: Input<Nothing>,
) -> Result<Json<ContestRecorded>, Problem> {
    let stream = stream_of(&contest)?;
    caller.may(Act::RunTask, &stream)?;
    let key = input.key(&caller);
    let command = ContestCommand::StopTask { task: task.into() };
    let petition = petition(&app, &caller, stream, command, key);
    recorded(&app.clerk.submit(petition).await?)
}

/// Submits an answer.
///
/// It is judged at once, or waits for a judge if people judge the task.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/tasks/{task}/submissions", tag = "contests",
    params(("contest" = Id, Path, description = "The contest"), ("task" = Id, Path, description = "The task"), IdempotencyKey),
    request_body = schemas::SubmissionSchema,
    responses(
        (status = 200, description = "The answer was judged", body = SubmissionJudged),
        (status = 202, description = "The answer waits for a judge", body = SubmissionReceived),
        Forbidden, Unknown, Conflict
    ),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn submit_answer(
    State(app): State<App>,
    PathParams((contest, task)): PathParams<(String, String)>,
    caller: Caller,
    input: Input<SubmissionBody>,
) -> Result<Response, Problem> {
    let key = input.key(&caller);
    let stream = stream_of(&contest)?;
    let team = caller.acts_for(&stream, input.value.team_id.as_deref())?;
    let command = ContestCommand::SubmitAnswer {
        task: task.into(),
        team: team.into(),
        answers: input.value.into_answers(),
    };
    let answer = app.clerk.submit(petition(&app, &caller, stream, command, key)).await?;
    let record = last(&answer)?;
    let receipt = Receipt::of(record).to_text();
    let repeated = answer.repeated;
    let repeated = if repeated { r#","repeated":true}"# } else { r#","repeated":false}"# };
    let (status, body) = match record.draft.verdict.as_deref() {
        // Concatenated instead of re-serialized: verdicts are long and frequent.
        Some(verdict) => {
            (StatusCode::OK, [r#"{"receipt":"#, &receipt, r#","verdict":"#, verdict, repeated].concat())
        }
        None => {
            let said = waiting(&record.draft.body)?;
            (StatusCode::ACCEPTED, [r#"{"receipt":"#, &receipt, ",", &said, repeated].concat())
        }
    };
    let mut answer = Response::new(body.into());
    *answer.status_mut() = status;
    answer.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Ok(answer)
}

/// The response to an answer that waits for a judge.
fn waiting(body: &str) -> Result<String, Problem> {
    match serde_json::from_str(body) {
        Ok(ContestEvent::AnswerReceived { answer, .. }) => {
            Ok(format!(r#""answer":{answer},"outcome":"undecided""#))
        }
        _ => Err(Problem::internal("an answer that was neither judged nor received")),
    }
}

pub(crate) fn unknown_contest(contest: &str) -> Problem {
    Problem::not_found(format!("there is no contest `{contest}`"))
}

/// The stream of a contest.
pub(crate) fn stream_of(contest: &str) -> Result<StreamId, Problem> {
    StreamId::new("contest", contest).map_err(|error| Problem::malformed(error.to_string()))
}

pub(crate) fn recorded(answer: &Answer) -> Result<Json<ContestRecorded>, Problem> {
    let record = last(answer)?;
    Ok(Json(ContestRecorded {
        receipt: Receipt::of(record),
        event: raw(&record.draft.body)?,
        repeated: answer.repeated,
    }))
}
