//! Answers as DRES's clients send them, and what came of them in its words.

use assize_courts::contest::{ContestCommand, ContestState, SubmittedAnswer};
use assize_kernel::RefusalKind;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use utoipa::ToSchema;

use super::guest::Shown;
use super::meant::task_meant;
use super::said::{ErrorStatus, SubmissionStatus, VerdictStatus};
use crate::http::App;
use crate::http::address::Address;
use crate::http::hearing::{last, petition};
use crate::http::input::{IdempotencyKey, Input};
use crate::http::object::Object;
use crate::http::problem::Problem;
use crate::http::shapes::contest as shapes;
use crate::{Answer, ClerkError, Petition};

/// Answer sets, of which the first is read. Fields that are not known are ignored.
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
    /// The task meant, as the state names it; the one that runs otherwise.
    task_id: Option<String>,
    /// Or as the list names it.
    task_name: Option<String>,
    #[schema(value_type = Vec<shapes::SubmittedAnswer>)]
    answers: Vec<Object<SubmittedAnswer>>,
}

/// What is read of a verdict to tell of it.
#[derive(Deserialize)]
struct Verdict {
    outcome: String,
    points: f64,
}

/// Takes an answer.
#[utoipa::path(
    post, path = "/api/v2/submit/{evaluationId}", tag = "dres",
    params(("evaluationId" = String, Path, description = "The contest"), IdempotencyKey),
    request_body = ClientSubmission,
    responses(
        (status = 200, description = "It was judged", body = SubmissionStatus),
        (status = 202, description = "It was taken; somebody will judge it", body = SubmissionStatus),
        (status = 404, description = "No such contest", body = ErrorStatus),
        (status = 412, description = "A rule forbids it: too late, or the team is done", body = ErrorStatus),
    ),
    security(("dres_session" = []))
)]
pub(in crate::http) async fn submit_to_evaluation(
    State(app): State<App>,
    Address(evaluation): Address<String>,
    shown: Shown,
    input: Result<Input<Object<ClientSubmission>>, Problem>,
) -> Result<(StatusCode, Json<SubmissionStatus>), Problem> {
    // Received now, however long it takes to find out from whom and for which task.
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
    let answer = app.clerk.hear(petition).await.map_err(|error| match error {
        ClerkError::Refused(refusal) if refusal.kind != RefusalKind::Malformed => forbidden(&refusal.message),
        other => other.into(),
    })?;
    told(&answer)
}

/// What came of it, in DRES's words.
fn told(answer: &Answer) -> Result<(StatusCode, Json<SubmissionStatus>), Problem> {
    let verdict = last(answer)?.draft.verdict.as_deref().map(serde_json::from_str::<Verdict>).transpose();
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

/// A rule of the contest forbids it.
fn forbidden(why: &str) -> Problem {
    Problem::new(StatusCode::PRECONDITION_FAILED, "dres.rejected", why)
}

impl ClientAnswerSet {
    /// The task it names, if it names one.
    fn named(&self) -> Option<String> {
        let named = [&self.task_name, &self.task_id].into_iter().flatten().map(|name| name.trim());
        named.filter(|name| !name.is_empty()).map(str::to_owned).next()
    }
}
