//! Contests for DRES clients: evaluations, their current task, and the server's time.

use assize_courts::contest::{ContestRules, ContestView, RoundView, TaskView};
use assize_kernel::{Millis, Moment, Rulebook, RulebookRef};
use axum::Json;
use axum::extract::State;

use super::guest::DresCaller;
use super::said::{CurrentTime, ErrorStatus, EvaluationInfo, EvaluationState, TaskInfo, TaskStatus};
use crate::http::App;
use crate::http::path::PathParams;
use crate::http::problem::Problem;

/// Reads the server's time.
#[utoipa::path(
    get, path = "/api/v2/status/time", tag = "dres",
    responses((status = 200, description = "The server's time", body = CurrentTime))
)]
pub(crate) async fn read_dres_time(State(app): State<App>) -> Json<CurrentTime> {
    Json(CurrentTime { time_stamp: app.clerk.now().as_millis() })
}

/// Lists the contests in which the caller takes part.
#[utoipa::path(
    get, path = "/api/v2/client/evaluation/list", tag = "dres",
    responses((status = 200, description = "The contests", body = Vec<EvaluationInfo>)),
    security(("dres_session" = []))
)]
pub(crate) async fn list_evaluations(
    State(app): State<App>,
    guest: DresCaller,
) -> Result<Json<Vec<EvaluationInfo>>, Problem> {
    let Some(contest) = guest.contest() else { return Ok(Json(Vec::new())) };
    let view = guest.look(&app, contest.name(), |state| state.view()).await?;
    Ok(Json(vec![info(&app, contest.name(), view)]))
}

/// Reads the current task: the one that is running or in its countdown.
#[utoipa::path(
    get, path = "/api/v2/client/evaluation/currentTask/{evaluationId}", tag = "dres",
    params(("evaluationId" = String, Path, description = "The contest")),
    responses(
        (status = 200, description = "The task", body = TaskInfo),
        (status = 404, description = "No such contest, or no task in it is running", body = ErrorStatus),
    ),
    security(("dres_session" = []))
)]
pub(crate) async fn read_current_task(
    State(app): State<App>,
    PathParams(evaluation): PathParams<String>,
    guest: DresCaller,
) -> Result<Json<TaskInfo>, Problem> {
    let view = guest.look(&app, &evaluation, |state| state.view()).await?;
    let limit = usual_limit(&app, view.rulebook.as_ref());
    let running = current(view.tasks).filter(|(_, round)| round.running);
    let (task, _) =
        running.ok_or_else(|| Problem::not_found(format!("no task of `{evaluation}` is running")))?;
    Ok(Json(TaskInfo::of(&task, limit)))
}

/// Reads the state of a contest.
#[utoipa::path(
    get, path = "/api/v2/evaluation/{evaluationId}/state", tag = "dres",
    params(("evaluationId" = String, Path, description = "The contest")),
    responses(
        (status = 200, description = "The state of the contest", body = EvaluationState),
        (status = 404, description = "No such contest", body = ErrorStatus),
    ),
    security(("dres_session" = []))
)]
pub(crate) async fn read_evaluation_state(
    State(app): State<App>,
    PathParams(evaluation): PathParams<String>,
    guest: DresCaller,
) -> Result<Json<EvaluationState>, Problem> {
    let view = guest.look(&app, &evaluation, |state| state.view()).await?;
    Ok(Json(state_of(evaluation, current(view.tasks), app.clerk.now())))
}

fn info(app: &App, contest: &str, view: ContestView) -> EvaluationInfo {
    let limit = usual_limit(app, view.rulebook.as_ref());
    let teams = view.teams.into_iter().map(|team| team.name.unwrap_or_else(|| team.team.to_string()));
    EvaluationInfo {
        id: contest.to_owned(),
        name: view.name,
        evaluation_type: "SYNCHRONOUS",
        status: "ACTIVE",
        template_id: contest.to_owned(),
        teams: teams.collect(),
        task_templates: view.tasks.iter().map(|task| TaskInfo::of(task, limit)).collect(),
    }
}

/// The task that was started last, preferring running ones, with its round.
fn current(tasks: Vec<TaskView>) -> Option<(TaskView, RoundView)> {
    let started = tasks.into_iter().filter_map(|task| task.round.clone().map(|round| (task, round)));
    started.max_by_key(|(_, round)| (round.running, round.started_at))
}

fn state_of(evaluation_id: String, current: Option<(TaskView, RoundView)>, now: Moment) -> EvaluationState {
    let task_status = match &current {
        None => TaskStatus::NoTask,
        Some((_, round)) if !round.running => TaskStatus::Ended,
        Some((_, round)) if now < round.started_at => TaskStatus::Preparing,
        Some(_) => TaskStatus::Running,
    };
    let seconds = |time: Millis| time.0.max(0) / 1_000;
    let running = current.as_ref().filter(|_| task_status == TaskStatus::Running);
    let times = running.map(|(_, round)| {
        let end = round.closes_at - Millis::from_seconds(round.buffer_seconds);
        (seconds(end - now), seconds(now - round.started_at))
    });
    let (time_left, time_elapsed) = times.unwrap_or_default();
    EvaluationState {
        evaluation_id,
        evaluation_status: "ACTIVE",
        task_id: current.as_ref().map(|(task, round)| format!("{}:{}", task.task, round.round)),
        task_status,
        task_template_id: current.map(|(task, _)| task.task.to_string()),
        time_left,
        time_elapsed,
    }
}

/// The default time limit of a task that has none of its own.
fn usual_limit(app: &App, rulebook: Option<&RulebookRef>) -> f64 {
    let own = rulebook.and_then(|book| app.courts.rulebook("contest", &book.name));
    let text = own.or_else(|| app.courts.default_rulebook("contest")).map(|book| &book.text);
    let read = text.and_then(|text| Rulebook::<ContestRules>::read("contest", "rulebook", text).ok());
    read.map_or(0.0, |book| book.rules.time.limit_seconds)
}

impl TaskInfo {
    fn of(task: &TaskView, usual_limit: f64) -> Self {
        let kind = task.task_type.as_str();
        let started_with = task.round.as_ref().map(|round| round.time_limit_seconds);
        let limit = started_with.or(task.time_limit_seconds).unwrap_or(usual_limit);
        let duration = (Millis::from_seconds(limit).0 + 999) / 1_000;
        Self { name: task.task.to_string(), task_group: kind, task_type: kind, duration }
    }
}
