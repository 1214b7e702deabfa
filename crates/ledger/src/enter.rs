//! Entering a record of the engine's own from outside a server, beside one that may be running.

use std::ops::ControlFlow;

use assize_kernel::{Actor, BatchId, Draft, Moment, StreamId};

use crate::{Batch, Ledger, LedgerError, Locked, Scan};

/// What is to be entered.
pub struct Entry {
    /// What happened, in the past tense.
    pub kind: &'static str,
    /// The event, as JSON.
    pub body: String,
    /// What changes with it, beside the record.
    pub beside: Batch,
}

/// Enters what `decide` says, which is asked while nobody else can append; with none, nothing is recorded. Should
/// the clock be behind what is on record, the time is that of the last record.
///
/// # Errors
/// When the ledger cannot be written, or `decide` fails.
pub fn enter<E: From<LedgerError>>(
    ledger: &dyn Ledger,
    stream: &StreamId,
    (at, actor): (Moment, &Actor),
    decide: impl FnOnce(&mut dyn Locked, Moment) -> Result<Option<Entry>, E>,
) -> Result<(), E> {
    let mut writer = ledger.writer()?;
    let mut turn = writer.lock()?;
    let at = at.max(last_moment(ledger, turn.head().position)?);
    let Some(Entry { kind, body, beside }) = decide(&mut *turn, at)? else { return Ok(()) };
    let version = ledger.version(stream.as_str())? + 1;
    let draft = Draft::of_engine(stream.clone(), version, kind, at, actor, body);
    let record = turn.head().seal(batch_id()?, draft);
    turn.commit(&Batch { records: vec![record.into()], ..beside })?;
    Ok(())
}

/// When the last record was made.
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
    getrandom::fill(&mut id)
        .map_err(|error| LedgerError::Unavailable(format!("no random numbers to be had: {error}")))?;
    Ok(id)
}
