//! Putting something before the clerk on behalf of a caller, and the answer when it is on record.

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
use super::shapes::AnyObject;
use crate::{Answer, ClerkError, Petition, RequestKey};

/// Something is on record.
#[derive(Serialize, ToSchema)]
pub(super) struct Recorded {
    pub(super) receipt: Receipt,
    #[schema(value_type = AnyObject)]
    event: Box<RawValue>,
    /// Whether this is the answer to an earlier request, given again.
    pub(super) repeated: bool,
}

/// A command of some court, as the caller gives it now.
pub(super) fn petition(
    app: &App,
    caller: &Caller,
    stream: StreamId,
    command: impl Any + Send,
    key: Option<RequestKey>,
) -> Petition {
    let petition = Petition::new(stream, Box::new(command), caller.actor.clone(), app.clerk.now());
    Petition { key, origin: caller.origin(), ..petition }
}

/// What came of it.
pub(super) fn last(answer: &Answer) -> Result<&Record, Problem> {
    let last = answer.records.last().map(|record| &**record);
    last.ok_or_else(|| ClerkError::Broken("an answer without a record".into()).into())
}

pub(super) fn recorded(answer: &Answer) -> Result<Json<Recorded>, Problem> {
    let record = last(answer)?;
    let (receipt, event) = (Receipt::of(record), raw(&record.draft.body)?);
    Ok(Json(Recorded { receipt, event, repeated: answer.repeated }))
}
