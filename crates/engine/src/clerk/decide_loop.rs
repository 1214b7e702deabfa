//! The decide loop: decides petitions in batches, hands each batch to the writer thread, and decides the next
//! batch while the previous ones are being written.
//!
//! A batch is decided optimistically on the head of the chain as this process knows it, and written only if
//! the chain still ends there. If another process appended first, the batch is decided again under the writer
//! lock.

mod maintenance;

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::thread::JoinHandle;
use std::time::Duration;

use assize_kernel::{Head, Millis, Moment, StreamId};
use assize_ledger::Ledger;
use tokio::sync::oneshot;

use super::batch::{BatchBuilder, PendingReply};
use super::commit::{BatchOutcome, Committer, SAVE_VIEWS_EVERY, fail};
use super::context::DecideContext;
use super::queue::PetitionReceiver;
use super::start::load_views;
use super::turn::{Turn, TurnOutcome};
use super::writer_thread::{WriterGone, WriterThread};
use super::{ClerkError, ClerkMetrics, ClerkSettings, Inspection, LoopMessage, Views, Waiting};
use crate::live::{Broadcaster, Hub, feed};
use crate::{Clock, Courts};

/// How long idempotency keys are kept.
const KEYS_KEPT: Millis = Millis(24 * 60 * 60 * 1000);
/// Interval at which expired idempotency keys are deleted.
const SWEEP_EVERY: Millis = Millis(10 * 60 * 1000);
/// Delay before deadlines are fired again after a failed write.
const RETRY: Millis = Millis(250);
/// Delay before the ledger is followed again after a failed read.
const FOLLOW_AGAIN: Millis = Millis(1_000);

/// From this number of concurrent clients on, the loop waits for a third of them before it starts a batch:
/// their petitions arrive one after the other, and the first would otherwise be written alone, with a flush
/// of its own.
const BATCHING_FROM: usize = 8;
/// The longest time a petition waits for others to join its batch. Also the interval at which finished writes
/// are polled: waking the loop for every batch would cost more than the delay.
const MAX_BATCH_DELAY: Duration = Duration::from_millis(2);

/// The state of the clerk's thread.
pub(super) struct DecideLoop {
    context: DecideContext,
    views: Arc<RwLock<Views>>,
    live: Arc<Hub>,
    clock: Clock,
    receiver: PetitionReceiver,
    max_batch: usize,
    writer_thread: WriterThread,
    metrics: Arc<ClerkMetrics>,
    /// Head of the chain including batches in flight; `None` when another process may have appended.
    head: Option<Head>,
    /// Another process may have appended.
    behind: bool,
    next_sweep: Moment,
    /// After a failed write or read, no deadlines are fired and the ledger is not followed before this time.
    pause_until: Option<Moment>,
    closing: bool,
    /// Estimated number of concurrent clients.
    concurrency: usize,
    broadcaster: Option<JoinHandle<()>>,
}

impl DecideLoop {
    /// Loads the snapshots, applies the records after them and starts the writer and broadcaster threads. The
    /// writer thread calls `nudge` when a batch was not written.
    pub(super) fn open(
        clock: Clock,
        courts: Arc<Courts>,
        ledger: Arc<dyn Ledger>,
        receiver: PetitionReceiver,
        nudge: impl Fn() + Send + 'static,
        metrics: Arc<ClerkMetrics>,
        settings: ClerkSettings,
    ) -> Result<Self, ClerkError> {
        let views = Arc::new(RwLock::new(load_views(&courts, &*ledger)?));
        let live = Hub::new(courts.clone(), ledger.clone(), views.clone(), clock);
        let (feed, committed) = feed(live.clone());
        let context =
            DecideContext::new(courts, ledger.clone(), views.clone(), feed.clone(), metrics.clone())?;
        let committer = Committer::new(
            ledger,
            views.clone(),
            feed,
            context.courts.editions(),
            metrics.clone(),
            context.access_cursor.revocations(),
            settings.runtime,
        )?;
        let mut decide_loop = Self {
            context,
            views,
            live: live.clone(),
            clock,
            receiver,
            max_batch: settings.batch.min(settings.queue),
            writer_thread: WriterThread::start(committer, nudge)?,
            metrics,
            head: None,
            behind: false,
            next_sweep: clock.now(),
            pause_until: None,
            closing: false,
            concurrency: 0,
            broadcaster: None,
        };
        decide_loop.catch_up()?;
        decide_loop.log_overdue();
        decide_loop.save_views(SAVE_VIEWS_EVERY);
        let broadcaster = Broadcaster::start(live, committed);
        let broadcaster = broadcaster
            .map_err(|error| ClerkError::Broken(format!("no thread for the broadcaster: {error}")))?;
        decide_loop.broadcaster = Some(broadcaster);
        Ok(decide_loop)
    }

