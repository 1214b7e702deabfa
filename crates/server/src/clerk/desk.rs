//! The clerk's desk: takes what is waiting, has it decided and written as one batch, answers, and begins again.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, RwLock};
use std::time::{Duration, Instant};

use assize_kernel::{Head, Millis, Moment, Record, StandingChange, StreamId};
use assize_ledger::{Ledger, LedgerError, Scan, Snapshot, Writer};
use tokio::sync::oneshot;

use super::cabinet::{Cabinet, of_this_history};
use super::fold::Fold;
use super::sitting::{Sitting, Written};
use super::{Answer, ClerkError, Message, Petition, Shelf, Views};
use crate::{Clock, Courts};

/// How long idempotency keys are kept.
const KEYS_KEPT: Millis = Millis(24 * 60 * 60 * 1000);
/// How often old keys are swept out.
const SWEEP_EVERY: Millis = Millis(10 * 60 * 1000);
/// How many records may pass before the views are saved.
const SAVE_VIEWS_EVERY: u64 = 100_000;
/// How long a store that cannot be written is left alone when nobody asks for anything.
const RETRY: Millis = Millis(250);
/// How long a deadline that could not be met is left alone.
const AFTER_FAILURE: Millis = Millis(60_000);
/// The name under which the views are saved.
const VIEWS: &str = "assize/views";

type Answered = Result<Answer, ClerkError>;
type Reply = oneshot::Sender<Answered>;

/// Everything the clerk works with.
pub(super) struct Desk {
    courts: Arc<Courts>,
    ledger: Arc<dyn Ledger>,
    writer: Box<dyn Writer>,
    cabinet: Cabinet,
    shelf: Shelf,
    views: Arc<RwLock<Views>>,
    clock: Clock,
    messages: Receiver<Message>,
    batch: usize,
    /// How many petitions came together lately.
    company: usize,
    /// How long the last batch took.
    last_took: Duration,
    /// Where the views were last saved.
    saved: u64,
    next_sweep: Moment,
    /// Not before then are deadlines fired again after a failure.
    pause_until: Option<Moment>,
    closing: bool,
}

impl Desk {
    /// Reads snapshots and whatever came after them.
    pub(super) fn open(
        courts: Arc<Courts>,
        ledger: Arc<dyn Ledger>,
        messages: Receiver<Message>,
        batch: usize,
    ) -> Result<Self, ClerkError> {
        let clock = start_clock(&*ledger)?;
        let views = load_views(&courts, &*ledger)?;
        let saved = views.position();
        let mut desk = Self {
            writer: ledger.writer()?,
            cabinet: Cabinet::new(courts.clone(), ledger.clone()),
            shelf: Shelf::load(&*ledger, &courts)?,
            views: Arc::new(RwLock::new(views)),
            next_sweep: clock.now(),
            pause_until: None,
            closing: false,
            courts,
            ledger,
            clock,
            messages,
            batch,
            company: 0,
            last_took: Duration::ZERO,
            saved,
        };
        desk.catch_up()?;
        desk.save_views_when_due(SAVE_VIEWS_EVERY);
        Ok(desk)
    }

    pub(super) fn views(&self) -> Arc<RwLock<Views>> {
        self.views.clone()
    }

    pub(super) fn clock(&self) -> Clock {
        self.clock
    }

    /// Works until told to stop, then finishes what is left in the queue.
    pub(super) fn work(mut self) {
        while !self.closing {
            let petitions = self.take_waiting();
            self.sit(petitions);
            self.sweep_keys();
        }
        self.save_views_when_due(1);
    }

