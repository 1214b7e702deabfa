//! A batch under construction: each petition is decided on the state left by the petitions before it.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use assize_kernel::{
    Actor, AnyRulebook, AnyStream, BatchId, CommandContext, DecideError, Draft, Head, Millis, Moment,
    PlacedChange, Record, StreamId,
};
use assize_ledger::{AccessChange, Batch, KeyEntry, ScopedKey};

use super::commit::DecidedBatch;
use super::context::{DecideContext, InFlight};
use super::{
    Answer, ClerkError, MEDIA, Petition, RAW_LOG, ReplySender, RequestKey, Revise, RulebookIndex, Waiting,
};
use crate::access::{ACCESS, give_token};

/// Limit of deadlines fired for one stream at once; beyond it the court is assumed to loop.
const MOST_DEADLINES: u32 = 100_000;
/// Delay before a deadline that failed to fire is tried again.
const AFTER_FAILURE: Millis = Millis(60_000);

/// Collects the records, side tables and replies of one batch.
pub(super) struct BatchBuilder {
    id: BatchId,
    /// Head of the chain before this batch.
    base: Head,
    /// Head of the chain including this batch.
    head: Head,
    batch: Batch,
    /// Changes to the boards, in order.
    changes: Vec<PlacedChange>,
    /// Streams that may have changed, or whose deadline may have moved.
    streams: BTreeSet<StreamId>,
    /// Idempotency keys first used in this batch.
    keys: BTreeMap<ScopedKey, KeyEntry>,
    /// Streams whose court panicked or failed; they reject further petitions in this batch.
    broken: BTreeSet<StreamId>,
    /// Streams whose deadline failed to fire.
    unmet: BTreeSet<StreamId>,
    replies: Vec<PendingReply>,
    /// The rulebook index before this batch, restored if the batch is discarded.
    rulebooks: Arc<RulebookIndex>,
    /// Version of the access stream before this batch, restored if the batch is discarded.
    access_cursor: u64,
}

/// A decided petition whose reply is held back until the batch is on disk.
pub(super) struct PendingReply {
    petition: Box<Petition>,
    reply: ReplySender,
    answer: DecideResult,
}

pub(super) type DecideResult = Result<Answer, ClerkError>;

impl PendingReply {
    /// Sends the answer.
    pub(super) fn answer(self) {
        // The caller may have dropped the receiving end.
        drop(self.reply.send(self.answer));
    }

    /// Whether it repeats the answer to an earlier request.
    pub(super) fn is_repeated(&self) -> bool {
        self.answer.as_ref().is_ok_and(|answer| answer.repeated)
    }

    /// Turns it back into a waiting petition, to be decided again.
    pub(super) fn into_waiting(self) -> Waiting {
        (self.petition, self.reply)
    }
}

impl BatchBuilder {
    /// Begins a batch on `base`, the head of the chain including batches in flight.
    pub(super) fn begin(context: &mut DecideContext, base: Head) -> Self {
        Self {
            id: context.next_batch_id(),
            base,
            head: base,
            batch: Batch::default(),
            changes: Vec::new(),
            streams: BTreeSet::new(),
            keys: BTreeMap::new(),
            broken: BTreeSet::new(),
            unmet: BTreeSet::new(),
            replies: Vec::new(),
            rulebooks: context.rulebooks.clone(),
            access_cursor: context.access_cursor.version,
        }
    }

    /// Whether a court failed; its stream must be reloaded from disk.
    pub(super) fn has_broken(&self) -> bool {
        !self.broken.is_empty()
    }

    /// Decides petitions in order.
    pub(super) fn decide_all(&mut self, context: &mut DecideContext, petitions: Vec<Waiting>) {
        let asked = petitions.iter().filter_map(|(petition, _)| Some(petition.key.as_ref()?.key.clone()));
        let used = context.keys_used(&asked.collect::<Vec<_>>()).map_err(ClerkError::from);
        for (petition, reply) in petitions {
            let answer = match (&petition.key, &used) {
                (None, _) => self.decide(context, &petition),
                (Some(key), Ok(used)) => self.decide_once(context, &petition, key, used),
                (Some(_), Err(error)) => Err(error.clone()),
            };
            self.replies.push(PendingReply { petition, reply, answer });
        }
    }

