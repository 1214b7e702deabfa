//! Judging by people over HTTP: the queue of a contest, and what a judge does with the next answer in it.

use assize_courts::contest::{ContestCommand, ContestEvent, ContestState, Held, Outcome, QueueView};
use assize_kernel::StreamId;
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::App;
use super::access::Act;
use super::address::Address;
use super::caller::Caller;
use super::contests::{Nothing, Recorded, recorded, stream_of, unknown_contest};
use super::document::{Conflict, Forbidden, Unknown};
use super::hearing::{last, petition};
use super::input::{IdempotencyKey, Input};
use super::problem::Problem;
use super::query::{Asked, Window};
use super::records::Receipt;
use super::shapes::queue as shapes;
use super::shapes::{Id, Verdict, contest::ContestDetail};
use crate::{Answer, RequestKey};

/// An answer is held, or held for longer.
#[derive(Serialize, ToSchema)]
pub(super) struct Taken {
    receipt: Receipt,
    #[schema(value_type = shapes::Held)]
    held: Held,
    /// Whether this is the answer to an earlier request, given again.
    repeated: bool,
}

/// How right an answer is.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Word {
    #[schema(value_type = shapes::Outcome)]
    outcome: Outcome,
    /// Why; the team reads it, and every team that has sent the same. Needed where nobody can decide.
    #[schema(max_length = 1000)]
    note: Option<String>,
}

/// A judge has decided.
#[derive(ToSchema)]
#[allow(
    dead_code,
    reason = "described here, written by hand: the verdict is passed on as it stands in the ledger"
)]
pub(super) struct Settled {
    receipt: Receipt,
    verdict: Verdict<ContestDetail>,
    /// How many other answers were settled by it: equal ones, and those that had to wait for this one.
    also_settled: usize,
    /// Whether this is the answer to an earlier request, given again.
    repeated: bool,
}

/// The answers that wait for a judge, in the order in which they were received.
#[utoipa::path(
    get, path = "/api/v1/contests/{contest}/queue", tag = "judging",
    params(("contest" = Id, Path, description = "The contest"), Window),
    responses((status = 200, description = "A page of the queue", body = shapes::QueueView), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn read_queue(
    State(app): State<App>,
    Address(contest): Address<String>,
    Asked(window): Asked<Window>,
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

/// Takes the next answer: nobody else gets it until the lease ends. Who holds one gets it again, for longer.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/queue/take", tag = "judging",
    params(("contest" = Id, Path, description = "The contest"), IdempotencyKey),
    request_body = Option<Nothing>,
    responses((status = 200, description = "It is held", body = Taken), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn take_answer(
    State(app): State<App>,
    Address(contest): Address<String>,
    caller: Caller,
    input: Input<Nothing>,
) -> Result<Json<Taken>, Problem> {
    let key = input.key(&caller);
    let (stream, answer) = hear(&app, &contest, &caller, key, ContestCommand::TakeAnswer {}).await?;
    taken(&app, stream, &answer).await
}

/// Holds an answer for longer.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/queue/{answer}/renew", tag = "judging",
    params(("contest" = Id, Path, description = "The contest"), ("answer" = u64, Path, description = "The answer"), IdempotencyKey),
    request_body = Option<Nothing>,
    responses((status = 200, description = "It is held for longer", body = Taken), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn renew_answer(
    State(app): State<App>,
    Address((contest, number)): Address<(String, String)>,
    caller: Caller,
    input: Input<Nothing>,
) -> Result<Json<Taken>, Problem> {
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
    responses((status = 200, description = "Another judge may take it", body = Recorded), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn give_back_answer(
    State(app): State<App>,
    Address((contest, number)): Address<(String, String)>,
    caller: Caller,
    input: Input<Nothing>,
) -> Result<Json<Recorded>, Problem> {
    caller.may(Act::JudgeAnswers, &stream_of(&contest)?)?;
    let command = ContestCommand::GiveBackAnswer { answer: place(&number)? };
    let (_, answer) = hear(&app, &contest, &caller, input.key(&caller), command).await?;
    recorded(&answer)
}

/// Says how right an answer is.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/queue/{answer}/decide", tag = "judging",
    params(("contest" = Id, Path, description = "The contest"), ("answer" = u64, Path, description = "The answer"), IdempotencyKey),
    request_body = Word,
    responses((status = 200, description = "It is judged", body = Settled), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn decide_answer(
    State(app): State<App>,
    Address((contest, number)): Address<(String, String)>,
    caller: Caller,
    input: Input<Word>,
) -> Result<Response, Problem> {
    caller.may(Act::JudgeAnswers, &stream_of(&contest)?)?;
    let key = input.key(&caller);
    let Word { outcome, note } = input.value;
    let command = ContestCommand::DecideAnswer { answer: place(&number)?, outcome, note };
    let (_, answer) = hear(&app, &contest, &caller, key, command).await?;
    // The first is the one that was meant, what follows from it comes after.
    let record = answer.records.first().ok_or_else(|| Problem::internal("a decision without a record"))?;
    let verdict = record.draft.verdict.as_deref();
    let verdict = verdict.ok_or_else(|| Problem::internal("a decision without a verdict"))?;
    let (receipt, also, repeated) =
        (Receipt::of(record).to_text(), answer.records.len().saturating_sub(1), answer.repeated);
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
    let answer = app.clerk.hear(petition(app, caller, stream.clone(), command, key)).await?;
    Ok((stream, answer))
}

/// What a judge has before them now.
async fn taken(app: &App, stream: StreamId, answer: &Answer) -> Result<Json<Taken>, Problem> {
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
    Ok(Json(Taken { receipt: Receipt::of(record), held, repeated: answer.repeated }))
}

/// The number of an answer.
pub(super) fn place(number: &str) -> Result<u64, Problem> {
    let read = number.parse().ok().filter(|place| i64::try_from(*place).is_ok());
    read.ok_or_else(|| Problem::not_found(format!("there is no answer `{number}`")))
}