    /// Waits for a message or a deadline, then takes everything that is there, up to a batch.
    fn take_waiting(&mut self) -> Vec<(Petition, Reply)> {
        let mut petitions = Vec::new();
        let mut next = match self.messages.recv_timeout(self.patience()) {
            Ok(message) => Some(message),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                self.closing = true;
                None
            }
        };
        let mut behind = false;
        let mut taken = 0;
        while let Some(message) = next {
            taken += 1;
            match message {
                Message::Hear(petition, reply) => petitions.push((petition, reply)),
                Message::Inspect(stream, inspection) => self.inspect(&stream, inspection),
                Message::Wake => behind = true,
                Message::Close => self.closing = true,
            }
            next = if taken < self.batch { self.messages.try_recv().ok() } else { None };
            if next.is_none() && !self.closing {
                next = self.linger(petitions.len());
            }
        }
        // Fading slowly, so that two halves of a crowd that take turns find together.
        self.company = petitions.len().max(self.company - self.company / 8);
        // With petitions at hand the turn to append brings the news anyway.
        if behind && petitions.is_empty() {
            self.catch_up().unwrap_or_else(|error| tracing::warn!(%error, "cannot follow the ledger"));
        }
        petitions
    }

    /// Those who were just answered together are about to ask again. Waiting for them a moment, at most half of what
    /// the last batch took, lets one flush serve all of them; whoever comes alone is not kept waiting.
    fn linger(&self, so_far: usize) -> Option<Message> {
        const LONGEST: Duration = Duration::from_millis(1);
        if so_far == 0 || so_far >= self.company.min(self.batch) {
            return None;
        }
        let (began, moment) = (Instant::now(), LONGEST.min(self.last_took / 2));
        while began.elapsed() < moment {
            if let Ok(message) = self.messages.try_recv() {
                return Some(message);
            }
            std::thread::yield_now();
        }
        None
    }

    /// How long nothing needs to be done.
    fn patience(&self) -> Duration {
        const LONGEST: i64 = 60_000;
        let next = match (self.read_views().next_deadline(), self.pause_until) {
            (Some(deadline), Some(pause)) => Some(deadline.max(pause)),
            (deadline, _) => deadline,
        };
        let wait = next.map_or(LONGEST, |next| (next - self.clock.now()).0.clamp(0, LONGEST));
        Duration::from_millis(wait.unsigned_abs())
    }

    /// One batch: decided, written, and only then answered.
    fn sit(&mut self, petitions: Vec<(Petition, Reply)>) {
        let due = self.due();
        if petitions.is_empty() && due.is_empty() {
            return;
        }
        let (petitions, replies): (Vec<_>, Vec<_>) = petitions.into_iter().unzip();
        let began = Instant::now();
        let written = self.decide_and_write(petitions, &due);
        self.last_took = began.elapsed();
        match written {
            Ok((streams, answers)) => {
                self.pause_until = None;
                answers.into_iter().zip(replies).for_each(|(answer, reply)| drop(reply.send(answer)));
                self.save_snapshots(&streams);
            }
            Err(error) => {
                tracing::error!(%error, waiting = replies.len(), "nothing was written");
                self.pause_until = Some(self.clock.now() + RETRY);
                replies.into_iter().for_each(|reply| drop(reply.send(Err(error.clone()))));
            }
        }
    }

    /// Returns the streams that have moved, and the answers in the order of the petitions.
    fn decide_and_write(
        &mut self,
        petitions: Vec<Petition>,
        due: &[StreamId],
    ) -> Result<(BTreeSet<StreamId>, Vec<Answered>), ClerkError> {
        let mut locked = self.writer.lock()?;
        if locked.head().position != self.views.read().unwrap_or_else(poisoned).position() {
            let mut views = self.views.write().unwrap_or_else(poisoned);
            let (courts, cabinet, shelf) = (&*self.courts, &mut self.cabinet, &mut self.shelf);
            Fold::new(courts, cabinet, shelf, &mut views)
                .catch_up(&mut |scan, each| locked.scan(scan, each))?;
        }
        let mut sitting = Sitting::begin(&self.courts, &mut self.cabinet, &self.shelf, &mut *locked)?;
        let heard = sitting.hear_all(petitions);
        let failed = sitting.fire_due(due, self.clock.now());
        let Written { batch, changes, streams } = sitting.finish();
        let written = match (heard, batch.records.first()) {
            (Ok(outcomes), Some(first)) => match locked.commit(&batch) {
                Err(LedgerError::CommitUnknown(problem)) => look_for(&mut *self.writer, first, problem),
                result => result.map_err(ClerkError::from),
            }
            .map(|()| outcomes),
            (heard, _) => {
                drop(locked);
                heard
            }
        };
        // Whatever kept the batch from the disk: these states have seen what did not happen.
        let outcomes =
            written.inspect_err(|_| streams.iter().for_each(|stream| self.cabinet.discard(stream)))?;
        let records: Vec<Arc<Record>> = batch.records.into_iter().map(Arc::new).collect();
        self.publish(&records, changes);
        self.note_deadlines(streams.iter().chain(due), &failed);
        Ok((streams, outcomes.into_iter().map(|outcome| outcome.answer(&records)).collect()))
    }

    /// Shows everybody what is now on disk.
    fn publish(&mut self, records: &[Arc<Record>], mut changes: Vec<StandingChange>) {
        for record in records.iter().filter(|record| record.draft.stream.as_str() == super::RULEBOOKS) {
            self.shelf.follow(&self.courts, &record.view());
        }
        if let Some(last) = records.last() {
            let mut views = self.views.write().unwrap_or_else(poisoned);
            views.apply(&mut changes);
            views.position = last.position;
        }
    }

    /// Looks when these streams want to be woken next; where that has just failed, not at once.
    fn note_deadlines<'a>(
        &mut self,
        streams: impl Iterator<Item = &'a StreamId>,
        failed: &BTreeSet<StreamId>,
    ) {
        let position = self.read_views().position();
        for stream in streams.filter(|stream| self.courts.get(stream.court()).is_some()) {
            let ledger = &self.ledger;
            // A stream whose court broke down is no longer at hand, but its deadline stands.
            let kept = self.cabinet.fetch(stream, position, &mut |scan, each| ledger.scan(scan, each));
            let deadline = match kept {
                Ok(kept) if !failed.contains(stream) => kept.docket.deadline(),
                _ => Some(self.clock.now() + AFTER_FAILURE),
            };
            self.views.write().unwrap_or_else(poisoned).set_deadline(stream, deadline);
        }
    }

    fn inspect(&mut self, stream: &StreamId, inspection: super::Inspection) {
        let ledger = self.ledger.clone();
        let position = self.read_views().position();
        let kept = self.cabinet.fetch(stream, position, &mut |scan, each| ledger.scan(scan, each));
        let empty = kept.as_ref().is_ok_and(|kept| kept.docket.version() == 0);
        inspection(kept.map(|kept| kept.docket.state()));
        // Whoever asks for what is not there must not make the cabinet fuller.
        if empty {
            self.cabinet.discard(stream);
        }
    }

    /// Takes in what others have appended, without a turn to append.
    fn catch_up(&mut self) -> Result<(), ClerkError> {
        let mut views = self.views.write().unwrap_or_else(poisoned);
        let (courts, cabinet, shelf) = (&*self.courts, &mut self.cabinet, &mut self.shelf);
        let ledger = &self.ledger;
        Fold::new(courts, cabinet, shelf, &mut views).catch_up(&mut |scan, each| ledger.scan(scan, each))
    }

    fn due(&self) -> Vec<StreamId> {
        let now = self.clock.now();
        if self.pause_until.is_some_and(|pause| now < pause) {
            return Vec::new();
        }
        self.read_views().due(now)
    }

    /// Saves the states of streams in which much has happened. Failing to costs only time at the next start.
    fn save_snapshots(&mut self, streams: &BTreeSet<StreamId>) {
        let due: Vec<&StreamId> = streams.iter().filter(|stream| self.cabinet.snapshot_due(stream)).collect();
        if !due.is_empty() {
            let Some(head) = self.head() else { return };
            let snapshots = due.into_iter().filter_map(|stream| self.cabinet.snapshot(stream, head));
            let snapshots: Vec<Snapshot> = snapshots.collect();
            if let Err(error) = self.writer.save_snapshots(&snapshots) {
                tracing::warn!(%error, "snapshots could not be saved");
            }
        }
        self.save_views_when_due(SAVE_VIEWS_EVERY);
    }

    fn save_views_when_due(&mut self, records: u64) {
        let position = self.read_views().position();
        if position < self.saved + records {
            return;
        }
        let Some(Head { position, hash }) = self.head() else { return };
        let body = self.read_views().to_snapshot();
        let edition = self.courts.editions();
        let snapshot = Snapshot { name: VIEWS.into(), position, hash, version: 0, edition, body };
        match self.writer.save_snapshots(&[snapshot]) {
            Ok(()) => self.saved = position,
            Err(error) => tracing::warn!(%error, "the boards could not be saved"),
        }
    }

    /// Where the views stand in the chain; none when the store does not say.
    fn head(&self) -> Option<Head> {
        let position = self.read_views().position();
        let mut hash = None;
        let scan = Scan::at(position);
        let read = self.ledger.scan(scan, &mut |record| {
            hash = Some(record.hash);
            ControlFlow::Break(())
        });
        read.inspect_err(|error| tracing::warn!(%error, "the end of the ledger cannot be read")).ok()?;
        hash.map(|hash| Head { position, hash })
    }

    fn sweep_keys(&mut self) {
        let now = self.clock.now();
        if now >= self.next_sweep {
            self.next_sweep = now + SWEEP_EVERY;
            if let Err(error) = self.writer.forget_keys(now - KEYS_KEPT) {
                tracing::warn!(%error, "old idempotency keys could not be swept out");
            }
        }
    }

    fn read_views(&self) -> std::sync::RwLockReadGuard<'_, Views> {
        self.views.read().unwrap_or_else(poisoned)
    }
}

