//! Submits a command to the clerk on behalf of a caller, and responds with the record.

use std::any::Any;

use assize_kernel::{Record, StreamId};
use axum::Json;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::App;
use super::caller::Caller;
use super::problem::Problem;
use super::records::{Receipt, raw};
use super::schemas::AnyObject;
use assize_engine::{Answer, ClerkError, Petition, RequestKey};

/// A recorded event.
#[derive(Serialize, ToSchema)]
#[schema(as = Recorded)]
pub(crate) struct CommandRecorded {
    pub(crate) receipt: Receipt,
    #[schema(value_type = AnyObject)]
    event: Box<RawValue>,
    /// Whether this repeats the response to an earlier request.
    pub(crate) repeated: bool,
}

/// A petition for a command of a court, given by this caller now.
pub(crate) fn petition(
    app: &App,
    caller: &Caller,
    stream: StreamId,
    command: impl Any + Send,
    key: Option<RequestKey>,
) -> Petition {
    let petition = Petition::new(stream, Box::new(command), caller.actor.clone(), app.clerk.now());
    Petition { key, origin: caller.origin(), ..petition }
}

/// The last record of an answer.
pub(crate) fn last(answer: &Answer) -> Result<&Record, Problem> {
    let last = answer.records.last().map(|record| &**record);
    last.ok_or_else(|| ClerkError::Broken("an answer without a record".into()).into())
}

pub(crate) fn recorded(answer: &Answer) -> Result<Json<CommandRecorded>, Problem> {
    let record = last(answer)?;
    let receipt = Receipt::of(record);
    let event = raw(&record.draft.body)?;
    Ok(Json(CommandRecorded { receipt, event, repeated: answer.repeated }))
}
