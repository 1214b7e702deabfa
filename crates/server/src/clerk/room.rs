//! What the clerk has at hand when it decides: courts, states, rulebooks, and what is still being written.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::ControlFlow;
use std::sync::{Arc, PoisonError, RwLock};

use assize_kernel::{AnyRulebook, BatchId, Head, Record, StreamId};
use assize_ledger::{AccessChange, Depth, Key, KeyEntry, Ledger, LedgerError, Scan};

use super::cabinet::{Cabinet, Kept};
use super::fold::Fold;
use super::trail::Trail;
use super::{ClerkError, Shelf, Views};
use crate::Courts;
use crate::live::Wire;

/// Everything a decision is made with.
pub(super) struct Room {
    pub(super) courts: Arc<Courts>,
    pub(super) ledger: Arc<dyn Ledger>,
    pub(super) cabinet: Cabinet,
    pub(super) shelf: Arc<Shelf>,
    /// What is on disk, as everybody sees it.
    views: Arc<RwLock<Views>>,
    /// Where those hear who listen of what others have appended.
    wire: Wire,
    pub(super) trail: Trail,
    /// How far the ledger has come on disk.
    pub(super) position: u64,
    /// What is decided and not yet known to be on disk, in order.
    pub(super) flights: VecDeque<Flight>,
    /// Random for each process, and counted: no two batches have the same.
    batch_id: (u64, u64),
}

/// A batch on its way to the disk. The states in the cabinet have seen it already.
pub(super) struct Flight {
    /// The end of the chain with it.
    pub(super) head: Head,
    pub(super) records: Vec<Arc<Record>>,
    pub(super) streams: BTreeSet<StreamId>,
    pub(super) keys: BTreeMap<Key, KeyEntry>,
    /// How many wait for it.
    pub(super) waiting: usize,
    /// What it changes in who may come in.
    pub(super) access: Vec<AccessChange>,
    /// The rulebooks as they were before it.
    pub(super) shelf: Arc<Shelf>,
    /// How far the stream of who may come in had come before it.
    pub(super) trail: u64,
}

impl Room {
    pub(super) fn new(
        courts: Arc<Courts>,
        ledger: Arc<dyn Ledger>,
        (views, wire): (Arc<RwLock<Views>>, Wire),
    ) -> Result<Self, ClerkError> {
        let cabinet = Cabinet::new(courts.clone(), ledger.clone());
        let shelf = Arc::new(Shelf::load(&*ledger, &courts)?);
        let random = getrandom::u64();
        let random = random.map_err(|error| ClerkError::Broken(format!("no random bytes: {error}")))?;
        let (trail, flights) = (Trail::load(&*ledger)?, VecDeque::new());
        let batch_id = (random, 0);
        Ok(Self { courts, ledger, cabinet, shelf, views, wire, trail, position: 0, flights, batch_id })
    }

    pub(super) fn next_batch_id(&mut self) -> BatchId {
        self.batch_id.1 += 1;
        let mut id = BatchId::default();
        let (random, count) = id.split_at_mut(8);
        random.copy_from_slice(&self.batch_id.0.to_be_bytes());
        count.copy_from_slice(&self.batch_id.1.to_be_bytes());
        id
    }

    /// Takes in what others have appended. Nothing may be on its way.
    pub(super) fn catch_up(&mut self, views: &mut Views) -> Result<(), ClerkError> {
        let (ledger, shelf) = (&self.ledger, Arc::make_mut(&mut self.shelf));
        let beside = (shelf, &mut self.trail);
        let fold = Fold::new(&self.courts, &mut self.cabinet, beside, views);
        let mut fold = fold.told_over(&mut self.wire);
        let folded = fold.catch_up(&mut |scan, each| ledger.scan(scan, each));
        self.position = views.position();
        self.wire.send(self.position);
        folded
    }

    /// A stream as it is with everything that was decided.
    pub(super) fn fetch(&mut self, stream: &StreamId) -> Result<&mut Kept, ClerkError> {
        let ledger = &self.ledger;
        self.cabinet.fetch(stream, self.position, &mut |scan, each| ledger.scan(scan, each))
    }

    /// Whether what is at hand of a stream has seen what may not be on disk yet.
    pub(super) fn is_ahead(&self, stream: &StreamId) -> bool {
        self.flights.iter().any(|flight| flight.streams.contains(stream))
    }

    /// How many wait for what is on its way.
    pub(super) fn waiting(&self) -> usize {
        self.flights.iter().map(|flight| flight.waiting).sum()
    }

    /// Nothing of what is on its way has happened: the states that have seen it are not to be believed.
    pub(super) fn forget_flights(&mut self) {
        for flight in self.flights.drain(..).rev() {
            flight.streams.iter().for_each(|stream| self.cabinet.discard(stream));
            self.shelf = flight.shelf;
            self.trail.version = flight.trail;
        }
    }

    /// What was done before under these keys.
    pub(super) fn keys_used(&self, keys: &[Key]) -> Result<BTreeMap<Key, KeyEntry>, LedgerError> {
        if keys.is_empty() {
            return Ok(BTreeMap::new());
        }
        let on_disk = self.ledger.keys(keys)?.into_iter().flatten();
        let flights = self.flights.iter();
        let on_their_way = flights.flat_map(|flight| keys.iter().filter_map(|key| flight.keys.get(key)));
        Ok(on_disk.chain(on_their_way.cloned()).map(|entry| (entry.key.clone(), entry)).collect())
    }

    /// Records that were decided before, together.
    pub(super) fn records(&self, first: u64, last: u64) -> Result<Vec<Arc<Record>>, LedgerError> {
        if first > self.position {
            let records = self.flights.iter().flat_map(|flight| &flight.records);
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

    /// Where it stands on disk what the record at a position says now; none when it was never revised.
    pub(super) fn revised_at(&self, position: u64) -> Option<u64> {
        self.views.read().unwrap_or_else(PoisonError::into_inner).revised_at(position)
    }

    /// The rulebook of a stream, or the one to open it with.
    pub(super) fn rulebook(
        &mut self,
        stream: &StreamId,
        given: Option<&AnyRulebook>,
    ) -> Result<AnyRulebook, ClerkError> {
        let own = self.cabinet.at_hand(stream.as_str()).and_then(|kept| kept.docket.rulebook());
        let Some(own) = own else {
            let book = given.or_else(|| self.courts.default_rulebook(stream.court())).cloned();
            return book.ok_or_else(|| ClerkError::Broken(format!("no rulebook for {stream}")));
        };
        let shipped =
            || self.courts.rulebooks(stream.court()).iter().find(|book| book.reference.hash == own.hash);
        let book = self.shelf.get(&own.hash).or_else(shipped).cloned();
        book.ok_or_else(|| ClerkError::Broken(format!("the rulebook {own} of {stream} cannot be read")))
    }
}
