//! The clerk: everything that changes goes through one task per process, in order, and onto disk before it is
//! answered.

mod cabinet;
mod desk;
mod entering;
mod figures;
mod fold;
mod inbox;
mod keeping;
mod pen;
mod pulse;
mod revising;
mod room;
mod scribe;
mod shelf;
mod sitting;
mod standing;
mod trail;
mod views;

use std::any::Any;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, RwLock, RwLockReadGuard};
use std::thread::JoinHandle;

use assize_kernel::{Actor, AnyCommand, AnyRulebook, Digest, Moment, Personal, Record, Refusal, StreamId};
use assize_ledger::{Key, Ledger, LedgerError};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use crate::access::{AccessCommand, NewToken, access_stream};
use crate::{Clock, Courts, Hub};
use desk::Desk;
pub(crate) use figures::Figures;
pub use fold::{Rebuilt, rebuild};
use inbox::{NotTaken, Slot, inbox};
pub(crate) use keeping::{MEDIA, NOTEBOOK, Note};
pub use revising::Revise;
pub(crate) use shelf::{RULEBOOKS, Shelf};
pub use views::{BoardView, Views};

/// Hands work to the clerk; cheap to clone.
#[derive(Clone)]
pub struct Clerk {
    queue: Slot,
    views: Arc<RwLock<Views>>,
    live: Arc<Hub>,
    clock: Clock,
    figures: Arc<Figures>,
    losses: Arc<AtomicU64>,
}

/// What somebody wants done.
pub struct Petition {
    /// The stream it concerns.
    pub stream: StreamId,
    /// What is to be done: a command of the stream's court, [`Revise`], or an [`AccessCommand`] in the engine's own
    /// stream.
    pub command: AnyCommand,
    /// Who wants it.
    pub actor: Actor,
    /// When it was received.
    pub at: Moment,
    /// The rulebook for a stream that this opens; its court's default otherwise.
    pub rulebook: Option<AnyRulebook>,
    /// Personal texts that the command names by their digests.
    pub personal: Vec<Personal>,
    /// So that a repeated request gets the first answer.
    pub key: Option<RequestKey>,
    /// From where it came; personal, and kept where it can be erased.
    pub origin: Option<Arc<str>>,
    /// A token to be given out with it, if it is not refused.
    pub token: Option<NewToken>,
}

impl Petition {
    /// A command for a stream's court, and nothing beside it.
    #[must_use]
    pub fn new(stream: StreamId, command: AnyCommand, actor: Actor, at: Moment) -> Self {
        let (rulebook, personal, key, origin, token) = (None, Vec::new(), None, None, None);
        Self { stream, command, actor, at, rulebook, personal, key, origin, token }
    }

    /// To change who may come in.
    #[must_use]
    pub fn for_access(command: AccessCommand, actor: Actor, at: Moment) -> Self {
        Self::new(access_stream(), Box::new(command), actor, at)
    }
}

/// An idempotency key with what was asked under it.
#[derive(Debug, Clone)]
pub struct RequestKey {
    /// Whose, and which.
    pub key: Key,
    /// Digest of the request.
    pub request: Digest,
}

/// What came of a petition: it is on disk.
#[derive(Debug, Clone)]
pub struct Answer {
    /// What was recorded.
    pub records: Vec<Arc<Record>>,
    /// Whether this had been answered before.
    pub repeated: bool,
}

/// Why a petition has no answer.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ClerkError {
    /// It was not taken up.
    #[error(transparent)]
    Refused(Refusal),
    /// The same idempotency key came with another request.
    #[error("this idempotency key was used for another request")]
    KeyReused,
    /// More is waiting than can be taken; nothing was done.
    #[error("too many requests are waiting; nothing was done, try again in a moment")]
    QueueFull,
    /// The store cannot be written; nothing was done.
    #[error("the ledger cannot be written: {0}")]
    Unavailable(String),
    /// The store went away during the commit and did not come back in time to look.
    #[error("it is not known whether this was recorded: {0}; repeat it with the same idempotency key")]
    Unknown(String),
    /// The program is stopping; nothing was done.
    #[error("the server is stopping; nothing was done")]
    Closing,
    /// What the ledger holds cannot be read, or is not what was written.
    #[error("{0}; `assize ledger verify` says what is wrong with the ledger")]
    Damaged(String),
    /// Our fault.
    #[error("internal error: {0}")]
    Broken(String),
}

/// How the clerk works.
#[derive(Debug, Clone)]
pub struct Settings {
    /// How many petitions may wait.
    pub queue: usize,
    /// How many are decided and written together at most.
    pub batch: usize,
    /// Where answers are given, all of a batch in one go; none gives them from the clerk's own thread, one by one.
    /// Whoever waits for an answer must be waiting there.
    pub runtime: Option<Handle>,
}

/// The clerk's own thread; ends when told to, after everything it had taken.
pub struct ClerkThread {
    queue: Slot,
    thread: Option<JoinHandle<()>>,
}

/// What the desk is told beside petitions.
enum Message {
    Inspect(StreamId, Inspection),
    /// Whether the store can be written.
    Probe(oneshot::Sender<Result<(), String>>),
    /// Another process may have appended.
    Wake,
    /// A batch could not be written as it was decided.
    Lost,
    Close,
}

