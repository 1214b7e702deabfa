//! Appending to a SQLite file: one connection, one transaction for each lock, one sync for each commit.

use std::sync::Arc;

use assize_kernel::{Digest, Head, Moment};
use rusqlite::{Connection, params};

use super::faults::{is_harmless, is_unsure};
use super::identity::{BesideFiles, OpenedFile};
use super::open::LedgerFile;
use super::rows::{self, integer};
use super::{access, side_tables, webhooks};
use crate::blobs::{StoredText, keep_both};
use crate::{Batch, LedgerError, LockedWriter, Snapshot, StreamActor, Writer, chain};

/// The writer of a file.
pub(super) struct SqliteWriter {
    /// None after an error that a new connection may fix.
    connection: Option<Connection>,
    /// The files beside the ledger that the connection uses; none before its first statement.
    beside: Option<BesideFiles>,
    /// The ledger was not in its place the last time, and the content of the log was written into the file.
    displaced: bool,
    /// Erased text may still be in the write-ahead log.
    log_to_clear: bool,
    file: Arc<LedgerFile>,
}

struct SqliteLockedWriter<'a> {
    writer: &'a mut SqliteWriter,
    head: Head,
    open: bool,
}

impl SqliteWriter {
    pub(super) fn new(file: Arc<LedgerFile>) -> Result<Self, LedgerError> {
        let connection = Some(file.writer()?);
        Ok(Self { connection, beside: None, displaced: false, log_to_clear: false, file })
    }

    /// Runs `work` on the connection; opens a new one when the last was closed after an error.
    fn on<T>(&mut self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, LedgerError> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => {
                self.beside = None;
                self.file.writer()?
            }
        };
        let outcome = work(&connection).map_err(|error| self.file.explain(&error));
        if outcome.is_ok() && self.beside.is_none() {
            self.beside = self.file.opened().map(OpenedFile::beside);
        }
        if !matches!(&outcome, Err(error) if !is_harmless(error)) {
            self.connection = Some(connection);
        }
        outcome
    }

    /// Truncates the write-ahead log. While a reader still needs it, this is retried after the next commit.
    fn clear_log(&mut self) {
        let blocked = |connection: &Connection| {
            connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, bool>(0))
        };
        self.log_to_clear = self.on(blocked).unwrap_or(true);
    }

    /// Checks that what is written now will be found again.
    fn in_place(&self) -> Result<(), LedgerError> {
        let Some(opened) = self.file.opened() else { return Ok(()) };
        opened.in_place()?;
        self.beside.as_ref().map_or(Ok(()), |used| opened.beside_in_place(used))
    }

    /// Writes the content of the log into the file, once for each time that the file is not in its place:
    /// wherever the file is, it then holds everything that was acknowledged, and another file in its place gets
    /// nothing of it.
    fn note_displaced(&mut self, displaced: bool) {
        if displaced && !self.displaced {
            self.clear_log();
        }
        self.displaced = displaced;
    }
}

impl Drop for SqliteWriter {
    /// SQLite itself leaves the log of a file that was moved where it is.
    fn drop(&mut self) {
        self.note_displaced(self.in_place().is_err());
    }
}

impl Writer for SqliteWriter {
    fn lock(&mut self) -> Result<Box<dyn LockedWriter + '_>, LedgerError> {
        let head = self.on(|connection| {
            connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
            rows::head(connection)
        })?;
        Ok(Box::new(SqliteLockedWriter { writer: self, head, open: true }))
    }

    fn save_snapshots(&mut self, snapshots: &[Snapshot]) -> Result<(), LedgerError> {
        let in_place = self.in_place();
        self.note_displaced(in_place.is_err());
        in_place?;
        self.on(|connection| {
            let transaction = connection.unchecked_transaction()?;
            side_tables::save_snapshots(&transaction, snapshots)?;
            transaction.commit()
        })
    }

    fn forget_keys(&mut self, before: Moment) -> Result<(), LedgerError> {
        self.on(|connection| side_tables::forget_keys(connection, before))
    }
}

