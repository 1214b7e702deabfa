//! Taking in what is in the ledger: at the start, and whenever others have appended.

use std::ops::ControlFlow;
use std::sync::Arc;

use assize_kernel::{Moved, RecordRef, StreamId, Unreadable};
use assize_ledger::{Depth, Ledger, Scan};

use super::cabinet::{Cabinet, ScanRecords};
use super::trail::Trail;
use super::{ClerkError, RULEBOOKS, Shelf, Views};
use crate::Courts;
use crate::access::ACCESS;
use crate::live::Wire;

/// What comes of the records alone, whatever snapshots say.
pub struct Rebuilt {
    /// The boards.
    pub views: Views,
    /// The streams' states, as many as are kept at hand.
    _states: Cabinet,
}

/// Folds the whole ledger into states and boards.
///
/// # Errors
/// When the ledger cannot be read.
pub fn rebuild(courts: &Arc<Courts>, ledger: &Arc<dyn Ledger>) -> Result<Rebuilt, ClerkError> {
    let mut views = Views::default();
    let (mut cabinet, mut shelf) = (Cabinet::new(courts.clone(), ledger.clone()), Shelf::default());
    let mut trail = Trail::default();
    let mut fold = Fold::new(courts, &mut cabinet, (&mut shelf, &mut trail), &mut views);
    fold.catch_up(&mut |scan, each| ledger.scan(scan, each))?;
    Ok(Rebuilt { views, _states: cabinet })
}

/// What a fold keeps up to date.
pub(super) struct Fold<'a> {
    courts: &'a Courts,
    cabinet: &'a mut Cabinet,
    shelf: &'a mut Shelf,
    trail: &'a mut Trail,
    views: &'a mut Views,
    /// Where those hear of it who listen.
    wire: Option<&'a mut Wire>,
    /// Emptied after every record, kept for its room.
    changes: Vec<Moved>,
}

/// Why a scan was broken off.
enum Stop {
    /// This stream must be fetched first.
    Fetch(StreamId),
    Unreadable(Unreadable),
}

impl<'a> Fold<'a> {
    pub(super) fn new(
        courts: &'a Courts,
        cabinet: &'a mut Cabinet,
        (shelf, trail): (&'a mut Shelf, &'a mut Trail),
        views: &'a mut Views,
    ) -> Self {
        Self { courts, cabinet, shelf, trail, views, wire: None, changes: Vec::new() }
    }

    /// The same, telling those who listen.
    pub(super) fn told_over(self, wire: &'a mut Wire) -> Self {
        Self { wire: Some(wire), ..self }
    }

    /// Takes in every record after the position the views have reached.
    pub(super) fn catch_up(&mut self, scan: &mut ScanRecords<'_>) -> Result<(), ClerkError> {
        loop {
            let mut stop = None;
            scan(Scan::all(self.views.position, Depth::Facts), &mut |record| match self.take(&record) {
                Ok(()) => ControlFlow::Continue(()),
                Err(reason) => {
                    stop = Some(reason);
                    ControlFlow::Break(())
                }
            })?;
            match stop {
                None => break,
                Some(Stop::Fetch(stream)) => drop(self.cabinet.fetch(&stream, self.views.position, scan)?),
                Some(Stop::Unreadable(error)) => return Err(ClerkError::Damaged(error.to_string())),
            }
        }
        if self.views.chain().is_none() {
            // Of the facts alone, no hash is read.
            scan(Scan::at(1), &mut |first| {
                self.views.begin_chain(first.hash);
                ControlFlow::Break(())
            })?;
        }
        for kept in self.cabinet.touched() {
            kept.touched = false;
            self.views.set_deadline(kept.docket.stream(), kept.docket.deadline());
        }
        Ok(())
    }

    fn take(&mut self, record: &RecordRef<'_>) -> Result<(), Stop> {
        let court = record.stream.split_once('/').map_or("", |(court, _)| court);
        if record.stream == RULEBOOKS {
            if record.version > self.shelf.version() {
                self.shelf.follow(self.courts, record);
            }
        } else if record.stream == ACCESS {
            self.trail.follow(record);
        } else if self.courts.get(court).is_some() {
            self.follow(record)?;
        }
        if record.version == 1
            && let Ok(stream) = record.stream.parse()
        {
            self.views.begin_stream(stream, record.position);
        }
        self.views.position = record.position;
        Ok(())
    }

    fn follow(&mut self, record: &RecordRef<'_>) -> Result<(), Stop> {
        let Some(kept) = self.cabinet.at_hand(record.stream) else {
            let stream: StreamId = record.stream.parse().map_err(|error| Stop::unreadable(record, error))?;
            return Err(Stop::Fetch(stream));
        };
        if kept.docket.version() + 1 != record.version {
            return Err(Stop::unreadable(record, "its stream has a gap before it"));
        }
        kept.docket.follow(record).map_err(Stop::Unreadable)?;
        kept.touched = true;
        kept.docket.take_changes(&mut self.changes);
        if let Some(wire) = &mut self.wire {
            wire.followed(record, &self.changes);
        }
        self.views.apply(&mut self.changes);
        Ok(())
    }
}

impl Stop {
    fn unreadable(record: &RecordRef<'_>, problem: impl ToString) -> Self {
        Self::Unreadable(Unreadable {
            position: record.position,
            stream: record.stream.to_owned(),
            kind: record.kind.to_owned(),
            problem: problem.to_string(),
        })
    }
}
