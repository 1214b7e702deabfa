//! Submissions of DRES clients, and their verdicts in the format of DRES.

use assize_courts::contest::{ContestCommand, ContestState, SubmittedAnswer};
use assize_kernel::RefusalKind;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use utoipa::ToSchema;

use super::guest::DresCredentials;
use super::meant::task_meant;
use super::said::{ErrorStatus, SubmissionStatus, VerdictStatus};
use crate::http::App;
use crate::http::input::{IdempotencyKey, Input};
use crate::http::object::Object;
use crate::http::path::PathParams;
use crate::http::problem::Problem;
use crate::http::submit::{last, petition};
use assize_engine::{Answer, ClerkError, Petition};

/// A submission: answer sets, of which the first is read. Unknown fields are ignored.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DresSubmissionBody)]
pub(super) struct ClientSubmission {
    #[schema(value_type = Vec<ClientAnswerSet>)]
    answer_sets: Vec<Object<ClientAnswerSet>>,
}

/// Answers that belong together.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DresAnswerSet)]
pub(super) struct ClientAnswerSet {
    /// The task, as in `taskId` of the state; defaults to the running task.
    task_id: Option<String>,
    /// The name of the task, as in the list; takes precedence over `taskId`.
    task_name: Option<String>,
    #[schema(value_type = Vec<SubmittedAnswer>)]
    answers: Vec<Object<SubmittedAnswer>>,
}

/// The fields of a verdict that the response depends on.
#[derive(Deserialize)]
struct JudgedOutcome {
    outcome: String,
    points: f64,
}

/// Submits an answer.
#[utoipa::path(
    post, path = "/api/v2/submit/{evaluationId}", tag = "dres",
    params(("evaluationId" = String, Path, description = "The contest"), IdempotencyKey),
    request_body = ClientSubmission,
    responses(
        (status = 200, description = "The answer was judged", body = SubmissionStatus),
        (status = 202, description = "The answer waits for a judge", body = SubmissionStatus),
        (status = 404, description = "No such contest", body = ErrorStatus),
        (status = 412, description = "A rule of the contest forbids the answer: too late, or the team has completed the task", body = ErrorStatus),
    ),
    security(("dres_session" = []))
)]
pub(crate) async fn submit_to_evaluation(
    State(app): State<App>,
    PathParams(evaluation): PathParams<String>,
    shown: DresCredentials,
    input: Result<Input<Object<ClientSubmission>>, Problem>,
) -> Result<(StatusCode, Json<SubmissionStatus>), Problem> {
    // The time of receipt, before the session and the task are looked up.
    let at = app.clerk.now();
    let guest = shown.guest(&app).await?;
    let (stream, team) = guest.team_in(&evaluation)?;
    let input = input?;
    let key = input.key(&guest.caller);
    let Object(ClientSubmission { answer_sets }) = input.value;
    let Object(set) =
        answer_sets.into_iter().next().ok_or_else(|| Problem::malformed("`answerSets` is empty"))?;
    let named = set.named();
    let meant = move |state: &ContestState| task_meant(state, named.as_deref(), at);
    let task = guest.look(&app, &evaluation, meant).await?.map_err(|why| forbidden(&why))?;
    let answers = set.answers.into_iter().map(|Object(answer)| answer).collect();
    let command = ContestCommand::SubmitAnswer { task, team: team.into(), answers };
    let petition = Petition { at, ..petition(&app, &guest.caller, stream, command, key) };
    let answer = app.clerk.submit(petition).await.map_err(|error| match error {
        ClerkError::Refused(refusal) if refusal.kind != RefusalKind::Malformed => forbidden(&refusal.message),
        other => other.into(),
    })?;
    told(&answer)
}

/// The response to a submission.
fn told(answer: &Answer) -> Result<(StatusCode, Json<SubmissionStatus>), Problem> {
    let verdict =
        last(answer)?.draft.verdict.as_deref().map(serde_json::from_str::<JudgedOutcome>).transpose();
    let verdict = verdict.map_err(|error| Problem::internal(&format!("a verdict: {error}")))?;
    let (submission, description) = match verdict.as_ref().map(|verdict| verdict.outcome.as_str()) {
        Some("full") => (VerdictStatus::Correct, "right"),
        Some("partial") => (VerdictStatus::Correct, "partly right"),
        Some("incorrect") => (VerdictStatus::Wrong, "wrong"),
        Some("undecided") => (VerdictStatus::Undecidable, "it cannot be decided"),
        _ => (VerdictStatus::Indeterminate, "received; somebody will judge it"),
    };
    let description = match verdict {
        Some(verdict) if submission == VerdictStatus::Correct => {
            format!("{description}: {} points", verdict.points)
        }
        _ => description.to_owned(),
    };
    let undecided = submission == VerdictStatus::Indeterminate;
    let status = if undecided { StatusCode::ACCEPTED } else { StatusCode::OK };
    Ok((status, Json(SubmissionStatus { status: true, submission, description })))
}

/// A rule of the contest forbids the submission.
fn forbidden(why: &str) -> Problem {
    Problem::new(StatusCode::PRECONDITION_FAILED, "dres.rejected", why)
}

impl ClientAnswerSet {
    /// The task that the submission names, if any.
    fn named(&self) -> Option<String> {
        let named = [&self.task_name, &self.task_id].into_iter().flatten().map(|name| name.trim());
        named.filter(|name| !name.is_empty()).map(str::to_owned).next()
    }
}
