//! The border that every store stands behind.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use assize_kernel::{BatchId, Digest, Head, Moment, Personal, Record, RecordRef};

use crate::{AccessChange, Credentials, LedgerError, WebhookChange, WebhookStore};

/// A store of records. Reading needs no lock; appending goes through a [`Writer`].
pub trait Ledger: Credentials + WebhookStore + Send + Sync {
    /// Where it is, for people: a file, a database without its password, memory.
    fn place(&self) -> String;

    /// A handle to append with. Several may exist, also in several processes: they take turns.
    ///
    /// # Errors
    /// When the store cannot be reached.
    fn writer(&self) -> Result<Box<dyn Writer>, LedgerError>;

    /// Where the chain ends now. Whoever sees a position sees every record before it.
    ///
    /// # Errors
    /// When the store cannot be reached.
    fn head(&self) -> Result<Head, LedgerError>;

    /// Hands out records in order until there are none left or `each` breaks off.
    ///
    /// # Errors
    /// When the store cannot be reached or holds something that is no record.
    fn scan(&self, scan: Scan<'_>, each: &mut EachRecord<'_>) -> Result<(), LedgerError>;

    /// Personal text by its digest; none when it has been erased.
    ///
    /// # Errors
    /// When the store cannot be reached.
    fn personal(&self, digest: &Digest) -> Result<Option<Personal>, LedgerError>;

    /// Personal texts that came with the records from `first` to `last`, in order of position.
    ///
    /// # Errors
    /// When the store cannot be reached.
    fn personal_of(&self, first: u64, last: u64) -> Result<Vec<(u64, Personal)>, LedgerError>;

    /// What was done under these keys before, in the same order.
    ///
    /// # Errors
    /// When the store cannot be reached.
    fn keys(&self, keys: &[Key]) -> Result<Vec<Option<KeyEntry>>, LedgerError>;

    /// A snapshot by its name.
    ///
    /// # Errors
    /// When the store cannot be reached.
    fn snapshot(&self, name: &str) -> Result<Option<Snapshot>, LedgerError>;

    /// How many records a stream has.
    ///
    /// # Errors
    /// When the store cannot be reached.
    fn version(&self, stream: &str) -> Result<u64, LedgerError>;

    /// From where the records from `first` to `last` came, where that is known, in order of position.
    ///
    /// # Errors
    /// When the store cannot be reached.
    fn origins(&self, first: u64, last: u64) -> Result<Vec<(u64, String)>, LedgerError>;

    /// The store's own clock, when it has one that several processes share.
    ///
    /// # Errors
    /// When the store cannot be reached.
    fn clock(&self) -> Result<Option<Moment>, LedgerError>;

    /// Calls `wake` from a thread of its own whenever another process may have appended, until this is dropped.
    /// A store that only this process appends to never calls it.
    ///
    /// # Errors
    /// When the store cannot be reached.
    fn watch(&self, wake: Box<dyn Fn() + Send>) -> Result<Box<dyn Send>, LedgerError>;

    /// Copies the whole store, tokens and all, into a new SQLite file while it is in use.
    ///
    /// # Errors
    /// When the file exists or cannot be written, or the store cannot be reached.
    fn backup(&self, file: &Path) -> Result<Head, LedgerError>;
}

/// What is called for each record of a scan.
pub type EachRecord<'a> = dyn FnMut(RecordRef<'_>) -> ControlFlow<()> + 'a;

/// A handle to append with.
pub trait Writer: Send {
    /// Waits for its turn; until the result is committed or dropped, nobody else appends.
    ///
    /// # Errors
    /// When the store cannot be reached. The writer recovers by itself: the next call tries again.
    fn lock(&mut self) -> Result<Box<dyn Locked + '_>, LedgerError>;

    /// Writes everything in the batches, one after the other, if the chain ends at `end`, or nothing of it; says which.
    /// When this returns, it is on disk. For what was decided ahead of its turn.
    ///
    /// # Errors
    /// As [`Writer::lock`] and [`Locked::commit`].
    fn commit_at(&mut self, end: Head, batches: &[&Batch]) -> Result<bool, LedgerError> {
        commit_in_turn(self, end, batches)
    }

    /// Keeps these, each instead of the one of the same name.
    ///
    /// # Errors
    /// When the store cannot be reached.
    fn save_snapshots(&mut self, snapshots: &[Snapshot]) -> Result<(), LedgerError>;

    /// Forgets idempotency keys first used before this moment.
    ///
    /// # Errors
    /// When the store cannot be reached.
    fn forget_keys(&mut self, before: Moment) -> Result<(), LedgerError>;
}

/// The way that every store has: waits for a turn, looks where the chain ends, and appends.
pub(crate) fn commit_in_turn(
    writer: &mut (impl Writer + ?Sized),
    end: Head,
    batches: &[&Batch],
) -> Result<bool, LedgerError> {
    let mut locked = writer.lock()?;
    let stands = locked.head() == end;
    if let (true, [parts @ .., last]) = (stands, batches) {
        parts.iter().try_for_each(|part| locked.append(part))?;
        locked.commit(last)?;
    }
    Ok(stands)
}

