//! A batch in the making: every petition decided on the state that the ones before it have left.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use assize_kernel::{
    Actor, AnyRulebook, BatchId, Docket, Draft, Head, Hearing, Millis, Moment, Moved, Record, StreamId,
    Unheard,
};
use assize_ledger::{AccessChange, Batch, Key, KeyEntry};

use super::pen::Decided;
use super::room::{Flight, Room};
use super::{Answer, ClerkError, MEDIA, NOTEBOOK, Petition, Reply, RequestKey, Revise, Shelf, Waiting};
use crate::access::{ACCESS, give_token};

/// How many deadlines of a stream may pass at once before its court is taken to run in circles.
const MOST_DEADLINES: u32 = 100_000;
/// How long a deadline that could not be met is left alone.
const AFTER_FAILURE: Millis = Millis(60_000);

/// A batch in the making.
pub(super) struct Sitting {
    id: BatchId,
    /// The end of the chain that it is decided on.
    base: Head,
    /// The end of the chain with it.
    head: Head,
    batch: Batch,
    /// What changes on the boards, in order.
    changes: Vec<Moved>,
    /// The streams that were looked at and may have moved.
    streams: BTreeSet<StreamId>,
    /// The keys it uses.
    keys: BTreeMap<Key, KeyEntry>,
    /// Streams in which a court broke down: nothing more is decided there in this batch.
    broken: BTreeSet<StreamId>,
    /// Streams whose deadline could not be met.
    unmet: BTreeSet<StreamId>,
    heard: Vec<Heard>,
    /// The rulebooks as they were before it.
    shelf: Arc<Shelf>,
    /// How far the stream of who may come in had come before it.
    trail: u64,
}

/// A petition that has been decided, with whoever waits for the answer.
pub(super) struct Heard {
    petition: Box<Petition>,
    reply: Reply,
    /// To be given once it is on disk.
    answer: Answered,
}

pub(super) type Answered = Result<Answer, ClerkError>;

impl Heard {
    /// Answers, now that it is on disk.
    pub(super) fn answer(self) {
        // Whoever asked may have gone.
        drop(self.reply.send(self.answer));
    }

    /// The petition as it came in.
    pub(super) fn again(self) -> Waiting {
        (self.petition, self.reply)
    }
}

impl Sitting {
    /// Begins on what the chain ends with, on disk or on its way there.
    pub(super) fn begin(room: &mut Room, base: Head) -> Self {
        Self {
            id: room.next_batch_id(),
            base,
            head: base,
            batch: Batch::default(),
            changes: Vec::new(),
            streams: BTreeSet::new(),
            keys: BTreeMap::new(),
            broken: BTreeSet::new(),
            unmet: BTreeSet::new(),
            heard: Vec::new(),
            shelf: room.shelf.clone(),
            trail: room.trail.version,
        }
    }

    /// Whether a court broke down: what is at hand of its stream must come from the disk again.
    pub(super) fn has_broken(&self) -> bool {
        !self.broken.is_empty()
    }

    /// Decides petitions in order.
    pub(super) fn hear_all(&mut self, room: &mut Room, petitions: Vec<Waiting>) {
        let asked = petitions.iter().filter_map(|(petition, _)| Some(petition.key.as_ref()?.key.clone()));
        let used = room.keys_used(&asked.collect::<Vec<_>>()).map_err(ClerkError::from);
        for (petition, reply) in petitions {
            let answer = match (&petition.key, &used) {
                (None, _) => self.hear(room, &petition),
                (Some(key), Ok(used)) => self.hear_once(room, &petition, key, used),
                (Some(_), Err(error)) => Err(error.clone()),
            };
            self.heard.push(Heard { petition, reply, answer });
        }
    }

    /// Lets deadlines that have come happen.
    pub(super) fn fire_due(&mut self, room: &mut Room, streams: Vec<StreamId>, now: Moment) {
        for stream in streams {
            if let Err(error) = self.fire(room, &stream, now) {
                tracing::error!(%stream, %error, "a deadline could not be met");
                self.unmet.insert(stream.clone());
            }
            self.streams.insert(stream);
        }
    }

