//! Writing a ledger out as lines of JSON, complete enough to rebuild everything elsewhere.

use std::io::Write;

use assize_kernel::Head;

use crate::lines::{FORMAT, Line};
use crate::walk::{WINDOW, walk};
use crate::{Ledger, LedgerError};

/// Writes the ledger as far as it goes when this begins; says at which position it is from time to time.
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
    put(out, &Line::AssizeLedger(FORMAT))?;
    walk(ledger, 0, head.position, &mut |record, personal| {
        put(out, &Line::from(record))?;
        for theirs in personal {
            put(out, &Line::from(theirs))?;
        }
        if record.position.is_multiple_of(WINDOW) {
            progress(record.position);
        }
        Ok(())
    })?;
    put(out, &Line::from(head))?;
    out.flush().map_err(|error| unwritten(&error))?;
    progress(head.position);
    Ok(head)
}

fn put(out: &mut dyn Write, line: &Line<'_>) -> Result<(), LedgerError> {
    serde_json::to_writer(&mut *out, line).map_err(|error| unwritten(&error))?;
    out.write_all(b"\n").map_err(|error| unwritten(&error))
}

fn unwritten(error: &dyn std::error::Error) -> LedgerError {
    LedgerError::Unavailable(format!("the export cannot be written: {error}"))
}
