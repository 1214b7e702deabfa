//! The storage traits: [`Ledger`] reads, [`Writer`] and [`LockedWriter`] append.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use assize_kernel::{BatchId, Digest, Head, Moment, Personal, Record, RecordRef};

use crate::{AccessChange, CredentialStore, LedgerError, WebhookChange, WebhookStore};

/// A store of records. Reading needs no lock; appending goes through a [`Writer`].
///
/// # Errors
/// Every method that returns a `Result` fails when the store cannot be reached; what else can fail is said at
/// the method. The same holds for [`Writer`], [`LockedWriter`], [`CredentialStore`] and [`WebhookStore`].
///
/// # Examples
/// ```
/// use std::ops::ControlFlow;
///
/// use assize_kernel::{Draft, Moment};
/// use assize_ledger::{Batch, Depth, Ledger, MemoryLedger, Scan};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let ledger = MemoryLedger::new();
/// let draft = Draft {
///     stream: "contest/spring".parse()?,
///     version: 1,
///     edition: 1,
///     kind: "AnswerJudged".into(),
///     at: Moment::from_millis(1_794_735_000_250),
///     actor: "participant:ants".into(),
///     body: r#"{"answer":"42"}"#.into(),
///     verdict: None,
/// };
///
/// // Nobody else appends while the writer is locked, so the record is sealed on the end of the chain.
/// let mut writer = ledger.writer()?;
/// let locked = writer.lock()?;
/// let record = locked.head().seal([7; 16], draft);
/// locked.commit(&Batch { records: vec![record.into()], ..Batch::default() })?;
///
/// let mut bodies = Vec::new();
/// ledger.scan(Scan::stream("contest/spring", 0, Depth::Facts), &mut |record| {
///     bodies.push(record.body.to_owned());
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(bodies, [r#"{"answer":"42"}"#]);
/// assert_eq!(ledger.head()?.position, 1);
/// # Ok(())
/// # }
/// ```
pub trait Ledger: CredentialStore + WebhookStore + Send + Sync {
    /// The location of the store, for messages: a file, a database without its password, memory.
    fn place(&self) -> String;

    /// Whether other processes may append to this ledger at any time, as several servers on one database do.
    /// A SQLite file has one server, and memory one process.
    fn is_shared(&self) -> bool;

    /// Opens a writer. Several may exist, also in several processes: they append one at a time.
    fn writer(&self) -> Result<Box<dyn Writer>, LedgerError>;

    /// The end of the chain. A reader that sees a position sees every record before it.
    fn head(&self) -> Result<Head, LedgerError>;

    /// Passes records to `each`, in order, until there are no more or it breaks.
    ///
    /// # Errors
    /// Also when the store holds something that is no record.
    fn scan(&self, scan: Scan<'_>, each: &mut EachRecord<'_>) -> Result<(), LedgerError>;

    /// A personal text by its digest; none when it has been erased.
    fn personal(&self, digest: &Digest) -> Result<Option<Personal>, LedgerError>;

    /// The personal texts of the records from `first` to `last`, in order of position.
    fn personal_of(&self, first: u64, last: u64) -> Result<Vec<(u64, Personal)>, LedgerError>;

    /// The entries of these idempotency keys, in the same order; none for a key that was not used.
    fn keys(&self, keys: &[ScopedKey]) -> Result<Vec<Option<KeyEntry>>, LedgerError>;

    /// A snapshot by its name.
    ///
    /// # Errors
    /// [`LedgerError::Damaged`] when it is not what was saved. It can be done without.
    fn snapshot(&self, name: &str) -> Result<Option<Snapshot>, LedgerError>;

    /// The names of all snapshots, in order.
    fn snapshot_names(&self) -> Result<Vec<String>, LedgerError>;

    /// The number of records in a stream.
    fn version(&self, stream: &str) -> Result<u64, LedgerError>;

    /// The known origins (client addresses) of the records from `first` to `last`, in order of position.
    fn origins(&self, first: u64, last: u64) -> Result<Vec<(u64, String)>, LedgerError>;

    /// The store's own clock, when it has one that all processes share.
    fn clock(&self) -> Result<Option<Moment>, LedgerError>;

    /// Subscribes to appends by other processes: a thread calls `wake` whenever there may have been one,
    /// until the returned guard is dropped. A store that only this process appends to never calls it.
    fn watch(&self, wake: Box<dyn Fn() + Send>) -> Result<Box<dyn Send>, LedgerError>;

    /// Copies the whole store, including tokens, into a new SQLite file while it is in use.
    ///
    /// # Errors
    /// Also when the file exists or cannot be written.
    fn backup(&self, file: &Path) -> Result<Head, LedgerError>;
}

/// The callback of a scan, called for each record.
pub type EachRecord<'a> = dyn FnMut(RecordRef<'_>) -> ControlFlow<()> + 'a;

/// Appends to a ledger.
pub trait Writer: Send {
    /// Waits for the write lock, which is held until the result is committed or dropped. After an error the
    /// next call tries again, on a new connection where necessary.
    fn lock(&mut self) -> Result<Box<dyn LockedWriter + '_>, LedgerError>;

    /// Compare-and-append: writes all batches, in order, if the chain ends at `end`, and otherwise nothing;
    /// returns whether it did. The batches are on disk when this returns. Used for decisions made without the
    /// lock.
    ///
    /// # Errors
    /// As [`Writer::lock`] and [`LockedWriter::commit`].
    fn commit_at(&mut self, end: Head, batches: &[&Batch]) -> Result<bool, LedgerError> {
        commit_locked(self, end, batches)
    }

    /// Saves snapshots, each in place of the one with the same name.
    fn save_snapshots(&mut self, snapshots: &[Snapshot]) -> Result<(), LedgerError>;

    /// Deletes idempotency keys first used before this moment.
    fn forget_keys(&mut self, before: Moment) -> Result<(), LedgerError>;
}

/// [`Writer::commit_at`] for any store: takes the lock, compares the end of the chain, and appends.
pub(crate) fn commit_locked(
    writer: &mut (impl Writer + ?Sized),
    end: Head,
    batches: &[&Batch],
) -> Result<bool, LedgerError> {
    let mut locked = writer.lock()?;
    let unchanged = locked.head() == end;
    if unchanged && let [parts @ .., last] = batches {
        parts.iter().try_for_each(|part| locked.append(part))?;
        locked.commit(last)?;
    }
    Ok(unchanged)
}

/// A writer that holds the write lock: nobody else moves the end of the chain until it is committed or
/// dropped.
pub trait LockedWriter {
    /// The end of the chain.
    fn head(&self) -> Head;

    /// The digests of all personal texts of a subject, in order of position.
    fn personal_digests(&mut self, subject: &str) -> Result<Vec<Digest>, LedgerError>;

    /// The number of records by this actor whose origin is known.
    fn origins_of(&mut self, actor: &StreamActor<'_>) -> Result<u64, LedgerError>;

    /// Writes a part of the transaction and moves the head; without a commit nothing of it remains.
    ///
    /// # Errors
    /// Also when the batch does not continue the chain. After an error nothing can be committed.
    fn append(&mut self, batch: &Batch) -> Result<(), LedgerError>;

    /// Waits until everything up to the end of the chain is as durable as a batch that this writer commits: a
    /// replicated store may show records that a standby does not have yet. Ends the lock.
    fn confirm(self: Box<Self>) -> Result<(), LedgerError> {
        Ok(())
    }

    /// Writes the batch and commits: all of it is on disk when this returns, or nothing.
    ///
    /// # Errors
    /// [`LedgerError::CommitUnknown`] when the batch may or may not be on disk; with any other error it is
    /// not.
    fn commit(self: Box<Self>, batch: &Batch) -> Result<(), LedgerError>;
}

/// Records written in one transaction, with the rows that belong to them.
#[derive(Debug, Clone, Default)]
pub struct Batch {
    /// The records, without gaps, chained to the head they were sealed on.
    pub records: Vec<Arc<Record>>,
    /// Personal texts, each with the position of the record it came with.
    pub personal: Vec<(u64, Personal)>,
    /// Idempotency keys used.
    pub keys: Vec<KeyEntry>,
    /// Subjects whose personal texts and origins are to be deleted.
    pub erase: Vec<String>,
    /// Origins of records, by position, in order. Personal data, so not part of any hash.
    pub origins: Vec<(u64, Arc<str>)>,
    /// Changes of tokens, users, codes and sessions.
    pub access: Vec<AccessChange>,
    /// Changes of webhooks.
    pub webhooks: Vec<WebhookChange>,
}

/// Selects the records of one participant: the stream, and the actor within it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamActor<'a> {
    /// The stream.
    pub stream: &'a str,
    /// The actor, as `role:name`.
    pub actor: String,
}

/// Which records a scan reads.
#[derive(Debug, Clone, Copy)]
pub struct Scan<'a> {
    /// Only records of this stream.
    pub stream: Option<&'a str>,
    /// Only records after this position; in a stream, after this version.
    pub after: u64,
    /// The maximal number of records.
    pub limit: u64,
    /// How much of each record is read.
    pub depth: Depth,
}

