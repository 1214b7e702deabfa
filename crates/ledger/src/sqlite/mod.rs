//! The ledger in one SQLite file, which needs no other software.

mod access;
mod backup;
mod faults;
mod identity;
mod open;
mod reread;
mod rows;
mod server_lock;
mod side_tables;
mod watch;
mod webhooks;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use assize_kernel::{Digest, Head, Moment, Personal};
use rusqlite::Connection;

use open::{FileUser, LedgerFile};

use crate::cursor::ScanCursor;
use crate::pool::ConnectionPool;
use crate::{EachRecord, KeyEntry, Ledger, LedgerError, Scan, ScopedKey, Snapshot, Writer, copy};

/// How long to wait for a lock of another process.
const LOCK_TIMEOUT: Duration = Duration::from_secs(5);

/// A ledger in a SQLite file; clones share its connections.
#[derive(Clone)]
pub struct SqliteLedger {
    readers: Arc<ConnectionPool<Connection>>,
    /// Connections for writes that may be lost in a power cut.
    notes: Arc<ConnectionPool<Connection>>,
    file: Arc<LedgerFile>,
}

impl SqliteLedger {
    /// Opens the file, or creates it.
    ///
    /// # Errors
    /// When the file is no ledger, cannot be written, or has a newer schema than this program knows.
    pub fn open(path: &Path) -> Result<Self, LedgerError> {
        Self::open_patiently(path, LOCK_TIMEOUT)
    }

    /// Like [`SqliteLedger::open`], for the one server of the file: as long as the ledger is open, nobody else
    /// can open it to serve it, under whatever path.
    ///
    /// # Errors
    /// When another process serves the file, and as [`SqliteLedger::open`].
    pub fn open_to_serve(path: &Path) -> Result<Self, LedgerError> {
        Ok(Self::opened(LedgerFile::open(path.to_owned(), LOCK_TIMEOUT, FileUser::Server)?))
    }

    /// Opens the file if it exists.
    ///
    /// # Errors
    /// When there is none, and as [`SqliteLedger::open`].
    pub fn open_existing(path: &Path) -> Result<Self, LedgerError> {
        if !path.exists() {
            return Err(LedgerError::Unusable(format!("there is no file `{}`", path.display())));
        }
        Self::open(path)
    }

    /// Like [`SqliteLedger::open`], with this timeout for locks, now and later.
    ///
    /// # Errors
    /// As [`SqliteLedger::open`].
    pub fn open_patiently(path: &Path, patience: Duration) -> Result<Self, LedgerError> {
        Ok(Self::opened(LedgerFile::open(path.to_owned(), patience, FileUser::Command)?))
    }

    fn opened(file: LedgerFile) -> Self {
        let file = Arc::new(file);
        let readers = Arc::new(ConnectionPool::new({
            let file = Arc::clone(&file);
            move || file.reader()
        }));
        let notes = Arc::new(ConnectionPool::new({
            let file = Arc::clone(&file);
            move || file.notes()
        }));
        Self { readers, notes, file }
    }

    /// Removes a ledger that no process has open, with the files that SQLite keeps beside it.
    pub fn remove(path: &Path) {
        copy::remove(path);
    }

    fn path(&self) -> &PathBuf {
        &self.file.path
    }

    fn read<T>(&self, mut work: impl FnMut(&Connection) -> rusqlite::Result<T>) -> Result<T, LedgerError> {
        self.readers.with(|connection| work(connection).map_err(|error| self.file.explain(&error)))
    }
}

impl Ledger for SqliteLedger {
    fn place(&self) -> String {
        format!("`{}`", self.path().display())
    }

    fn is_shared(&self) -> bool {
        false
    }

    fn writer(&self) -> Result<Box<dyn Writer>, LedgerError> {
        Ok(Box::new(writer::SqliteWriter::new(Arc::clone(&self.file))?))
    }

    fn head(&self) -> Result<Head, LedgerError> {
        self.read(rows::head)
    }

    fn scan(&self, scan: Scan<'_>, each: &mut EachRecord<'_>) -> Result<(), LedgerError> {
        let mut cursor = ScanCursor::new(scan);
        while !cursor.done {
            self.readers.with(|connection| rows::page(&mut cursor, connection, &self.file, each))?;
        }
        Ok(())
    }

    fn personal(&self, digest: &Digest) -> Result<Option<Personal>, LedgerError> {
        self.read(|connection| side_tables::personal(connection, digest))
    }

    fn personal_of(&self, first: u64, last: u64) -> Result<Vec<(u64, Personal)>, LedgerError> {
        self.read(|connection| side_tables::personal_of(connection, first, last))
    }

    fn keys(&self, keys: &[ScopedKey]) -> Result<Vec<Option<KeyEntry>>, LedgerError> {
        self.read(|connection| keys.iter().map(|key| side_tables::key(connection, key)).collect())
    }

    fn snapshot(&self, name: &str) -> Result<Option<Snapshot>, LedgerError> {
        let found = self.read(|connection| side_tables::snapshot(connection, name))?;
        found.map(|(snapshot, digest)| snapshot.with_digest(&digest)).transpose()
    }

    fn snapshot_names(&self) -> Result<Vec<String>, LedgerError> {
        self.read(side_tables::snapshot_names)
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
        Ok(Box::new(watch::FileWatch::start(Arc::clone(&self.file), wake)?))
    }

    fn backup(&self, file: &Path) -> Result<Head, LedgerError> {
        backup::copy(&self.file, file)
    }
}
