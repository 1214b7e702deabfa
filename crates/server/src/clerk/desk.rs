//! The clerk's desk: decides what comes in, hands it to the scribe, and decides on while that is being written.
//!
//! A batch is decided on the end of the chain as this process knows it, and written only if the chain still ends
//! there. Where others have appended, it is decided once more, this time while nobody else can append.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::thread::JoinHandle;
use std::time::Duration;

use assize_kernel::{Head, Millis, Moment, StreamId};
use assize_ledger::{Ledger, Scan};
use tokio::sync::oneshot;

use super::cabinet::of_this_history;
use super::inbox::Inbox;
use super::pen::{Fate, Pen, SAVE_VIEWS_EVERY, VIEWS, commit, fail};
use super::room::Room;
use super::scribe::{Scribe, ScribeGone};
use super::sitting::{Heard, Sitting};
use super::{ClerkError, Figures, Inspection, Message, Settings, Views, Waiting};
use crate::live::{Crier, Hub, wire};
use crate::{Clock, Courts};

/// How long idempotency keys are kept.
const KEYS_KEPT: Millis = Millis(24 * 60 * 60 * 1000);
/// How often old keys are swept out.
const SWEEP_EVERY: Millis = Millis(10 * 60 * 1000);
/// How long a store that cannot be written is left alone when nobody asks for anything.
const RETRY: Millis = Millis(250);

/// From so many on who want something at the same time, the desk waits until a third of them have come: they do so one
/// after the other, and the first would otherwise be written alone, with a flush of its own.
const CROWD: usize = 8;
/// So long does the first of them wait at the most, and so long may it go unnoticed that something has been written:
/// calling the desk for every batch would cost more than it is worth.
const GATHERING: Duration = Duration::from_millis(2);

/// Everything the clerk works with.
pub(super) struct Desk {
    room: Room,
    views: Arc<RwLock<Views>>,
    live: Arc<Hub>,
    clock: Clock,
    inbox: Inbox,
    batch: usize,
    scribe: Scribe,
    figures: Arc<Figures>,
    /// Where the chain ends with everything that was decided; none when others may have appended.
    head: Option<Head>,
    /// Others may have appended.
    behind: bool,
    next_sweep: Moment,
    /// Not before then are deadlines fired again after a failure.
    pause_until: Option<Moment>,
    closing: bool,
    /// About how many want something at the same time.
    crowd: usize,
    crier: Option<JoinHandle<()>>,
}

