//! One batch: every petition decided on the state that the ones before it have left.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{ControlFlow, Range};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use assize_kernel::{
    Actor, AnyRulebook, BatchId, Digest, Docket, Draft, Head, Heard, Hearing, Moment, Record, StandingChange,
    StreamId, Unheard,
};
use assize_ledger::{Batch, Depth, Key, KeyEntry, Locked, Scan};

use super::cabinet::Cabinet;
use super::{Answer, ClerkError, Petition, RequestKey, Shelf};
use crate::Courts;

/// A batch in the making.
pub(super) struct Sitting<'a> {
    courts: &'a Courts,
    cabinet: &'a mut Cabinet,
    shelf: &'a Shelf,
    locked: &'a mut dyn Locked,
    id: BatchId,
    /// The end of the chain with this batch on it.
    head: Head,
    /// The end of the chain on disk.
    base: u64,
    written: Written,
    /// Rulebooks entered by this batch.
    entered: BTreeSet<Digest>,
    /// Streams in which a court broke down: nothing more is decided there in this batch.
    broken: BTreeSet<StreamId>,
}

/// What a batch has come to.
#[derive(Default)]
pub(super) struct Written {
    pub(super) batch: Batch,
    /// What changes on the boards, in order.
    pub(super) changes: Vec<StandingChange>,
    /// The streams whose state has moved.
    pub(super) streams: BTreeSet<StreamId>,
}

/// What came of one petition, before it is on disk.
pub(super) enum Outcome {
    /// These records of the batch.
    Recorded(Range<usize>),
    /// It was answered before, by these.
    Before(Vec<Arc<Record>>),
    /// It was answered earlier in this batch.
    InBatch(Range<usize>),
    Not(ClerkError),
}

impl Outcome {
    pub(super) fn answer(self, records: &[Arc<Record>]) -> Result<Answer, ClerkError> {
        let of_batch = |range: Range<usize>| records.get(range).unwrap_or_default().to_vec();
        match self {
            Self::Recorded(range) => Ok(Answer { records: of_batch(range), repeated: false }),
            Self::InBatch(range) => Ok(Answer { records: of_batch(range), repeated: true }),
            Self::Before(records) => Ok(Answer { records, repeated: true }),
            Self::Not(error) => Err(error),
        }
    }
}

impl<'a> Sitting<'a> {
    pub(super) fn begin(
        courts: &'a Courts,
        cabinet: &'a mut Cabinet,
        shelf: &'a Shelf,
        locked: &'a mut dyn Locked,
    ) -> Result<Self, ClerkError> {
        let mut id = BatchId::default();
        getrandom::fill(&mut id).map_err(|error| ClerkError::Broken(format!("no random bytes: {error}")))?;
        let head = locked.head();
        Ok(Self {
            courts,
            cabinet,
            shelf,
            locked,
            id,
            head,
            base: head.position,
            written: Written::default(),
            entered: BTreeSet::new(),
            broken: BTreeSet::new(),
        })
    }

    /// Decides petitions in order. Fails as a whole only when the store does.
    pub(super) fn hear_all(&mut self, petitions: Vec<Petition>) -> Result<Vec<Outcome>, ClerkError> {
        let mut used = self.keys_used(&petitions)?;
        petitions.into_iter().map(|petition| self.hear_once(petition, &mut used)).collect()
    }

    /// Lets deadlines that have come happen; returns the streams in which that failed.
    pub(super) fn fire_due(&mut self, streams: &[StreamId], now: Moment) -> BTreeSet<StreamId> {
        let failed = streams.iter().filter(|stream| {
            let fired = self.fire(stream, now);
            fired
                .inspect_err(|error| tracing::error!(%stream, %error, "a deadline could not be met"))
                .is_err()
        });
        failed.cloned().collect()
    }

    pub(super) fn finish(self) -> Written {
        self.written
    }

