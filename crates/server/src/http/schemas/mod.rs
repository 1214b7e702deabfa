//! OpenAPI schemas of JSON that courts parse or write field by field. All other types on the wire derive
//! theirs.

pub(crate) mod contest;
pub(crate) mod documents;

use assize_kernel::HistoryRevised;
pub(crate) use assize_kernel::openapi::{AnyObject, Id, TextOrNumber};
use utoipa::ToSchema;

/// The event that concludes a revision.
#[derive(ToSchema)]
#[allow(dead_code, reason = "only described here: the event is passed on as recorded")]
pub(crate) enum HistoryRevisedEvent {
    HistoryRevised(HistoryRevised),
}
