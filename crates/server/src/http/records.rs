//! Single records over HTTP: what was decided, and why.

use std::ops::ControlFlow;

use assize_kernel::{Digest, Moment, Record};
use assize_ledger::Scan;
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use serde_json::value::RawValue;

use super::address::Address;
use super::caller::Caller;
use super::problem::Problem;
use super::{App, blocking};

/// That something is on disk, and where.
#[derive(Serialize)]
pub(super) struct Receipt {
    position: u64,
    hash: Digest,
    at: Moment,
}

#[derive(Serialize)]
pub(super) struct RecordView {
    receipt: Receipt,
    stream: String,
    version: u64,
    kind: String,
    actor: String,
    event: Box<RawValue>,
    verdict: Option<Box<RawValue>>,
}

/// A record with its verdict; participants see their own.
pub(super) async fn read_record(
    State(app): State<App>,
    Address(position): Address<String>,
    caller: Caller,
) -> Result<Json<RecordView>, Problem> {
    let unknown = || Problem::not_found(format!("there is no record `{position}`"));
    let number: u64 = position.parse().ok().filter(|position| *position > 0).ok_or_else(unknown)?;
    let record = blocking(&app, move |app| {
        let mut found = None;
        app.ledger.scan(Scan::at(number), &mut |record| {
            found = record.to_record().ok();
            ControlFlow::Break(())
        })?;
        Ok(found)
    });
    let record = record.await?.ok_or_else(unknown)?;
    if !caller.may_see(&record.draft) {
        return Err(unknown());
    }
    Ok(Json(RecordView::of(&record)?))
}

impl Receipt {
    pub(super) fn of(record: &Record) -> Self {
        Self { position: record.position, hash: record.hash, at: record.draft.at }
    }
}

impl RecordView {
    fn of(record: &Record) -> Result<Self, Problem> {
        let draft = &record.draft;
        Ok(Self {
            receipt: Receipt::of(record),
            stream: draft.stream.to_string(),
            version: draft.version,
            kind: draft.kind.to_string(),
            actor: draft.actor.clone(),
            event: raw(&draft.body)?,
            verdict: draft.verdict.as_deref().map(raw).transpose()?,
        })
    }
}

/// JSON from the ledger, passed on as it is.
pub(super) fn raw(json: &str) -> Result<Box<RawValue>, Problem> {
    RawValue::from_string(json.to_owned())
        .map_err(|error| Problem::internal(&format!("a record is no JSON: {error}")))
}