impl SqliteLockedWriter<'_> {
    fn on<T>(&mut self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, LedgerError> {
        if !self.open {
            return Err(chain::spoiled());
        }
        let outcome = self.writer.on(work);
        if outcome.is_err() {
            self.roll_back();
        }
        outcome
    }

    fn roll_back(&mut self) {
        self.open = false;
        let ended = self.writer.connection.as_ref().is_none_or(|connection| {
            connection.is_autocommit() || connection.execute_batch("ROLLBACK").is_ok()
        });
        if !ended {
            self.writer.connection = None;
        }
    }
}

impl LockedWriter for SqliteLockedWriter<'_> {
    fn head(&self) -> Head {
        self.head
    }

    fn personal_digests(&mut self, subject: &str) -> Result<Vec<Digest>, LedgerError> {
        self.on(|connection| side_tables::personal_digests(connection, subject))
    }

    fn origins_of(&mut self, actor: &StreamActor<'_>) -> Result<u64, LedgerError> {
        self.on(|connection| side_tables::origins_of(connection, actor))
    }

    fn append(&mut self, batch: &Batch) -> Result<(), LedgerError> {
        let head = chain::follow(self.head, batch).inspect_err(|_| self.roll_back())?;
        self.on(|connection| {
            add_records(connection, batch)?;
            side_tables::add_personal(connection, &batch.personal)?;
            side_tables::add_keys(connection, &batch.keys)?;
            access::change(connection, &batch.access)?;
            batch.webhooks.iter().try_for_each(|change| webhooks::change(connection, change))?;
            side_tables::erase(connection, &batch.erase)
        })?;
        self.writer.log_to_clear |= !batch.erase.is_empty();
        self.head = head;
        Ok(())
    }

    fn commit(mut self: Box<Self>, batch: &Batch) -> Result<(), LedgerError> {
        self.append(batch)?;
        if let Err(displaced) = self.writer.in_place() {
            self.roll_back();
            self.writer.note_displaced(true);
            return Err(displaced);
        }
        self.writer.displaced = false;
        let Some(connection) = &self.writer.connection else { return Err(chain::spoiled()) };
        // Before the commit, so that the polling thread recognises it as this process's own.
        self.writer.file.note_appended(self.head.position);
        let committed = connection.prepare_cached("COMMIT").and_then(|mut commit| commit.execute([]));
        if let Err(error) = committed {
            self.writer.file.note_appended(0);
            let unsure = is_unsure(&error);
            let error = match self.writer.file.explain(&error) {
                LedgerError::Unavailable(message) if unsure => LedgerError::CommitUnknown(message),
                other => other,
            };
            self.roll_back();
            if !is_harmless(&error) {
                self.writer.connection = None;
            }
            return Err(error);
        }
        self.open = false;
        if self.writer.log_to_clear {
            self.writer.clear_log();
        }
        Ok(())
    }
}

impl Drop for SqliteLockedWriter<'_> {
    fn drop(&mut self) {
        if self.open {
            self.roll_back();
        }
    }
}

fn add_records(connection: &Connection, batch: &Batch) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO records (position, stream, version, edition, kind, at, actor, batch, hash,
         body_blob, verdict_blob, body, origin)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
    )?;
    let mut verdicts = connection.prepare_cached("INSERT INTO verdicts (position, text) VALUES (?1, ?2)")?;
    for (record, origin) in batch.records_with_origins() {
        let (body, verdict) = keep_both(record);
        statement.execute(params![
            integer(record.position),
            record.draft.stream.as_str(),
            integer(record.draft.version),
            record.draft.edition,
            record.draft.kind,
            record.draft.at.as_millis(),
            record.draft.actor,
            record.batch,
            record.hash.0,
            body.blob.map(|(digest, _)| digest.0),
            verdict.blob.map(|(digest, _)| digest.0),
            body.inline,
            origin,
        ])?;
        if let Some(text) = verdict.inline {
            verdicts.execute(params![integer(record.position), text])?;
        }
        add_blob(connection, body)?;
        add_blob(connection, verdict)?;
    }
    Ok(())
}

fn add_blob(connection: &Connection, kept: StoredText<'_>) -> rusqlite::Result<()> {
    if let Some((digest, text)) = kept.blob {
        let sql = "INSERT INTO blobs (digest, text) VALUES (?1, ?2) ON CONFLICT (digest) DO NOTHING";
        connection.prepare_cached(sql)?.execute(params![digest.0, text])?;
    }
    Ok(())
}
