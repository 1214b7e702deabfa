//! Where the clerk keeps the streams it has worked on, and fetches those it has not.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use assize_kernel::{Docket, HISTORY_REVISED, StreamId, Unreadable};
use assize_ledger::{Depth, Ledger, LedgerError, Scan, Snapshot};

use super::ClerkError;
use crate::Courts;
use crate::history::{Part, ScanRecords};

/// How many streams may be touched before those not touched since are put away.
const GENERATION: usize = 50_000;

/// How many events of a stream pass at least before its state is saved.
const SNAPSHOT_EVERY: u64 = 1_000;
/// A large state is saved more rarely: one more event for so many bytes, about what folding an event costs.
const BYTES_AN_EVENT: u64 = 64;

/// Streams with their states.
pub(super) struct Cabinet {
    courts: Arc<Courts>,
    ledger: Arc<dyn Ledger>,
    recent: HashMap<StreamId, Kept>,
    older: HashMap<StreamId, Kept>,
}

/// A stream in the cabinet.
pub(super) struct Kept {
    pub(super) docket: Box<dyn Docket>,
    /// From this version on it is worth saving.
    save_at: u64,
    /// Whether its deadline may have moved since it was last looked at.
    pub(super) touched: bool,
}

impl Cabinet {
    pub(super) fn new(courts: Arc<Courts>, ledger: Arc<dyn Ledger>) -> Self {
        Self { courts, ledger, recent: HashMap::new(), older: HashMap::new() }
    }

    /// The stream when it is at hand.
    pub(super) fn at_hand(&mut self, stream: &str) -> Option<&mut Kept> {
        if !self.older.is_empty() && !self.recent.contains_key(stream) {
            let (stream, kept) = self.older.remove_entry(stream)?;
            self.keep(stream, kept);
        }
        self.recent.get_mut(stream)
    }

    /// The stream, fetched from the ledger when it is not at hand: as it was at `position`, which is how far the
    /// boards have come. What lies beyond is taken in by a fold, boards and all.
    pub(super) fn fetch(
        &mut self,
        stream: &StreamId,
        position: u64,
        scan: &mut ScanRecords<'_>,
    ) -> Result<&mut Kept, ClerkError> {
        if self.at_hand(stream.as_str()).is_none() {
            let kept = self.load(stream, position, scan)?;
            self.keep(stream.clone(), kept);
        }
        self.recent.get_mut(stream).ok_or_else(|| ClerkError::Broken("a stream was lost".into()))
    }

    /// Keeps this in the place of what is at hand of a stream: its history was revised.
    pub(super) fn put(&mut self, stream: &StreamId, docket: Box<dyn Docket>) {
        let save_at =
            self.at_hand(stream.as_str()).map_or(docket.version() + SNAPSHOT_EVERY, |kept| kept.save_at);
        self.keep(stream.clone(), Kept { docket, save_at, touched: true });
    }

    /// Forgets a stream: its state is not what the ledger says.
    pub(super) fn discard(&mut self, stream: &StreamId) {
        self.recent.remove(stream);
        self.older.remove(stream);
    }

    /// Those whose deadline may have moved.
    pub(super) fn touched(&mut self) -> impl Iterator<Item = &mut Kept> {
        self.recent.values_mut().chain(self.older.values_mut()).filter(|kept| kept.touched)
    }

    /// The state of a stream if enough has happened since it was last saved.
    pub(super) fn snapshot_due(&self, stream: &StreamId) -> bool {
        self.recent.get(stream).is_some_and(|kept| kept.docket.version() >= kept.save_at)
    }

    /// The state of a stream, to be saved; `hash` is that of the record at `position`.
    pub(super) fn snapshot(&mut self, stream: &StreamId, head: assize_kernel::Head) -> Option<Snapshot> {
        let edition = self.courts.get(stream.court())?.edition().to_string();
        let kept = self.recent.get_mut(stream)?;
        let (version, body) = (kept.docket.version(), kept.docket.snapshot());
        kept.save_at = version + SNAPSHOT_EVERY.max(body.len() as u64 / BYTES_AN_EVENT);
        let (position, hash) = (head.position, head.hash);
        Some(Snapshot { name: stream.to_string(), position, hash, version, edition, body })
    }

    fn keep(&mut self, stream: StreamId, kept: Kept) {
        if self.recent.len() >= GENERATION {
            self.older = std::mem::take(&mut self.recent);
        }
        self.recent.insert(stream, kept);
    }

    fn load(&self, stream: &StreamId, position: u64, scan: &mut ScanRecords<'_>) -> Result<Kept, ClerkError> {
        let court = self.courts.get(stream.court());
        let court = court.ok_or_else(|| ClerkError::Broken(format!("no court for {stream}")))?;
        let restored = self.saved(stream, position)?.and_then(|snapshot| {
            let docket = court.restore(stream.clone(), snapshot.version, &snapshot.body);
            docket.inspect_err(|error| tracing::warn!(%stream, %error, "a snapshot is discarded")).ok()
        });
        let mut docket = restored.unwrap_or_else(|| court.empty(stream.clone()));
        let saved = docket.version();
        let (mut unreadable, mut revised): (Option<Unreadable>, bool) = (None, false);
        scan(Scan::stream(stream.as_str(), saved, Depth::Facts), &mut |record| {
            revised = record.kind == HISTORY_REVISED && record.position <= position;
            if record.position > position || revised {
                return ControlFlow::Break(());
            }
            match docket.follow(&record) {
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
            docket = Part { court: &**court, stream, upto: position }.as_it_stands(scan)?;
        }
        // What these events changed on the boards is there already.
        docket.drop_changes();
        Ok(Kept { docket, save_at: saved + SNAPSHOT_EVERY, touched: false })
    }

    /// A snapshot of this very history, not beyond `position`.
    fn saved(&self, stream: &StreamId, position: u64) -> Result<Option<Snapshot>, LedgerError> {
        let edition = self.courts.get(stream.court()).map(|court| court.edition().to_string());
        let found = self.ledger.snapshot(stream.as_str())?;
        let usable =
            found.filter(|found| Some(&found.edition) == edition.as_ref() && found.position <= position);
        match usable {
            Some(snapshot) if of_this_history(&*self.ledger, &snapshot)? => Ok(Some(snapshot)),
            _ => Ok(None),
        }
    }
}

/// Whether the record a snapshot was taken at is the one that stands in the ledger.
pub(super) fn of_this_history(ledger: &dyn Ledger, snapshot: &Snapshot) -> Result<bool, LedgerError> {
    let mut same = snapshot.position == 0;
    ledger.scan(Scan::at(snapshot.position), &mut |record| {
        same = record.position == snapshot.position && record.hash == snapshot.hash;
        ControlFlow::Break(())
    })?;
    Ok(same)
}
