//! Appending a record of the engine itself without the clerk, also while a server is running.

use std::ops::ControlFlow;

use assize_kernel::{Actor, BatchId, Draft, Moment, StreamId};

use crate::{Batch, Ledger, LedgerError, LockedWriter, Scan};

/// A record of the engine itself, with the rows that change with it.
pub struct EngineRecord {
    /// The kind of event, in the past tense.
    pub kind: &'static str,
    /// The event, as JSON.
    pub body: String,
    /// Changes of side tables in the same transaction; without records.
    pub beside: Batch,
}

/// Appends the record that `decide` returns, or nothing. It is called under the write lock. When the clock is
/// behind the last record, the time of that record is used.
///
/// # Errors
/// When the ledger cannot be written, or `decide` fails.
pub fn append_engine_record<E: From<LedgerError>>(
    ledger: &dyn Ledger,
    stream: &StreamId,
    at: Moment,
    actor: &Actor,
    decide: impl FnOnce(&mut dyn LockedWriter, Moment) -> Result<Option<EngineRecord>, E>,
) -> Result<(), E> {
    let mut writer = ledger.writer()?;
    let mut locked = writer.lock()?;
    let at = at.max(last_moment(ledger, locked.head().position)?);
    let Some(EngineRecord { kind, body, beside }) = decide(&mut *locked, at)? else { return Ok(()) };
    let version = ledger.version(stream.as_str())? + 1;
    let draft = Draft::of_engine(stream.clone(), version, kind, at, actor, body);
    let record = locked.head().seal(batch_id()?, draft);
    locked.commit(&Batch { records: vec![record.into()], ..beside })?;
    Ok(())
}

/// The time of the last record.
fn last_moment(ledger: &dyn Ledger, position: u64) -> Result<Moment, LedgerError> {
    let mut last = Moment::default();
    ledger.scan(Scan::at(position), &mut |record| {
        last = record.at;
        ControlFlow::Break(())
    })?;
    Ok(last)
}

pub(crate) fn batch_id() -> Result<BatchId, LedgerError> {
    let mut id = BatchId::default();
    getrandom::fill(&mut id).map_err(|error| {
        LedgerError::Unavailable(format!("the random number generator of the system failed: {error}"))
    })?;
    Ok(id)
}
