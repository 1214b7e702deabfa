//! Cache of stream states, loaded from snapshots and the ledger on a miss.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use assize_kernel::{AnyStream, HISTORY_REVISED, StreamId, Unreadable};
use assize_ledger::{Depth, Ledger, LedgerError, Scan, Snapshot};

use super::ClerkError;
use super::start::intact_snapshot;
use crate::Courts;
use crate::history::{Part, ScanRecords};

/// Size of a generation: once this many streams were used, those not used since are evicted.
const GENERATION: usize = 50_000;

/// Least number of events between two snapshots of a stream.
const SNAPSHOT_EVERY: u64 = 1_000;
/// Large states are saved less often: one more event for this many bytes, roughly the cost of folding it.
const BYTES_AN_EVENT: u64 = 64;

/// A cache in two generations: when `recent` is full it replaces `older`.
pub(super) struct StreamCache {
    courts: Arc<Courts>,
    ledger: Arc<dyn Ledger>,
    recent: HashMap<StreamId, CachedStream>,
    older: HashMap<StreamId, CachedStream>,
    /// Whether streams are loaded from snapshots.
    snapshots: bool,
}

/// A cached stream.
pub(super) struct CachedStream {
    pub(super) stream: Box<dyn AnyStream>,
    /// Version at which the next snapshot is due.
    save_at: u64,
    /// Whether its deadline may have moved since the last fold.
    pub(super) touched: bool,
}

impl StreamCache {
    pub(super) fn new(courts: Arc<Courts>, ledger: Arc<dyn Ledger>) -> Self {
        Self { courts, ledger, recent: HashMap::new(), older: HashMap::new(), snapshots: true }
    }

    /// Loads streams from their records only.
    pub(super) fn without_snapshots(self) -> Self {
        Self { snapshots: false, ..self }
    }

    /// Evicts all streams.
    pub(super) fn clear(&mut self) {
        self.recent.clear();
        self.older.clear();
    }

    /// The stream if it is cached.
    pub(super) fn cached(&mut self, stream: &str) -> Option<&mut CachedStream> {
        if !self.older.is_empty() && !self.recent.contains_key(stream) {
            let (stream, cached) = self.older.remove_entry(stream)?;
            self.insert(stream, cached);
        }
        self.recent.get_mut(stream)
    }

    /// The stream, loaded on a cache miss as of `position`, the position of the views. Later records are
    /// applied by a fold, which updates the views too.
    pub(super) fn fetch(
        &mut self,
        stream: &StreamId,
        position: u64,
        scan: &mut ScanRecords<'_>,
    ) -> Result<&mut CachedStream, ClerkError> {
        if self.cached(stream.as_str()).is_none() {
            let cached = self.load(stream, position, scan)?;
            self.insert(stream.clone(), cached);
        }
        self.recent.get_mut(stream).ok_or_else(|| ClerkError::Broken("a stream was lost".into()))
    }

    /// Replaces the cached stream after a revision of its history.
    pub(super) fn put(&mut self, id: &StreamId, stream: Box<dyn AnyStream>) {
        let save_at =
            self.cached(id.as_str()).map_or(stream.version() + SNAPSHOT_EVERY, |cached| cached.save_at);
        self.insert(id.clone(), CachedStream { stream, save_at, touched: true });
    }

    /// Evicts a stream whose state differs from the ledger.
    pub(super) fn discard(&mut self, stream: &StreamId) {
        self.recent.remove(stream);
        self.older.remove(stream);
    }

    /// The cached streams whose deadline may have moved.
    pub(super) fn touched(&mut self) -> impl Iterator<Item = &mut CachedStream> {
        self.recent.values_mut().chain(self.older.values_mut()).filter(|cached| cached.touched)
    }

    /// Whether a stream has enough new events for a snapshot.
    pub(super) fn snapshot_due(&self, stream: &StreamId) -> bool {
        self.recent.get(stream).is_some_and(|cached| cached.stream.version() >= cached.save_at)
    }

    /// A snapshot of a stream as of `head`.
    pub(super) fn snapshot(&mut self, stream: &StreamId, head: assize_kernel::Head) -> Option<Snapshot> {
        let edition = self.courts.get(stream.court())?.edition().to_string();
        let cached = self.recent.get_mut(stream)?;
        let version = cached.stream.version();
        let body = cached.stream.snapshot();
        cached.save_at = version + SNAPSHOT_EVERY.max(body.len() as u64 / BYTES_AN_EVENT);
        Some(Snapshot {
            name: stream.to_string(),
            position: head.position,
            hash: head.hash,
            version,
            edition,
            body,
        })
    }

    fn insert(&mut self, stream: StreamId, cached: CachedStream) {
        if self.recent.len() >= GENERATION {
            self.older = std::mem::take(&mut self.recent);
        }
        self.recent.insert(stream, cached);
    }

    fn load(
        &self,
        stream: &StreamId,
        position: u64,
        scan: &mut ScanRecords<'_>,
    ) -> Result<CachedStream, ClerkError> {
        let court = self.courts.get(stream.court());
        let court = court.ok_or_else(|| ClerkError::Broken(format!("no court for {stream}")))?;
        let restored = self.saved(stream, position)?.and_then(|snapshot| {
            let any_stream = court.restore(stream.clone(), snapshot.version, &snapshot.body);
            any_stream
                .inspect_err(
                    |error| tracing::warn!(%stream, %error, "failed to restore a snapshot; it is ignored"),
                )
                .ok()
        });
        let mut any_stream = restored.unwrap_or_else(|| court.empty(stream.clone()));
        let saved = any_stream.version();
        let mut unreadable: Option<Unreadable> = None;
        let mut revised = false;
        scan(Scan::stream(stream.as_str(), saved, Depth::Facts), &mut |record| {
            revised = record.kind == HISTORY_REVISED && record.position <= position;
            if record.position > position || revised {
                return ControlFlow::Break(());
            }
            match any_stream.follow(&record) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    unreadable = Some(error);
                    ControlFlow::Break(())
                }
            }
        })?;
        if let Some(unreadable) = unreadable {
            return Err(ClerkError::Damaged(unreadable.to_string()));
        }
        if revised {
            any_stream = Part { court: &**court, stream, upto: position }.as_it_stands(scan)?;
        }
        // The views include the changes of these events already.
        any_stream.drop_changes();
        Ok(CachedStream { stream: any_stream, save_at: saved + SNAPSHOT_EVERY, touched: false })
    }

    /// The saved snapshot, if it belongs to this chain and edition and is not beyond `position`.
    fn saved(&self, stream: &StreamId, position: u64) -> Result<Option<Snapshot>, LedgerError> {
        if !self.snapshots {
            return Ok(None);
        }
        let edition = self.courts.get(stream.court()).map(|court| court.edition().to_string());
        let found = intact_snapshot(&*self.ledger, stream.as_str())?;
        let usable =
            found.filter(|found| Some(&found.edition) == edition.as_ref() && found.position <= position);
        match usable {
            Some(snapshot) if of_this_history(&*self.ledger, &snapshot)? => Ok(Some(snapshot)),
            _ => Ok(None),
        }
    }
}

/// Whether a snapshot belongs to this chain: the record at its position has the same hash.
pub(super) fn of_this_history(ledger: &dyn Ledger, snapshot: &Snapshot) -> Result<bool, LedgerError> {
    let mut same = snapshot.position == 0;
    ledger.scan(Scan::at(snapshot.position), &mut |record| {
        same = record.position == snapshot.position && record.hash == snapshot.hash;
        ControlFlow::Break(())
    })?;
    Ok(same)
}
