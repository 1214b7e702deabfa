//! Hash chain checks that every store makes before it appends.

use assize_kernel::{Head, Personal, RecordRef};

use crate::{Batch, LedgerError};

/// The end of the chain once this batch is appended.
///
/// Only the first record is hashed again; the others were just sealed on one another.
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

/// Whether a personal text is the one its record names by digest.
pub(crate) fn vouches(record: &RecordRef<'_>, personal: &Personal) -> bool {
    record.body.contains(&personal.digest().to_string())
}

/// The error for a record whose version of its stream exists already.
pub(crate) fn taken(detail: &str) -> LedgerError {
    LedgerError::Damaged(format!("the batch cannot be appended, something in it is there already: {detail}"))
}

/// The error for using a transaction after a failure in it.
pub(crate) fn spoiled() -> LedgerError {
    LedgerError::Damaged("an earlier part of this batch could not be written".into())
}
