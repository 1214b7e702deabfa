//! Re-judging over HTTP: previews a revision of a history, and adopts one.

use assize_kernel::{AnyRulebook, Revision, RevisionReport, StreamId};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::access::Act;
use super::caller::Caller;
use super::courts::rulebook_of;
use super::input::{IdempotencyKey, Input};
use super::openapi::{Conflict, Forbidden, Unknown};
use super::path::PathParams;
use super::problem::Problem;
use super::records::{Receipt, raw};
use super::schemas::{AnyObject, HistoryRevisedEvent, Id};
use super::submit::{last, petition};
use super::{App, blocking};
use assize_engine::{Revise, rejudge};

/// A revision to preview.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Rejudge)]
pub(crate) struct RejudgeRequest {
    /// The name of a shipped rulebook; by default the rulebook stays the same.
    rulebook: Option<String>,
    /// The full text of a rulebook, instead of a name.
    rulebook_text: Option<String>,
    /// Corrections, each in the form that the court defines.
    #[serde(default)]
    #[schema(value_type = Vec<AnyObject>, required = false, max_items = 1000)]
    amendments: Vec<Value>,
}

/// A revision to adopt, and the reason for it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewRevision {
    /// The name of a shipped rulebook; by default the rulebook stays the same.
    rulebook: Option<String>,
    /// The full text of a rulebook, instead of a name.
    rulebook_text: Option<String>,
    /// Corrections, each in the form that the court defines.
    #[serde(default)]
    #[schema(value_type = Vec<AnyObject>, required = false, max_items = 1000)]
    amendments: Vec<Value>,
    /// The reason: recorded, and shown to the participants whose answers were overruled.
    #[schema(min_length = 1, max_length = 1000)]
    reason: String,
    /// The `position` of the report that this is based on; the revision is refused if anything was judged
    /// since.
    seen: Option<u64>,
}

/// An adopted revision.
#[derive(Serialize, ToSchema)]
#[schema(as = Adopted)]
pub(crate) struct RevisionAdopted {
    receipt: Receipt,
    #[schema(value_type = HistoryRevisedEvent)]
    event: Box<RawValue>,
    /// Whether this repeats the response to an earlier request.
    repeated: bool,
}

/// Previews the effect of another rulebook or of corrections on a stream, and changes nothing.
#[utoipa::path(
    post, path = "/api/v1/streams/{court}/{name}/rejudge", tag = "revisions",
    params(("court" = Id, Path, description = "The court"), ("name" = Id, Path, description = "The name of the stream")),
    request_body = Option<RejudgeRequest>,
    responses((status = 200, description = "The changes that the revision would make", body = RevisionReport), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn rejudge_stream(
    State(app): State<App>,
    PathParams((court, name)): PathParams<(String, String)>,
    caller: Caller,
    input: Input<RejudgeRequest>,
) -> Result<Json<RevisionReport>, Problem> {
    let stream = stream_of(&court, &name)?;
    caller.may(Act::Revise, &stream)?;
    let RejudgeRequest { rulebook, rulebook_text, amendments } = input.value;
    let rulebook = rulebook_in(&app, &stream, rulebook, rulebook_text)?;
    let revision = Revision { rulebook, amendments, reason: String::new() };
    let report =
        blocking(&app, move |app| Ok(rejudge(&app.courts, &*app.ledger, &stream, &revision, &caller.actor)?));
    report.await.map(Json)
}

/// Judges a stream again under another rulebook or with corrections, and adopts the result.
///
/// The original records and verdicts stay readable.
#[utoipa::path(
    post, path = "/api/v1/streams/{court}/{name}/revisions", tag = "revisions",
    params(("court" = Id, Path, description = "The court"), ("name" = Id, Path, description = "The name of the stream"), IdempotencyKey),
    request_body = NewRevision,
    responses((status = 201, description = "The revision was adopted", body = RevisionAdopted), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn revise_stream(
    State(app): State<App>,
    PathParams((court, name)): PathParams<(String, String)>,
    caller: Caller,
    input: Input<NewRevision>,
) -> Result<(StatusCode, Json<RevisionAdopted>), Problem> {
    let stream = stream_of(&court, &name)?;
    caller.may(Act::Revise, &stream)?;
    let key = input.key(&caller);
    let NewRevision { rulebook, rulebook_text, amendments, reason, seen } = input.value;
    let rulebook = rulebook_in(&app, &stream, rulebook, rulebook_text)?;
    let revise = Revise { revision: Revision { rulebook, amendments, reason }, seen };
    let answer = app.clerk.submit(petition(&app, &caller, stream, revise, key)).await?;
    let record = last(&answer)?;
    let repeated = answer.repeated;
    let adopted = RevisionAdopted { receipt: Receipt::of(record), event: raw(&record.draft.body)?, repeated };
    Ok((StatusCode::CREATED, Json(adopted)))
}

fn stream_of(court: &str, name: &str) -> Result<StreamId, Problem> {
    StreamId::new(court, name).map_err(|error| Problem::malformed(error.to_string()))
}

/// The rulebook given by name or by text.
fn rulebook_in(
    app: &App,
    stream: &StreamId,
    name: Option<String>,
    text: Option<String>,
) -> Result<Option<AnyRulebook>, Problem> {
    let unknown = || Problem::not_found(format!("there is no court `{}`", stream.court()));
    let court = app.courts.get(stream.court()).ok_or_else(unknown)?;
    match (name, text) {
        (Some(_), Some(_)) => Err(Problem::malformed("give either `rulebook` or `rulebook_text`")),
        (Some(name), None) => rulebook_of(app, stream.court(), &name).map(Some),
        (None, Some(text)) => {
            let read = court.read_rulebook("rulebook_text", &text);
            read.map(Some).map_err(|error| Problem::malformed(error.to_string()))
        }
        (None, None) => Ok(None),
    }
}