    /// Nothing more comes in: what is to be written. The room remembers it until it is.
    pub(super) fn close(self, room: &mut Room, now: Moment) -> Decided {
        let courts = room.courts.clone();
        let of_courts = || self.streams.iter().filter(|stream| courts.get(stream.court()).is_some());
        let deadlines = of_courts().map(|stream| {
            let kept = room.cabinet.at_hand(stream.as_str());
            let deadline = match kept {
                _ if self.unmet.contains(stream) => Some(now + AFTER_FAILURE),
                Some(kept) => kept.docket.deadline(),
                // Its court broke down. Looked at again when this is on disk.
                None => Some(now),
            };
            (stream.clone(), deadline)
        });
        let deadlines = deadlines.collect();
        let due = of_courts().filter(|stream| room.cabinet.snapshot_due(stream)).collect::<Vec<_>>();
        let snapshots = due.into_iter().filter_map(|stream| room.cabinet.snapshot(stream, self.head));
        let snapshots = snapshots.collect();
        let Self { base, head, batch, changes, heard, streams, keys, shelf, trail, .. } = self;
        let (records, access, waiting) = (batch.records.clone(), batch.access.clone(), heard.len());
        room.flights.push_back(Flight { head, records, streams, keys, waiting, access, shelf, trail });
        Decided { base, head, batch, changes, deadlines, snapshots, heard }
    }

    /// A petition whose key has been used gets the answer it had.
    fn hear_once(
        &mut self,
        room: &mut Room,
        petition: &Petition,
        RequestKey { key, request }: &RequestKey,
        used: &BTreeMap<Key, KeyEntry>,
    ) -> Answered {
        if let Some(entry) = self.keys.get(key).or_else(|| used.get(key)) {
            let (same, first, last) = (entry.request == *request, entry.first, entry.last);
            return if same { self.recorded(room, first, last) } else { Err(ClerkError::KeyReused) };
        }
        let answer = self.hear(room, petition)?;
        if let (Some(first), Some(last)) = (answer.records.first(), answer.records.last()) {
            let (first, last) = (first.position, last.position);
            let entry = KeyEntry { key: key.clone(), request: *request, at: petition.at, first, last };
            self.batch.keys.push(entry.clone());
            self.keys.insert(key.clone(), entry);
        }
        Ok(answer)
    }

    /// Decides a petition, and notes from where everything came that follows from it.
    fn hear(&mut self, room: &mut Room, petition: &Petition) -> Answered {
        let of_access = petition.stream.as_str() == ACCESS;
        let of_notebook = [NOTEBOOK, MEDIA].contains(&petition.stream.court());
        if !of_access && !of_notebook {
            self.fire(room, &petition.stream, petition.at)?;
        }
        let before = self.batch.records.len();
        let answer = match () {
            () if of_access => self.hear_access(room, petition),
            () if of_notebook => self.keep(room, petition),
            () => self.hear_court(room, petition),
        };
        if let Some(origin) = &petition.origin {
            let records = self.batch.records.iter().skip(before);
            self.batch.origins.extend(records.map(|record| (record.position, origin.clone())));
        }
        answer
    }

    fn hear_court(&mut self, room: &mut Room, petition: &Petition) -> Answered {
        let Petition { stream, command, actor, at, rulebook, personal, token, .. } = petition;
        if let Some(revise) = command.downcast_ref::<Revise>() {
            return self.hear_revision(room, petition, revise);
        }
        let book = room.rulebook(stream, rulebook.as_ref())?;
        let hearing = Hearing { at: *at, actor, position: self.head.position + 1 };
        match self.with_docket(room, stream, |docket| docket.hear(&book, command, hearing)) {
            Ok(assize_kernel::Heard::Decided(drafts)) => {
                let records = self.seal(drafts);
                let position = hearing.position;
                self.batch.personal.extend(personal.iter().map(|personal| (position, personal.clone())));
                self.enter_rulebook(room, stream, &book, *at, actor);
                if let Some(token) = token {
                    self.enter_access(room, give_token(token, *at, actor), *at, actor);
                }
                Ok(Answer { records, repeated: false })
            }
            Ok(assize_kernel::Heard::AsBefore(position)) => self.as_it_stands(room, stream, position),
            Err(unheard) => Err(unheard.into()),
        }
    }

