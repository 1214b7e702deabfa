//! One verdict overturned by a judge, with a reason: the simple form of a revision.

use assize_courts::contest::{ContestAmendment, Outcome};
use assize_kernel::{Record, RecordRevised, Revision};
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::App;
use super::access::Act;
use super::address::Address;
use super::caller::Caller;
use super::contests::stream_of;
use super::document::{Conflict, Forbidden, Unknown};
use super::hearing::petition;
use super::input::{IdempotencyKey, Input};
use super::problem::Problem;
use super::records::{Receipt, raw};
use super::shapes::contest as shapes;
use super::shapes::queue;
use super::shapes::{Id, Verdict};
use crate::Revise;

/// A judge's word, and why.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Overrule {
    #[schema(value_type = queue::Outcome)]
    outcome: Outcome,
    /// Why: recorded, and shown to the team.
    #[schema(min_length = 1, max_length = 1000)]
    reason: String,
}

/// A verdict in the place of another, which stays readable.
#[derive(Serialize, ToSchema)]
pub(super) struct Overruled {
    receipt: Receipt,
    /// Null when the answer counts nothing, because its team was done with the task before it.
    #[schema(value_type = Option<Verdict<shapes::ContestDetail>>, required = true)]
    verdict: Option<Box<RawValue>>,
    /// Whether this is the answer to an earlier request, given again.
    repeated: bool,
}

/// Overturns the verdict on one answer.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/submissions/{position}/overrule", tag = "contests",
    params(
        ("contest" = Id, Path, description = "The contest"),
        ("position" = u64, Path, description = "The record in which the answer was judged"),
        IdempotencyKey
    ),
    request_body = Overrule,
    responses((status = 200, description = "It counts from now on", body = Overruled), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn overrule_answer(
    State(app): State<App>,
    Address((contest, position)): Address<(String, String)>,
    caller: Caller,
    input: Input<Overrule>,
) -> Result<Json<Overruled>, Problem> {
    let stream = stream_of(&contest)?;
    caller.may(Act::Revise, &stream)?;
    let unknown = || Problem::not_found(format!("there is no judged answer `{position}` in `{contest}`"));
    let position: u64 = position.parse().map_err(|_| unknown())?;
    let key = input.key(&caller);
    let Overrule { outcome, reason } = input.value;
    let amendment = ContestAmendment::OverruleAnswer { position, outcome };
    let amendment = serde_json::to_value(amendment).map_err(|error| Problem::internal(&error.to_string()))?;
    let revision = Revision { rulebook: None, amendments: vec![amendment], reason };
    let revise = Revise { revision, seen: None };
    let answer = app.clerk.hear(petition(&app, &caller, stream, revise, key)).await?;
    let of_this = |record: &&Record| {
        RecordRevised::read(&record.view()).is_ok_and(|revised| revised.position == position)
    };
    let record = answer.records.iter().map(|record| &**record).find(of_this);
    let record = record.ok_or_else(|| Problem::internal("a ruling without its record"))?;
    let verdict = record.draft.verdict.as_deref().map(raw).transpose()?;
    Ok(Json(Overruled { receipt: Receipt::of(record), verdict, repeated: answer.repeated }))
}
