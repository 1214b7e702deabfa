//! Appending to PostgreSQL. The row of the head is the write lock, so positions become visible in their
//! order.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ::postgres::{Error, SimpleQueryMessage};
use assize_kernel::{Digest, Head, Moment};

use super::connect::{Connection, Database};
use super::faults::{explain, explain_commit};
use super::insert::{ChainedBatch, add, is_plain};
use super::side_tables;
use crate::store::commit_locked;
use crate::{Batch, LedgerError, LockedWriter, Snapshot, StreamActor, Writer, chain, hex};

/// How long after a commit a connection is trusted. A stale connection breaks in the middle of a commit,
/// whose outcome is then unknown.
const GOOD_FOR: Duration = Duration::from_secs(1);

/// The writer of a database.
pub(super) struct PostgresWriter {
    database: Arc<Database>,
    /// The payload of this process's notifications, to tell them from those of others.
    sender: Arc<str>,
    /// None after an error that a new connection may fix.
    connection: Option<Connection>,
    /// The last commit on this connection.
    proven: Option<Instant>,
    /// The epoch of the head when it was last locked.
    epoch: i64,
    /// A commit of this writer may still be on its way to the server, on a connection that broke.
    uncertain: bool,
}

struct PostgresLockedWriter<'a> {
    writer: &'a mut PostgresWriter,
    head: Head,
    open: bool,
}

impl PostgresWriter {
    pub(super) fn new(database: Arc<Database>, sender: Arc<str>) -> Result<Self, LedgerError> {
        let connection = Some(database.connect()?);
        Ok(Self { database, sender, connection, proven: None, epoch: 0, uncertain: false })
    }

    /// Runs `work` on the connection; a connection that fails is closed.
    fn on<T>(&mut self, work: impl FnOnce(&mut Connection) -> Result<T, Error>) -> Result<T, LedgerError> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.database.connect()?,
        };
        let outcome = work(&mut connection).map_err(|error| explain(&self.database.place, &error))?;
        self.connection = Some(connection);
        Ok(outcome)
    }

    /// Like `on`, for idempotent work: retried once, because an idle connection may have gone stale.
    fn on_fresh<T>(&mut self, work: impl Fn(&mut Connection) -> Result<T, Error>) -> Result<T, LedgerError> {
        let old = self.connection.is_some();
        match self.on(&work) {
            Err(LedgerError::Unavailable(message)) if old && !message.starts_with("another process") => {
                self.on(&work)
            }
            outcome => outcome,
        }
    }

    /// Commits in one round trip; a connection that fails is closed.
    fn commit_at_once(
        &mut self,
        mut connection: Connection,
        end: Head,
        batch: &Batch,
    ) -> Result<bool, LedgerError> {
        let (to, epoch) = (chain::follow(end, batch)?, self.epoch);
        let link = ChainedBatch { batch, from: end, to, epoch, sender: &self.sender };
        let added = add(&mut connection, link);
        let added = added.map_err(|error| self.explain_commit(&error))?;
        self.connection = Some(connection);
        self.proven = Some(Instant::now());
        Ok(added)
    }

    fn explain_commit(&mut self, error: &Error) -> LedgerError {
        let explained = explain_commit(&self.database.place, error);
        self.uncertain |= matches!(explained, LedgerError::CommitUnknown(_));
        explained
    }

    /// Fences off a commit that may still be on its way: this waits until the server is done with it, or it
    /// finds another epoch when it arrives.
    fn raise_epoch(&mut self) -> Result<(), LedgerError> {
        let raise = "UPDATE assize.head SET epoch = epoch + 1";
        self.on_fresh(|connection| connection.client.batch_execute(raise))?;
        self.uncertain = false;
        Ok(())
    }
}

