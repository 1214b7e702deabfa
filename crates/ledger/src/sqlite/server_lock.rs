//! Locks of the one server of a SQLite file, released when they are dropped or the process ends.

use std::fs::{File, TryLockError};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use crate::LedgerError;
use crate::copy::beside;

/// Locks the file itself, so that it has one server under every path, also after it was moved.
///
/// On Linux the lock is a `flock`, which is independent of the `fcntl` locks of SQLite. Closing it releases those
/// too, so it must outlive every connection. On other systems the two kinds of lock exclude each other, and the
/// file is not locked. Nor is it on a file system without such locks.
pub(super) fn on_inode(path: &Path) -> Result<Option<File>, LedgerError> {
    if !cfg!(target_os = "linux") {
        return Ok(None);
    }
    // When it cannot be read, SQLite will say so. Without the right to write, a network file system that makes
    // an `fcntl` lock of this one refuses it.
    let Ok(file) = File::open(path) else { return Ok(None) };
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Err(served(path)),
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

/// Locks a file beside it, `….lock`, so that it has one server under every path without hard links.
pub(super) fn on_name(path: &Path) -> Result<File, LedgerError> {
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let name = beside(&real, ".lock");
    let wrong = |error: io::Error| LedgerError::Unusable(format!("`{}`: {error}", name.display()));
    let opened = File::options().write(true).create(true).truncate(true).mode(0o600).open(&name);
    let file = opened.map_err(wrong)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(served(path)),
        Err(TryLockError::Error(error)) => Err(wrong(error)),
    }
}

fn served(path: &Path) -> LedgerError {
    LedgerError::Unusable(format!(
        "`{}` is being served by another process; stop it or name another file with --data",
        path.display()
    ))
}
