//! Erasure of personal data: texts, salts and origins are deleted, the hash chain stays intact, and the
//! erasure itself is recorded.

use assize_kernel::{Actor, Moment, StreamId};
use serde_json::json;

use crate::{Batch, EngineRecord, Ledger, LedgerError, StreamActor, append_engine_record};

/// The stream that records erasures.
const STREAM: (&str, &str) = ("assize", "personal");
const KIND: &str = "PersonalDataErased";

/// The amount of personal data erased.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ErasedData {
    /// The number of personal texts.
    pub texts: usize,
    /// The number of records whose origin was known.
    pub origins: u64,
}

/// Deletes all personal data of a subject and records the digests of the deleted texts. Without any such
/// data, nothing is recorded.
///
/// # Errors
/// When the ledger cannot be written.
pub fn erase(
    ledger: &dyn Ledger,
    subject: &str,
    at: Moment,
    actor: &Actor,
) -> Result<ErasedData, LedgerError> {
    let stream =
        StreamId::new(STREAM.0, STREAM.1).map_err(|error| LedgerError::Damaged(error.to_string()))?;
    let mut erased = ErasedData::default();
    append_engine_record(ledger, &stream, at, actor, |locked, _| {
        let digests = locked.personal_digests(subject)?;
        let actor_in_stream = StreamActor::of(subject);
        let origins = actor_in_stream.map_or(Ok(0), |actor| locked.origins_of(&actor))?;
        erased = ErasedData { texts: digests.len(), origins };
        let body = json!({ KIND: { "subject": subject, "digests": digests } }).to_string();
        let beside = Batch { erase: vec![subject.to_owned()], ..Batch::default() };
        Ok::<_, LedgerError>((erased != ErasedData::default()).then_some(EngineRecord {
            kind: KIND,
            body,
            beside,
        }))
    })?;
    Ok(erased)
}