/// How much of a record to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// What is needed to fold a state: position, stream, kind, time and body. The rest is left blank.
    Facts,
    /// Everything.
    Whole,
}

/// An idempotency key within its scope.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ScopedKey {
    /// Actor and route, so that clients cannot collide.
    pub scope: String,
    /// As the client sent it.
    pub key: String,
}

/// The request that used an idempotency key, and its response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyEntry {
    /// The key.
    pub key: ScopedKey,
    /// Digest of the request, to detect a different request under the same key.
    pub request: Digest,
    /// When the key was first used.
    pub at: Moment,
    /// Position of the first record of the response.
    pub first: u64,
    /// Position of the last record of the response.
    pub last: u64,
}

/// A saved state, so that it need not be folded from the beginning. Only ever an optimisation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// A stream, or a name of the engine's own.
    pub name: String,
    /// The position of the ledger it was taken at.
    pub position: u64,
    /// The hash of the record there, to detect a snapshot of another history.
    pub hash: Digest,
    /// The version of the stream it was taken at.
    pub version: u64,
    /// The edition that wrote it; any other edition discards it.
    pub edition: String,
    /// The serialised state.
    pub body: String,
}

impl Snapshot {
    /// The digest of everything it says, which is stored beside it.
    pub(crate) fn digest(&self) -> Digest {
        let Self { name, position, hash, version, edition, body } = self;
        let length = |text: &str| (text.len() as u64).to_le_bytes();
        let numbers = [position.to_le_bytes(), version.to_le_bytes(), length(name), length(edition)];
        Digest::of_parts(&[&numbers.concat(), &hash.0, name.as_bytes(), edition.as_bytes(), body.as_bytes()])
    }

