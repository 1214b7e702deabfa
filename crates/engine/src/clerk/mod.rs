//! The clerk: the single writer of a process. Petitions are decided in order by the decide loop, written in
//! batches by the writer thread (group commit), and answered once they are on disk.

mod access_cursor;
mod access_records;
mod batch;
mod commit;
mod context;
mod decide_loop;
mod fold;
mod inspection;
mod metrics;
mod queue;
mod raw_log;
mod repeated;
mod revising;
mod rulebooks;
mod snapshots;
mod start;
mod store_health;
mod stream_cache;
mod turn;
mod views;
mod writer_thread;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, RwLock, RwLockReadGuard};
use std::thread::JoinHandle;

use assize_kernel::{Actor, AnyCommand, AnyRulebook, Digest, Moment, Personal, Record, Refusal, StreamId};
use assize_ledger::{Ledger, LedgerError, ScopedKey};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use crate::access::{AccessCommand, NewToken, access_stream};
use crate::{Clock, Courts, Hub};
use decide_loop::DecideLoop;
pub use fold::{Rebuilt, rebuild};
use inspection::Inspection;
pub use metrics::ClerkMetrics;
use queue::{PetitionSender, SendError, petition_queue};
pub use raw_log::{MEDIA, RAW_LOG, RawEntry};
pub use revising::Revise;
pub use rulebooks::{RULEBOOKS, RulebookIndex};
pub use snapshots::verify_snapshots;
pub use views::{BoardView, Views};

/// A handle to the clerk; cheap to clone.
///
/// # Examples
/// ```
/// use std::sync::Arc;
///
/// use assize_courts::contest::ContestCommand;
/// use assize_engine::{Clerk, ClerkSettings, Courts, Petition};
/// use assize_kernel::{Actor, Role};
/// use assize_ledger::MemoryLedger;
///
/// # async fn open() -> Result<(), Box<dyn std::error::Error>> {
/// let courts = Arc::new(Courts::shipped()?);
/// let ledger = Arc::new(MemoryLedger::new());
/// let (clerk, thread) = Clerk::start(courts, ledger, ClerkSettings::default())?;
///
/// let command = ContestCommand::OpenContest { name: "Spring".into() };
/// let organiser = Actor::new(Role::Admin, "anna");
/// let petition = Petition::new("contest/spring".parse()?, Box::new(command), organiser, clerk.now());
/// let answer = clerk.submit(petition).await?;
/// assert_eq!(answer.records[0].draft.kind, "ContestOpened");
/// thread.close();
/// # Ok(())
/// # }
/// # tokio::runtime::Runtime::new().unwrap().block_on(open()).unwrap();
/// ```
#[derive(Clone)]
pub struct Clerk {
    queue: PetitionSender,
    views: Arc<RwLock<Views>>,
    live: Arc<Hub>,
    clock: Clock,
    metrics: Arc<ClerkMetrics>,
    revocations: Arc<AtomicU64>,
}

/// A request to change a stream.
pub struct Petition {
    /// The stream it concerns.
    pub stream: StreamId,
    /// A command of the stream's court, [`Revise`], [`RawEntry`], or an [`AccessCommand`] for the access
    /// stream.
    pub command: AnyCommand,
    /// The actor that submits it.
    pub actor: Actor,
    /// When it was received.
    pub at: Moment,
    /// The rulebook for a stream that this petition opens; `None` for the court's default.
    pub rulebook: Option<AnyRulebook>,
    /// Personal texts that the command names by their digests.
    pub personal: Vec<Personal>,
    /// The idempotency key: a repeated request gets the first answer.
    pub key: Option<RequestKey>,
    /// Client address and request id. Personal data, so it is stored where it can be erased.
    pub origin: Option<Arc<str>>,
    /// A token to issue with it, unless the petition is refused.
    pub token: Option<NewToken>,
}

impl Petition {
    /// A petition with a command and no options.
    #[must_use]
    pub fn new(stream: StreamId, command: AnyCommand, actor: Actor, at: Moment) -> Self {
        Self {
            stream,
            command,
            actor,
            at,
            rulebook: None,
            personal: Vec::new(),
            key: None,
            origin: None,
            token: None,
        }
    }

