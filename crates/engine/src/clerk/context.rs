//! The context of a decision: courts, cached streams, rulebooks and the batches in flight.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::ControlFlow;
use std::sync::{Arc, PoisonError, RwLock};

use assize_kernel::{AnyRulebook, BatchId, Head, Record, StreamId};
use assize_ledger::{AccessChange, Depth, KeyEntry, Ledger, LedgerError, Scan, ScopedKey};

use super::access_cursor::AccessCursor;
use super::fold::Fold;
use super::inspection::Inspection;
use super::start::load_views;
use super::stream_cache::{CachedStream, StreamCache};
use super::{ClerkError, ClerkMetrics, RulebookIndex, Views};
use crate::Courts;
use crate::live::Feed;

/// Everything a decision reads.
pub(super) struct DecideContext {
    pub(super) courts: Arc<Courts>,
    pub(super) ledger: Arc<dyn Ledger>,
    pub(super) streams: StreamCache,
    pub(super) rulebooks: Arc<RulebookIndex>,
    /// The views of what is on disk.
    views: Arc<RwLock<Views>>,
    /// The feed of the broadcaster, for records that other processes appended.
    feed: Feed,
    metrics: Arc<ClerkMetrics>,
    pub(super) access_cursor: AccessCursor,
    /// Position of the last record known to be on disk.
    pub(super) position: u64,
    /// The end of the chain as it was when `position` was last known to be on it. If the ledger does not have
    /// this record any more, it has another history.
    applied: Head,
    /// The states must be rebuilt: the applied records may not be those of the ledger.
    outdated: bool,
    /// Whether the states were rebuilt since [`Self::take_rebuilt`] was last called.
    rebuilt: bool,
    /// Batches that are decided and not yet known to be on disk, in order.
    pub(super) in_flight: VecDeque<InFlight>,
    /// First half of every batch id: random for each process, so that ids are unique.
    process_id: u64,
    /// Second half of the batch id: number of batches begun.
    batches: u64,
}

/// A batch in flight: handed to the writer thread. The cached streams include it already.
pub(super) struct InFlight {
    /// Head of the chain including this batch.
    pub(super) head: Head,
    pub(super) records: Vec<Arc<Record>>,
    pub(super) streams: BTreeSet<StreamId>,
    pub(super) keys: BTreeMap<ScopedKey, KeyEntry>,
    /// Number of petitions that wait for it.
    pub(super) waiting: usize,
    /// Reads that have seen this batch and none after it.
    pub(super) inspections: Vec<Inspection>,
    pub(super) access: Vec<AccessChange>,
    /// The rulebook index before this batch.
    pub(super) rulebooks: Arc<RulebookIndex>,
    /// Version of the access stream before this batch.
    pub(super) access_cursor: u64,
}

impl DecideContext {
    pub(super) fn new(
        courts: Arc<Courts>,
        ledger: Arc<dyn Ledger>,
        views: Arc<RwLock<Views>>,
        feed: Feed,
        metrics: Arc<ClerkMetrics>,
    ) -> Result<Self, ClerkError> {
        let streams = StreamCache::new(courts.clone(), ledger.clone());
        let rulebooks = Arc::new(RulebookIndex::load(&*ledger, &courts)?);
        let process_id = getrandom::u64();
        let process_id =
            process_id.map_err(|error| ClerkError::Broken(format!("no random bytes: {error}")))?;
        let access_cursor = AccessCursor::load(&*ledger)?;
        Ok(Self {
            courts,
            ledger,
            streams,
            rulebooks,
            views,
            feed,
            metrics,
            access_cursor,
            position: 0,
            applied: Head::START,
            outdated: false,
            rebuilt: false,
            in_flight: VecDeque::new(),
            process_id,
            batches: 0,
        })
    }

    pub(super) fn next_batch_id(&mut self) -> BatchId {
        self.batches += 1;
        let mut id = BatchId::default();
        let (process, count) = id.split_at_mut(8);
        process.copy_from_slice(&self.process_id.to_be_bytes());
        count.copy_from_slice(&self.batches.to_be_bytes());
        id
    }

    /// Whether everything up to `head`, the end of the chain, is applied.
    pub(super) fn is_at(&self, head: Head) -> bool {
        !self.outdated && self.applied == head && self.position == head.position
    }

