//! Group commit: decided batches are written with one flush, applied to the views, broadcast, then answered.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use assize_kernel::{Head, Moment, PlacedChange, RECORD_REVISED, StreamId};
use assize_ledger::{AccessChange, Batch, Ledger, LedgerError, LockedWriter, Scan, Snapshot, Writer};

use tokio::runtime::Handle;

use super::batch::PendingReply;
use super::metrics::VerdictCounter;
use super::{ClerkError, ClerkMetrics, ReplySender, Views};
use crate::live::Feed;

/// Name of the snapshot that holds the views.
pub(super) const VIEWS: &str = "assize/views";
/// Number of records after which the views are saved again.
pub(super) const SAVE_VIEWS_EVERY: u64 = 100_000;

/// Writes and publishes batches; there is one per process.
pub(super) struct Committer {
    pub(super) writer: Box<dyn Writer>,
    ledger: Arc<dyn Ledger>,
    views: Arc<RwLock<Views>>,
    /// The feed of the broadcaster.
    feed: Feed,
    /// The editions of the courts; views saved under other editions are not loaded.
    editions: String,
    /// Position at which the views were last saved.
    saved: u64,
    pub(super) metrics: Arc<ClerkMetrics>,
    verdict_counter: VerdictCounter,
    /// Incremented on every revocation.
    revocations: Arc<AtomicU64>,
    /// Runtime on which the replies of a batch are sent.
    runtime: Option<Handle>,
}

/// A batch with everything to publish once it is on disk.
pub(super) struct DecidedBatch {
    /// Head of the chain that the batch was decided on.
    pub(super) base: Head,
    /// Head of the chain including the batch.
    pub(super) head: Head,
    pub(super) batch: Batch,
    pub(super) changes: Vec<PlacedChange>,
    pub(super) deadlines: Vec<(StreamId, Option<Moment>)>,
    pub(super) snapshots: Vec<Snapshot>,
    pub(super) replies: Vec<PendingReply>,
}

/// The outcome of writing a batch.
pub(super) enum BatchOutcome {
    /// It is on disk, published and answered.
    Written,
    /// It is not on disk; its petitions were answered with an error.
    Failed,
    /// Another process appended first; its petitions must be decided again.
    Overtaken(Vec<PendingReply>),
}

impl Committer {
    pub(super) fn new(
        ledger: Arc<dyn Ledger>,
        views: Arc<RwLock<Views>>,
        feed: Feed,
        editions: String,
        metrics: Arc<ClerkMetrics>,
        revocations: Arc<AtomicU64>,
        runtime: Option<Handle>,
    ) -> Result<Self, LedgerError> {
        let saved = views.read().unwrap_or_else(PoisonError::into_inner).position();
        Ok(Self {
            writer: ledger.writer()?,
            ledger,
            views,
            feed,
            editions,
            saved,
            metrics,
            verdict_counter: VerdictCounter::default(),
            revocations,
            runtime,
        })
    }

    /// Writes batches that were decided on top of each other with one flush. They are all overtaken if
    /// another process appended since they were decided.
    pub(super) fn write(&mut self, all: Vec<DecidedBatch>) -> Vec<BatchOutcome> {
        let Some(base) = all.first().map(|decided| decided.base) else { return Vec::new() };
        match self.commit_at(base, &all) {
            Ok(false) => all.into_iter().map(|decided| BatchOutcome::Overtaken(decided.replies)).collect(),
            committed => self.conclude(all, committed.map(|_| ())),
        }
    }

    /// Commits the batches if the chain still ends at `base`, and returns whether it did. Batches without
    /// records are checked too: a refusal is only valid on the state it was decided on, and a repeated answer
    /// promises that its records are durable.
    fn commit_at(&mut self, base: Head, all: &[DecidedBatch]) -> Result<bool, LedgerError> {
        let batches: Vec<_> = all.iter().map(|decided| &decided.batch).collect();
        let records = batches.iter().map(|batch| batch.records.len()).sum();
        if records == 0 {
            let locked = self.writer.lock()?;
            let stands = locked.head() == base;
            if stands && all.iter().any(DecidedBatch::has_repeated) {
                confirm(locked)?;
            }
            return Ok(stands);
        }
        let started = Instant::now();
        let stands = self.writer.commit_at(base, &batches)?;
        if stands {
            self.metrics.committed(records, started.elapsed());
        }
        Ok(stands)
    }

    /// Publishes or fails batches that were written together.
    pub(super) fn conclude(
        &mut self,
        all: Vec<DecidedBatch>,
        committed: Result<(), LedgerError>,
    ) -> Vec<BatchOutcome> {
        let written = match committed {
            Err(LedgerError::CommitUnknown(problem)) => self.verify_commit(&all, problem),
            committed => committed.map_err(ClerkError::from),
        };
        match written {
            Ok(()) => all.into_iter().map(|decided| self.publish(decided)).collect(),
            Err(error) => fail_all(all, &error, &self.metrics),
        }
    }