    /// A petition to change users, tokens or codes.
    #[must_use]
    pub fn for_access(command: AccessCommand, actor: Actor, at: Moment) -> Self {
        Self::new(access_stream(), Box::new(command), actor, at)
    }
}

/// An idempotency key with the digest of its request.
#[derive(Debug, Clone)]
pub struct RequestKey {
    /// The key and its scope.
    pub key: ScopedKey,
    /// Digest of the request.
    pub request: Digest,
}

/// The answer to a petition; its records are on disk.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The recorded events.
    pub records: Vec<Arc<Record>>,
    /// Whether the request was a repetition of an earlier one.
    pub repeated: bool,
}

/// Why a petition failed.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ClerkError {
    /// The court refused it.
    #[error(transparent)]
    Refused(Refusal),
    /// The idempotency key was used for another request.
    #[error("this idempotency key was used for another request")]
    KeyReused,
    /// The queue is full; nothing was done.
    #[error("too many requests are waiting; nothing was done, try again in a moment")]
    QueueFull,
    /// The store cannot be written; nothing was done.
    #[error("the ledger cannot be written: {0}")]
    Unavailable(String),
    /// The connection to the store broke during the commit, and the outcome could not be checked in time.
    #[error("it is not known whether this was recorded: {0}; repeat it with the same idempotency key")]
    Unknown(String),
    /// The clerk is shutting down; nothing was done.
    #[error("the server is stopping; nothing was done")]
    Closing,
    /// The ledger cannot be read, or was altered.
    #[error("{0}; `assize ledger verify` says what is wrong with the ledger")]
    Damaged(String),
    /// A bug or another internal error.
    #[error("internal error: {0}")]
    Broken(String),
}

/// Settings of the clerk.
#[derive(Debug, Clone)]
pub struct ClerkSettings {
    /// Capacity of the queue, and the largest number of petitions that are decided but not yet written.
    pub queue: usize,
    /// Largest number of petitions in a batch.
    pub batch: usize,
    /// Runtime on which the replies of a batch are sent by one task, best the one that awaits them. With
    /// `None`, the writer thread sends each reply.
    pub runtime: Option<Handle>,
}

/// The thread of the decide loop; dropping this closes the clerk after the petitions in the queue.
pub struct ClerkThread {
    queue: PetitionSender,
    thread: Option<JoinHandle<()>>,
}

/// Messages to the decide loop other than petitions.
enum LoopMessage {
    Inspect(Inspection),
    /// Health check of the store.
    Probe(oneshot::Sender<Result<(), String>>),
    /// Another process may have appended.
    Wake,
    /// A batch was not written: wakes the loop to handle it.
    Lost,
    Close,
}

/// A petition with its reply channel. Boxed, because it is large and moved several times.
type Waiting = (Box<Petition>, ReplySender);

type ReplySender = oneshot::Sender<Result<Answer, ClerkError>>;

impl Default for ClerkSettings {
    fn default() -> Self {
        Self { queue: 16_384, batch: 1_024, runtime: None }
    }
}

