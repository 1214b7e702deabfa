//! Mapping of SQLite errors to [`LedgerError`].

use std::path::Path;

use rusqlite::{Error, ErrorCode, ffi};

use crate::{LedgerError, chain};

/// The error, with a message a person can act on.
pub(super) fn explain(path: &Path, error: &Error) -> LedgerError {
    let file = path.display();
    if extended_code(error) == Some(ffi::SQLITE_IOERR_SHMSIZE) {
        // The shared memory beside the file could not grow.
        return full(path);
    }
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => full(path),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            LedgerError::Unavailable(format!("another process is holding the ledger `{file}`"))
        }
        Some(
            ErrorCode::SystemIoFailure
            | ErrorCode::CannotOpen
            | ErrorCode::OutOfMemory
            | ErrorCode::FileLockingProtocolFailed,
        ) => LedgerError::Unavailable(format!("the ledger `{file}` cannot be read or written: {error}")),
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => LedgerError::Unavailable(format!(
            "the ledger `{file}` is read-only; allow writing to it and to the directory it is in"
        )),
        Some(ErrorCode::ConstraintViolation) => chain::taken(&error.to_string()),
        _ => LedgerError::Damaged(format!(
            "the ledger `{file}` is damaged: {error}; restore a backup, or import an export into a new file"
        )),
    }
}

/// Like [`explain`], for an error while the file is opened: a person must mend what is damaged or read-only.
pub(super) fn explain_opening(path: &Path, error: &Error) -> LedgerError {
    let read_only =
        matches!(error.sqlite_error_code(), Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied));
    match explain(path, error) {
        LedgerError::Damaged(message) => LedgerError::Unusable(message),
        LedgerError::Unavailable(message) if read_only => LedgerError::Unusable(message),
        other => other,
    }
}

/// Whether the batch may be found later although its commit failed: only the sync did.
pub(super) fn is_unsure(error: &Error) -> bool {
    matches!(extended_code(error), Some(ffi::SQLITE_IOERR_FSYNC | ffi::SQLITE_IOERR_DIR_FSYNC))
}

fn extended_code(error: &Error) -> Option<i32> {
    error.sqlite_error().map(|error| error.extended_code)
}

fn full(path: &Path) -> LedgerError {
    let file = path.display();
    LedgerError::Unavailable(format!("the disk is full (`{file}`); make room and it goes on by itself"))
}

/// Whether a connection can still be used after this error.
pub(super) fn is_harmless(error: &LedgerError) -> bool {
    matches!(error, LedgerError::Unavailable(message) if message.starts_with("another process"))
}

/// The error for a malformed value.
pub(super) fn odd(column: usize, what: &str) -> Error {
    Error::FromSqlConversionFailure(column, rusqlite::types::Type::Null, what.into())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use rusqlite::{Error, ffi};

    use super::{explain, explain_opening};
    use crate::LedgerError;

    fn error(code: i32) -> Error {
        Error::SqliteFailure(ffi::Error::new(code), Some("disk I/O error".into()))
    }

    fn check(code: i32, message: &str) {
        let told = explain(Path::new("a.db"), &error(code));
        assert!(matches!(told, LedgerError::Unavailable(_)), "{code}: {told:?}");
        assert_eq!(told.to_string(), message, "{code}");
    }

    #[test]
    fn a_full_disk_is_told_as_such_whatever_could_not_be_written() {
        for code in [ffi::SQLITE_FULL, ffi::SQLITE_IOERR_SHMSIZE] {
            check(code, "the disk is full (`a.db`); make room and it goes on by itself");
        }
    }

    #[test]
    fn what_a_retry_may_mend_is_unavailable() {
        let cause = "the ledger `a.db` cannot be read or written: disk I/O error";
        for code in [
            ffi::SQLITE_IOERR_WRITE,
            ffi::SQLITE_IOERR_READ,
            ffi::SQLITE_IOERR_FSYNC,
            ffi::SQLITE_CANTOPEN,
            ffi::SQLITE_NOMEM,
            ffi::SQLITE_PROTOCOL,
        ] {
            check(code, cause);
        }
        for code in [ffi::SQLITE_READONLY, ffi::SQLITE_READONLY_DIRECTORY, ffi::SQLITE_PERM] {
            let message = "the ledger `a.db` is read-only; allow writing to it and to the directory it is in";
            check(code, message);
            let opening = explain_opening(Path::new("a.db"), &error(code));
            assert!(matches!(&opening, LedgerError::Unusable(told) if told == message), "{opening:?}");
        }
    }

    #[test]
    fn a_damaged_file_is_no_fault_that_passes() {
        for code in [ffi::SQLITE_CORRUPT, ffi::SQLITE_NOTADB] {
            let told = explain(Path::new("a.db"), &error(code));
            assert!(matches!(told, LedgerError::Damaged(_)), "{code}: {told:?}");
        }
    }
}
