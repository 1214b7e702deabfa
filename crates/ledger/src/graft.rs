//! Taking over records that were made elsewhere: all of them at the end of this chain, or none.

use assize_kernel::{Draft, Head, Personal};

use crate::enter::batch_id;
use crate::{Batch, Ledger, LedgerError, chain};

/// A record from elsewhere, with the personal texts that came with it.
pub struct Graft {
    /// What it says, with its place in its stream.
    pub draft: Draft,
    /// Texts whose digests it names.
    pub personal: Vec<Personal>,
}

/// Appends what `decide` says, which is asked while nobody else can append and told where the chain ends. Returns
/// where it ends then.
///
/// # Errors
/// When the ledger cannot be written, a personal text is not the one that its record names, or `decide` fails.
pub fn graft<E: From<LedgerError>>(
    ledger: &dyn Ledger,
    decide: impl FnOnce(Head) -> Result<Vec<Graft>, E>,
) -> Result<Head, E> {
    let mut writer = ledger.writer()?;
    let turn = writer.lock()?;
    let mut head = turn.head();
    let id = batch_id()?;
    let mut batch = Batch::default();
    for Graft { draft, personal } in decide(head)? {
        let record = head.seal(id, draft);
        if !personal.iter().all(|personal| chain::vouches(&record.view(), personal)) {
            let (stream, version) = (&record.draft.stream, record.draft.version);
            let message =
                format!("the personal text of record {version} of {stream} does not match its digest");
            return Err(LedgerError::Damaged(message).into());
        }
        for personal in personal {
            // The same text with the same salt is there when a copy is put beside what it is a copy of.
            if ledger.personal(&personal.digest())?.is_none() {
                batch.personal.push((record.position, personal));
            }
        }
        batch.records.push(record.into());
    }
    turn.commit(&batch)?;
    Ok(head)
}