impl Clerk {
    /// Loads the views from the ledger and starts the clerk.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    pub fn start(
        courts: Arc<Courts>,
        ledger: Arc<dyn Ledger>,
        settings: ClerkSettings,
    ) -> Result<(Self, ClerkThread), ClerkError> {
        let clock = start::start_clock(&*ledger)?;
        Self::start_by(clock, courts, ledger, settings)
    }

    /// Starts the clerk with the given clock.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    pub fn start_by(
        clock: Clock,
        courts: Arc<Courts>,
        ledger: Arc<dyn Ledger>,
        settings: ClerkSettings,
    ) -> Result<(Self, ClerkThread), ClerkError> {
        let (queue, receiver) = petition_queue(settings.queue);
        // If the queue is full, the loop is awake anyway.
        let wake = |message: fn() -> LoopMessage| {
            let queue = queue.clone();
            move || drop(queue.send_message(message()))
        };
        let lost = wake(|| LoopMessage::Lost);
        let metrics = Arc::new(ClerkMetrics::default());
        let decide_loop =
            DecideLoop::open(clock, courts, ledger.clone(), receiver, lost, metrics.clone(), settings)?;
        let clerk = Self {
            queue: queue.clone(),
            views: decide_loop.views(),
            live: decide_loop.live(),
            clock,
            metrics,
            revocations: decide_loop.revocations(),
        };
        let watch = ledger.watch(Box::new(wake(|| LoopMessage::Wake)))?;
        let work = move || {
            decide_loop.run();
            drop(watch);
        };
        let thread = std::thread::Builder::new().name("clerk".into()).spawn(work);
        let thread =
            thread.map_err(|error| ClerkError::Broken(format!("no thread for the clerk: {error}")))?;
        Ok((clerk, ClerkThread { queue, thread: Some(thread) }))
    }

    /// The current time of the clerk's clock.
    #[must_use]
    pub fn now(&self) -> Moment {
        self.clock.now()
    }

    /// Incremented on every revocation; caches compare it.
    #[must_use]
    pub fn revocations(&self) -> u64 {
        self.revocations.load(Ordering::Acquire)
    }

    /// Submits a petition and waits until it is decided and on disk.
    ///
    /// # Errors
    /// When the petition was refused or could not be written.
    pub async fn submit(&self, petition: Petition) -> Result<Answer, ClerkError> {
        let (reply, answer) = oneshot::channel();
        self.counted(|queue| queue.send((Box::new(petition), reply)))?;
        answer.await.map_err(|_| ClerkError::Closing)?
    }

    /// Reads the state of a stream as it is on disk. `S` is the state type of the stream's court. `look` is
    /// called again when what it saw was not written after all.
    ///
    /// # Errors
    /// When the stream cannot be read.
    pub async fn inspect<S: 'static, T: Send + 'static>(
        &self,
        stream: StreamId,
        look: impl Fn(&S) -> T + Send + 'static,
    ) -> Result<T, ClerkError> {
        let (inspection, answer) = Inspection::new(stream, look);
        self.counted(|queue| queue.send_message(LoopMessage::Inspect(inspection)))?;
        answer.await.map_err(|_| ClerkError::Closing)?
    }

    /// The views: boards, streams and deadlines.
    pub fn views(&self) -> RwLockReadGuard<'_, Views> {
        self.views.read().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// The clerk's metrics.
    pub fn metrics(&self) -> &ClerkMetrics {
        &self.metrics
    }

    /// The hub of live events.
    #[must_use]
    pub fn live(&self) -> &Arc<Hub> {
        &self.live
    }

    /// Sends to the queue and counts it as waiting; the decide loop counts it down.
    fn counted(&self, send: impl FnOnce(&PetitionSender) -> Result<(), SendError>) -> Result<(), ClerkError> {
        self.metrics.waiting.inc();
        send(&self.queue).map_err(|error| {
            self.metrics.waiting.dec();
            match error {
                SendError::Full => ClerkError::QueueFull,
                SendError::Closed => ClerkError::Closing,
            }
        })
    }
}

impl ClerkThread {
    /// Finishes the petitions in the queue, saves the views and stops.
    pub fn close(mut self) {
        self.finish();
    }

    fn finish(&mut self) {
        if let Some(thread) = self.thread.take() {
            // Fails only if the loop has ended already.
            drop(self.queue.send_message(LoopMessage::Close));
            if thread.join().is_err() {
                tracing::error!("the clerk thread panicked");
            }
        }
    }
}

impl Drop for ClerkThread {
    fn drop(&mut self) {
        self.finish();
    }
}

impl From<LedgerError> for ClerkError {
    fn from(error: LedgerError) -> Self {
        match error {
            LedgerError::Unavailable(problem) => Self::Unavailable(problem),
            LedgerError::CommitUnknown(problem) => Self::Unknown(problem),
            LedgerError::Damaged(problem) => Self::Damaged(problem),
            other => Self::Broken(other.to_string()),
        }
    }
}