    pub(super) fn views(&self) -> Arc<RwLock<Views>> {
        self.views.clone()
    }

    pub(super) fn live(&self) -> Arc<Hub> {
        self.live.clone()
    }

    pub(super) fn revocations(&self) -> Arc<AtomicU64> {
        self.context.access_cursor.revocations()
    }

    /// Runs until it is told to close, then finishes the petitions in the queue.
    pub(super) fn run(mut self) {
        while !self.closing || self.receiver.petitions() > 0 {
            let petitions = self.receive();
            self.poll_writer();
            self.decide(petitions);
            self.run_maintenance();
        }
        self.settle();
        self.save_views(1);
        let broadcaster = self.broadcaster.take();
        // Dropping the feed ends the broadcaster; the store is closed with its last user.
        drop(self);
        if broadcaster.is_some_and(|broadcaster| broadcaster.join().is_err()) {
            tracing::error!("the broadcaster thread panicked");
        }
    }

    /// Waits for petitions, messages or a deadline. Handles the messages and returns the petitions, up to a
    /// batch.
    fn receive(&mut self) -> Vec<Waiting> {
        while self.context.waiting() + self.context.waiting_inspections() >= self.max_batch {
            self.wait_for_writer();
        }
        let most = self.max_batch - self.context.waiting();
        let (messages, petitions) =
            self.receiver.take(self.wake_at(), most, MAX_BATCH_DELAY, self.idle_timeout());
        if petitions.is_empty() && messages.is_empty() && self.context.in_flight.is_empty() {
            self.concurrency = 0; // The clients have gone.
        }
        self.metrics.waiting.dec_by(i64::try_from(petitions.len()).unwrap_or(i64::MAX));
        for message in messages {
            match message {
                LoopMessage::Inspect(inspection) => self.inspect(inspection),
                LoopMessage::Probe(reply) => self.probe(reply),
                LoopMessage::Wake => self.behind = true,
                LoopMessage::Lost => {}
                LoopMessage::Close => self.closing = true,
            }
        }
        petitions
    }

    /// Number of petitions to wait for before a batch is started.
    const fn wake_at(&self) -> usize {
        if self.concurrency >= BATCHING_FROM && !self.closing { self.concurrency / 3 } else { 1 }
    }

    /// Time until the loop has to wake up without a petition.
    fn idle_timeout(&self) -> Duration {
        const LONGEST: i64 = 60_000;
        // Finished writes are polled; the batch in flight may move the next deadline.
        if !self.context.in_flight.is_empty() {
            return MAX_BATCH_DELAY;
        }
        let next = match (self.read_views().next_deadline(), self.pause_until) {
            (_, Some(pause)) if self.behind => Some(pause),
            (Some(deadline), Some(pause)) => Some(deadline.max(pause)),
            (deadline, _) => deadline,
        };
        let wait = next.map_or(LONGEST, |next| (next - self.clock.now()).0.clamp(0, LONGEST));
        Duration::from_millis(wait.unsigned_abs())
    }

    /// Decides petitions and due deadlines, and hands the batch to the writer thread.
    fn decide(&mut self, petitions: Vec<Waiting>) {
        let due = self.due();
        if petitions.is_empty() && due.is_empty() {
            return;
        }
        let Some(head) = self.head else { return self.decide_locked(petitions, due) };
        let context = &mut self.context;
        let now = self.clock.now();
        let mut builder = BatchBuilder::begin(context, head);
        builder.decide_all(context, petitions);
        builder.fire_due(context, due, now);
        let broken = builder.has_broken();
        let decided = builder.close(context, now);
        self.head = Some(decided.head);
        self.writer_thread.write(decided);
        if broken {
            // The stream is reloaded from disk, so everything decided must be there.
            self.settle();
        }
    }

