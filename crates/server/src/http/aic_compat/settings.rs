//! `GET /config`: the questions and their scoring parameters, never their ground truth.

use std::collections::BTreeMap;

use assize_courts::contest::{ContestRules, ScoreAggregate, TaskType};
use assize_kernel::{Rulebook, RulebookRef};
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use serde_json::{Number, Value};
use utoipa::ToSchema;

use super::detail::{ErrorResponse, ErrorResponses};
use super::door::{OpenContest, chosen_seconds, open_questions, question_id};
use crate::http::problem::Problem;
use crate::http::schemas::TextOrNumber;
use crate::http::{App, blocking};
use assize_engine::clerk::RulebookIndex;

/// The questions of the contest and its scoring parameters.
#[derive(Serialize, ToSchema)]
#[schema(as = DoorConfiguration)]
pub(super) struct ContestConfig {
    /// The question that accepts answers; null unless there is exactly one.
    #[schema(value_type = Option<TextOrNumber>, required = true)]
    active_question_id: Option<Value>,
    /// The type of the active question; null without one.
    #[serde(rename = "type")]
    #[schema(required = true)]
    task_type: Option<TaskType>,
    /// The default time limit in seconds; a question or its start may set another.
    #[schema(value_type = f64)]
    time_limit: Number,
    /// How long after the time limit answers are accepted by default, in seconds.
    #[schema(value_type = f64)]
    buffer_time: Number,
    #[serde(flatten)]
    parameters: ScoringParameters,
    /// The questions, by id.
    questions: BTreeMap<String, QuestionConfig>,
}

/// The parameters of timed scoring or of distance scoring.
#[derive(Serialize, ToSchema, Default)]
#[schema(as = DoorParameters)]
struct ScoringParameters {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    p_max: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    p_base: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    p_penalty: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    max_score: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    decay_rate: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    frame_tolerance: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    fps: Option<f64>,
    /// The aggregation of the scores of events: `mean`, `min` or `sum`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    aggregation: Option<&'static str>,
}

/// A question, without its ground truth.
#[derive(Serialize, ToSchema)]
#[schema(as = DoorQuestion)]
struct QuestionConfig {
    #[serde(rename = "type")]
    task_type: TaskType,
    #[schema(value_type = f64)]
    default_time_limit: Number,
    #[schema(value_type = f64)]
    default_buffer_time: Number,
}

/// Reads the questions and the scoring parameters of the contest.
#[utoipa::path(
    get, path = "/config", tag = "open door",
    responses((status = 200, description = "The questions and the scoring parameters", body = ContestConfig), ErrorResponses)
)]
pub(crate) async fn read_configuration(State(app): State<App>) -> Result<Json<ContestConfig>, ErrorResponse> {
    let door = OpenContest::find(&app).await?;
    let rules = rules(&app, &door).await?;
    let now = app.clerk.now();
    let (open, tasks) = door
        .look(&app, move |state| {
            let tasks = state
                .tasks()
                .map(|(name, task)| (name.to_owned(), task.spec.task_type, task.spec.time_limit_seconds));
            (open_questions(state, now), tasks.collect::<Vec<_>>())
        })
        .await?;
    let active = if let [only] = open.as_slice() { Some(only) } else { None };
    let task_type = tasks.iter().find(|(name, ..)| Some(name) == active).map(|(_, task_type, _)| *task_type);
    let limit = rules.time.limit_seconds;
    let buffer = chosen_seconds(rules.time.buffer_seconds);
    let questions = tasks.into_iter().map(|(name, task_type, own)| {
        let default_time_limit = chosen_seconds(own.unwrap_or(limit));
        (name, QuestionConfig { task_type, default_time_limit, default_buffer_time: buffer.clone() })
    });
    Ok(Json(ContestConfig {
        active_question_id: active.map(|active| question_id(active)),
        task_type,
        time_limit: chosen_seconds(limit),
        buffer_time: buffer.clone(),
        parameters: ScoringParameters::of(&rules),
        questions: questions.collect(),
    }))
}

/// The rules of the open contest.
pub(super) async fn rules(app: &App, door: &OpenContest) -> Result<ContestRules, ErrorResponse> {
    let book = door.look(app, |state| state.rulebook().cloned()).await?;
    let book = book.ok_or_else(|| Problem::internal("a contest without a rulebook is open to all"))?;
    Ok(blocking(app, move |app| read(app, &book)).await?)
}

/// Built-in rulebooks are parsed from the binary, others are read from the ledger.
fn read(app: &App, wanted: &RulebookRef) -> Result<ContestRules, Problem> {
    let shipped = app.courts.rulebooks("contest").iter().find(|book| book.reference.hash == wanted.hash);
    let text = match shipped {
        Some(book) => book.text.clone(),
        None => {
            let rulebooks = RulebookIndex::load(&*app.ledger, &app.courts)?;
            let book = rulebooks.get(&wanted.hash).map(|book| book.text.clone());
            book.ok_or_else(|| Problem::internal("a rulebook is not in the ledger"))?
        }
    };
    let book = Rulebook::<ContestRules>::read("contest", "the rulebook", &text);
    Ok(book.map_err(|error| Problem::internal(&error.to_string()))?.rules)
}

impl ScoringParameters {
    fn of(rules: &ContestRules) -> Self {
        if let Some(near) = &rules.distance {
            let aggregation = match near.aggregate {
                ScoreAggregate::Mean => "mean",
                ScoreAggregate::Min => "min",
                ScoreAggregate::Sum => "sum",
            };
            return Self {
                max_score: Some(near.maximum),
                decay_rate: Some(near.decay),
                frame_tolerance: Some(near.tolerance_frames),
                fps: Some(near.frames_per_second),
                aggregation: Some(aggregation),
                ..Self::default()
            };
        }
        let score = rules.score.as_ref();
        Self {
            p_max: score.map(|score| score.maximum),
            p_base: score.map(|score| score.base),
            p_penalty: score.map(|score| score.penalty),
            ..Self::default()
        }
    }
}
