//! Judging by people over HTTP: the queue of a contest, and a judge's decisions.

use assize_courts::contest::{
    AnswerOutcome, ContestCommand, ContestEvent, ContestState, HeldAnswer, QueueView,
};
use assize_kernel::{StreamId, Verdict};
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::contests::{ContestRecorded, Nothing, recorded, stream_of, unknown_contest};
use crate::http::App;
use crate::http::access::Act;
use crate::http::caller::Caller;
use crate::http::input::{IdempotencyKey, Input};
use crate::http::openapi::{Conflict, Forbidden, Unknown};
use crate::http::path::PathParams;
use crate::http::problem::Problem;
use crate::http::query::{Pagination, QueryParams};
use crate::http::records::Receipt;
use crate::http::schemas::{Id, contest::ContestDetail};
use crate::http::submit::{last, petition};
use assize_engine::{Answer, RequestKey};

/// An answer with the caller's lease on it.
#[derive(Serialize, ToSchema)]
#[schema(as = Taken)]
pub(crate) struct AnswerTaken {
    receipt: Receipt,
    #[schema(value_type = HeldAnswer)]
    held: HeldAnswer,
    /// Whether this repeats the response to an earlier request.
    repeated: bool,
}

/// A judge's decision on an answer.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Word)]
pub(crate) struct JudgeDecision {
    outcome: AnswerOutcome,
    /// A note, visible to the team and to every team that has sent an equal answer; required with
    /// `undecided`.
    #[schema(max_length = 1000)]
    note: Option<String>,
}

/// The verdict of a judge on an answer.
#[derive(ToSchema)]
#[schema(as = Settled)]
#[allow(
    dead_code,
    reason = "described here, written by hand: the verdict is passed on as it stands in the ledger"
)]
pub(crate) struct AnswerSettled {
    receipt: Receipt,
    verdict: Verdict<ContestDetail>,
    /// The number of other answers that the decision settled: equal answers, and answers that waited for this
    /// one.
    also_settled: usize,
    /// Whether this repeats the response to an earlier request.
    repeated: bool,
}