    /// The snapshot, if it has the digest that was stored beside it.
    pub(crate) fn with_digest(self, stored: &[u8]) -> Result<Self, LedgerError> {
        if self.digest().0 == *stored {
            return Ok(self);
        }
        let problem =
            format!("the snapshot `{}` at position {} is not what was saved", self.name, self.position);
        Err(LedgerError::Damaged(problem))
    }
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

impl<'a> StreamActor<'a> {
    /// Parses a subject such as `contest/spring/ants`; none when it is no participant of a stream.
    #[must_use]
    pub fn of(subject: &'a str) -> Option<Self> {
        let (stream, name) = subject.rsplit_once('/')?;
        stream.contains('/').then(|| Self { stream, actor: format!("participant:{name}") })
    }
}

impl Batch {
    /// The id that its records carry; none without records.
    #[must_use]
    pub fn id(&self) -> Option<BatchId> {
        self.records.first().map(|record| record.batch)
    }

    /// Each record with its origin.
    pub(crate) fn records_with_origins(&self) -> impl Iterator<Item = (&Arc<Record>, Option<&str>)> {
        let mut origins = self.origins.iter().peekable();
        self.records.iter().map(move |record| {
            let origin = origins.next_if(|(position, _)| *position == record.position);
            (record, origin.map(|(_, origin)| &**origin))
        })
    }
}
