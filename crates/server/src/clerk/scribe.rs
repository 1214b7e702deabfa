//! The scribe: writes what the desk has decided, as much at once as there is, while the desk decides on.

use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use super::ClerkError;
use super::pen::{Decided, Fate, Pen};

/// The desk's end of the scribe's thread.
pub(super) struct Scribe {
    pen: Arc<Mutex<Pen>>,
    /// None once the thread is to end.
    work: Option<Sender<Decided>>,
    done: Receiver<Vec<Fate>>,
    thread: Option<JoinHandle<()>>,
}

/// The thread ended in a panic.
pub(super) struct ScribeGone;

impl Scribe {
    /// Starts the thread; it calls `nudge` whenever something could not be written, and ends when this is dropped.
    pub(super) fn start(pen: Pen, nudge: impl Fn() + Send + 'static) -> Result<Self, ClerkError> {
        let (work, batches) = channel::<Decided>();
        let (finished, done) = channel();
        let pen = Arc::new(Mutex::new(pen));
        let held = pen.clone();
        let write = move || {
            while let Ok(first) = batches.recv() {
                let all = std::iter::once(first).chain(batches.try_iter()).collect();
                let fates = held.lock().unwrap_or_else(PoisonError::into_inner).write(all);
                let lost = fates.iter().any(|fate| !matches!(fate, Fate::Written));
                if finished.send(fates).is_err() {
                    break;
                }
                if lost {
                    nudge();
                }
            }
        };
        let thread = std::thread::Builder::new().name("scribe".into()).spawn(write);
        let thread =
            thread.map_err(|error| ClerkError::Broken(format!("no thread for the scribe: {error}")))?;
        Ok(Self { pen, work: Some(work), done, thread: Some(thread) })
    }

    /// Has a batch written after those before it.
    pub(super) fn write(&self, decided: Decided) {
        // A thread that is gone is noticed by whoever waits for it.
        if let Some(work) = &self.work {
            drop(work.send(decided));
        }
    }

    /// What has become of the next batches, when that is known.
    pub(super) fn finished(&self) -> Option<Result<Vec<Fate>, ScribeGone>> {
        match self.done.try_recv() {
            Ok(done) => Some(Ok(done)),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err(ScribeGone)),
        }
    }

    /// Waits for it.
    pub(super) fn wait(&self) -> Result<Vec<Fate>, ScribeGone> {
        self.done.recv().map_err(|_| ScribeGone)
    }

    /// The pen, for whoever knows that nothing is waiting to be written.
    pub(super) fn pen(&self) -> MutexGuard<'_, Pen> {
        self.pen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Scribe {
    /// So that the store is closed before the program ends.
    fn drop(&mut self) {
        drop(self.work.take());
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the scribe ended in a panic");
        }
    }
}
