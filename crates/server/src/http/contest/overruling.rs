//! Overturns one verdict with a reason, as a judge: the simple form of a revision.

use assize_courts::contest::{AnswerOutcome, ContestAmendment};
use assize_kernel::{Record, RecordRevised, Revision, Verdict};
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::contests::stream_of;
use crate::http::App;
use crate::http::access::Act;
use crate::http::caller::Caller;
use crate::http::input::{IdempotencyKey, Input};
use crate::http::openapi::{Conflict, Forbidden, Unknown};
use crate::http::path::PathParams;
use crate::http::problem::Problem;
use crate::http::records::{Receipt, raw};
use crate::http::schemas::Id;
use crate::http::schemas::contest as schemas;
use crate::http::submit::petition;
use assize_engine::Revise;

/// A judge's decision, and the reason for it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Overrule)]
pub(crate) struct OverruleRequest {
    outcome: AnswerOutcome,
    /// The reason: recorded, and shown to the team.
    #[schema(min_length = 1, max_length = 1000)]
    reason: String,
}

/// The verdict that replaces the original one, which stays readable.
#[derive(Serialize, ToSchema)]
#[schema(as = Overruled)]
pub(crate) struct OverruleResponse {
    receipt: Receipt,
    /// The new verdict; null if the answer does not count, because its team had already completed the task.
    #[schema(value_type = Option<Verdict<schemas::ContestDetail>>, required = true)]
    verdict: Option<Box<RawValue>>,
    /// Whether this repeats the response to an earlier request.
    repeated: bool,
}

/// Overrules the verdict on one answer.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/submissions/{position}/overrule", tag = "contests",
    params(
        ("contest" = Id, Path, description = "The contest"),
        ("position" = u64, Path, description = "The position of the record in which the answer was judged"),
        IdempotencyKey
    ),
    request_body = OverruleRequest,
    responses((status = 200, description = "The verdict was overruled", body = OverruleResponse), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn overrule_answer(
    State(app): State<App>,
    PathParams((contest, position)): PathParams<(String, String)>,
    caller: Caller,
    input: Input<OverruleRequest>,
) -> Result<Json<OverruleResponse>, Problem> {
    let stream = stream_of(&contest)?;
    caller.may(Act::Revise, &stream)?;
    let unknown = || Problem::not_found(format!("there is no judged answer `{position}` in `{contest}`"));
    let position: u64 = position.parse().map_err(|_| unknown())?;
    let key = input.key(&caller);
    let OverruleRequest { outcome, reason } = input.value;
    let amendment = ContestAmendment::OverruleAnswer { position, outcome };
    let amendment = serde_json::to_value(amendment).map_err(|error| Problem::internal(&error.to_string()))?;
    let revision = Revision { rulebook: None, amendments: vec![amendment], reason };
    let revise = Revise { revision, seen: None };
    let answer = app.clerk.submit(petition(&app, &caller, stream, revise, key)).await?;
    let of_this = |record: &&Record| {
        RecordRevised::read(&record.view()).is_ok_and(|revised| revised.position == position)
    };
    let record = answer.records.iter().map(|record| &**record).find(of_this);
    let record = record.ok_or_else(|| Problem::internal("a ruling without its record"))?;
    let verdict = record.draft.verdict.as_deref().map(raw).transpose()?;
    Ok(Json(OverruleResponse { receipt: Receipt::of(record), verdict, repeated: answer.repeated }))
}