impl Desk {
    /// Reads snapshots and whatever came after them. `nudge` puts a message into the queue.
    pub(super) fn open(
        clock: Clock,
        (courts, ledger): (Arc<Courts>, Arc<dyn Ledger>),
        (inbox, nudge, figures): (Inbox, impl Fn() + Send + 'static, Arc<Figures>),
        Settings { batch, runtime, .. }: Settings,
    ) -> Result<Self, ClerkError> {
        let views = Arc::new(RwLock::new(load_views(&courts, &*ledger)?));
        let live = Hub::new(courts.clone(), ledger.clone(), views.clone(), clock);
        let (wire, news) = wire(live.clone());
        let room = Room::new(courts, ledger.clone(), (views.clone(), wire.clone()))?;
        let (editions, losses) = (room.courts.editions(), room.trail.losses());
        let pen = Pen::new(ledger, (views.clone(), wire), editions, (figures.clone(), losses), runtime)?;
        let mut desk = Self {
            room,
            views,
            live: live.clone(),
            clock,
            inbox,
            batch,
            scribe: Scribe::start(pen, nudge)?,
            figures,
            head: None,
            behind: false,
            next_sweep: clock.now(),
            pause_until: None,
            closing: false,
            crowd: 0,
            crier: None,
        };
        desk.catch_up()?;
        desk.save_views(SAVE_VIEWS_EVERY);
        let crier = Crier::start(live, news);
        let crier = crier.map_err(|error| ClerkError::Broken(format!("no thread for the crier: {error}")))?;
        desk.crier = Some(crier);
        Ok(desk)
    }

    pub(super) fn views(&self) -> Arc<RwLock<Views>> {
        self.views.clone()
    }

    pub(super) fn live(&self) -> Arc<Hub> {
        self.live.clone()
    }

    pub(super) fn losses(&self) -> Arc<AtomicU64> {
        self.room.trail.losses()
    }

    /// Works until told to stop, then finishes what it has taken.
    pub(super) fn work(mut self) {
        while !self.closing || self.inbox.petitions() > 0 {
            let petitions = self.take_waiting();
            self.look_at_scribe();
            self.hear(petitions);
            self.keep_house();
        }
        self.settle();
        self.save_views(1);
        let crier = self.crier.take();
        // Nothing more can be told; with the last of its threads the store is let go.
        drop(self);
        if crier.is_some_and(|crier| crier.join().is_err()) {
            tracing::error!("the crier ended in a panic");
        }
    }

    /// Waits for something to do or a deadline, and takes what is there, up to a batch.
    fn take_waiting(&mut self) -> Vec<Waiting> {
        while self.room.waiting() >= self.batch {
            self.wait_for_scribe();
        }
        let most = self.batch - self.room.waiting();
        let (messages, petitions) = self.inbox.take((self.enough(), most), GATHERING, self.patience());
        if petitions.is_empty() && messages.is_empty() && self.room.flights.is_empty() {
            self.crowd = 0; // Nobody has come back.
        }
        self.figures.waiting.dec_by(i64::try_from(petitions.len()).unwrap_or(i64::MAX));
        for message in messages {
            match message {
                Message::Inspect(stream, inspection) => self.inspect(&stream, inspection),
                Message::Probe(reply) => self.probe(reply),
                Message::Wake => self.behind = true,
                Message::Lost => {}
                Message::Close => self.closing = true,
            }
        }
        petitions
    }

    /// How many petitions are worth beginning with.
    const fn enough(&self) -> usize {
        if self.crowd >= CROWD && !self.closing { self.crowd / 3 } else { 1 }
    }

    /// How long nothing needs to be done.
    fn patience(&self) -> Duration {
        const LONGEST: i64 = 60_000;
        // What is being written may well be what is due.
        if !self.room.flights.is_empty() {
            return GATHERING;
        }
        let next = match (self.read_views().next_deadline(), self.pause_until) {
            (Some(deadline), Some(pause)) => Some(deadline.max(pause)),
            (deadline, _) => deadline,
        };
        let wait = next.map_or(LONGEST, |next| (next - self.clock.now()).0.clamp(0, LONGEST));
        Duration::from_millis(wait.unsigned_abs())
    }

    /// Decides petitions, and what is due, and has it written.
    fn hear(&mut self, petitions: Vec<Waiting>) {
        let due = self.due();
        if petitions.is_empty() && due.is_empty() {
            return;
        }
        let Some(head) = self.head else { return self.hear_in_turn(petitions, due) };
        let (room, now) = (&mut self.room, self.clock.now());
        let mut sitting = Sitting::begin(room, head);
        sitting.hear_all(room, petitions);
        sitting.fire_due(room, due, now);
        let broken = sitting.has_broken();
        let decided = sitting.close(room, now);
        self.head = Some(decided.head);
        self.scribe.write(decided);
        if broken {
            // The stream is read from the disk again, so it has to be there.
            self.settle();
        }
    }

    /// Decides and writes while nobody else can append: what is decided cannot be overtaken.
    fn hear_in_turn(&mut self, mut petitions: Vec<Waiting>, due: Vec<StreamId>) {
        let (room, now, mut pen) = (&mut self.room, self.clock.now(), self.scribe.pen());
        let decided = pen.writer.lock().map_err(ClerkError::from).and_then(|locked| {
            if locked.head().position != room.position {
                room.catch_up(&mut self.views.write().unwrap_or_else(PoisonError::into_inner))?;
            }
            let mut sitting = Sitting::begin(room, locked.head());
            sitting.hear_all(room, std::mem::take(&mut petitions));
            sitting.fire_due(room, due, now);
            let decided = sitting.close(room, now);
            let committed = commit(locked, &decided.batch, &self.figures);
            Ok((decided, committed))
        });
        let fates = match decided {
            Ok((decided, committed)) => {
                self.head = Some(decided.head);
                pen.conclude(vec![decided], committed)
            }
            Err(error) => vec![fail(petitions.into_iter().map(|(_, reply)| reply), &error, &self.figures)],
        };
        drop(pen);
        self.landed(fates);
    }

    fn look_at_scribe(&mut self) {
        while let Some(finished) = self.scribe.finished() {
            self.heard_from_scribe(finished);
        }
    }

    fn wait_for_scribe(&mut self) {
        let finished = self.scribe.wait();
        self.heard_from_scribe(finished);
    }

    fn heard_from_scribe(&mut self, finished: Result<Vec<Fate>, ScribeGone>) {
        match finished {
            Ok(fates) => self.landed(fates),
            Err(ScribeGone) => {
                self.room.flights.clear();
                self.inbox.shut();
                self.closing = true;
            }
        }
    }

    /// What was on its way has arrived, or has not: then nothing that was decided on top of it stands either.
    fn landed(&mut self, mut fates: Vec<Fate>) {
        let (mut lost, mut again) = (0, Vec::new());
        loop {
            for fate in fates {
                match fate {
                    Fate::Written => self.arrived(),
                    Fate::Failed => lost += 1,
                    Fate::Overtaken(heard) => {
                        lost += 1;
                        again.extend(heard.into_iter().map(Heard::again));
                    }
                }
            }
            if lost == 0 {
                return;
            }
            if lost >= self.room.flights.len() {
                break;
            }
            fates = match self.scribe.wait() {
                Ok(fates) => fates,
                Err(gone) => return self.heard_from_scribe(Err(gone)),
            };
        }
        self.head = None;
        self.room.forget_flights();
        if again.is_empty() {
            self.pause_until = Some(self.clock.now() + RETRY);
        } else {
            self.hear_in_turn(again, Vec::new());
        }
    }

    fn arrived(&mut self) {
        if let Some(flight) = self.room.flights.pop_front() {
            self.room.position = flight.head.position;
            let now = flight.waiting + self.room.waiting() + self.inbox.petitions();
            // One small batch among large ones does not mean that they have gone.
            self.crowd = now.max(self.crowd * 3 / 4);
        }
        self.pause_until = None;
    }

    /// Sees everything that was decided onto the disk.
    fn settle(&mut self) {
        while !self.room.flights.is_empty() {
            self.wait_for_scribe();
        }
    }

    /// Shows the state of a stream as it is on disk.
    fn inspect(&mut self, stream: &StreamId, inspection: Inspection) {
        self.figures.waiting.dec();
        if self.room.is_ahead(stream) {
            self.settle();
        }
        let kept = self.room.fetch(stream);
        let empty = kept.as_ref().is_ok_and(|kept| kept.docket.version() == 0);
        inspection(kept.map(|kept| kept.docket.state()));
        // Whoever asks for what is not there must not make the cabinet fuller.
        if empty {
            self.room.cabinet.discard(stream);
        }
    }

    /// Says whether the store can be written.
    fn probe(&mut self, reply: oneshot::Sender<Result<(), String>>) {
        self.figures.waiting.dec();
        self.settle();
        // Whoever asked may have gone.
        drop(reply.send(self.scribe.pen().probe()));
    }

    /// What can wait until nothing is being written.
    fn keep_house(&mut self) {
        if !self.room.flights.is_empty() {
            return;
        }
        if std::mem::take(&mut self.behind) {
            self.catch_up().unwrap_or_else(|error| tracing::warn!(%error, "cannot follow the ledger"));
        }
        let now = self.clock.now();
        if now >= self.next_sweep {
            self.next_sweep = now + SWEEP_EVERY;
            if let Err(error) = self.scribe.pen().writer.forget_keys(now - KEYS_KEPT) {
                tracing::warn!(%error, "old idempotency keys could not be swept out");
            }
        }
    }

    /// Takes in what others have appended, without a turn to append.
    fn catch_up(&mut self) -> Result<(), ClerkError> {
        let before = self.room.position;
        let caught_up = self.room.catch_up(&mut self.views.write().unwrap_or_else(PoisonError::into_inner));
        if self.room.position != before {
            // Where the chain ends now is known with the next turn.
            self.head = None;
        }
        caught_up
    }

    fn due(&self) -> Vec<StreamId> {
        let now = self.clock.now();
        if !self.room.flights.is_empty() || self.pause_until.is_some_and(|pause| now < pause) {
            return Vec::new();
        }
        self.read_views().due(now, self.batch)
    }

    /// Saves the views when so many records have passed.
    fn save_views(&mut self, records: u64) {
        let mut hash = None;
        let position = self.room.position;
        let read = self.room.ledger.scan(Scan::at(position), &mut |record| {
            hash = Some(record.hash);
            ControlFlow::Break(())
        });
        match (read, hash) {
            (Err(error), _) => tracing::warn!(%error, "the end of the ledger cannot be read"),
            (Ok(()), Some(hash)) => self.scribe.pen().save_views(Head { position, hash }, records),
            _ => {}
        }
    }

    fn read_views(&self) -> RwLockReadGuard<'_, Views> {
        self.views.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The process clock, as the ledger has it begin.
pub(super) fn start_clock(ledger: &dyn Ledger) -> Result<Clock, ClerkError> {
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
