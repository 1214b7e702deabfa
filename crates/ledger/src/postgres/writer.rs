//! Appending to PostgreSQL: the row that holds the head is the lock, so positions become visible in their order.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ::postgres::{Error, SimpleQueryMessage};
use assize_kernel::{Digest, Head, Moment};

use super::connect::{Connection, Database};
use super::faults::{explain, explain_commit};
use super::insert::{Link, add, is_plain};
use super::side;
use crate::border::commit_in_turn;
use crate::{Batch, LedgerError, Locked, Snapshot, Whose, Writer, chain, hex};

/// How long a connection that has committed something is taken to be good. One that has gone stale breaks in the
/// middle of a commit, and then nobody knows whether that has happened.
const GOOD_FOR: Duration = Duration::from_secs(1);

/// The writing end of a database.
pub(super) struct PostgresWriter {
    database: Arc<Database>,
    /// Tells this process's calls from those of others.
    sender: Arc<str>,
    /// None after an error that a new connection may be rid of.
    connection: Option<Connection>,
    /// When something was last committed over it.
    proven: Option<Instant>,
}

struct PostgresLocked<'a> {
    writer: &'a mut PostgresWriter,
    head: Head,
    open: bool,
}

impl PostgresWriter {
    pub(super) fn new(database: Arc<Database>, sender: Arc<str>) -> Result<Self, LedgerError> {
        let connection = Some(database.connect()?);
        Ok(Self { database, sender, connection, proven: None })
    }

    /// Does something on the connection; one that fails is given up.
    fn on<T>(&mut self, work: impl FnOnce(&mut Connection) -> Result<T, Error>) -> Result<T, LedgerError> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.database.connect()?,
        };
        let outcome = work(&mut connection).map_err(|error| explain(&self.database.place, &error))?;
        self.connection = Some(connection);
        Ok(outcome)
    }

    /// The same for what can be done twice: an old connection may have gone stale while nobody used it.
    fn on_fresh<T>(&mut self, work: impl Fn(&mut Connection) -> Result<T, Error>) -> Result<T, LedgerError> {
        let old = self.connection.is_some();
        match self.on(&work) {
            Err(LedgerError::Unavailable(message)) if old && !message.starts_with("another process") => {
                self.on(&work)
            }
            outcome => outcome,
        }
    }

    /// A connection that fails is given up.
    fn commit_at_once(
        &mut self,
        mut connection: Connection,
        end: Head,
        batch: &Batch,
    ) -> Result<bool, LedgerError> {
        let link = Link { batch, from: end, to: chain::follow(end, batch)?, sender: &self.sender };
        let stands = add(&mut connection, link);
        let stands = stands.map_err(|error| explain_commit(&self.database.place, &error))?;
        self.connection = Some(connection);
        self.proven = Some(Instant::now());
        Ok(stands)
    }
}

impl Writer for PostgresWriter {
    fn lock(&mut self) -> Result<Box<dyn Locked + '_>, LedgerError> {
        let answer = self.on_fresh(|connection| {
            connection.client.simple_query("BEGIN; SELECT position, hash FROM assize.head FOR UPDATE")
        })?;
        let Some(head) = answer.iter().find_map(head_in) else {
            self.connection = None;
            let message = format!("the {} has lost the end of the ledger", self.database.place);
            return Err(LedgerError::Damaged(message));
        };
        Ok(Box::new(PostgresLocked { writer: self, head, open: true }))
    }

    /// In one round trip where that can be: a statement that looks where the chain ends, appends to it and commits.
    fn commit_at(&mut self, end: Head, batches: &[&Batch]) -> Result<bool, LedgerError> {
        let good = self.proven.is_some_and(|proven| proven.elapsed() < GOOD_FOR);
        let batch = &*together(batches);
        match self.connection.take() {
            Some(connection) if good && is_plain(batch) => self.commit_at_once(connection, end, batch),
            connection => {
                self.connection = connection;
                commit_in_turn(self, end, &[batch])
            }
        }
    }

    fn save_snapshots(&mut self, snapshots: &[Snapshot]) -> Result<(), LedgerError> {
        self.on_fresh(|connection| side::save_snapshots(connection, snapshots))
    }

    fn forget_keys(&mut self, before: Moment) -> Result<(), LedgerError> {
        self.on_fresh(|connection| side::forget_keys(connection, before))
    }
}

impl PostgresLocked<'_> {
    fn on<T>(&mut self, work: impl FnOnce(&mut Connection) -> Result<T, Error>) -> Result<T, LedgerError> {
        if !self.open {
            return Err(chain::spoiled());
        }
        // A failed connection is closed, and its transaction with it.
        self.writer.on(work).inspect_err(|_| self.open = false)
    }
}

impl Locked for PostgresLocked<'_> {
    fn head(&self) -> Head {
        self.head
    }

    fn personal_digests(&mut self, subject: &str) -> Result<Vec<Digest>, LedgerError> {
        self.on(|connection| side::personal_digests(connection, subject))
    }

    fn origins_of(&mut self, whose: &Whose<'_>) -> Result<u64, LedgerError> {
        self.on(|connection| side::origins_of(connection, whose))
    }

    fn append(&mut self, batch: &Batch) -> Result<(), LedgerError> {
        let head = chain::follow(self.head, batch)?;
        let sender = Arc::clone(&self.writer.sender);
        let link = Link { batch, from: self.head, to: head, sender: &sender };
        let stands = self.on(|connection| add(connection, link))?;
        self.head = head;
        if stands { Ok(()) } else { Err(chain::spoiled()) }
    }

    fn commit(mut self: Box<Self>, batch: &Batch) -> Result<(), LedgerError> {
        self.append(batch)?;
        let Some(mut connection) = self.writer.connection.take() else { return Err(chain::spoiled()) };
        self.open = false;
        let committed = connection.client.batch_execute("COMMIT");
        committed.map_err(|error| explain_commit(&self.writer.database.place, &error))?;
        self.writer.connection = Some(connection);
        self.writer.proven = Some(Instant::now());
        Ok(())
    }
}

impl Drop for PostgresLocked<'_> {
    fn drop(&mut self) {
        if self.open {
            // When this fails too, the connection is gone and the transaction with it.
            let _ = self.writer.on(|connection| connection.client.batch_execute("ROLLBACK"));
        }
    }
}

fn head_in(answer: &SimpleQueryMessage) -> Option<Head> {
    let SimpleQueryMessage::Row(row) = answer else { return None };
    let hash = hex::read(row.get(1)?.strip_prefix("\\x")?)?;
    Some(Head { position: row.get(0)?.parse().ok()?, hash: Digest(hash) })
}

/// Several batches as one.
fn together<'a>(batches: &[&'a Batch]) -> Cow<'a, Batch> {
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