/// The turn to append: the end of the chain stays where it is until this is committed or dropped.
pub trait Locked {
    /// Where the chain ends.
    fn head(&self) -> Head;

    /// The digests of everything personal that is kept of somebody, in order of position.
    ///
    /// # Errors
    /// When the store cannot be reached.
    fn personal_digests(&mut self, subject: &str) -> Result<Vec<Digest>, LedgerError>;

    /// From how many of the records that somebody made it is known from where they came.
    ///
    /// # Errors
    /// When the store cannot be reached.
    fn origins_of(&mut self, whose: &Whose<'_>) -> Result<u64, LedgerError>;

    /// Writes a part of what the commit will make last; dropped without one, nothing of it remains.
    /// The head moves on with it.
    ///
    /// # Errors
    /// When the store cannot be reached or the batch does not fit. After that nothing can be committed.
    fn append(&mut self, batch: &Batch) -> Result<(), LedgerError>;

    /// Writes everything in the batch or nothing of it; when this returns, it is on disk.
    ///
    /// # Errors
    /// [`LedgerError::CommitUnknown`] when it may or may not be on disk; with any other, it is not.
    fn commit(self: Box<Self>, batch: &Batch) -> Result<(), LedgerError>;
}

/// Records written together, with what belongs to them.
#[derive(Debug, Clone, Default)]
pub struct Batch {
    /// Chained to the head they were sealed on, without gaps.
    pub records: Vec<Arc<Record>>,
    /// Personal texts, each with the position of the record it came with.
    pub personal: Vec<(u64, Personal)>,
    /// Idempotency keys used.
    pub keys: Vec<KeyEntry>,
    /// Those whose personal texts, and from where they came, are to be deleted.
    pub erase: Vec<String>,
    /// From where records came, by position, in order: personal, and not under any hash.
    pub origins: Vec<(u64, Arc<str>)>,
    /// What changes in who may come in.
    pub access: Vec<AccessChange>,
    /// What changes in whom is told.
    pub webhooks: Vec<WebhookChange>,
}

/// The records that a person made: a subject is the stream and the name they act under in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Whose<'a> {
    /// Where they act.
    pub stream: &'a str,
    /// As `role:name`.
    pub actor: String,
}

/// Which records to hand out.
#[derive(Debug, Clone, Copy)]
pub struct Scan<'a> {
    /// Only those of this stream.
    pub stream: Option<&'a str>,
    /// Only those after this position; in a stream, after this version.
    pub after: u64,
    /// At most so many.
    pub limit: u64,
    /// How much of each.
    pub depth: Depth,
}

/// How much of a record to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// What a state is made of: place, stream, kind, time and body. The rest is left blank.
    Facts,
    /// Everything.
    Whole,
}

/// An idempotency key: whose, and which.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    /// Actor and route.
    pub scope: String,
    /// As the client sent it.
    pub key: String,
}

/// What was done under an idempotency key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyEntry {
    /// Whose, and which.
    pub key: Key,
    /// Digest of the request, so that another one under the same key is noticed.
    pub request: Digest,
    /// When it was first used.
    pub at: Moment,
    /// The first record of the answer.
    pub first: u64,
    /// The last record of the answer.
    pub last: u64,
}

/// A state kept so that it need not be folded from the beginning. Only ever an optimisation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// A stream, or what the engine keeps for itself.
    pub name: String,
    /// Up to this position of the ledger.
    pub position: u64,
    /// The hash of the record there: a snapshot of another history is noticed.
    pub hash: Digest,
    /// Up to this version of the stream.
    pub version: u64,
    /// Written by this edition; another one discards it.
    pub edition: String,
    /// The state.
    pub body: String,
}

impl<'a> Scan<'a> {
    /// Every record after a position.
    #[must_use]
    pub const fn all(after: u64, depth: Depth) -> Self {
        Self { stream: None, after, limit: u64::MAX, depth }
    }

    /// Every record of a stream after a version.
    #[must_use]
    pub const fn stream(stream: &'a str, after: u64, depth: Depth) -> Self {
        Self { stream: Some(stream), after, limit: u64::MAX, depth }
    }

    /// The record at a position.
    #[must_use]
    pub const fn at(position: u64) -> Self {
        Self { stream: None, after: position.saturating_sub(1), limit: 1, depth: Depth::Whole }
    }
}

impl<'a> Whose<'a> {
    /// Of a subject such as `contest/spring/ants`; none when it is no participant of a stream.
    #[must_use]
    pub fn of(subject: &'a str) -> Option<Self> {
        let (stream, name) = subject.rsplit_once('/')?;
        stream.contains('/').then(|| Self { stream, actor: format!("participant:{name}") })
    }
}

impl Batch {
    /// The id its records carry; none when it has no records.
    #[must_use]
    pub fn id(&self) -> Option<BatchId> {
        self.records.first().map(|record| record.batch)
    }

    /// Each record with from where it came.
    pub(crate) fn records_with_origins(&self) -> impl Iterator<Item = (&Arc<Record>, Option<&str>)> {
        let mut origins = self.origins.iter().peekable();
        self.records.iter().map(move |record| {
            let origin = origins.next_if(|(position, _)| *position == record.position);
            (record, origin.map(|(_, origin)| &**origin))
        })
    }
}
