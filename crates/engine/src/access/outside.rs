//! Access changes from the command line, possibly while a server runs on the same ledger.

use assize_kernel::{Actor, Moment};
use assize_ledger::{Batch, EngineRecord, Ledger, append_engine_record};

use super::{AccessCommand, Known, Ruling, access_stream, decide};
use crate::ClerkError;

/// Decides and records an access change while holding the ledger's append lock.
///
/// # Errors
/// When the change is refused, or the ledger cannot be written.
pub fn change_access(
    ledger: &dyn Ledger,
    command: &AccessCommand,
    at: Moment,
    actor: &Actor,
) -> Result<(), ClerkError> {
    append_engine_record(ledger, &access_stream(), at, actor, |_, at| {
        let Ruling { kind, body, changes } = decide(command, at, actor, &Known::on_disk(ledger))?;
        Ok(Some(EngineRecord { kind, body, beside: Batch { access: changes, ..Batch::default() } }))
    })
}
