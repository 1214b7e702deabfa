//! `/admin/…`: starting, stopping and resetting questions at the root, and how all of them stand.

use assize_courts::contest::{ContestCommand, ContestEvent};
use assize_kernel::Record;
use axum::Json;
use axum::extract::State;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};
use utoipa::ToSchema;

use super::detail::{OrganisersOnly, Otherwise, Refused};
use super::door::{Door, chosen_seconds, question_id};
use super::gate::Organiser;
use super::timing::{Counts, Timing};
use crate::http::App;
use crate::http::caller::Caller;
use crate::http::hearing::{last, petition};
use crate::http::input::{IdempotencyKey, Input};
use crate::http::problem::Problem;
use crate::http::shapes::contest::TextOrNumber;
use crate::{Answer, ClerkError, Petition, RequestKey};

const START: &str = r#"{"question_id": <question>, "time_limit": <seconds>, "buffer_time": <seconds>}"#;
const STOP: &str = r#"{"question_id": <question>}"#;

/// Which question, and for how long.
#[derive(Deserialize, ToSchema)]
#[schema(as = DoorStart)]
pub(super) struct Start {
    question_id: Named,
    /// In seconds; what the question says otherwise, else what the rulebook says.
    #[schema(minimum = 0, maximum = 604_800)]
    time_limit: Option<f64>,
    /// How long answers are taken after that, in seconds; what the rulebook says otherwise.
    #[schema(minimum = 0, maximum = 604_800)]
    buffer_time: Option<f64>,
}

/// Which question.
#[derive(Deserialize, ToSchema)]
#[schema(as = DoorStop)]
pub(super) struct Stop {
    question_id: Named,
}

/// A question by its id, a text or a number.
#[derive(Deserialize, ToSchema)]
#[serde(try_from = "Value")]
#[schema(value_type = TextOrNumber)]
pub(super) struct Named(String);

/// A question has been started.
#[derive(Serialize, ToSchema)]
#[schema(as = DoorStarted)]
pub(super) struct Started {
    success: bool,
    #[schema(value_type = TextOrNumber)]
    question_id: Value,
    /// Seconds since 1970.
    start_time: f64,
    #[schema(value_type = f64)]
    time_limit: Number,
    #[schema(value_type = f64)]
    buffer_time: Number,
    message: String,
}

/// A question has been stopped.
#[derive(Serialize, ToSchema)]
#[schema(as = DoorStopped)]
pub(super) struct Stopped {
    success: bool,
    #[schema(value_type = TextOrNumber)]
    question_id: Value,
    total_submissions: u64,
    completed_teams: u64,
    message: String,
}

/// Every question is as if it had not been started.
#[derive(Serialize, ToSchema)]
#[schema(as = DoorReset)]
pub(super) struct Reset {
    success: bool,
    /// How many were put away; nothing is deleted.
    deleted_sessions: u32,
    message: String,
}

/// Every question that has been started.
#[derive(Serialize, ToSchema)]
#[schema(as = DoorSessions)]
pub(super) struct Sessions {
    total: usize,
    sessions: Vec<Session>,
}

/// A question that has been started.
#[derive(Serialize, ToSchema)]
#[schema(as = DoorSession)]
pub(super) struct Session {
    #[schema(value_type = TextOrNumber)]
    question_id: Value,
    /// Whether answers are taken.
    is_active: bool,
    elapsed_time: f64,
    remaining_time: f64,
    total_teams: u64,
    completed_teams: u64,
}

/// Starts a question; one that runs, or has run, gets a new round.
#[utoipa::path(
    post, path = "/admin/start-question", tag = "open door",
    params(IdempotencyKey),
    request_body = Start,
    responses((status = 200, description = "It runs", body = Started), OrganisersOnly, Otherwise),
    security((), ("bearer" = []), ("session" = []))
)]
pub(in crate::http) async fn start_question(
    State(app): State<App>,
    organiser: Organiser,
    input: Result<Input<Start>, Problem>,
) -> Result<Json<Started>, Refused> {
    let (door, caller) = organiser.enters(&app).await?;
    let input = input.map_err(|problem| Refused::unreadable(problem, START))?;
    let key = input.key(&caller);
    let Start { question_id: Named(question), time_limit, buffer_time } = input.value;
    let start = ContestCommand::StartTask {
        task: question.as_str().into(),
        time_limit_seconds: time_limit,
        buffer_seconds: buffer_time,
        countdown_seconds: None,
    };
    let Petition { at, .. } = petition(&app, &caller, door.stream.clone(), start.clone(), None);
    let ask = |command: ContestCommand, key: Option<RequestKey>| {
        app.clerk.hear(Petition { at, ..petition(&app, &caller, door.stream.clone(), command, key) })
    };
    let mut answer = ask(start.clone(), key.clone()).await;
    if matches!(&answer, Err(ClerkError::Refused(refusal)) if refusal.code == "contest.task.running") {
        // What runs is ended first. When somebody else was quicker, there is nothing left to end.
        drop(ask(ContestCommand::StopTask { task: question.as_str().into() }, None).await);
        answer = ask(start, key).await;
    }
    started(last(&answer?)?).map(Json)
}

