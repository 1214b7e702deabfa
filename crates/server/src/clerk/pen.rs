//! The clerk's pen: what was decided goes to disk, then onto the boards, and only then is it answered.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use assize_kernel::{Head, Moment, Moved, RECORD_REVISED, StreamId};
use assize_ledger::{AccessChange, Batch, Ledger, LedgerError, Locked, Scan, Snapshot, Writer};

use tokio::runtime::Handle;

use super::figures::Tally;
use super::sitting::Heard;
use super::{ClerkError, Figures, Reply, Views};
use crate::live::Wire;

/// The name under which the views are saved.
pub(super) const VIEWS: &str = "assize/views";
/// How many records may pass before the views are saved.
pub(super) const SAVE_VIEWS_EVERY: u64 = 100_000;

/// Everything that is needed to write. Whoever has it writes; there is one in a process.
pub(super) struct Pen {
    pub(super) writer: Box<dyn Writer>,
    ledger: Arc<dyn Ledger>,
    views: Arc<RwLock<Views>>,
    /// Where those hear of it who listen.
    wire: Wire,
    /// The editions of the courts, by which saved views are known.
    editions: String,
    /// Where the views were last saved.
    saved: u64,
    pub(super) figures: Arc<Figures>,
    tally: Tally,
    /// Moves whenever somebody who could come in may not be able to any more.
    losses: Arc<AtomicU64>,
    /// Where answers are given.
    runtime: Option<Handle>,
}

/// A batch with all that is to happen once it is on disk.
pub(super) struct Decided {
    /// The end of the chain it was decided on, and the end with it.
    pub(super) base: Head,
    pub(super) head: Head,
    pub(super) batch: Batch,
    pub(super) changes: Vec<Moved>,
    pub(super) deadlines: Vec<(StreamId, Option<Moment>)>,
    pub(super) snapshots: Vec<Snapshot>,
    pub(super) heard: Vec<Heard>,
}

/// What became of a batch.
pub(super) enum Fate {
    /// It is on disk, on the boards, and answered.
    Written,
    /// It is not on disk, and everybody in it has been told so.
    Failed,
    /// Others have appended in the meantime: it must be decided again.
    Overtaken(Vec<Heard>),
}

impl Pen {
    pub(super) fn new(
        ledger: Arc<dyn Ledger>,
        (views, wire): (Arc<RwLock<Views>>, Wire),
        editions: String,
        (figures, losses): (Arc<Figures>, Arc<AtomicU64>),
        runtime: Option<Handle>,
    ) -> Result<Self, LedgerError> {
        let saved = views.read().unwrap_or_else(PoisonError::into_inner).position();
        let writer = ledger.writer()?;
        let tally = Tally::default();
        Ok(Self { writer, ledger, views, wire, editions, saved, figures, tally, losses, runtime })
    }

    /// Writes batches that were decided ahead of their turn, each on the one before it, as long as they still hold:
    /// all with one flush.
    pub(super) fn write(&mut self, all: Vec<Decided>) -> Vec<Fate> {
        let Some(base) = all.first().map(|decided| decided.base) else { return Vec::new() };
        match self.commit_at(base, &all) {
            Ok(false) => all.into_iter().map(|decided| Fate::Overtaken(decided.heard)).collect(),
            committed => self.conclude(all, committed.map(|_| ())),
        }
    }

    /// Says whether the chain still ended there. What leaves no record has only been decided if it did.
    fn commit_at(&mut self, base: Head, all: &[Decided]) -> Result<bool, LedgerError> {
        let batches: Vec<_> = all.iter().map(|decided| &decided.batch).collect();
        let records = batches.iter().map(|batch| batch.records.len()).sum();
        if records == 0 {
            return self.writer.lock().map(|locked| locked.head() == base);
        }
        let started = Instant::now();
        let stands = self.writer.commit_at(base, &batches)?;
        if stands {
            self.figures.committed(records, started.elapsed());
        }
        Ok(stands)
    }

    /// Tells everybody what has become of batches that were written together.
    pub(super) fn conclude(&mut self, all: Vec<Decided>, committed: Result<(), LedgerError>) -> Vec<Fate> {
        let written = match committed {
            Err(LedgerError::CommitUnknown(problem)) => self.look_for(&all, problem),
            committed => committed.map_err(ClerkError::from),
        };
        match written {
            Ok(()) => all.into_iter().map(|decided| self.publish(decided)).collect(),
            Err(error) => fail_all(all, &error, &self.figures),
        }
    }

