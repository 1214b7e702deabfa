//! `POST /submit`: an answer for a team that need not be known, to a question that need not be named.

use assize_courts::contest::{ContestCommand, SubmissionBody};
use assize_kernel::Refusal;
use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value, json};
use utoipa::ToSchema;

use super::detail::{Otherwise, Refused};
use super::door::{Door, chosen_seconds};
use crate::http::App;
use crate::http::client_address::ClientAddress;
use crate::http::hearing::{last, petition};
use crate::http::input::{IdempotencyKey, Input};
use crate::http::problem::Problem;
use crate::http::shapes::contest as shapes;
use crate::{Answer, ClerkError, Petition};

const FORM: &str = r#"{"team_id": "<team>", "question_id": <question>, "answerSets": [{"answers": […]}]} or {"team_id": "<team>", "text": "…"}"#;

/// What a team's tool sends: answer sets, of which the first is read, or a bare text. Fields that are not known are
/// ignored.
#[derive(ToSchema)]
#[schema(as = DoorSubmission)]
#[allow(dead_code, reason = "described here, read by the court")]
pub(super) struct Submission {
    team_id: shapes::TextOrNumber,
    /// The one that runs otherwise.
    question_id: Option<shapes::TextOrNumber>,
    #[serde(rename = "answerSets")]
    answer_sets: Option<Vec<shapes::AnswerSet>>,
    /// The whole answer, where there are no answer sets.
    text: Option<String>,
}

/// What came of an answer.
#[derive(Serialize, ToSchema)]
#[schema(as = DoorJudged)]
pub(super) struct Judged {
    success: bool,
    /// `full`, `partial` or `incorrect`; `undecided` where a person judges and has not yet
    correctness: String,
    #[schema(value_type = f64)]
    score: Number,
    detail: JudgedDetail,
}

/// What tools show of it.
#[derive(Serialize, Deserialize, ToSchema, Default)]
#[schema(as = DoorJudgedDetail)]
struct JudgedDetail {
    matched_events: u64,
    total_events: u64,
    wrong_attempts: u64,
    /// In seconds, when it scored.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    elapsed_time: Option<f64>,
    /// When it scored.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    time_factor: Option<f64>,
    /// When it was wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    message: Option<String>,
}

/// The team is done with the question.
#[derive(Serialize, ToSchema)]
#[schema(as = DoorCompleted)]
pub(super) struct Completed {
    success: bool,
    /// `already_completed`
    error: &'static str,
    detail: CompletedDetail,
    message: String,
}

/// With what.
#[derive(Serialize, ToSchema)]
#[schema(as = DoorCompletedDetail)]
struct CompletedDetail {
    score: f64,
    /// Seconds after the start.
    completed_at: f64,
}

/// What became of an answer.
#[derive(ToSchema)]
#[serde(untagged)]
#[schema(as = DoorSubmitted)]
#[allow(dead_code, reason = "described here, written as one or the other")]
pub(super) enum Submitted {
    Judged(Judged),
    Completed(Completed),
}

/// What of a verdict tools are told.
#[derive(Deserialize)]
struct Verdict {
    outcome: String,
    points: f64,
    detail: JudgedDetail,
}

impl Verdict {
    /// An answer that a person is to judge.
    fn to_come() -> Self {
        let message = Some("Received. A judge decides.".to_owned());
        Self {
            outcome: "undecided".into(),
            points: 0.0,
            detail: JudgedDetail { message, ..Default::default() },
        }
    }
}

/// Judges an answer; a team that is not known is registered with it.
#[utoipa::path(
    post, path = "/submit", tag = "open door",
    params(IdempotencyKey),
    request_body = Submission,
    responses((status = 200, description = "It was judged, or the team is done", body = Submitted),
        (status = 403, description = "There are too many teams", body = super::detail::Detail), Otherwise)
)]
pub(in crate::http) async fn submit_openly(
    State(app): State<App>,
    address: ClientAddress,
    input: Result<Input<SubmissionBody>, Problem>,
) -> Result<Response, Refused> {
    let at = app.clerk.now();
    let door = Door::find(&app).await?;
    let input = input.map_err(|problem| Refused::unreadable(problem, FORM))?;
    let missing = || Refused::malformed(format!("`team_id` is missing; expected {FORM}"));
    let team = input.value.team_id.clone().ok_or_else(missing)?;
    let question = input.value.question_id.clone();
    let guest = door.guest(address);
    // Whoever comes without a token is told apart by the team they speak for.
    let key = input.key_of(&format!("{} {team}", guest.actor));
    let command = ContestCommand::SubmitOpenly {
        task: question.as_deref().map(Into::into),
        team: team.into(),
        answers: input.value.into_answers(),
    };
    let petition = petition(&app, &guest, door.stream.clone(), command, key);
    match app.clerk.hear(Petition { at, ..petition }).await {
        Ok(answer) => Ok(Json(judged(&answer)?).into_response()),
        Err(ClerkError::Refused(refusal)) => refused(&app, &door, question, refusal).await,
        Err(error) => Err(error.into()),
    }
}

fn judged(answer: &Answer) -> Result<Judged, Problem> {
    let verdict = match last(answer)?.draft.verdict.as_deref() {
        Some(verdict) => {
            serde_json::from_str(verdict).map_err(|error| Problem::internal(&error.to_string()))?
        }
        None => Verdict::to_come(),
    };
    let success = matches!(verdict.outcome.as_str(), "full" | "partial");
    let score = Some(verdict.points).filter(|_| success).and_then(Number::from_f64);
    Ok(Judged {
        success,
        correctness: verdict.outcome,
        score: score.unwrap_or_else(|| 0.into()),
        detail: verdict.detail,
    })
}

/// What is no error to these tools, and what they read more of than a text.
async fn refused(
    app: &App,
    door: &Door,
    question: Option<String>,
    refusal: Refusal,
) -> Result<Response, Refused> {
    let fact = |name: &str| refusal.detail.get(name).and_then(Value::as_f64).unwrap_or_default();
    match (&*refusal.code, question) {
        ("contest.task.already_completed", _) => {
            let (score, completed_at) = (fact("score"), fact("completed_at"));
            let message = format!("the question is completed with a score of {score}");
            let detail = CompletedDetail { score, completed_at };
            Ok(Json(Completed { success: false, error: "already_completed", detail, message })
                .into_response())
        }
        ("contest.task.time_limit_exceeded" | "contest.task.not_started", Some(question)) => {
            let elapsed = fact("elapsed_time");
            let refused = Refused::from(ClerkError::Refused(refusal));
            let (limit, buffer) = times(app, door, &question).await?;
            Err(refused.in_full(|message| {
                json!({
                    "error": "time_limit_exceeded",
                    "elapsed_time": elapsed,
                    "time_limit": chosen_seconds(limit),
                    "buffer_time": chosen_seconds(buffer),
                    "message": message,
                })
            }))
        }
        _ => Err(ClerkError::Refused(refusal).into()),
    }
}

/// For how long a question takes answers, or would: to these tools one that has not begun is one whose time is up.
async fn times(app: &App, door: &Door, question: &str) -> Result<(f64, f64), Refused> {
    let rules = super::settings::rules(app, door).await?.time;
    door.look_at(app, question, move |task| match &task.round {
        Some(round) => (round.time_limit.as_seconds(), round.buffer.as_seconds()),
        None => (task.spec.time_limit_seconds.unwrap_or(rules.limit_seconds), rules.buffer_seconds),
    })
    .await
}
