//! The outcome of an answer that waited for a judge, for the team that submitted it.

use assize_courts::contest::{ContestEvent, ContestState, SubmittedAnswer};
use assize_kernel::{SmolStr, Verdict};
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::contests::stream_of;
use super::judging::place;
use crate::http::caller::Caller;
use crate::http::openapi::Unknown;
use crate::http::path::PathParams;
use crate::http::problem::Problem;
use crate::http::records::{Receipt, find, raw};
use crate::http::schemas::Id;
use crate::http::schemas::contest as schemas;
use crate::http::{App, blocking};

/// An answer that had to wait for a judge.
#[derive(Serialize, ToSchema)]
pub(crate) struct AnswerView {
    /// The receipt of the submission.
    receipt: Receipt,
    #[schema(value_type = Id)]
    task: SmolStr,
    /// The round, counted from 1.
    #[schema(minimum = 1)]
    round: u32,
    #[schema(value_type = Id)]
    team: SmolStr,
    /// The answers as submitted.
    answers: Vec<SubmittedAnswer>,
    status: AnswerStatus,
    /// The receipt of the record that judged the answer or set it aside; null while the answer waits for a
    /// judge, and if a new round began before that.
    #[schema(required = true)]
    settled: Option<Receipt>,
    /// The verdict; null while the answer waits for a judge, and if it was set aside.
    #[schema(value_type = Option<Verdict<schemas::ContestDetail>>, required = true)]
    verdict: Option<Box<RawValue>>,
}

/// The status of an answer.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Status)]
enum AnswerStatus {
    /// The answer waits for a judge.
    Waiting,
    /// The answer was judged.
    Judged,
    /// Never judged: an earlier answer of the team completed the task, or a new round has begun.
    SetAside,
}

/// Reads the status of an answer that had to wait for a judge; teams see only their own answers.
#[utoipa::path(
    get, path = "/api/v1/contests/{contest}/answers/{answer}", tag = "judging",
    params(("contest" = Id, Path, description = "The contest"), ("answer" = u64, Path, description = "The number of the answer")),
    responses((status = 200, description = "The answer", body = AnswerView), Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn read_answer(
    State(app): State<App>,
    PathParams((contest, number)): PathParams<(String, String)>,
    caller: Caller,
) -> Result<Json<AnswerView>, Problem> {
    let stream = stream_of(&contest)?;
    let unknown = || Problem::not_found(format!("there is no answer `{number}`"));
    let answer = place(&number)?;
    let look = move |state: &ContestState| (state.fate(answer), state.is_waiting(answer));
    let (fate, waiting) = app.clerk.inspect(stream.clone(), look).await?;
    let fate = fate.ok_or_else(unknown)?;
    // A revision may have moved the verdict that counts to a later record.
    let settled = fate.settled.map(|at| app.clerk.views().revised_at(at).unwrap_or(at));
    let records = blocking(&app, move |app| {
        let settled = settled.map(|settled| find(app, settled)).transpose()?;
        Ok((find(app, fate.received)?, settled.flatten()))
    });
    let (Some(received), settled) = records.await? else { return Err(unknown()) };
    let event = serde_json::from_str(&received.draft.body);
    let Ok(ContestEvent::AnswerReceived { task, round, team, answers, .. }) = event else {
        return Err(unknown());
    };
    if !caller.may_see_answer(&app.courts, &received.draft, &team) {
        return Err(unknown());
    }
    let verdict = settled.as_ref().and_then(|settled| settled.draft.verdict.as_deref());
    let status = match (&verdict, waiting) {
        (Some(_), _) => AnswerStatus::Judged,
        (None, true) => AnswerStatus::Waiting,
        (None, false) => AnswerStatus::SetAside,
    };
    Ok(Json(AnswerView {
        receipt: Receipt::of(&received),
        task,
        round,
        team,
        answers,
        status,
        verdict: verdict.map(raw).transpose()?,
        settled: settled.as_ref().map(Receipt::of),
    }))
}
