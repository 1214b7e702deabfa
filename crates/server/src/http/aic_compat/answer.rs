//! `POST /submit`: an answer of a team that need not be registered, to a question that need not be named.

use assize_courts::contest::{ContestCommand, SubmissionBody};
use assize_kernel::Refusal;
use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value, json};
use utoipa::ToSchema;

use super::detail::{ErrorResponse, ErrorResponses};
use super::door::{OpenContest, chosen_seconds};
use crate::http::App;
use crate::http::client_address::ClientAddress;
use crate::http::input::{IdempotencyKey, Input};
use crate::http::problem::Problem;
use crate::http::schemas::TextOrNumber;
use crate::http::schemas::contest as schemas;
use crate::http::submit::{last, petition};
use assize_engine::{Answer, ClerkError, Petition};

const FORM: &str = r#"{"team_id": "<team>", "question_id": <question>, "answerSets": [{"answers": […]}]} or {"team_id": "<team>", "text": "…"}"#;

/// A submission of a team's tool: answer sets, of which the first is read, or a bare text. Unknown fields are
/// ignored.
#[derive(ToSchema)]
#[schema(as = DoorSubmission)]
#[allow(dead_code, reason = "described here, read by the court")]
pub(super) struct SubmitRequest {
    team_id: TextOrNumber,
    /// The question; defaults to the running one.
    question_id: Option<TextOrNumber>,
    #[serde(rename = "answerSets")]
    answer_sets: Option<Vec<schemas::AnswerSet>>,
    /// The whole answer, if there are no answer sets.
    text: Option<String>,
}

/// The result of an answer.
#[derive(Serialize, ToSchema)]
#[schema(as = DoorJudged)]
pub(super) struct JudgedResponse {
    success: bool,
    /// `full`, `partial` or `incorrect`; `undecided` while the answer waits for a judge, and if the judge
    /// could not decide it.
    correctness: String,
    #[schema(value_type = f64)]
    score: Number,
    detail: JudgedDetail,
}

/// The details of a result, shown by tools.
#[derive(Serialize, Deserialize, ToSchema, Default)]
#[schema(as = DoorJudgedDetail)]
struct JudgedDetail {
    /// 0 of 0 if a person judged the answer.
    #[serde(default)]
    #[schema(required)]
    matched_events: u64,
    #[serde(default)]
    #[schema(required)]
    total_events: u64,
    wrong_attempts: u64,
    /// Seconds from the start of the round to the receipt; absent for a wrong answer under timed scoring,
    /// unless a person judged it, and while the answer waits for a judge.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    elapsed_time: Option<f64>,
    /// The share of the time limit that was left, from 1 to 0; present if the answer scored under timed
    /// scoring.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    time_factor: Option<f64>,
    /// A message for the team; present if the answer was wrong, unless distance scoring compared it with a
    /// ground truth, and while the answer waits for a judge.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    message: Option<String>,
}

/// The response to a team that has already completed the question.
#[derive(Serialize, ToSchema)]
#[schema(as = DoorCompleted)]
pub(super) struct CompletedResponse {
    success: bool,
    /// Always `already_completed`.
    error: &'static str,
    detail: CompletedDetail,
    message: String,
}

/// The team's score, and when it completed the question.
#[derive(Serialize, ToSchema)]
#[schema(as = DoorCompletedDetail)]
struct CompletedDetail {
    score: f64,
    /// Seconds from the start to the completion.
    completed_at: f64,
}

/// The response to a submission.
#[derive(ToSchema)]
#[serde(untagged)]
#[schema(as = DoorSubmitted)]
#[allow(dead_code, reason = "described here, written as one or the other")]
pub(super) enum SubmitResponse {
    Judged(JudgedResponse),
    Completed(CompletedResponse),
}

/// The fields of a verdict that the response depends on.
#[derive(Deserialize)]
struct VerdictFields {
    outcome: String,
    points: f64,
    detail: JudgedDetail,
}