    /// Decides and writes a batch under the writer lock, so that it cannot be overtaken.
    fn decide_locked(&mut self, mut petitions: Vec<Waiting>, due: Vec<StreamId>) {
        let context = &mut self.context;
        let now = self.clock.now();
        let mut committer = self.writer_thread.committer();
        let decided = loop {
            let turn = Turn { petitions: &mut petitions, due: &due, now, metrics: &self.metrics };
            match turn.take(&mut *committer.writer, context) {
                Ok(TurnOutcome::Decided(decided, committed)) => break Ok((decided, committed)),
                // Rebuilt without the lock, because that takes long.
                Ok(TurnOutcome::OtherHistory(head)) => match context.rebuild(head) {
                    Ok(()) => {}
                    Err(error) => break Err(error),
                },
                Err(error) => break Err(error),
            }
        };
        let outcomes = match decided {
            Ok((decided, committed)) => {
                self.head = Some(decided.head);
                committer.conclude(vec![*decided], committed)
            }
            Err(error) => vec![fail(petitions.into_iter().map(|(_, reply)| reply), &error, &self.metrics)],
        };
        drop(committer);
        self.handle_batches(outcomes);
    }

    fn poll_writer(&mut self) {
        while let Some(finished) = self.writer_thread.finished() {
            self.handle_outcomes(finished);
        }
    }

    fn wait_for_writer(&mut self) {
        let finished = self.writer_thread.wait();
        self.handle_outcomes(finished);
    }

    fn handle_outcomes(&mut self, finished: Result<Vec<BatchOutcome>, WriterGone>) {
        match finished {
            Ok(outcomes) => self.handle_batches(outcomes),
            Err(WriterGone) => {
                self.context.in_flight.clear();
                self.receiver.close();
                self.closing = true;
            }
        }
    }

    /// Handles the outcomes of written batches. When one failed or was overtaken, the batches decided on top
    /// of it are invalid too: all batches in flight are discarded, and overtaken petitions are decided again.
    fn handle_batches(&mut self, mut outcomes: Vec<BatchOutcome>) {
        let mut lost = 0;
        let mut again = Vec::new();
        loop {
            for outcome in outcomes {
                match outcome {
                    BatchOutcome::Written => self.batch_written(),
                    BatchOutcome::Failed => lost += 1,
                    BatchOutcome::Overtaken(replies) => {
                        lost += 1;
                        again.extend(replies.into_iter().map(PendingReply::into_waiting));
                    }
                }
            }
            if lost == 0 {
                return;
            }
            if lost >= self.context.in_flight.len() {
                break;
            }
            outcomes = match self.writer_thread.wait() {
                Ok(outcomes) => outcomes,
                Err(gone) => return self.handle_outcomes(Err(gone)),
            };
        }
        self.head = None;
        self.context.discard_in_flight();
        if again.is_empty() {
            self.pause_until = Some(self.clock.now() + RETRY);
        } else {
            self.decide_locked(again, Vec::new());
        }
    }

    fn batch_written(&mut self) {
        if let Some(batch) = self.context.in_flight.pop_front() {
            self.context.written(batch.head);
            batch.inspections.into_iter().for_each(Inspection::answer);
            let concurrency = batch.waiting + self.context.waiting() + self.receiver.petitions();
            // Decays slowly: one small batch among large ones does not mean that the clients have gone.
            self.concurrency = concurrency.max(self.concurrency * 3 / 4);
        }
        self.pause_until = None;
    }

    /// Waits until no batch is in flight.
    fn settle(&mut self) {
        while !self.context.in_flight.is_empty() {
            self.wait_for_writer();
        }
    }

    /// Reads the state of a stream, without waiting for the writer thread.
    fn inspect(&mut self, inspection: Inspection) {
        self.metrics.waiting.dec();
        self.poll_writer();
        self.context.inspect(inspection);
    }

    /// Health check: replies whether the store can be written.
    fn probe(&mut self, reply: oneshot::Sender<Result<(), String>>) {
        self.metrics.waiting.dec();
        self.settle();
        // The caller may have dropped the receiving end.
        drop(reply.send(self.writer_thread.committer().probe()));
    }

    fn due(&self) -> Vec<StreamId> {
        let now = self.clock.now();
        if !self.context.in_flight.is_empty() || self.pause_until.is_some_and(|pause| now < pause) {
            return Vec::new();
        }
        self.read_views().due(now, self.max_batch)
    }

    fn read_views(&self) -> RwLockReadGuard<'_, Views> {
        self.views.read().unwrap_or_else(PoisonError::into_inner)
    }
}