/// Stops a question; one that has ended already stays as it is.
#[utoipa::path(
    post, path = "/admin/stop-question", tag = "open door",
    params(IdempotencyKey),
    request_body = Stop,
    responses((status = 200, description = "It has ended", body = Stopped), OrganisersOnly, Otherwise),
    security((), ("bearer" = []), ("session" = []))
)]
pub(in crate::http) async fn stop_question(
    State(app): State<App>,
    organiser: Organiser,
    input: Result<Input<Stop>, Problem>,
) -> Result<Json<Stopped>, Refused> {
    let (door, caller) = organiser.enters(&app).await?;
    let input = input.map_err(|problem| Refused::unreadable(problem, STOP))?;
    let key = input.key(&caller);
    let Stop { question_id: Named(question) } = input.value;
    let stop = ContestCommand::StopTask { task: question.as_str().into() };
    match hear(&app, &caller, &door, stop, key).await {
        Ok(_) => {}
        Err(ClerkError::Refused(refusal)) if refusal.code == "contest.task.not_running" => {}
        Err(error) => return Err(error.into()),
    }
    let counts = door.look_at(&app, &question, |task| task.round.as_ref().map(Counts::of)).await?;
    let not_started = || Refused::not_found(format!("question {question} has not been started"));
    let Counts { submissions, completed, .. } = counts.ok_or_else(not_started)?;
    Ok(Json(Stopped {
        success: true,
        question_id: question_id(&question),
        total_submissions: submissions,
        completed_teams: completed,
        message: format!("question {question} has ended"),
    }))
}

/// Puts every round away: it stays in the ledger and goes off the boards.
#[utoipa::path(
    post, path = "/admin/reset-all", tag = "open door",
    params(IdempotencyKey),
    responses((status = 200, description = "Nothing has been started", body = Reset), OrganisersOnly, Otherwise),
    security((), ("bearer" = []), ("session" = []))
)]
pub(in crate::http) async fn reset_questions(
    State(app): State<App>,
    organiser: Organiser,
    input: Result<Input<IgnoredAny>, Problem>,
) -> Result<Json<Reset>, Refused> {
    let (door, caller) = organiser.enters(&app).await?;
    let key = input?.key(&caller);
    let answer = hear(&app, &caller, &door, ContestCommand::ResetTasks {}, key).await?;
    let ContestEvent::TasksReset { rounds } = event(last(&answer)?)? else { return Err(unexpected()) };
    let message = format!("{rounds} questions were put away; nothing was erased");
    Ok(Json(Reset { success: true, deleted_sessions: rounds, message }))
}

/// How every question stands that has been started.
#[utoipa::path(
    get, path = "/admin/sessions", tag = "open door",
    responses((status = 200, description = "All of them", body = Sessions), OrganisersOnly, Otherwise),
    security((), ("bearer" = []), ("session" = []))
)]
pub(in crate::http) async fn list_sessions(
    State(app): State<App>,
    organiser: Organiser,
) -> Result<Json<Sessions>, Refused> {
    let (door, _) = organiser.enters(&app).await?;
    let now = app.clerk.now();
    let sessions = door.look(&app, move |state| {
        let started = state.tasks().filter_map(|(name, task)| Some((name, task.round.as_ref()?)));
        let sessions = started.map(|(name, round)| {
            let (Timing { is_active, elapsed, remaining }, counts) =
                (Timing::of(round, now), Counts::of(round));
            Session {
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
    Ok(Json(Sessions { total: sessions.len(), sessions }))
}

async fn hear(
    app: &App,
    caller: &Caller,
    door: &Door,
    command: ContestCommand,
    key: Option<RequestKey>,
) -> Result<Answer, ClerkError> {
    app.clerk.hear(petition(app, caller, door.stream.clone(), command, key)).await
}

fn started(record: &Record) -> Result<Started, Refused> {
    let ContestEvent::TaskStarted { task, time_limit_ms, buffer_ms, .. } = event(record)? else {
        return Err(unexpected());
    };
    let seconds = |millis: i64| assize_kernel::Millis(millis).as_seconds();
    Ok(Started {
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

fn unexpected() -> Refused {
    Problem::internal("a record of another kind").into()
}

impl TryFrom<Value> for Named {
    type Error = String;
    fn try_from(value: Value) -> Result<Self, String> {
        match value {
            Value::String(text) => Ok(Self(text)),
            Value::Number(number) => Ok(Self(number.to_string())),
            _ => Err("`question_id` must be a text or a number".into()),
        }
    }
}
