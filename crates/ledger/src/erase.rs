//! Erasing a person: their texts and salts go, and from where they came; the chain stays whole, and that it
//! happened is recorded.

use assize_kernel::{Actor, Moment, StreamId};
use serde_json::json;

use crate::{Batch, Entry, Ledger, LedgerError, Whose, enter};

/// Where erasures are recorded.
const STREAM: (&str, &str) = ("assize", "personal");
const KIND: &str = "PersonalDataErased";

/// How much there was of somebody.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Erased {
    /// Personal texts.
    pub texts: usize,
    /// Records of which it was known from where they came.
    pub origins: u64,
}

/// Deletes everything personal of somebody and records the digests of the texts that are gone; when there was
/// nothing, nothing is recorded.
///
/// # Errors
/// When the ledger cannot be written.
pub fn erase(ledger: &dyn Ledger, subject: &str, at: Moment, actor: &Actor) -> Result<Erased, LedgerError> {
    let stream =
        StreamId::new(STREAM.0, STREAM.1).map_err(|error| LedgerError::Damaged(error.to_string()))?;
    let mut erased = Erased::default();
    enter(ledger, &stream, (at, actor), |turn, _| {
        let digests = turn.personal_digests(subject)?;
        let whose = Whose::of(subject);
        let origins = whose.map_or(Ok(0), |whose| turn.origins_of(&whose))?;
        erased = Erased { texts: digests.len(), origins };
        let body = json!({ KIND: { "subject": subject, "digests": digests } }).to_string();
        let beside = Batch { erase: vec![subject.to_owned()], ..Batch::default() };
        Ok::<_, LedgerError>((erased != Erased::default()).then_some(Entry { kind: KIND, body, beside }))
    })?;
    Ok(erased)
}