    /// Lets every deadline of a stream up to `until` happen.
    fn fire(&mut self, room: &mut Room, stream: &StreamId, until: Moment) -> Result<(), ClerkError> {
        if self.broken.contains(stream) {
            return Err(ClerkError::Broken("an earlier request of the same moment failed; try again".into()));
        }
        let mut left = MOST_DEADLINES;
        while room.fetch(stream)?.docket.deadline().is_some_and(|at| at <= until) {
            if left == 0 {
                self.give_up(room, stream);
                return Err(ClerkError::Broken(format!("the deadlines of {stream} have no end")));
            }
            left -= 1;
            let book = room.rulebook(stream, None)?;
            let position = self.head.position + 1;
            let fired = self.with_docket(room, stream, |docket| docket.fire(&book, position));
            let drafts = fired.map_err(|error| {
                // It may have moved the state before it failed.
                self.give_up(room, stream);
                ClerkError::Broken(error.to_string())
            })?;
            self.seal(drafts);
        }
        Ok(())
    }

    /// Works on a stream; a panic of its court is our fault and nobody's loss.
    fn with_docket<T>(
        &mut self,
        room: &mut Room,
        stream: &StreamId,
        work: impl FnOnce(&mut dyn Docket) -> Result<T, Unheard>,
    ) -> Result<T, Unheard> {
        let Some(kept) = room.cabinet.at_hand(stream.as_str()) else {
            return Err(Unheard::Broken("a stream was lost".into()));
        };
        let docket = &mut *kept.docket;
        if let Ok(worked) = catch_unwind(AssertUnwindSafe(|| work(&mut *docket))) {
            docket.take_changes(&mut self.changes);
            return worked;
        }
        self.give_up(room, stream);
        Err(Unheard::Broken(format!("the court of {stream} broke down").into()))
    }

    /// What is at hand of a stream cannot be trusted: nothing more is decided there in this batch.
    fn give_up(&mut self, room: &mut Room, stream: &StreamId) {
        room.cabinet.discard(stream);
        self.broken.insert(stream.clone());
        self.streams.insert(stream.clone());
    }

    /// Keeps the text of a rulebook that a stream was opened with.
    pub(super) fn enter_rulebook(
        &mut self,
        room: &mut Room,
        stream: &StreamId,
        book: &AnyRulebook,
        at: Moment,
        actor: &Actor,
    ) {
        if room.shelf.get(&book.reference.hash).is_some() {
            return;
        }
        let opened =
            room.cabinet.at_hand(stream.as_str()).is_some_and(|kept| kept.docket.rulebook().is_some());
        let draft = Shelf::entry(book, room.shelf.version() + 1, at, actor);
        if let Some(draft) = draft.filter(|_| opened) {
            for record in self.seal(vec![draft]) {
                Arc::make_mut(&mut room.shelf).follow(&room.courts, &record.view());
            }
        }
    }

    /// Gives drafts their places.
    pub(super) fn seal(&mut self, drafts: Vec<Draft>) -> Vec<Arc<Record>> {
        let start = self.batch.records.len();
        for draft in drafts {
            if !self.streams.contains(&draft.stream) {
                self.streams.insert(draft.stream.clone());
            }
            self.batch.records.push(Arc::new(self.head.seal(self.id, draft)));
        }
        self.batch.records.iter().skip(start).cloned().collect()
    }

    /// What this batch has so far, if anything of it is of this stream.
    pub(super) fn records_of(&self, stream: &StreamId) -> std::slice::Iter<'_, Arc<Record>> {
        let records: &[_] = if self.streams.contains(stream) { &self.batch.records } else { &[] };
        records.iter()
    }

    /// What this batch changes on the boards.
    pub(super) fn changes(&mut self) -> &mut Vec<Moved> {
        &mut self.changes
    }

    /// What this batch changes in who may come in.
    pub(super) fn access(&mut self) -> &mut Vec<AccessChange> {
        &mut self.batch.access
    }

    /// What was decided before, in this batch or an earlier one.
    pub(super) fn recorded(&self, room: &Room, first: u64, last: u64) -> Answered {
        let records = if first > self.base.position {
            let records = self.batch.records.iter();
            records.filter(|record| (first..=last).contains(&record.position)).cloned().collect()
        } else {
            room.records(first, last)?
        };
        Ok(Answer { records, repeated: true })
    }
}