    /// Notes that a batch of this process is on disk.
    pub(super) fn written(&mut self, head: Head) {
        self.position = head.position;
        self.applied = head;
    }

    /// Whether the chain that ends at `head` contains the records that were applied.
    ///
    /// A database that was restored from a backup, or a standby that had not received everything, has a
    /// shorter or another history.
    pub(super) fn is_continued_by(&self, head: Head) -> Result<bool, LedgerError> {
        if self.outdated || head.position < self.position {
            return Ok(false);
        }
        if self.applied == Head::START {
            return Ok(true);
        }
        if head.position == self.applied.position {
            return Ok(head == self.applied);
        }
        Ok(self.head_at(self.applied.position)? == Some(self.applied))
    }

    /// The end of the chain as it was at this position; none when there is no such record.
    fn head_at(&self, position: u64) -> Result<Option<Head>, LedgerError> {
        let mut found = None;
        self.ledger.scan(Scan::at(position), &mut |record| {
            found = Some(Head { position: record.position, hash: record.hash });
            ControlFlow::Break(())
        })?;
        Ok(found.filter(|found| found.position == position))
    }

    /// Applies the records up to `head`, the end of the chain, which continues the applied records. No batch
    /// may be in flight.
    pub(super) fn catch_up(&mut self, head: Head) -> Result<(), ClerkError> {
        let mut views = self.views.write().unwrap_or_else(PoisonError::into_inner);
        let ledger = &self.ledger;
        let rulebooks = Arc::make_mut(&mut self.rulebooks);
        let fold = Fold::new(&self.courts, &mut self.streams, rulebooks, &mut self.access_cursor, &mut views);
        let mut fold = fold.with_feed(&mut self.feed);
        let folded = fold.catch_up(head.position, &mut |scan, each| ledger.scan(scan, each));
        let moved = self.position != views.position();
        self.position = views.position();
        self.feed.send(self.position);
        drop(views);
        if self.position == head.position {
            self.applied = head;
        } else if moved {
            match self.head_at(self.position) {
                Ok(Some(applied)) => self.applied = applied,
                // It cannot be found out later whether the ledger still has the records that were applied.
                Ok(None) | Err(_) => self.outdated = true,
            }
        }
        folded
    }

    /// Drops all states and views and builds them from the ledger, which ends at `head`. Subscribers are told
    /// to load everything again.
    pub(super) fn rebuild(&mut self, head: Head) -> Result<(), ClerkError> {
        let why = match self.outdated {
            true => "the connection broke while records were applied",
            false => "the ledger has another history than the one that was applied",
        };
        tracing::error!(
            applied_position = self.applied.position,
            applied_hash = %self.applied.hash,
            ledger_position = head.position,
            ledger_hash = %head.hash,
            "{why}; states and boards are rebuilt from the ledger"
        );
        self.outdated = true;
        self.metrics.store_health.set_rebuilding(true);
        let rebuilt = self.rebuild_from_ledger(head);
        self.metrics.store_health.set_rebuilding(false);
        rebuilt
    }

    fn rebuild_from_ledger(&mut self, head: Head) -> Result<(), ClerkError> {
        let ledger = &self.ledger;
        self.streams.clear();
        self.rulebooks = Arc::new(RulebookIndex::load(&**ledger, &self.courts)?);
        self.access_cursor.reload(&**ledger)?;
        let mut views = load_views(&self.courts, &**ledger)?;
        let rulebooks = Arc::make_mut(&mut self.rulebooks);
        let mut fold =
            Fold::new(&self.courts, &mut self.streams, rulebooks, &mut self.access_cursor, &mut views);
        fold.catch_up(head.position, &mut |scan, each| ledger.scan(scan, each))?;
        views.begin_fork(head.hash);
        self.position = views.position();
        self.applied = head;
        self.outdated = self.position != head.position;
        self.rebuilt = true;
        let mut current = self.views.write().unwrap_or_else(PoisonError::into_inner);
        *current = views;
        self.feed.reset(self.position);
        Ok(())
    }

    /// Whether the states were rebuilt since the last call.
    pub(super) fn take_rebuilt(&mut self) -> bool {
        std::mem::take(&mut self.rebuilt)
    }

    /// A stream including the batches in flight.
    pub(super) fn fetch(&mut self, stream: &StreamId) -> Result<&mut CachedStream, ClerkError> {
        let ledger = &self.ledger;
        self.streams.fetch(stream, self.position, &mut |scan, each| ledger.scan(scan, each))
    }

