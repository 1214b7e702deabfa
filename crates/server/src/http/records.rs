//! Single records over HTTP: a decision with its reasons.

use std::ops::ControlFlow;

use assize_kernel::{Digest, Moment, Record, RecordRevised, Verdict};
use assize_ledger::Scan;
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::audit::ChangeOrigin;
use super::caller::Caller;
use super::openapi::Unknown;
use super::path::PathParams;
use super::problem::Problem;
use super::schemas::AnyObject;
use super::{App, blocking};

/// The receipt of a record that is on disk.
#[derive(Serialize, ToSchema)]
pub(crate) struct Receipt {
    /// The position of the record in the ledger.
    #[schema(minimum = 1)]
    pub(crate) position: u64,
    /// The record's hash.
    pub(crate) hash: Digest,
    /// When the request was received.
    pub(crate) at: Moment,
}

/// A record with its verdict.
#[derive(Serialize, ToSchema)]
#[schema(as = Record)]
pub(crate) struct RecordView {
    pub(crate) receipt: Receipt,
    /// The stream of the record.
    #[schema(pattern = "^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$")]
    pub(crate) stream: String,
    /// The version: the number of the record in its stream.
    #[schema(minimum = 1)]
    pub(crate) version: u64,
    pub(crate) kind: String,
    /// The actor, as `role:name`.
    pub(crate) actor: String,
    /// The event, as stored in the ledger.
    #[schema(value_type = AnyObject)]
    pub(crate) event: Box<RawValue>,
    /// The original verdict; null if nothing was judged.
    #[schema(value_type = Option<Verdict<AnyObject>>, required = true)]
    pub(crate) verdict: Option<Box<RawValue>>,
    /// The origin of the request, for admins; null for others, if it is unknown, and if it was erased.
    #[schema(value_type = Option<ChangeOrigin>, required = true)]
    pub(crate) origin: Option<ChangeOrigin>,
    /// The replacement of the record by a later revision; null if the record was not revised.
    #[schema(required = true)]
    pub(crate) revision: Option<RevisionView>,
}

/// The replacement of a record by a revision.
#[derive(Serialize, ToSchema)]
#[schema(as = RecordRevision)]
pub(crate) struct RevisionView {
    pub(crate) receipt: Receipt,
    /// The current verdict; null if nothing was judged, or if the record does not count any more.
    #[schema(value_type = Option<Verdict<AnyObject>>, required = true)]
    pub(crate) verdict: Option<Box<RawValue>>,
    /// The code of the refusal, if the record would have been refused and does not count any more; null
    /// otherwise.
    #[schema(required = true)]
    pub(crate) refusal: Option<String>,
}

/// Reads a record with its verdict; participants see only their own records.
#[utoipa::path(
    get, path = "/api/v1/records/{position}", tag = "records",
    params(("position" = u64, Path, description = "The position of the record in the ledger")),
    responses((status = 200, description = "The record", body = RecordView), Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn read_record(
    State(app): State<App>,
    PathParams(position): PathParams<String>,
    caller: Caller,
) -> Result<Json<RecordView>, Problem> {
    let unknown = || Problem::not_found(format!("there is no record `{position}`"));
    let number: u64 = position.parse().ok().filter(|position| *position > 0).ok_or_else(unknown)?;
    let revised_at = app.clerk.views().revised_at(number);
    let record = blocking(&app, move |app| {
        let found = find(app, number)?;
        let revision = revised_at.map(|position| find(app, position)).transpose()?.flatten();
        let origin = app.ledger.origins(number, number)?.pop();
        Ok(found.map(|found| (found, revision, origin)))
    });
    let (record, revision, origin) = record.await?.ok_or_else(unknown)?;
    if !caller.may_see(&app.courts, &record.draft) {
        return Err(unknown());
    }
    let origin = origin.filter(|_| caller.may_see_origin(&record.draft));
    let origin = origin.map(|(_, origin)| ChangeOrigin::read(&origin));
    Ok(Json(RecordView::of(&record, revision.as_ref(), origin)?))
}

/// The record at a position.
pub(crate) fn find(app: &App, position: u64) -> Result<Option<Record>, Problem> {
    let mut found = None;
    app.ledger.scan(Scan::at(position), &mut |record| {
        found = record.to_record().ok();
        ControlFlow::Break(())
    })?;
    Ok(found)
}

impl Receipt {
    pub(crate) fn of(record: &Record) -> Self {
        Self { position: record.position, hash: record.hash, at: record.draft.at }
    }

    /// Serializes by hand, byte for byte like serde: every submission has a receipt.
    pub(crate) fn to_text(&self) -> String {
        let Self { position, hash, at } = self;
        let [position, hash, at] = [position.to_string(), hash.to_string(), at.to_string()];
        [r#"{"position":"#, &position, r#","hash":""#, &hash, r#"","at":""#, &at, r#""}"#].concat()
    }
}

#[test]
fn a_receipt_is_written_as_serde_writes_it() {
    let hash = Digest::of(b"a record");
    let at = Moment::from_millis(1_790_000_000_007);
    let receipt = Receipt { position: 4_711, hash, at };
    assert_eq!(receipt.to_text(), assize_kernel::to_json(&receipt));
}

impl RecordView {
    pub(crate) fn of(
        record: &Record,
        revision: Option<&Record>,
        origin: Option<ChangeOrigin>,
    ) -> Result<Self, Problem> {
        let draft = &record.draft;
        Ok(Self {
            receipt: Receipt::of(record),
            stream: draft.stream.to_string(),
            version: draft.version,
            kind: draft.kind.to_string(),
            actor: draft.actor.clone(),
            event: raw(&draft.body)?,
            verdict: draft.verdict.as_deref().map(raw).transpose()?,
            origin,
            revision: revision.map(RevisionView::of).transpose()?,
        })
    }
}

impl RevisionView {
    fn of(record: &Record) -> Result<Self, Problem> {
        let revised = RecordRevised::read(&record.view());
        let revised = revised.map_err(|error| Problem::internal(&error.to_string()))?;
        Ok(Self {
            receipt: Receipt::of(record),
            verdict: record.draft.verdict.as_deref().map(raw).transpose()?,
            refusal: revised.refusal.map(|refusal| refusal.code.into_owned()),
        })
    }
}

/// JSON from the ledger, embedded without parsing it.
pub(crate) fn raw(json: &str) -> Result<Box<RawValue>, Problem> {
    RawValue::from_string(json.to_owned())
        .map_err(|error| Problem::internal(&format!("a record is no JSON: {error}")))
}