    /// What has been done before under the keys of these petitions.
    fn keys_used(&mut self, petitions: &[Petition]) -> Result<BTreeMap<Key, KeyEntry>, ClerkError> {
        let keys: Vec<Key> =
            petitions.iter().filter_map(|petition| Some(petition.key.as_ref()?.key.clone())).collect();
        if keys.is_empty() {
            return Ok(BTreeMap::new());
        }
        let found = self.locked.keys(&keys)?;
        Ok(found.into_iter().flatten().map(|entry| (entry.key.clone(), entry)).collect())
    }

    /// A petition whose key has been used gets the answer it had.
    fn hear_once(
        &mut self,
        petition: Petition,
        used: &mut BTreeMap<Key, KeyEntry>,
    ) -> Result<Outcome, ClerkError> {
        let Some(key) = petition.key.clone() else { return self.hear(petition) };
        if let Some(entry) = used.get(&key.key) {
            return if entry.request == key.request {
                self.recorded(entry.first, entry.last)
            } else {
                Ok(Outcome::Not(ClerkError::KeyReused))
            };
        }
        let at = petition.at;
        let outcome = self.hear(petition)?;
        if let Some((first, last)) = self.positions(&outcome) {
            let RequestKey { key, request } = key;
            let entry = KeyEntry { key: key.clone(), request, at, first, last };
            self.written.batch.keys.push(entry.clone());
            used.insert(key, entry);
        }
        Ok(outcome)
    }

    fn hear(&mut self, petition: Petition) -> Result<Outcome, ClerkError> {
        let Petition { stream, command, actor, at, rulebook, personal, .. } = petition;
        match self.fire(&stream, at) {
            Ok(()) => {}
            Err(error @ (ClerkError::Unavailable(_) | ClerkError::Unknown(_))) => return Err(error),
            Err(error) => return Ok(Outcome::Not(error)),
        }
        let book = match self.rulebook(&stream, rulebook) {
            Ok(book) => book,
            Err(error) => return Ok(Outcome::Not(error)),
        };
        let hearing = Hearing { at, actor: &actor, position: self.head.position + 1 };
        match self.with_docket(&stream, |docket| docket.hear(&book, command, hearing)) {
            Ok(Heard::Decided(drafts)) => {
                let recorded = self.seal(drafts);
                let position = self.base + recorded.start as u64 + 1;
                self.written.batch.personal.extend(personal.into_iter().map(|personal| (position, personal)));
                self.enter_rulebook(&stream, &book, at, &actor);
                Ok(Outcome::Recorded(recorded))
            }
            Ok(Heard::AsBefore(position)) => self.recorded(position, position),
            Err(Unheard::Refused(refusal)) => Ok(Outcome::Not(ClerkError::Refused(refusal))),
            Err(Unheard::Broken(problem)) => Ok(Outcome::Not(ClerkError::Broken(problem.into_owned()))),
        }
    }

    /// Lets every deadline of a stream up to `until` happen.
    fn fire(&mut self, stream: &StreamId, until: Moment) -> Result<(), ClerkError> {
        if self.broken.contains(stream) {
            return Err(ClerkError::Broken("an earlier request of the same moment failed; try again".into()));
        }
        let locked = &mut *self.locked;
        self.cabinet.fetch(stream, self.base, &mut |scan, each| locked.scan(scan, each))?;
        while self
            .cabinet
            .at_hand(stream.as_str())
            .and_then(|kept| kept.docket.deadline())
            .is_some_and(|at| at <= until)
        {
            let book = self.rulebook(stream, None)?;
            let position = self.head.position + 1;
            let fired = self.with_docket(stream, |docket| docket.fire(&book, position));
            let drafts = fired.map_err(|error| {
                // It may have moved the state before it failed.
                self.give_up(stream);
                ClerkError::Broken(error.to_string())
            })?;
            self.seal(drafts);
        }
        Ok(())
    }