    /// Publishes a batch that is on disk: revocations, broadcast, views, replies, metrics, snapshots.
    fn publish(&mut self, decided: DecidedBatch) -> BatchOutcome {
        let DecidedBatch { head, batch, mut changes, deadlines, snapshots, replies, .. } = decided;
        let begun = batch.records.iter().filter(|record| record.draft.version == 1);
        if batch.access.iter().any(AccessChange::takes_away) {
            self.revocations.fetch_add(1, Ordering::Release);
        }
        let mut views = self.views.write().unwrap_or_else(PoisonError::into_inner);
        self.feed.written(&batch.records, &changes);
        views.apply(&mut changes);
        for record in batch.records.iter().filter(|record| record.draft.kind == RECORD_REVISED) {
            views.revise(&record.view());
        }
        for record in begun {
            views.begin_stream(record.draft.stream.clone(), record.position);
        }
        if let Some(first) = batch.records.first().filter(|first| first.position == 1) {
            views.begin_chain(first.hash);
        }
        views.position = head.position;
        deadlines.iter().for_each(|(stream, at)| views.set_deadline(stream, *at));
        self.feed.send(head.position);
        drop(views);
        self.answer(replies);
        batch.records.iter().for_each(|record| self.verdict_counter.count(record, &self.metrics));
        self.save(&snapshots);
        self.save_views(head, SAVE_VIEWS_EVERY);
        BatchOutcome::Written
    }

    /// Sends the replies from one task on the runtime: waking a task from the writer thread costs more than
    /// from there.
    fn answer(&self, replies: Vec<PendingReply>) {
        let answer = move || replies.into_iter().for_each(PendingReply::answer);
        match &self.runtime {
            Some(runtime) => drop(runtime.spawn(async move { answer() })),
            None => answer(),
        }
    }

    /// Saves the views if at least `records` records were written since the last time. A failure is only
    /// logged: it makes the next start slower.
    pub(super) fn save_views(&mut self, head: Head, records: u64) {
        let Head { position, hash } = head;
        if position < self.saved + records {
            return;
        }
        let body = self.views.read().unwrap_or_else(PoisonError::into_inner).to_snapshot();
        let edition = self.editions.clone();
        self.save(&[Snapshot { name: VIEWS.into(), position, hash, version: 0, edition, body }]);
        self.saved = position;
    }

    /// The views saved last belong to another history: the next ones replace them, whatever their position.
    pub(super) fn forget_saved_views(&mut self) {
        self.saved = 0;
    }

    fn save(&mut self, snapshots: &[Snapshot]) {
        if snapshots.is_empty() {
            return;
        }
        if let Err(error) = self.writer.save_snapshots(snapshots) {
            tracing::warn!(%error, "failed to save snapshots");
        }
    }

    /// Finds out whether batches are on disk after the connection broke during their commit.
    fn verify_commit(&mut self, all: &[DecidedBatch], problem: String) -> Result<(), ClerkError> {
        const TIMEOUT: Duration = Duration::from_secs(30);
        let Some(first) = all.iter().find_map(|decided| decided.batch.records.first()) else { return Ok(()) };
        let started = Instant::now();
        while started.elapsed() < TIMEOUT {
            let mut found = None;
            // Under the writer lock, no commit of ours can still be pending.
            let looked = self.writer.lock().and_then(|_turn| {
                self.ledger.scan(Scan::at(first.position), &mut |record| {
                    found = Some(record.batch);
                    ControlFlow::Break(())
                })
            });
            match looked {
                Ok(()) if found == Some(first.batch) => return Ok(()),
                Ok(()) => return Err(ClerkError::Unavailable(problem)),
                Err(error) => tracing::warn!(%error, "failed to look for a batch after a broken commit"),
            }
            std::thread::sleep(Duration::from_millis(250));
        }
        Err(ClerkError::Unknown(problem))
    }
}

impl DecidedBatch {
    fn has_repeated(&self) -> bool {
        self.replies.iter().any(PendingReply::is_repeated)
    }
}

/// Commits a batch under the writer lock; a batch without records is at most confirmed.
pub(super) fn commit(
    locked: Box<dyn LockedWriter + '_>,
    decided: &DecidedBatch,
    metrics: &ClerkMetrics,
) -> Result<(), LedgerError> {
    let batch = &decided.batch;
    if batch.records.is_empty() {
        return if decided.has_repeated() { confirm(locked) } else { Ok(()) };
    }
    let started = Instant::now();
    locked.commit(batch)?;
    metrics.committed(batch.records.len(), started.elapsed());
    Ok(())
}

/// Waits until the records of repeated answers are durable. When that is not known, nobody is answered.
fn confirm(locked: Box<dyn LockedWriter + '_>) -> Result<(), LedgerError> {
    locked.confirm().map_err(|error| match error {
        LedgerError::CommitUnknown(problem) => LedgerError::Unavailable(problem),
        other => other,
    })
}

fn fail_all(all: Vec<DecidedBatch>, error: &ClerkError, metrics: &ClerkMetrics) -> Vec<BatchOutcome> {
    let replies = |decided: DecidedBatch| decided.replies.into_iter().map(|pending| pending.into_waiting().1);
    all.into_iter().map(|decided| fail(replies(decided), error, metrics)).collect()
}

/// Answers with an error the petitions of a batch that was not written.
pub(super) fn fail(
    waiting: impl ExactSizeIterator<Item = ReplySender>,
    error: &ClerkError,
    metrics: &ClerkMetrics,
) -> BatchOutcome {
    metrics.store_health.set(Err(error.to_string()));
    tracing::error!(%error, waiting = waiting.len(), "failed to write a batch");
    waiting.for_each(|reply| drop(reply.send(Err(error.clone()))));
    BatchOutcome::Failed
}
