//! The writer thread: commits decided batches, all that are waiting with one flush, while the loop decides
//! the next.

use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use super::ClerkError;
use super::commit::{BatchOutcome, Committer, DecidedBatch};

/// The decide loop's handle to the writer thread.
pub(super) struct WriterThread {
    committer: Arc<Mutex<Committer>>,
    /// `None` once the thread is told to end.
    work: Option<Sender<DecidedBatch>>,
    done: Receiver<Vec<BatchOutcome>>,
    thread: Option<JoinHandle<()>>,
}

/// The thread panicked.
pub(super) struct WriterGone;

impl WriterThread {
    /// Starts the thread. It calls `nudge` when a batch was not written, and ends when this handle is
    /// dropped.
    pub(super) fn start(committer: Committer, nudge: impl Fn() + Send + 'static) -> Result<Self, ClerkError> {
        let (work, batches) = channel::<DecidedBatch>();
        let (finished, done) = channel();
        let committer = Arc::new(Mutex::new(committer));
        let held = committer.clone();
        let write = move || {
            while let Ok(first) = batches.recv() {
                let all = std::iter::once(first).chain(batches.try_iter()).collect();
                let outcomes = held.lock().unwrap_or_else(PoisonError::into_inner).write(all);
                let lost = outcomes.iter().any(|outcome| !matches!(outcome, BatchOutcome::Written));
                if finished.send(outcomes).is_err() {
                    break;
                }
                if lost {
                    nudge();
                }
            }
        };
        let thread = std::thread::Builder::new().name("writer".into()).spawn(write);
        let thread =
            thread.map_err(|error| ClerkError::Broken(format!("no thread for the writer: {error}")))?;
        Ok(Self { committer, work: Some(work), done, thread: Some(thread) })
    }

    /// Queues a batch for writing.
    pub(super) fn write(&self, decided: DecidedBatch) {
        // If the thread is gone, `finished` and `wait` report it.
        if let Some(work) = &self.work {
            drop(work.send(decided));
        }
    }

    /// Polls for the outcomes of the next batches.
    pub(super) fn finished(&self) -> Option<Result<Vec<BatchOutcome>, WriterGone>> {
        match self.done.try_recv() {
            Ok(done) => Some(Ok(done)),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err(WriterGone)),
        }
    }

    /// Waits for the outcomes of the next batches.
    pub(super) fn wait(&self) -> Result<Vec<BatchOutcome>, WriterGone> {
        self.done.recv().map_err(|_| WriterGone)
    }

    /// Locks the committer. Only for use while no batch is in flight.
    pub(super) fn committer(&self) -> MutexGuard<'_, Committer> {
        self.committer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for WriterThread {
    /// Joins the thread, so that the store is closed before the process ends.
    fn drop(&mut self) {
        drop(self.work.take());
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the writer thread panicked");
        }
    }
}