/// Lists the answers that wait for a judge, in the order of receipt.
#[utoipa::path(
    get, path = "/api/v1/contests/{contest}/queue", tag = "judging",
    params(("contest" = Id, Path, description = "The contest"), Pagination),
    responses((status = 200, description = "A page of the queue", body = QueueView), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn read_queue(
    State(app): State<App>,
    PathParams(contest): PathParams<String>,
    QueryParams(window): QueryParams<Pagination>,
    caller: Caller,
) -> Result<Json<QueueView>, Problem> {
    let stream = stream_of(&contest)?;
    caller.may(Act::JudgeAnswers, &stream)?;
    let now = app.clerk.now();
    let look = move |state: &ContestState| {
        state.rulebook().is_some().then(|| state.queue(now, window.offset(), window.limit()))
    };
    let queue = app.clerk.inspect(stream, look).await?;
    queue.map(Json).ok_or_else(|| unknown_contest(&contest))
}

/// Takes the next answer of the queue.
///
/// No other judge gets it until the lease expires. A judge who already holds an answer gets it again, with a
/// renewed lease.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/queue/take", tag = "judging",
    params(("contest" = Id, Path, description = "The contest"), IdempotencyKey),
    request_body = Option<Nothing>,
    responses((status = 200, description = "The answer, held by the caller", body = AnswerTaken), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn take_answer(
    State(app): State<App>,
    PathParams(contest): PathParams<String>,
    caller: Caller,
    input: Input<Nothing>,
) -> Result<Json<AnswerTaken>, Problem> {
    let key = input.key(&caller);
    let (stream, answer) = hear(&app, &contest, &caller, key, ContestCommand::TakeAnswer {}).await?;
    taken(&app, stream, &answer).await
}

/// Renews the lease on an answer.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/queue/{answer}/renew", tag = "judging",
    params(("contest" = Id, Path, description = "The contest"), ("answer" = u64, Path, description = "The answer"), IdempotencyKey),
    request_body = Option<Nothing>,
    responses((status = 200, description = "The lease was renewed", body = AnswerTaken), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn renew_answer(
    State(app): State<App>,
    PathParams((contest, number)): PathParams<(String, String)>,
    caller: Caller,
    input: Input<Nothing>,
) -> Result<Json<AnswerTaken>, Problem> {
    caller.may(Act::JudgeAnswers, &stream_of(&contest)?)?;
    let command = ContestCommand::RenewAnswer { answer: place(&number)? };
    let (stream, answer) = hear(&app, &contest, &caller, input.key(&caller), command).await?;
    taken(&app, stream, &answer).await
}

/// Gives an answer back undecided.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/queue/{answer}/give-back", tag = "judging",
    params(("contest" = Id, Path, description = "The contest"), ("answer" = u64, Path, description = "The answer"), IdempotencyKey),
    request_body = Option<Nothing>,
    responses((status = 200, description = "The answer was given back", body = ContestRecorded), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn give_back_answer(
    State(app): State<App>,
    PathParams((contest, number)): PathParams<(String, String)>,
    caller: Caller,
    input: Input<Nothing>,
) -> Result<Json<ContestRecorded>, Problem> {
    caller.may(Act::JudgeAnswers, &stream_of(&contest)?)?;
    let command = ContestCommand::GiveBackAnswer { answer: place(&number)? };
    let (_, answer) = hear(&app, &contest, &caller, input.key(&caller), command).await?;
    recorded(&answer)
}

/// Decides an answer.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/queue/{answer}/decide", tag = "judging",
    params(("contest" = Id, Path, description = "The contest"), ("answer" = u64, Path, description = "The answer"), IdempotencyKey),
    request_body = JudgeDecision,
    responses((status = 200, description = "The answer was judged", body = AnswerSettled), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn decide_answer(
    State(app): State<App>,
    PathParams((contest, number)): PathParams<(String, String)>,
    caller: Caller,
    input: Input<JudgeDecision>,
) -> Result<Response, Problem> {
    caller.may(Act::JudgeAnswers, &stream_of(&contest)?)?;
    let key = input.key(&caller);
    let JudgeDecision { outcome, note } = input.value;
    let command = ContestCommand::DecideAnswer { answer: place(&number)?, outcome, note };
    let (_, answer) = hear(&app, &contest, &caller, key, command).await?;
    // The first record is the decision itself; the others follow from it.
    let record = answer.records.first().ok_or_else(|| Problem::internal("a decision without a record"))?;
    let verdict = record.draft.verdict.as_deref();
    let verdict = verdict.ok_or_else(|| Problem::internal("a decision without a verdict"))?;
    let receipt = Receipt::of(record).to_text();
    let also = answer.records.len().saturating_sub(1);
    let repeated = answer.repeated;
    let body =
        format!(r#"{{"receipt":{receipt},"verdict":{verdict},"also_settled":{also},"repeated":{repeated}}}"#);
    Ok(([(header::CONTENT_TYPE, "application/json")], body).into_response())
}

async fn hear(
    app: &App,
    contest: &str,
    caller: &Caller,
    key: Option<RequestKey>,
    command: ContestCommand,
) -> Result<(StreamId, Answer), Problem> {
    let stream = stream_of(contest)?;
    caller.may(Act::JudgeAnswers, &stream)?;
    let answer = app.clerk.submit(petition(app, caller, stream.clone(), command, key)).await?;
    Ok((stream, answer))
}

/// The answer that a judge holds now.
async fn taken(app: &App, stream: StreamId, answer: &Answer) -> Result<Json<AnswerTaken>, Problem> {
    let record = last(answer)?;
    let Ok(ContestEvent::AnswerTaken { answer: number, .. }) = serde_json::from_str(&record.draft.body)
    else {
        return Err(Problem::internal("an answer was taken and there is no record of it"));
    };
    let now = app.clerk.now();
    let held = app.clerk.inspect(stream, move |state: &ContestState| state.held(number, now)).await?;
    let held = held.ok_or_else(|| {
        let detail = format!("answer `{number}` has been decided meanwhile");
        Problem::new(StatusCode::CONFLICT, "contest.answer.decided", detail)
    })?;
    Ok(Json(AnswerTaken { receipt: Receipt::of(record), held, repeated: answer.repeated }))
}

/// Parses the number of an answer.
pub(crate) fn place(number: &str) -> Result<u64, Problem> {
    let read = number.parse().ok().filter(|place| i64::try_from(*place).is_ok());
    read.ok_or_else(|| Problem::not_found(format!("there is no answer `{number}`")))
}