    /// Fires the deadlines of these streams up to `now`.
    pub(super) fn fire_due(&mut self, context: &mut DecideContext, streams: Vec<StreamId>, now: Moment) {
        for stream in streams {
            if let Err(error) = self.fire(context, &stream, now) {
                tracing::error!(%stream, %error, "failed to fire a deadline");
                self.unmet.insert(stream.clone());
            }
            self.streams.insert(stream);
        }
    }

    /// Finishes the batch and registers it with the context as in flight.
    pub(super) fn close(self, context: &mut DecideContext, now: Moment) -> DecidedBatch {
        let courts = context.courts.clone();
        let of_courts = || self.streams.iter().filter(|stream| courts.get(stream.court()).is_some());
        let deadlines = of_courts().map(|stream| {
            let cached = context.streams.cached(stream.as_str());
            let deadline = match cached {
                _ if self.unmet.contains(stream) => Some(now + AFTER_FAILURE),
                Some(cached) => cached.stream.deadline(),
                // The court failed; the stream is reloaded once this batch is on disk.
                None => Some(now),
            };
            (stream.clone(), deadline)
        });
        let deadlines = deadlines.collect();
        let due = of_courts().filter(|stream| context.streams.snapshot_due(stream)).collect::<Vec<_>>();
        let snapshots = due.into_iter().filter_map(|stream| context.streams.snapshot(stream, self.head));
        let snapshots = snapshots.collect();
        let Self { base, head, batch, changes, replies, streams, keys, rulebooks, access_cursor, .. } = self;
        context.in_flight.push_back(InFlight {
            head,
            records: batch.records.clone(),
            streams,
            keys,
            waiting: replies.len(),
            inspections: Vec::new(),
            access: batch.access.clone(),
            rulebooks,
            access_cursor,
        });
        DecidedBatch { base, head, batch, changes, deadlines, snapshots, replies }
    }

    /// Decides a petition with an idempotency key; a key that was used before returns the first answer.
    fn decide_once(
        &mut self,
        context: &mut DecideContext,
        petition: &Petition,
        request_key: &RequestKey,
        used: &BTreeMap<ScopedKey, KeyEntry>,
    ) -> DecideResult {
        let RequestKey { key, request } = request_key;
        if let Some(entry) = self.keys.get(key).or_else(|| used.get(key)) {
            if entry.request != *request {
                return Err(ClerkError::KeyReused);
            }
            return self.recorded(context, entry.first, entry.last);
        }
        let answer = self.decide(context, petition)?;
        if let (Some(first), Some(last)) = (answer.records.first(), answer.records.last()) {
            let entry = KeyEntry {
                key: key.clone(),
                request: *request,
                at: petition.at,
                first: first.position,
                last: last.position,
            };
            self.batch.keys.push(entry.clone());
            self.keys.insert(key.clone(), entry);
        }
        Ok(answer)
    }

    /// Decides a petition and notes the origin of the request for each of its records.
    fn decide(&mut self, context: &mut DecideContext, petition: &Petition) -> DecideResult {
        let of_access = petition.stream.as_str() == ACCESS;
        let of_raw_log = [RAW_LOG, MEDIA].contains(&petition.stream.court());
        if !of_access && !of_raw_log {
            self.fire(context, &petition.stream, petition.at)?;
        }
        let before = self.batch.records.len();
        let answer = match () {
            () if of_access => self.decide_access(context, petition),
            () if of_raw_log => self.keep(context, petition),
            () => self.decide_court(context, petition),
        };
        if let Some(origin) = &petition.origin {
            let records = self.batch.records.iter().skip(before);
            self.batch.origins.extend(records.map(|record| (record.position, origin.clone())));
        }
        answer
    }

    fn decide_court(&mut self, context: &mut DecideContext, petition: &Petition) -> DecideResult {
        let Petition { stream, command, actor, at, rulebook, personal, token, .. } = petition;
        if let Some(revise) = command.downcast_ref::<Revise>() {
            return self.decide_revision(context, petition, revise);
        }
        let book = context.rulebook(stream, rulebook.as_ref())?;
        let command_context = CommandContext { at: *at, actor, position: self.head.position + 1 };
        match self.with_stream(context, stream, |stream| stream.decide(&book, command, command_context)) {
            Ok(assize_kernel::Ruling::Decided(drafts)) => {
                let records = self.seal(drafts);
                let position = command_context.position;
                self.batch.personal.extend(personal.iter().map(|personal| (position, personal.clone())));
                self.enter_rulebook(context, stream, &book, *at, actor);
                if let Some(token) = token {
                    self.enter_access(context, give_token(token, *at, actor), *at, actor);
                }
                Ok(Answer { records, repeated: false })
            }
            Ok(assize_kernel::Ruling::AsBefore(position)) => self.as_it_stands(context, stream, position),
            Err(error) => Err(error.into()),
        }
    }

