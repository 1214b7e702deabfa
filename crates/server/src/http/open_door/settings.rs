//! `GET /config`: which questions there are and what they are judged by; never where the answers are.

use std::collections::BTreeMap;

use assize_courts::contest::{Aggregate, ContestRules, TaskType};
use assize_kernel::{Rulebook, RulebookRef};
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use serde_json::{Number, Value};
use utoipa::ToSchema;

use super::detail::{Otherwise, Refused};
use super::door::{Door, chosen_seconds, open_questions, question_id};
use crate::clerk::Shelf;
use crate::http::problem::Problem;
use crate::http::shapes::contest as shapes;
use crate::http::{App, blocking};

/// What is judged, and by what.
#[derive(Serialize, ToSchema)]
#[schema(as = DoorConfiguration)]
pub(super) struct Configuration {
    /// The question that takes answers; null when there is not just one.
    #[schema(value_type = Option<shapes::TextOrNumber>, required = true)]
    active_question_id: Option<Value>,
    /// Its type.
    #[serde(rename = "type")]
    #[schema(value_type = Option<shapes::TaskType>, required = true)]
    task_type: Option<TaskType>,
    /// In seconds, unless a question or its start says otherwise.
    #[schema(value_type = f64)]
    time_limit: Number,
    /// How long answers are taken after that, in seconds.
    #[schema(value_type = f64)]
    buffer_time: Number,
    #[serde(flatten)]
    parameters: Parameters,
    /// By their ids.
    questions: BTreeMap<String, Question>,
}

/// What answers earn: by being right and quick, or by being near.
#[derive(Serialize, ToSchema, Default)]
#[schema(as = DoorParameters)]
struct Parameters {
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
    /// `mean`, `min` or `sum`
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    aggregation: Option<&'static str>,
}

/// A question, without its ground truth.
#[derive(Serialize, ToSchema)]
#[schema(as = DoorQuestion)]
struct Question {
    #[serde(rename = "type")]
    #[schema(value_type = shapes::TaskType)]
    task_type: TaskType,
    #[schema(value_type = f64)]
    default_time_limit: Number,
    #[schema(value_type = f64)]
    default_buffer_time: Number,
}

/// Which questions there are, and what answers earn.
#[utoipa::path(
    get, path = "/config", tag = "open door",
    responses((status = 200, description = "Types, times and parameters", body = Configuration), Otherwise)
)]
pub(in crate::http) async fn read_configuration(
    State(app): State<App>,
) -> Result<Json<Configuration>, Refused> {
    let door = Door::find(&app).await?;
    let (rules, now) = (rules(&app, &door).await?, app.clerk.now());
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
    let (limit, buffer) = (rules.time.limit_seconds, chosen_seconds(rules.time.buffer_seconds));
    let questions = tasks.into_iter().map(|(name, task_type, own)| {
        let default_time_limit = chosen_seconds(own.unwrap_or(limit));
        (name, Question { task_type, default_time_limit, default_buffer_time: buffer.clone() })
    });
    Ok(Json(Configuration {
        active_question_id: active.map(|active| question_id(active)),
        task_type,
        time_limit: chosen_seconds(limit),
        buffer_time: buffer.clone(),
        parameters: Parameters::of(&rules),
        questions: questions.collect(),
    }))
}

/// What the open contest is judged by.
pub(super) async fn rules(app: &App, door: &Door) -> Result<ContestRules, Refused> {
    let book = door.look(app, |state| state.rulebook().cloned()).await?;
    let book = book.ok_or_else(|| Problem::internal("a contest without a rulebook is open to all"))?;
    Ok(blocking(app, move |app| read(app, &book)).await?)
}

/// One that ships is at hand; any other is in the ledger.
fn read(app: &App, wanted: &RulebookRef) -> Result<ContestRules, Problem> {
    let shipped = app.courts.rulebooks("contest").iter().find(|book| book.reference.hash == wanted.hash);
    let text = match shipped {
        Some(book) => book.text.clone(),
        None => {
            let shelf = Shelf::load(&*app.ledger, &app.courts)?;
            let book = shelf.get(&wanted.hash).map(|book| book.text.clone());
            book.ok_or_else(|| Problem::internal("a rulebook is not in the ledger"))?
        }
    };
    let book = Rulebook::<ContestRules>::read("contest", "the rulebook", &text);
    Ok(book.map_err(|error| Problem::internal(&error.to_string()))?.rules)
}

impl Parameters {
    fn of(rules: &ContestRules) -> Self {
        if let Some(near) = &rules.distance {
            let aggregation = match near.aggregate {
                Aggregate::Mean => "mean",
                Aggregate::Min => "min",
                Aggregate::Sum => "sum",
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
