//! Erasing a person: their texts and salts go, the chain stays whole, and that it happened is recorded.

use std::ops::ControlFlow;

use assize_kernel::{Actor, BatchId, Digest, Draft, Moment, StreamId};
use serde_json::json;

use crate::{Batch, Depth, Ledger, LedgerError, Scan};

/// Where erasures are recorded.
const STREAM: (&str, &str) = ("assize", "personal");
const KIND: &str = "PersonalDataErased";

/// Deletes everything personal of somebody and records the digests of what is gone. Returns how many there were;
/// with none, nothing is recorded.
///
/// # Errors
/// When the ledger cannot be written.
pub fn erase(ledger: &dyn Ledger, subject: &str, at: Moment, actor: &Actor) -> Result<usize, LedgerError> {
    let mut writer = ledger.writer()?;
    let mut turn = writer.lock()?;
    let digests = turn.personal_digests(subject)?;
    if digests.is_empty() {
        return Ok(0);
    }
    let draft = erasure(ledger, subject, &digests, at, actor)?;
    let record = turn.head().seal(batch_id()?, draft);
    turn.commit(&Batch {
        records: vec![record.into()],
        erase: vec![subject.to_owned()],
        ..Batch::default()
    })?;
    Ok(digests.len())
}

fn erasure(
    ledger: &dyn Ledger,
    subject: &str,
    digests: &[Digest],
    at: Moment,
    actor: &Actor,
) -> Result<Draft, LedgerError> {
    let stream =
        StreamId::new(STREAM.0, STREAM.1).map_err(|error| LedgerError::Damaged(error.to_string()))?;
    let mut version = 1;
    ledger.scan(Scan::stream(stream.as_str(), 0, Depth::Facts), &mut |record| {
        version = record.version + 1;
        ControlFlow::Continue(())
    })?;
    let body = json!({ KIND: { "subject": subject, "digests": digests } }).to_string();
    Ok(Draft::of_engine(stream, version, KIND, at, actor, body))
}

fn batch_id() -> Result<BatchId, LedgerError> {
    let mut id = BatchId::default();
    getrandom::fill(&mut id)
        .map_err(|error| LedgerError::Unavailable(format!("no random numbers to be had: {error}")))?;
    Ok(id)
}
