//! What every store checks before it appends, and what every reader may rely on.

use assize_kernel::{Head, Personal, RecordRef};

use crate::{Batch, LedgerError};

/// Where the chain ends once this batch is appended.
///
/// Only the link to what stands is hashed anew: within the batch, sealing has just done so.
pub(crate) fn follow(head: Head, batch: &Batch) -> Result<Head, LedgerError> {
    let mut end = head;
    for record in &batch.records {
        if record.position != end.position + 1 {
            let message =
                format!("record {} cannot be appended: the ledger ends at {}", record.position, end.position);
            return Err(LedgerError::Damaged(message));
        }
        if end.position == head.position && record.view().chained_to(&head.hash) != record.hash {
            let message = format!("record {} is not chained to the one before it", record.position);
            return Err(LedgerError::Damaged(message));
        }
        end = Head { position: record.position, hash: record.hash };
    }
    Ok(end)
}

/// Whether the chain vouches for a personal text: the record it came with names its digest.
pub(crate) fn vouches(record: &RecordRef<'_>, personal: &Personal) -> bool {
    record.body.contains(&personal.digest().to_string())
}

/// The refusal of a record whose place in its stream is taken.
pub(crate) fn taken(detail: &str) -> LedgerError {
    LedgerError::Damaged(format!("the batch cannot be appended, something in it is there already: {detail}"))
}

/// The refusal to go on with a turn in which something failed.
pub(crate) fn spoiled() -> LedgerError {
    LedgerError::Damaged("an earlier part of this batch could not be written".into())
}