    /// Shows everybody what is now on disk.
    fn publish(&mut self, decided: Decided) -> Fate {
        let Decided { head, batch, mut changes, deadlines, snapshots, heard, .. } = decided;
        let begun = batch.records.iter().filter(|record| record.draft.version == 1);
        if batch.access.iter().any(AccessChange::takes_away) {
            self.losses.fetch_add(1, Ordering::Release);
        }
        let mut views = self.views.write().unwrap_or_else(PoisonError::into_inner);
        self.wire.written(&batch.records, &changes);
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
        self.wire.send(head.position);
        drop(views);
        self.answer(heard);
        batch.records.iter().for_each(|record| self.tally.count(record, &self.figures));
        self.save(&snapshots);
        self.save_views(head, SAVE_VIEWS_EVERY);
        Fate::Written
    }

    /// Waking somebody on another thread costs more than most of what was done for them: one wakes the others.
    fn answer(&self, heard: Vec<Heard>) {
        let answer = move || heard.into_iter().for_each(Heard::answer);
        match &self.runtime {
            Some(runtime) => drop(runtime.spawn(async move { answer() })),
            None => answer(),
        }
    }

    /// Saves the views when so many records have passed. Failing to costs only time at the next start.
    pub(super) fn save_views(&mut self, Head { position, hash }: Head, records: u64) {
        if position < self.saved + records {
            return;
        }
        let body = self.views.read().unwrap_or_else(PoisonError::into_inner).to_snapshot();
        let (name, edition) = (VIEWS.into(), self.editions.clone());
        self.save(&[Snapshot { name, position, hash, version: 0, edition, body }]);
        self.saved = position;
    }

    fn save(&mut self, snapshots: &[Snapshot]) {
        if snapshots.is_empty() {
            return;
        }
        if let Err(error) = self.writer.save_snapshots(snapshots) {
            tracing::warn!(%error, "snapshots could not be saved");
        }
    }

    /// Looks whether batches are on disk after the connection broke while they were being committed.
    fn look_for(&mut self, all: &[Decided], problem: String) -> Result<(), ClerkError> {
        const PATIENCE: Duration = Duration::from_secs(30);
        let Some(first) = all.iter().find_map(|decided| decided.batch.records.first()) else { return Ok(()) };
        let started = Instant::now();
        while started.elapsed() < PATIENCE {
            let mut found = None;
            // Whoever has the turn sees everything that will ever have been committed before it.
            let looked = self.writer.lock().and_then(|_turn| {
                self.ledger.scan(Scan::at(first.position), &mut |record| {
                    found = Some(record.batch);
                    ControlFlow::Break(())
                })
            });
            match looked {
                Ok(()) if found == Some(first.batch) => return Ok(()),
                Ok(()) => return Err(ClerkError::Unavailable(problem)),
                Err(error) => tracing::warn!(%error, "looking for a batch after a broken commit"),
            }
            std::thread::sleep(Duration::from_millis(250));
        }
        Err(ClerkError::Unknown(problem))
    }
}

/// Puts a batch on disk; one without records only gives the turn back.
pub(super) fn commit(
    locked: Box<dyn Locked + '_>,
    batch: &Batch,
    figures: &Figures,
) -> Result<(), LedgerError> {
    if batch.records.is_empty() {
        return Ok(());
    }
    let started = Instant::now();
    locked.commit(batch)?;
    figures.committed(batch.records.len(), started.elapsed());
    Ok(())
}

fn fail_all(all: Vec<Decided>, error: &ClerkError, figures: &Figures) -> Vec<Fate> {
    let replies = |decided: Decided| decided.heard.into_iter().map(|heard| heard.again().1);
    all.into_iter().map(|decided| fail(replies(decided), error, figures)).collect()
}

/// Tells everybody that nothing was written.
pub(super) fn fail(
    waiting: impl ExactSizeIterator<Item = Reply>,
    error: &ClerkError,
    figures: &Figures,
) -> Fate {
    figures.pulse.note(Err(error.to_string()));
    tracing::error!(%error, waiting = waiting.len(), "nothing was written");
    waiting.for_each(|reply| drop(reply.send(Err(error.clone()))));
    Fate::Failed
}
