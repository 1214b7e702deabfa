//! Mapping of SQLite errors to [`LedgerError`].

use std::path::Path;

use rusqlite::{Error, ErrorCode, ffi};

use crate::{LedgerError, chain};

/// The error, with a message a person can act on.
pub(super) fn explain(path: &Path, error: Error) -> LedgerError {
    let file = path.display();
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => LedgerError::Unavailable(format!(
            "the disk is full (`{file}`); make room and it goes on by itself"
        )),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            LedgerError::Unavailable(format!("another process is holding the ledger `{file}`"))
        }
        Some(ErrorCode::SystemIoFailure | ErrorCode::CannotOpen | ErrorCode::OutOfMemory) => {
            LedgerError::Unavailable(format!("the ledger `{file}` cannot be read or written: {error}"))
        }
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => LedgerError::Unusable(format!(
            "the ledger `{file}` is read-only; allow writing to it and to the directory it is in"
        )),
        Some(ErrorCode::ConstraintViolation) => chain::taken(&error.to_string()),
        _ => LedgerError::Damaged(format!(
            "the ledger `{file}` is damaged: {error}; restore a backup, or import an export into a new file"
        )),
    }
}

/// Like [`explain`], for an error while the file is opened: what a person must mend is unusable.
pub(super) fn explain_opening(path: &Path, error: Error) -> LedgerError {
    match explain(path, error) {
        LedgerError::Damaged(message) => LedgerError::Unusable(message),
        other => other,
    }
}

/// Like [`explain`], for an error during a commit: when only the sync failed, the batch may be found later.
pub(super) fn explain_commit(path: &Path, error: Error) -> LedgerError {
    let unsure = [ffi::SQLITE_IOERR_FSYNC, ffi::SQLITE_IOERR_DIR_FSYNC];
    match error.sqlite_error().map(|error| error.extended_code) {
        Some(code) if unsure.contains(&code) => LedgerError::CommitUnknown(error.to_string()),
        _ => explain(path, error),
    }
}

/// Whether a connection can still be used after this error.
pub(super) fn is_harmless(error: &LedgerError) -> bool {
    matches!(error, LedgerError::Unavailable(message) if message.starts_with("another process"))
}

/// The error for a malformed value.
pub(super) fn odd(column: usize, what: &str) -> Error {
    Error::FromSqlConversionFailure(column, rusqlite::types::Type::Null, what.into())
}