/// A petition with whoever waits for its answer. In a box, because it changes hands several times and is large.
type Waiting = (Box<Petition>, Reply);

type Reply = oneshot::Sender<Result<Answer, ClerkError>>;

type Inspection = Box<dyn FnOnce(Result<&dyn Any, ClerkError>) + Send>;

impl Default for Settings {
    fn default() -> Self {
        Self { queue: 16_384, batch: 1_024, runtime: None }
    }
}

impl Clerk {
    /// Reads what is needed from the ledger and starts working.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    pub fn start(
        courts: Arc<Courts>,
        ledger: Arc<dyn Ledger>,
        settings: Settings,
    ) -> Result<(Self, ClerkThread), ClerkError> {
        let clock = desk::start_clock(&*ledger)?;
        Self::start_by(clock, courts, ledger, settings)
    }

    /// The same by another clock than the process's own.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    pub fn start_by(
        clock: Clock,
        courts: Arc<Courts>,
        ledger: Arc<dyn Ledger>,
        settings: Settings,
    ) -> Result<(Self, ClerkThread), ClerkError> {
        let (queue, inbox) = inbox(settings.queue);
        // A full queue needs no waking.
        let wake = |message: fn() -> Message| {
            let queue = queue.clone();
            move || drop(queue.say(message()))
        };
        let lost = wake(|| Message::Lost);
        let figures = Arc::new(Figures::default());
        let incoming = (inbox, lost, figures.clone());
        let desk = Desk::open(clock, (courts, ledger.clone()), incoming, settings)?;
        let (views, live, losses) = (desk.views(), desk.live(), desk.losses());
        let clerk = Self { queue: queue.clone(), views, live, clock, figures, losses };
        let watch = ledger.watch(Box::new(wake(|| Message::Wake)))?;
        let work = move || {
            desk.work();
            drop(watch);
        };
        let thread = std::thread::Builder::new().name("clerk".into()).spawn(work);
        let thread =
            thread.map_err(|error| ClerkError::Broken(format!("no thread for the clerk: {error}")))?;
        Ok((clerk, ClerkThread { queue, thread: Some(thread) }))
    }

    /// What time it is.
    #[must_use]
    pub fn now(&self) -> Moment {
        self.clock.now()
    }

    /// A number that moves whenever somebody who could come in may not be able to any more.
    #[must_use]
    pub fn losses(&self) -> u64 {
        self.losses.load(Ordering::Acquire)
    }

    /// Has a petition decided and recorded.
    ///
    /// # Errors
    /// When it was refused, or could not be done.
    pub async fn hear(&self, petition: Petition) -> Result<Answer, ClerkError> {
        let (reply, answer) = oneshot::channel();
        self.counted(|queue| queue.petition((Box::new(petition), reply)))?;
        answer.await.map_err(|_| ClerkError::Closing)?
    }

    /// Looks at the state of a stream, as it is on disk. `S` is the state of the stream's court.
    ///
    /// # Errors
    /// When the stream cannot be read.
    pub async fn inspect<S: 'static, T: Send + 'static>(
        &self,
        stream: StreamId,
        look: impl FnOnce(&S) -> T + Send + 'static,
    ) -> Result<T, ClerkError> {
        let (reply, answer) = oneshot::channel();
        let inspection = move |state: Result<&dyn Any, ClerkError>| {
            let seen = state.and_then(|state| match state.downcast_ref::<S>() {
                Some(state) => Ok(look(state)),
                None => Err(ClerkError::Broken("a state of another court".into())),
            });
            // Whoever asked may have gone.
            drop(reply.send(seen));
        };
        self.counted(|queue| queue.say(Message::Inspect(stream, Box::new(inspection))))?;
        answer.await.map_err(|_| ClerkError::Closing)?
    }

    /// The boards.
    pub fn views(&self) -> RwLockReadGuard<'_, Views> {
        self.views.read().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// What is counted while it works.
    pub(crate) fn figures(&self) -> &Figures {
        &self.figures
    }

    /// Whoever listens to what happens.
    #[must_use]
    pub fn live(&self) -> &Arc<Hub> {
        &self.live
    }

    /// Counts among those who wait whatever is put in.
    fn counted(&self, put: impl FnOnce(&Slot) -> Result<(), NotTaken>) -> Result<(), ClerkError> {
        self.figures.waiting.inc();
        put(&self.queue).map_err(|not_taken| {
            self.figures.waiting.dec();
            match not_taken {
                NotTaken::Full => ClerkError::QueueFull,
                NotTaken::Closed => ClerkError::Closing,
            }
        })
    }
}

impl ClerkThread {
    /// Finishes what has been taken, saves snapshots and stops.
    pub fn close(mut self) {
        self.finish();
    }

    fn finish(&mut self) {
        if let Some(thread) = self.thread.take() {
            // When the desk is gone there is nobody left to tell.
            drop(self.queue.say(Message::Close));
            if thread.join().is_err() {
                tracing::error!("the clerk ended in a panic");
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