/// A panic while the lock was held is logged where it happened; what is behind the lock is checked by position.
fn poisoned<Guard>(error: std::sync::PoisonError<Guard>) -> Guard {
    error.into_inner()
}

/// Looks whether a batch is on disk after the connection broke while it was being committed.
fn look_for(writer: &mut dyn Writer, first: &Record, problem: String) -> Result<(), ClerkError> {
    const PATIENCE: Duration = Duration::from_secs(30);
    let started = Instant::now();
    while started.elapsed() < PATIENCE {
        let mut found = None;
        let looked = writer.lock().and_then(|mut locked| {
            locked.scan(Scan::at(first.position), &mut |record| {
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

fn start_clock(ledger: &dyn Ledger) -> Result<Clock, ClerkError> {
    let mut last = Moment::default();
    let head = ledger.head()?;
    ledger.scan(Scan::at(head.position), &mut |record| {
        last = record.at;
        ControlFlow::Break(())
    })?;
    Ok(Clock::start(ledger.clock()?, last))
}

/// The views as they were saved, when they belong to this history and were folded by the courts of today.
fn load_views(courts: &Courts, ledger: &dyn Ledger) -> Result<Views, ClerkError> {
    let saved = ledger.snapshot(VIEWS)?.filter(|saved| saved.edition == courts.editions());
    match saved {
        Some(saved) if of_this_history(ledger, &saved)? => {
            Ok(Views::from_snapshot(saved.position, &saved.body).unwrap_or_default())
        }
        _ => Ok(Views::default()),
    }
}