    /// Works on a stream; a panic of its court is our fault and nobody's loss.
    fn with_docket<T>(
        &mut self,
        stream: &StreamId,
        work: impl FnOnce(&mut dyn Docket) -> Result<T, Unheard>,
    ) -> Result<T, Unheard> {
        let Some(kept) = self.cabinet.at_hand(stream.as_str()) else {
            return Err(Unheard::Broken("a stream was lost".into()));
        };
        let docket = &mut *kept.docket;
        if let Ok(worked) = catch_unwind(AssertUnwindSafe(|| work(&mut *docket))) {
            docket.take_changes(&mut self.written.changes);
            return worked;
        }
        self.give_up(stream);
        Err(Unheard::Broken(format!("the court of {stream} broke down").into()))
    }

    /// What is at hand of a stream cannot be trusted: nothing more is decided there in this batch.
    fn give_up(&mut self, stream: &StreamId) {
        self.cabinet.discard(stream);
        self.broken.insert(stream.clone());
    }

    /// The rulebook of the stream, or the one to open it with.
    fn rulebook(&mut self, stream: &StreamId, given: Option<AnyRulebook>) -> Result<AnyRulebook, ClerkError> {
        let own = self.cabinet.at_hand(stream.as_str()).and_then(|kept| kept.docket.rulebook());
        let Some(own) = own else {
            let book = given.or_else(|| self.courts.default_rulebook(stream.court()).cloned());
            return book.ok_or_else(|| ClerkError::Broken(format!("no rulebook for {stream}")));
        };
        let shipped =
            || self.courts.rulebooks(stream.court()).iter().find(|book| book.reference.hash == own.hash);
        let book = self.shelf.get(&own.hash).or_else(shipped).or(given.as_ref()).cloned();
        book.filter(|book| book.reference.hash == own.hash)
            .ok_or_else(|| ClerkError::Broken(format!("the rulebook {own} of {stream} cannot be read")))
    }

    /// Keeps the text of a rulebook that a stream was opened with.
    fn enter_rulebook(&mut self, stream: &StreamId, book: &AnyRulebook, at: Moment, actor: &Actor) {
        let hash = book.reference.hash;
        let opened =
            self.cabinet.at_hand(stream.as_str()).is_some_and(|kept| kept.docket.rulebook().is_some());
        if !opened || self.shelf.get(&hash).is_some() || self.entered.contains(&hash) {
            return;
        }
        let version = self.shelf.version() + self.entered.len() as u64 + 1;
        if let Some(draft) = Shelf::entry(book, version, at, actor) {
            self.entered.insert(hash);
            self.seal(vec![draft]);
        }
    }

    /// Gives drafts their places; returns which records of the batch they are.
    fn seal(&mut self, drafts: Vec<Draft>) -> Range<usize> {
        let start = self.written.batch.records.len();
        for draft in drafts {
            if !self.written.streams.contains(&draft.stream) {
                self.written.streams.insert(draft.stream.clone());
            }
            self.written.batch.records.push(self.head.seal(self.id, draft));
        }
        start..self.written.batch.records.len()
    }

    /// Records that were written before, in this batch or an earlier one.
    fn recorded(&mut self, first: u64, last: u64) -> Result<Outcome, ClerkError> {
        if first > self.base {
            let index = |position: u64| usize::try_from(position - self.base).unwrap_or(usize::MAX);
            return Ok(Outcome::InBatch(index(first) - 1..index(last)));
        }
        let mut records = Vec::new();
        let scan = Scan { stream: None, after: first - 1, limit: last - first + 1, depth: Depth::Whole };
        self.locked.scan(scan, &mut |record| {
            records.extend(record.to_record().map(Arc::new));
            ControlFlow::Continue(())
        })?;
        Ok(Outcome::Before(records))
    }

    fn positions(&self, outcome: &Outcome) -> Option<(u64, u64)> {
        match outcome {
            Outcome::Recorded(range) | Outcome::InBatch(range) if !range.is_empty() => {
                Some((self.base + range.start as u64 + 1, self.base + range.end as u64))
            }
            Outcome::Before(records) => Some((records.first()?.position, records.last()?.position)),
            _ => None,
        }
    }
}
