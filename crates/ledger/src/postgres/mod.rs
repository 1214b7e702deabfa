//! The ledger in a PostgreSQL database, which several processes on several machines may share.

mod access;
mod connect;
mod faults;
mod insert;
mod rows;
mod side_tables;
mod watch;
mod webhooks;
mod writer;

use std::path::Path;
use std::sync::Arc;

use assize_kernel::{Digest, Head, Moment, Personal};

use crate::cursor::ScanCursor;
use crate::pool::ConnectionPool;
use crate::{EachRecord, KeyEntry, Ledger, LedgerError, Scan, ScopedKey, Snapshot, Writer, copy, hex};
use connect::{Connection, Database, WhenNone};

/// A ledger in a PostgreSQL database; clones share its connections.
#[derive(Clone)]
pub struct PostgresLedger {
    database: Arc<Database>,
    readers: Arc<ConnectionPool<Connection>>,
    /// The payload of this process's notifications, to tell them from those of others.
    sender: Arc<str>,
}

impl PostgresLedger {
    /// Opens the database; creates its tables, in a schema named `assize`, when there are none.
    ///
    /// # Errors
    /// When the database cannot be reached, refuses the login, or has a newer schema than this program knows.
    pub fn open(url: &str) -> Result<Self, LedgerError> {
        Self::prepare(url, WhenNone::Make)
    }

    /// Opens the database if there is a ledger in it, and migrates its schema.
    ///
    /// # Errors
    /// When there is none, and as [`PostgresLedger::open`].
    pub fn open_existing(url: &str) -> Result<Self, LedgerError> {
        Self::prepare(url, WhenNone::Refuse)
    }

    fn prepare(url: &str, none: WhenNone) -> Result<Self, LedgerError> {
        let database = Arc::new(Database::new(url)?);
        database.prepare(none)?;
        let readers = Arc::new(ConnectionPool::new({
            let database = Arc::clone(&database);
            move || database.connect()
        }));
        let mut id = [0_u8; 16];
        getrandom::fill(&mut id).map_err(|error| {
            LedgerError::Unavailable(format!("the random number generator of the system failed: {error}"))
        })?;
        Ok(Self { database, readers, sender: hex::write(&id).into() })
    }

    fn read<T>(
        &self,
        mut work: impl FnMut(&mut Connection) -> Result<T, ::postgres::Error>,
    ) -> Result<T, LedgerError> {
        let place = &self.database.place;
        self.readers.with(|connection| work(connection).map_err(|error| faults::explain(place, &error)))
    }
}

impl Ledger for PostgresLedger {
    fn place(&self) -> String {
        format!("the {}", self.database.place)
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn writer(&self) -> Result<Box<dyn Writer>, LedgerError> {
        let database = Arc::clone(&self.database);
        let sender = Arc::clone(&self.sender);
        Ok(Box::new(writer::PostgresWriter::new(database, sender)?))
    }

    fn head(&self) -> Result<Head, LedgerError> {
        self.read(rows::head)
    }

    fn scan(&self, scan: Scan<'_>, each: &mut EachRecord<'_>) -> Result<(), LedgerError> {
        let mut cursor = ScanCursor::new(scan);
        while !cursor.done {
            self.readers
                .with(|connection| rows::page(&mut cursor, connection, &self.database.place, each))?;
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
        self.read(|connection| side_tables::keys(connection, keys))
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
        self.read(side_tables::clock).map(Some)
    }

    fn watch(&self, wake: Box<dyn Fn() + Send>) -> Result<Box<dyn Send>, LedgerError> {
        let database = Arc::clone(&self.database);
        let sender = Arc::clone(&self.sender);
        Ok(Box::new(watch::NotificationWatch::start(database, sender, wake)?))
    }

    fn backup(&self, file: &Path) -> Result<Head, LedgerError> {
        let keys = self.read(side_tables::all_keys)?;
        let access = &|| self.read(access::all);
        copy::into_new_file(self, copy::UnrecordedData { keys, access }, file)
    }
}
