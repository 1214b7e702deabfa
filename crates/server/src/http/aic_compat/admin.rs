//! `/admin/…`: starting, stopping and resetting questions, and the status of all of them.

use assize_courts::contest::{ContestCommand, ContestEvent};
use assize_kernel::Record;
use axum::Json;
use axum::extract::State;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};
use utoipa::ToSchema;

use super::detail::{ErrorResponse, ErrorResponses, OrganiserErrors};
use super::door::{OpenContest, chosen_seconds, question_id};
use super::gate::Organiser;
use super::timing::{QuestionClock, SubmissionCounts};
use crate::http::App;
use crate::http::caller::Caller;
use crate::http::input::{IdempotencyKey, Input};
use crate::http::problem::Problem;
use crate::http::schemas::TextOrNumber;
use crate::http::submit::{last, petition};
use assize_engine::{Answer, ClerkError, Petition, RequestKey};

const START: &str = r#"{"question_id": <question>, "time_limit": <seconds>, "buffer_time": <seconds>}"#;
const STOP: &str = r#"{"question_id": <question>}"#;

/// A question to start, and its times.
#[derive(Deserialize, ToSchema)]
#[schema(as = DoorStart)]
pub(super) struct StartRequest {
    question_id: QuestionName,
    /// The time limit in seconds; defaults to the question's, then to the rulebook's.
    #[schema(minimum = 0, maximum = 604_800)]
    time_limit: Option<f64>,
    /// How long after the time limit answers are accepted, in seconds; defaults to the rulebook's.
    #[schema(minimum = 0, maximum = 604_800)]
    buffer_time: Option<f64>,
}

/// A question to stop.
#[derive(Deserialize, ToSchema)]
#[schema(as = DoorStop)]
pub(super) struct StopRequest {
    question_id: QuestionName,
}

/// The id of a question, as a text or a number.
#[derive(Deserialize, ToSchema)]
#[serde(try_from = "Value")]
#[schema(as = Named, value_type = TextOrNumber)]
pub(super) struct QuestionName(String);

/// A question that was started.
#[derive(Serialize, ToSchema)]
#[schema(as = DoorStarted)]
pub(super) struct StartResponse {
    success: bool,
    #[schema(value_type = TextOrNumber)]
    question_id: Value,
    /// The start, in seconds since 1970.
    start_time: f64,
    #[schema(value_type = f64)]
    time_limit: Number,
    #[schema(value_type = f64)]
    buffer_time: Number,
    message: String,
}

/// A question that was stopped.
#[derive(Serialize, ToSchema)]
#[schema(as = DoorStopped)]
pub(super) struct StopResponse {
    success: bool,
    #[schema(value_type = TextOrNumber)]
    question_id: Value,
    total_submissions: u64,
    completed_teams: u64,
    message: String,
}

/// The result of resetting all questions.
#[derive(Serialize, ToSchema)]
#[schema(as = DoorReset)]
pub(super) struct ResetResponse {
    success: bool,
    /// The number of questions that were reset; nothing is deleted.
    deleted_sessions: u32,
    message: String,
}

/// The questions that have been started.
#[derive(Serialize, ToSchema)]
#[schema(as = DoorSessions)]
pub(super) struct SessionList {
    total: usize,
    sessions: Vec<SessionStatus>,
}

/// The status of a question that has been started.
#[derive(Serialize, ToSchema)]
#[schema(as = DoorSession)]
pub(super) struct SessionStatus {
    #[schema(value_type = TextOrNumber)]
    question_id: Value,
    /// Whether answers are accepted, including during the buffer.
    is_active: bool,
    elapsed_time: f64,
    remaining_time: f64,
    total_teams: u64,
    completed_teams: u64,
}

/// Starts a question.
///
/// A question that is running or has been started before gets a new round.
#[utoipa::path(
    post, path = "/admin/start-question", tag = "open door",
    params(IdempotencyKey),
    request_body = StartRequest,
    responses((status = 200, description = "The question was started", body = StartResponse), OrganiserErrors, ErrorResponses),
    security((), ("bearer" = []), ("session" = []))
)]
pub(crate) async fn start_question(
    State(app): State<App>,
    organiser: Organiser,
    input: Result<Input<StartRequest>, Problem>,
) -> Result<Json<StartResponse>, ErrorResponse> {
    let (door, caller) = organiser.enters(&app).await?;
    let input = input.map_err(|problem| ErrorResponse::unreadable(problem, START))?;
    let key = input.key(&caller);
    let StartRequest { question_id: QuestionName(question), time_limit, buffer_time } = input.value;
    let start = ContestCommand::StartTask {
        task: question.as_str().into(),
        time_limit_seconds: time_limit,
        buffer_seconds: buffer_time,
        countdown_seconds: None,
    };
    let Petition { at, .. } = petition(&app, &caller, door.stream.clone(), start.clone(), None);
    let ask = |command: ContestCommand, key: Option<RequestKey>| {
        app.clerk.submit(Petition { at, ..petition(&app, &caller, door.stream.clone(), command, key) })
    };
    let mut answer = ask(start.clone(), key.clone()).await;
    if matches!(&answer, Err(ClerkError::Refused(refusal)) if refusal.code == "contest.task.running") {
        // Stop the running question first. An error means that another request has stopped it already.
        drop(ask(ContestCommand::StopTask { task: question.as_str().into() }, None).await);
        answer = ask(start, key).await;
    }
    started(last(&answer?)?).map(Json)
}