    /// Fires every deadline of a stream up to `until`.
    fn fire(
        &mut self,
        context: &mut DecideContext,
        stream: &StreamId,
        until: Moment,
    ) -> Result<(), ClerkError> {
        if self.broken.contains(stream) {
            return Err(ClerkError::Broken("an earlier request of the same moment failed; try again".into()));
        }
        let mut left = MOST_DEADLINES;
        while context.fetch(stream)?.stream.deadline().is_some_and(|at| at <= until) {
            if left == 0 {
                self.give_up(context, stream);
                return Err(ClerkError::Broken(format!("the deadlines of {stream} have no end")));
            }
            left -= 1;
            let book = context.rulebook(stream, None)?;
            let position = self.head.position + 1;
            let fired = self.with_stream(context, stream, |stream| stream.fire(&book, position));
            let drafts = fired.map_err(|error| {
                // The court may have changed the state before it failed.
                self.give_up(context, stream);
                ClerkError::Broken(error.to_string())
            })?;
            self.seal(drafts);
        }
        Ok(())
    }

    /// Runs `work` on a cached stream. A panic of the court fails this petition only.
    fn with_stream<T>(
        &mut self,
        context: &mut DecideContext,
        stream: &StreamId,
        work: impl FnOnce(&mut dyn AnyStream) -> Result<T, DecideError>,
    ) -> Result<T, DecideError> {
        let Some(cached) = context.streams.cached(stream.as_str()) else {
            return Err(DecideError::Broken("a stream was lost".into()));
        };
        if let Ok(result) = catch_unwind(AssertUnwindSafe(|| work(&mut *cached.stream))) {
            cached.stream.take_changes(&mut self.changes);
            return result;
        }
        self.give_up(context, stream);
        Err(DecideError::Broken(format!("the court of {stream} broke down").into()))
    }

    /// Evicts a stream whose state cannot be trusted; it takes no more petitions in this batch.
    fn give_up(&mut self, context: &mut DecideContext, stream: &StreamId) {
        context.streams.discard(stream);
        self.broken.insert(stream.clone());
        self.streams.insert(stream.clone());
    }

    /// Records the text of a rulebook that a stream was opened with, unless it is recorded already.
    pub(super) fn enter_rulebook(
        &mut self,
        context: &mut DecideContext,
        stream: &StreamId,
        book: &AnyRulebook,
        at: Moment,
        actor: &Actor,
    ) {
        if context.rulebooks.get(&book.reference.hash).is_some() {
            return;
        }
        let opened =
            context.streams.cached(stream.as_str()).is_some_and(|cached| cached.stream.rulebook().is_some());
        let draft = RulebookIndex::entry(book, context.rulebooks.version() + 1, at, actor);
        if let Some(draft) = draft.filter(|_| opened) {
            for record in self.seal(vec![draft]) {
                Arc::make_mut(&mut context.rulebooks).follow(&context.courts, &record.view());
            }
        }
    }

    /// Appends drafts: each becomes a record with its position and hash.
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

    /// The records of this batch, or none if the batch has none of this stream.
    pub(super) fn records_of(&self, stream: &StreamId) -> std::slice::Iter<'_, Arc<Record>> {
        let records: &[_] = if self.streams.contains(stream) { &self.batch.records } else { &[] };
        records.iter()
    }

    /// The board changes of this batch.
    pub(super) fn changes(&mut self) -> &mut Vec<PlacedChange> {
        &mut self.changes
    }

    /// The access changes of this batch.
    pub(super) fn access(&mut self) -> &mut Vec<AccessChange> {
        &mut self.batch.access
    }

    /// The answer with records that exist already, in this batch or an earlier one.
    pub(super) fn recorded(&self, context: &DecideContext, first: u64, last: u64) -> DecideResult {
        let records = if first > self.base.position {
            let records = self.batch.records.iter();
            records.filter(|record| (first..=last).contains(&record.position)).cloned().collect()
        } else {
            context.records(first, last)?
        };
        Ok(Answer { records, repeated: true })
    }
}