impl VerdictFields {
    /// Stands for the verdict while the answer waits for a judge.
    fn to_come() -> Self {
        let message = Some("Received. A judge decides.".to_owned());
        Self {
            outcome: "undecided".into(),
            points: 0.0,
            detail: JudgedDetail { message, ..Default::default() },
        }
    }
}

/// Submits an answer.
///
/// An unknown team is registered with it.
#[utoipa::path(
    post, path = "/submit", tag = "open door",
    params(IdempotencyKey),
    request_body = SubmitRequest,
    responses((status = 200, description = "The result of the answer, or that the team has already completed the question", body = SubmitResponse),
        (status = 403, description = "There are too many teams to register another one", body = super::detail::ErrorBody), ErrorResponses)
)]
pub(crate) async fn submit_openly(
    State(app): State<App>,
    address: ClientAddress,
    input: Result<Input<SubmissionBody>, Problem>,
) -> Result<Response, ErrorResponse> {
    let at = app.clerk.now();
    let door = OpenContest::find(&app).await?;
    let input = input.map_err(|problem| ErrorResponse::unreadable(problem, FORM))?;
    let missing = || ErrorResponse::malformed(format!("`team_id` is missing; expected {FORM}"));
    let team = input.value.team_id.clone().ok_or_else(missing)?;
    let question = input.value.question_id.clone();
    let guest = door.guest(address);
    // Requests have no token here: their idempotency keys are separate per team.
    let key = input.key_of(&format!("{} {team}", guest.actor));
    let command = ContestCommand::SubmitOpenly {
        task: question.as_deref().map(Into::into),
        team: team.into(),
        answers: input.value.into_answers(),
    };
    let petition = petition(&app, &guest, door.stream.clone(), command, key);
    match app.clerk.submit(Petition { at, ..petition }).await {
        Ok(answer) => Ok(Json(judged(&answer)?).into_response()),
        Err(ClerkError::Refused(refusal)) => refused(&app, &door, question, refusal).await,
        Err(error) => Err(error.into()),
    }
}

fn judged(answer: &Answer) -> Result<JudgedResponse, Problem> {
    let verdict = match last(answer)?.draft.verdict.as_deref() {
        Some(verdict) => {
            serde_json::from_str(verdict).map_err(|error| Problem::internal(&error.to_string()))?
        }
        None => VerdictFields::to_come(),
    };
    let success = matches!(verdict.outcome.as_str(), "full" | "partial");
    let score = Some(verdict.points).filter(|_| success).and_then(Number::from_f64);
    Ok(JudgedResponse {
        success,
        correctness: verdict.outcome,
        score: score.unwrap_or_else(|| 0.into()),
        detail: verdict.detail,
    })
}

/// Refusals that these tools expect as a success, or with an object as detail.
async fn refused(
    app: &App,
    door: &OpenContest,
    question: Option<String>,
    refusal: Refusal,
) -> Result<Response, ErrorResponse> {
    let fact = |name: &str| refusal.detail.get(name).and_then(Value::as_f64).unwrap_or_default();
    match (&*refusal.code, question) {
        ("contest.task.already_completed", _) => {
            let score = fact("score");
            let completed_at = fact("completed_at");
            let message = format!("the question is completed with a score of {score}");
            let detail = CompletedDetail { score, completed_at };
            Ok(Json(CompletedResponse { success: false, error: "already_completed", detail, message })
                .into_response())
        }
        ("contest.task.time_limit_exceeded" | "contest.task.not_started", Some(question)) => {
            let elapsed = fact("elapsed_time");
            let refused = ErrorResponse::from(ClerkError::Refused(refusal));
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

/// Time limit and buffer of a question: those of its round, or the configured ones before it starts.
async fn times(app: &App, door: &OpenContest, question: &str) -> Result<(f64, f64), ErrorResponse> {
    let rules = super::settings::rules(app, door).await?.time;
    door.look_at(app, question, move |task| match &task.round {
        Some(round) => (round.time_limit.as_seconds(), round.buffer.as_seconds()),
        None => (task.spec.time_limit_seconds.unwrap_or(rules.limit_seconds), rules.buffer_seconds),
    })
    .await
}
