//! Opening a SQLite file: recognising it, migrating its schema, configuring connections.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::faults::{explain, explain_opening};
use super::identity::{self, OpenedFile};
use super::reread::Rereader;
use super::server_lock;
use crate::{LedgerError, create_private};

/// `ASSZ`: marks a SQLite file as a ledger, also for `file`.
const APPLICATION_ID: i64 = 0x4153_535a;
const APPLICATION_ID_BYTES: &[u8] = b"ASSZ";

/// Migrations, one for each schema version. Never change one that has shipped.
const MIGRATIONS: [&str; 5] = [
    include_str!("schema_1.sql"),
    include_str!("schema_2.sql"),
    include_str!("schema_3.sql"),
    include_str!("schema_4.sql"),
    include_str!("schema_5.sql"),
];

const KNOWN: i64 = MIGRATIONS.len() as i64;

/// Of a new file: several records to a page, so that a fold needs fewer and larger reads.
const PAGE_SIZE: &str = "PRAGMA page_size = 8192";

/// A full sync with every commit; deleted data is overwritten.
const WRITING: &str = "PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF; PRAGMA secure_delete = ON;
    PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384; PRAGMA wal_autocheckpoint = 4000;
    PRAGMA journal_size_limit = 67108864;";

const READING: &str = "PRAGMA query_only = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -8192;";

/// For writes that may be lost in a power cut: no sync, and checkpoints are left to the ledger's writer.
const NOTING: &str = "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0;";

/// The file of a ledger, and the timeout for its locks.
pub(super) struct LedgerFile {
    pub(super) path: PathBuf,
    pub(super) patience: Duration,
    /// None until the first connection is open.
    opened: Option<OpenedFile>,
    rereader: Rereader,
    /// The last position that this process has appended, or is about to append.
    appended: AtomicU64,
    /// Held as long as a connection may be open.
    server_locks: Vec<File>,
}

/// Who opens a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileUser {
    /// The one server, which keeps others away.
    Server,
    /// A command, possibly beside a server.
    Command,
}

impl LedgerFile {
    /// Opens the file, creates it, or migrates it.
    pub(super) fn open(path: PathBuf, patience: Duration, user: FileUser) -> Result<Self, LedgerError> {
        if path.is_dir() {
            let message = format!("`{}` is a directory; name a file in it", path.display());
            return Err(LedgerError::Unusable(message));
        }
        let mut file = Self {
            path,
            patience,
            opened: None,
            rereader: Rereader::default(),
            appended: AtomicU64::new(0),
            server_locks: Vec::new(),
        };
        file.create()?;
        file.has_one_name()?;
        if user == FileUser::Server {
            // Before anything in the file is read or changed.
            file.server_locks.extend(server_lock::on_inode(&file.path)?);
        }
        let mut connection = file.connect()?;
        file.opened = Some(OpenedFile::new(&file.path).map_err(|error| file.cannot_open(&error))?);
        let version = file.recognise(&connection)?;
        file.set_up_patiently(&mut connection, version)
            .map_err(|error| explain_opening(&file.path, &error))?;
        if user == FileUser::Server {
            file.server_locks.push(server_lock::on_name(&file.path)?);
        }
        drop(connection);
        Ok(file)
    }

