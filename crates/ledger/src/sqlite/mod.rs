//! The ledger in one SQLite file: the store that needs nothing installed.

mod access;
mod backup;
mod faults;
mod open;
mod rows;
mod side;
mod watch;
mod webhooks;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use assize_kernel::{Digest, Head, Moment, Personal};
use rusqlite::Connection;

use crate::cursor::Cursor;
use crate::pool::Pool;
use crate::{EachRecord, Key, KeyEntry, Ledger, LedgerError, Scan, Snapshot, Writer, copy};

/// How long to wait for another process that is writing.
const PATIENCE: Duration = Duration::from_secs(5);

/// A ledger in a SQLite file; clones share its connections.
#[derive(Clone)]
pub struct SqliteLedger {
    file: Arc<open::File>,
    readers: Arc<Pool<Connection>>,
    /// For what is written now and then beside the records.
    notes: Arc<Pool<Connection>>,
}

impl SqliteLedger {
    /// Opens the file, or makes it when there is none.
    ///
    /// # Errors
    /// When it is no ledger, is newer than this program, or cannot be written.
    pub fn open(path: &Path) -> Result<Self, LedgerError> {
        Self::open_patiently(path, PATIENCE)
    }

    /// Opens the file if it is there.
    ///
    /// # Errors
    /// When there is none, and as [`SqliteLedger::open`].
    pub fn open_existing(path: &Path) -> Result<Self, LedgerError> {
        if !path.exists() {
            return Err(LedgerError::Unusable(format!("there is no file `{}`", path.display())));
        }
        Self::open(path)
    }

    /// As [`SqliteLedger::open`], waiting this long for others that are writing, here and later.
    ///
    /// # Errors
    /// As [`SqliteLedger::open`].
    pub fn open_patiently(path: &Path, patience: Duration) -> Result<Self, LedgerError> {
        let file = Arc::new(open::File::new(path.to_owned(), patience));
        file.prepare()?;
        let readers = Arc::new(Pool::new({
            let file = Arc::clone(&file);
            move || file.reader()
        }));
        let notes = Arc::new(Pool::new({
            let file = Arc::clone(&file);
            move || file.notes()
        }));
        Ok(Self { file, readers, notes })
    }

    /// Removes a ledger that nobody has open, with what SQLite has left beside it.
    pub fn remove(path: &Path) {
        copy::remove(path);
    }

    fn path(&self) -> &PathBuf {
        &self.file.path
    }

    fn read<T>(&self, mut work: impl FnMut(&Connection) -> rusqlite::Result<T>) -> Result<T, LedgerError> {
        self.readers.with(|connection| work(connection).map_err(|error| faults::explain(self.path(), error)))
    }
}

impl Ledger for SqliteLedger {
    fn place(&self) -> String {
        format!("`{}`", self.path().display())
    }

    fn writer(&self) -> Result<Box<dyn Writer>, LedgerError> {
        Ok(Box::new(writer::SqliteWriter::new(Arc::clone(&self.file))?))
    }

    fn head(&self) -> Result<Head, LedgerError> {
        self.read(rows::head)
    }

    fn scan(&self, scan: Scan<'_>, each: &mut EachRecord<'_>) -> Result<(), LedgerError> {
        let mut cursor = Cursor::new(scan);
        while !cursor.done {
            self.readers.with(|connection| rows::page(&mut cursor, connection, self.path(), each))?;
        }
        Ok(())
    }

    fn personal(&self, digest: &Digest) -> Result<Option<Personal>, LedgerError> {
        self.read(|connection| side::personal(connection, digest))
    }

    fn personal_of(&self, first: u64, last: u64) -> Result<Vec<(u64, Personal)>, LedgerError> {
        self.read(|connection| side::personal_of(connection, first, last))
    }

    fn keys(&self, keys: &[Key]) -> Result<Vec<Option<KeyEntry>>, LedgerError> {
        self.read(|connection| keys.iter().map(|key| side::key(connection, key)).collect())
    }

    fn snapshot(&self, name: &str) -> Result<Option<Snapshot>, LedgerError> {
        self.read(|connection| side::snapshot(connection, name))
    }

    fn version(&self, stream: &str) -> Result<u64, LedgerError> {
        self.read(|connection| rows::version(connection, stream))
    }

    fn origins(&self, first: u64, last: u64) -> Result<Vec<(u64, String)>, LedgerError> {
        self.read(|connection| rows::origins(connection, first, last))
    }

    fn clock(&self) -> Result<Option<Moment>, LedgerError> {
        Ok(None)
    }

    fn watch(&self, wake: Box<dyn Fn() + Send>) -> Result<Box<dyn Send>, LedgerError> {
        Ok(Box::new(watch::Watch::start(Arc::clone(&self.file), wake)?))
    }

    fn backup(&self, file: &Path) -> Result<Head, LedgerError> {
        backup::copy(&self.file, file)
    }
}