impl Writer for PostgresWriter {
    fn lock(&mut self) -> Result<Box<dyn LockedWriter + '_>, LedgerError> {
        if self.uncertain {
            self.raise_epoch()?;
        }
        let answer = self.on_fresh(|connection| {
            connection.client.simple_query("BEGIN; SELECT position, hash, epoch FROM assize.head FOR UPDATE")
        })?;
        let Some((head, epoch)) = answer.iter().find_map(head_in) else {
            self.connection = None;
            let message = format!("the {} has lost the end of the ledger", self.database.place);
            return Err(LedgerError::Damaged(message));
        };
        self.epoch = epoch;
        Ok(Box::new(PostgresLockedWriter { writer: self, head, open: true }))
    }

    /// In one round trip if possible: a statement that compares the end of the chain, appends and commits.
    fn commit_at(&mut self, end: Head, batches: &[&Batch]) -> Result<bool, LedgerError> {
        let good = self.proven.is_some_and(|proven| proven.elapsed() < GOOD_FOR);
        let batch = &*merged(batches);
        match self.connection.take() {
            Some(connection) if good && is_plain(batch) => self.commit_at_once(connection, end, batch),
            connection => {
                self.connection = connection;
                commit_locked(self, end, &[batch])
            }
        }
    }

    fn save_snapshots(&mut self, snapshots: &[Snapshot]) -> Result<(), LedgerError> {
        self.on_fresh(|connection| side_tables::save_snapshots(connection, snapshots))
    }

    fn forget_keys(&mut self, before: Moment) -> Result<(), LedgerError> {
        self.on_fresh(|connection| side_tables::forget_keys(connection, before))
    }
}

impl PostgresLockedWriter<'_> {
    fn on<T>(&mut self, work: impl FnOnce(&mut Connection) -> Result<T, Error>) -> Result<T, LedgerError> {
        if !self.open {
            return Err(chain::spoiled());
        }
        // A failed connection is closed, which ends its transaction.
        self.writer.on(work).inspect_err(|_| self.open = false)
    }
}

impl LockedWriter for PostgresLockedWriter<'_> {
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
        let head = chain::follow(self.head, batch)?;
        let sender = Arc::clone(&self.writer.sender);
        let epoch = self.writer.epoch;
        let link = ChainedBatch { batch, from: self.head, to: head, epoch, sender: &sender };
        let added = self.on(|connection| add(connection, link))?;
        self.head = head;
        if added { Ok(()) } else { Err(chain::spoiled()) }
    }

    /// The lock of the head is logged, so the commit waits for a synchronous standby, which then has everything
    /// that was written before.
    fn confirm(mut self: Box<Self>) -> Result<(), LedgerError> {
        self.finish()
    }

    fn commit(mut self: Box<Self>, batch: &Batch) -> Result<(), LedgerError> {
        self.append(batch)?;
        self.finish()
    }
}

impl PostgresLockedWriter<'_> {
    fn finish(&mut self) -> Result<(), LedgerError> {
        let Some(mut connection) = self.writer.connection.take() else { return Err(chain::spoiled()) };
        self.open = false;
        let committed = connection.client.batch_execute("COMMIT");
        committed.map_err(|error| self.writer.explain_commit(&error))?;
        self.writer.connection = Some(connection);
        self.writer.proven = Some(Instant::now());
        Ok(())
    }
}

impl Drop for PostgresLockedWriter<'_> {
    fn drop(&mut self) {
        if self.open {
            // If this fails too, the connection is closed, which ends the transaction.
            let _ = self.writer.on(|connection| connection.client.batch_execute("ROLLBACK"));
        }
    }
}

/// The head and its epoch.
fn head_in(answer: &SimpleQueryMessage) -> Option<(Head, i64)> {
    let SimpleQueryMessage::Row(row) = answer else { return None };
    let hash = hex::read(row.get(1)?.strip_prefix("\\x")?)?;
    Some((Head { position: row.get(0)?.parse().ok()?, hash: Digest(hash) }, row.get(2)?.parse().ok()?))
}

/// Merges several batches into one.
fn merged<'a>(batches: &[&'a Batch]) -> Cow<'a, Batch> {
    if let [only] = batches {
        return Cow::Borrowed(only);
    }
    let mut all = Batch::default();
    for Batch { records, personal, keys, erase, origins, access, webhooks } in batches {
        all.records.extend_from_slice(records);
        all.personal.extend_from_slice(personal);
        all.keys.extend_from_slice(keys);
        all.erase.extend_from_slice(erase);
        all.origins.extend_from_slice(origins);
        all.access.extend_from_slice(access);
        all.webhooks.extend_from_slice(webhooks);
    }
    Cow::Owned(all)
}