    /// The error of a statement, with a message a person can act on.
    pub(super) fn explain(&self, error: &rusqlite::Error) -> LedgerError {
        let damaged = error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt);
        match damaged.then(|| self.rereader.problem(&self.path)).flatten() {
            Some(cause) => LedgerError::Unavailable(format!(
                "the ledger `{}` cannot be read or written: {cause}",
                self.path.display()
            )),
            None => explain(&self.path, error),
        }
    }

    /// The last position appended by this process.
    pub(super) fn appended(&self) -> u64 {
        self.appended.load(Ordering::SeqCst)
    }

    /// Notes the position this process is about to append; 0 when unknown.
    pub(super) fn note_appended(&self, position: u64) {
        self.appended.store(position, Ordering::SeqCst);
    }

    /// The file that was opened; none until then.
    pub(super) fn opened(&self) -> Option<&OpenedFile> {
        self.opened.as_ref()
    }

    /// Refuses a file with several hard links: SQLite names its log after the file, so that processes that use
    /// different names do not see each other's appends.
    fn has_one_name(&self) -> Result<(), LedgerError> {
        match identity::names(&self.path) {
            Ok(0 | 1) => Ok(()),
            Ok(names) => Err(LedgerError::Unusable(format!(
                "`{}` has {names} names (hard links), and SQLite loses data when a file is open under two of them; \
                 remove the other names, or make a copy and name that",
                self.path.display()
            ))),
            Err(error) => Err(self.cannot_open(&error)),
        }
    }

    /// Creates an empty file with mode 0600 when there is none: SQLite would let others read it.
    fn create(&self) -> Result<(), LedgerError> {
        match create_private(&self.path) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(self.cannot_open(&error)),
            _ => Ok(()),
        }
    }

    fn cannot_open(&self, error: &dyn std::error::Error) -> LedgerError {
        let file = self.path.display();
        LedgerError::Unusable(format!(
            "cannot open `{file}`: {error}; its directory must exist and be writable"
        ))
    }

    /// A read-only connection.
    pub(super) fn reader(&self) -> Result<Connection, LedgerError> {
        let connection = self.connect()?;
        connection.execute_batch(READING).map_err(|error| self.explain(&error))?;
        Ok(connection)
    }

    /// A read-write connection.
    pub(super) fn writer(&self) -> Result<Connection, LedgerError> {
        let connection = self.connect()?;
        connection.execute_batch(WRITING).map_err(|error| self.explain(&error))?;
        connection.set_prepared_statement_cache_capacity(32);
        Ok(connection)
    }

    /// A connection for writes that may be lost in a power cut.
    pub(super) fn notes(&self) -> Result<Connection, LedgerError> {
        let connection = self.writer()?;
        connection.execute_batch(NOTING).map_err(|error| self.explain(&error))?;
        Ok(connection)
    }

    fn connect(&self) -> Result<Connection, LedgerError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.path, flags);
        let connection = match &self.opened {
            None => connection.map_err(|error| self.cannot_open(&error))?,
            Some(opened) => {
                // Before the result is looked at: it may be a connection to another file.
                opened.in_place()?;
                connection.map_err(|error| self.explain(&error))?
            }
        };
        // Query plans do not depend on bound values, so a cached statement is not planned again.
        let planned_once = connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true);
        let set = planned_once.and_then(|_| connection.busy_timeout(self.patience));
        set.map_err(|error| self.explain(&error))?;
        Ok(connection)
    }

    /// The schema version; 0 for a new file.
    fn recognise(&self, connection: &Connection) -> Result<i64, LedgerError> {
        let number = |sql| connection.query_row(sql, [], |row| row.get::<_, i64>(0));
        let found = || -> rusqlite::Result<(i64, i64, i64)> {
            let tables = number("SELECT count(*) FROM sqlite_schema")?;
            Ok((number("PRAGMA application_id")?, number("PRAGMA user_version")?, tables))
        };
        let foreign = || {
            let message = format!("`{}` is not a ledger; name another file", self.path.display());
            LedgerError::Unusable(message)
        };
        match found() {
            Ok((0, 0, 0)) => Ok(0),
            Ok((APPLICATION_ID, version, _)) if version <= KNOWN => Ok(version),
            Ok((APPLICATION_ID, found, _)) => {
                let place = format!("`{}`", self.path.display());
                Err(LedgerError::Newer { place, found, known: KNOWN })
            }
            Ok(_) => Err(foreign()),
            Err(error) if !matches!(explain(&self.path, &error), LedgerError::Damaged(_)) => {
                Err(explain_opening(&self.path, &error))
            }
            Err(error) if self.was_a_database() => Err(LedgerError::Unusable(format!(
                "`{}` cannot be read and may be damaged: {error}; restore a backup, or name another file",
                self.path.display()
            ))),
            Err(_) => Err(foreign()),
        }
    }

    /// Whether an unreadable file has the header of a ledger or of any SQLite database.
    fn was_a_database(&self) -> bool {
        let mut head = Vec::new();
        let read = File::open(&self.path).and_then(|file| file.take(100).read_to_end(&mut head));
        let marked = head.get(68..72) == Some(APPLICATION_ID_BYTES);
        read.is_ok() && (marked || head.starts_with(b"SQLite format 3\0"))
    }

    /// Like `set_up`, again while another process is doing it: SQLite does not wait when the journal mode changes
    /// under it, whatever its busy timeout.
    fn set_up_patiently(&self, connection: &mut Connection, version: i64) -> rusqlite::Result<()> {
        const PAUSE: Duration = Duration::from_millis(5);
        let begun = Instant::now();
        loop {
            match self.set_up(connection, version) {
                Err(error)
                    if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                        && begun.elapsed() < self.patience =>
                {
                    std::thread::sleep(PAUSE);
                }
                done => return done,
            }
        }
    }

    fn set_up(&self, connection: &mut Connection, version: i64) -> rusqlite::Result<()> {
        connection.execute_batch(PAGE_SIZE)?;
        connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
        connection.execute_batch(WRITING)?;
        if version == KNOWN {
            return Ok(());
        }
        let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        // Another process may have migrated meanwhile.
        let version: i64 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        for step in MIGRATIONS.iter().skip(usize::try_from(version).unwrap_or(0)) {
            transaction.execute_batch(step)?;
        }
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", KNOWN)?;
        transaction.commit()
    }
}