/// Stops a question; a question that has already ended does not change.
#[utoipa::path(
    post, path = "/admin/stop-question", tag = "open door",
    params(IdempotencyKey),
    request_body = StopRequest,
    responses((status = 200, description = "The question has ended", body = StopResponse), OrganiserErrors, ErrorResponses),
    security((), ("bearer" = []), ("session" = []))
)]
pub(crate) async fn stop_question(
    State(app): State<App>,
    organiser: Organiser,
    input: Result<Input<StopRequest>, Problem>,
) -> Result<Json<StopResponse>, ErrorResponse> {
    let (door, caller) = organiser.enters(&app).await?;
    let input = input.map_err(|problem| ErrorResponse::unreadable(problem, STOP))?;
    let key = input.key(&caller);
    let StopRequest { question_id: QuestionName(question) } = input.value;
    let stop = ContestCommand::StopTask { task: question.as_str().into() };
    match hear(&app, &caller, &door, stop, key).await {
        Ok(_) => {}
        Err(ClerkError::Refused(refusal)) if refusal.code == "contest.task.not_running" => {}
        Err(error) => return Err(error.into()),
    }
    let counts = door.look_at(&app, &question, |task| task.round.as_ref().map(SubmissionCounts::of)).await?;
    let not_started = || ErrorResponse::not_found(format!("question {question} has not been started"));
    let SubmissionCounts { submissions, completed, .. } = counts.ok_or_else(not_started)?;
    Ok(Json(StopResponse {
        success: true,
        question_id: question_id(&question),
        total_submissions: submissions,
        completed_teams: completed,
        message: format!("question {question} has ended"),
    }))
}

/// Resets all questions.
///
/// Every round is removed from the boards and stays in the ledger.
#[utoipa::path(
    post, path = "/admin/reset-all", tag = "open door",
    params(IdempotencyKey),
    responses((status = 200, description = "All questions were reset", body = ResetResponse), OrganiserErrors, ErrorResponses),
    security((), ("bearer" = []), ("session" = []))
)]
pub(crate) async fn reset_questions(
    State(app): State<App>,
    organiser: Organiser,
    input: Result<Input<IgnoredAny>, Problem>,
) -> Result<Json<ResetResponse>, ErrorResponse> {
    let (door, caller) = organiser.enters(&app).await?;
    let key = input?.key(&caller);
    let answer = hear(&app, &caller, &door, ContestCommand::ResetTasks {}, key).await?;
    let ContestEvent::TasksReset { rounds } = event(last(&answer)?)? else { return Err(unexpected()) };
    let message = format!("{rounds} questions were put away; nothing was erased");
    Ok(Json(ResetResponse { success: true, deleted_sessions: rounds, message }))
}

/// Lists the questions that have been started, with their status.
#[utoipa::path(
    get, path = "/admin/sessions", tag = "open door",
    responses((status = 200, description = "The questions that have been started", body = SessionList), OrganiserErrors, ErrorResponses),
    security((), ("bearer" = []), ("session" = []))
)]
pub(crate) async fn list_sessions(
    State(app): State<App>,
    organiser: Organiser,
) -> Result<Json<SessionList>, ErrorResponse> {
    let (door, _) = organiser.enters(&app).await?;
    let now = app.clerk.now();
    let sessions = door.look(&app, move |state| {
        let started = state.tasks().filter_map(|(name, task)| Some((name, task.round.as_ref()?)));
        let sessions = started.map(|(name, round)| {
            let QuestionClock { is_active, elapsed, remaining } = QuestionClock::of(round, now);
            let counts = SubmissionCounts::of(round);
            SessionStatus {
                question_id: question_id(name),
                is_active,
                elapsed_time: elapsed,
                remaining_time: remaining,
                total_teams: counts.teams,
                completed_teams: counts.completed,
            }
        });
        sessions.collect::<Vec<_>>()
    });
    let sessions = sessions.await?;
    Ok(Json(SessionList { total: sessions.len(), sessions }))
}

async fn hear(
    app: &App,
    caller: &Caller,
    door: &OpenContest,
    command: ContestCommand,
    key: Option<RequestKey>,
) -> Result<Answer, ClerkError> {
    app.clerk.submit(petition(app, caller, door.stream.clone(), command, key)).await
}

fn started(record: &Record) -> Result<StartResponse, ErrorResponse> {
    let ContestEvent::TaskStarted { task, time_limit_ms, buffer_ms, .. } = event(record)? else {
        return Err(unexpected());
    };
    let seconds = |millis: i64| assize_kernel::Millis(millis).as_seconds();
    Ok(StartResponse {
        success: true,
        question_id: question_id(&task),
        start_time: seconds(record.draft.at.as_millis()),
        time_limit: chosen_seconds(seconds(time_limit_ms)),
        buffer_time: chosen_seconds(seconds(buffer_ms)),
        message: format!("question {task} is running; teams can submit"),
    })
}

fn event(record: &Record) -> Result<ContestEvent, Problem> {
    serde_json::from_str(&record.draft.body).map_err(|error| Problem::internal(&error.to_string()))
}

fn unexpected() -> ErrorResponse {
    Problem::internal("a record of another kind").into()
}

impl TryFrom<Value> for QuestionName {
    type Error = String;
    fn try_from(value: Value) -> Result<Self, String> {
        match value {
            Value::String(text) => Ok(Self(text)),
            Value::Number(number) => Ok(Self(number.to_string())),
            _ => Err("`question_id` must be a text or a number".into()),
        }
    }
}