    /// Reads the state of a stream. The read is answered at once, or when the last batch in flight that the
    /// state includes is on disk.
    pub(super) fn inspect(&mut self, mut inspection: Inspection) {
        let cached = self.fetch(&inspection.stream);
        let empty = cached.as_ref().is_ok_and(|cached| cached.stream.version() == 0);
        inspection.look(cached.map(|cached| cached.stream.state()));
        // Requests for streams that do not exist must not fill the cache.
        if empty {
            self.streams.discard(&inspection.stream);
        }
        let latest = self.in_flight.iter_mut().rfind(|batch| batch.streams.contains(&inspection.stream));
        match latest {
            Some(batch) => batch.inspections.push(inspection),
            None => inspection.answer(),
        }
    }

    /// Number of reads that wait for batches in flight.
    pub(super) fn waiting_inspections(&self) -> usize {
        self.in_flight.iter().map(|batch| batch.inspections.len()).sum()
    }

    /// Number of petitions in batches in flight.
    pub(super) fn waiting(&self) -> usize {
        self.in_flight.iter().map(|batch| batch.waiting).sum()
    }

    /// Discards the batches in flight, evicts the streams that include them and restores the state before
    /// them. Reads that have seen them look again.
    pub(super) fn discard_in_flight(&mut self) {
        let mut inspections = Vec::new();
        for batch in self.in_flight.drain(..).rev() {
            batch.streams.iter().for_each(|stream| self.streams.discard(stream));
            self.rulebooks = batch.rulebooks;
            self.access_cursor.version = batch.access_cursor;
            inspections.extend(batch.inspections);
        }
        inspections.into_iter().for_each(|inspection| self.inspect(inspection));
    }

    /// Looks up idempotency keys, on disk and in flight.
    pub(super) fn keys_used(&self, keys: &[ScopedKey]) -> Result<BTreeMap<ScopedKey, KeyEntry>, LedgerError> {
        if keys.is_empty() {
            return Ok(BTreeMap::new());
        }
        let on_disk = self.ledger.keys(keys)?.into_iter().flatten();
        let in_flight =
            self.in_flight.iter().flat_map(|batch| keys.iter().filter_map(|key| batch.keys.get(key)));
        Ok(on_disk.chain(in_flight.cloned()).map(|entry| (entry.key.clone(), entry)).collect())
    }

    /// The records of an earlier answer, on disk or in flight.
    pub(super) fn records(&self, first: u64, last: u64) -> Result<Vec<Arc<Record>>, LedgerError> {
        if first > self.position {
            let records = self.in_flight.iter().flat_map(|batch| &batch.records);
            return Ok(records.filter(|record| (first..=last).contains(&record.position)).cloned().collect());
        }
        let mut records = Vec::new();
        let scan = Scan { stream: None, after: first - 1, limit: last - first + 1, depth: Depth::Whole };
        self.ledger.scan(scan, &mut |record| {
            records.extend(record.to_record().map(Arc::new));
            ControlFlow::Continue(())
        })?;
        Ok(records)
    }

    /// Position of the record that revises the one at `position`, if it was revised.
    pub(super) fn revised_at(&self, position: u64) -> Option<u64> {
        self.views.read().unwrap_or_else(PoisonError::into_inner).revised_at(position)
    }

    /// The rulebook of a stream, or for a new stream `given` or the court's default.
    pub(super) fn rulebook(
        &mut self,
        stream: &StreamId,
        given: Option<&AnyRulebook>,
    ) -> Result<AnyRulebook, ClerkError> {
        let own = self.streams.cached(stream.as_str()).and_then(|cached| cached.stream.rulebook());
        let Some(own) = own else {
            let book = given.or_else(|| self.courts.default_rulebook(stream.court())).cloned();
            return book.ok_or_else(|| ClerkError::Broken(format!("no rulebook for {stream}")));
        };
        let shipped =
            || self.courts.rulebooks(stream.court()).iter().find(|book| book.reference.hash == own.hash);
        let book = self.rulebooks.get(&own.hash).or_else(shipped).cloned();
        book.ok_or_else(|| ClerkError::Broken(format!("the rulebook {own} of {stream} cannot be read")))
    }
}
