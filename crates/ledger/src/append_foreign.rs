//! Appending records of another ledger: all of them at the end of this chain, or none.

use assize_kernel::{Draft, Head, Personal};

use crate::engine_record::batch_id;
use crate::{Batch, Ledger, LedgerError, chain};

/// A record of another ledger, with its personal texts.
pub struct ForeignRecord {
    /// The record, with its place in its stream here.
    pub draft: Draft,
    /// The personal texts whose digests it names.
    pub personal: Vec<Personal>,
}

/// Appends the records that `decide` returns. It is called under the write lock with the end of the chain.
/// Returns the new end.
///
/// # Errors
/// When the ledger cannot be written, a personal text is not the one that its record names, or `decide`
/// fails.
pub fn append_foreign<E: From<LedgerError>>(
    ledger: &dyn Ledger,
    decide: impl FnOnce(Head) -> Result<Vec<ForeignRecord>, E>,
) -> Result<Head, E> {
    let mut writer = ledger.writer()?;
    let locked = writer.lock()?;
    let mut head = locked.head();
    let id = batch_id()?;
    let mut batch = Batch::default();
    for ForeignRecord { draft, personal } in decide(head)? {
        let record = head.seal(id, draft);
        if !personal.iter().all(|personal| chain::vouches(&record.view(), personal)) {
            let stream = &record.draft.stream;
            let version = record.draft.version;
            let message =
                format!("the personal text of record {version} of {stream} does not match its digest");
            return Err(LedgerError::Damaged(message).into());
        }
        for personal in personal {
            // Importing a copy beside its original: the same text with the same salt is already stored.
            if ledger.personal(&personal.digest())?.is_none() {
                batch.personal.push((record.position, personal));
            }
        }
        batch.records.push(record.into());
    }
    locked.commit(&batch)?;
    Ok(head)
}
