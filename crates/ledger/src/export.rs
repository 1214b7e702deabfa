//! Export of a ledger as JSON Lines, complete enough to rebuild it by an import.

use std::io::Write;

use assize_kernel::Head;

use crate::lines::{ExportLine, FORMAT};
use crate::walk::{WINDOW, walk};
use crate::{Ledger, LedgerError};

/// Writes the ledger up to its present end; calls `progress` with the position from time to time.
///
/// Tokens, idempotency keys and snapshots are left out: they are not history.
///
/// # Errors
/// When the ledger cannot be read or the lines cannot be written.
pub fn export(
    ledger: &dyn Ledger,
    out: &mut dyn Write,
    progress: &mut dyn FnMut(u64),
) -> Result<Head, LedgerError> {
    let head = ledger.head()?;
    put(out, &ExportLine::AssizeLedger(FORMAT))?;
    walk(ledger, 0, head.position, &mut |record, personal| {
        put(out, &ExportLine::from(record))?;
        for theirs in personal {
            put(out, &ExportLine::from(theirs))?;
        }
        if record.position.is_multiple_of(WINDOW) {
            progress(record.position);
        }
        Ok(())
    })?;
    put(out, &ExportLine::from(head))?;
    out.flush().map_err(|error| unwritten(&error))?;
    progress(head.position);
    Ok(head)
}

fn put(out: &mut dyn Write, line: &ExportLine<'_>) -> Result<(), LedgerError> {
    serde_json::to_writer(&mut *out, line).map_err(|error| unwritten(&error))?;
    out.write_all(b"\n").map_err(|error| unwritten(&error))
}

fn unwritten(error: &dyn std::error::Error) -> LedgerError {
    LedgerError::Unavailable(format!("the export cannot be written: {error}"))
}
