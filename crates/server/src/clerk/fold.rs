//! Taking in what is in the ledger: at the start, and whenever others have appended.

use std::ops::ControlFlow;
use std::sync::Arc;

use assize_kernel::{HISTORY_REVISED, Moved, RECORD_REVISED, Record, RecordRef, StreamId, Unreadable};
use assize_ledger::{Depth, Ledger, Scan};

use super::cabinet::Cabinet;
use super::trail::Trail;
use super::{ClerkError, RULEBOOKS, Shelf, Views};
use crate::Courts;
use crate::access::ACCESS;
use crate::history::{Part, ScanRecords};
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
    /// From this record on, its stream is another.
    Revised(Box<Record>),
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
                Some(Stop::Revised(record)) => self.revise(&record, scan)?,
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
        // Most records are of a stream that is at hand, so that is looked up before anything else.
        if !self.follow(record)? {
            self.meet(record)?;
        }
        if record.version == 1
            && let Ok(stream) = record.stream.parse()
        {
            self.views.begin_stream(stream, record.position);
        }
        self.views.position = record.position;
        Ok(())
    }

    /// Takes a record of a stream that is not at hand: the engine's own, or one that must be fetched.
    fn meet(&mut self, record: &RecordRef<'_>) -> Result<(), Stop> {
        let court = record.stream.split_once('/').map_or("", |(court, _)| court);
        if record.stream == RULEBOOKS {
            if record.version > self.shelf.version() {
                self.shelf.follow(self.courts, record);
            }
        } else if record.stream == ACCESS {
            self.trail.follow(record);
            if let Some(wire) = &self.wire {
                wire.access_changed(record);
            }
        } else if self.courts.get(court).is_some() {
            let stream: StreamId = record.stream.parse().map_err(|error| Stop::unreadable(record, error))?;
            return Err(Stop::Fetch(stream));
        }
        Ok(())
    }

    /// Takes a record into its stream; whether that is at hand.
    fn follow(&mut self, record: &RecordRef<'_>) -> Result<bool, Stop> {
        let Some(kept) = self.cabinet.at_hand(record.stream) else { return Ok(false) };
        if kept.docket.version() + 1 != record.version {
            return Err(Stop::unreadable(record, "its stream has a gap before it"));
        }
        if record.kind == HISTORY_REVISED {
            let record = record.to_record().map_err(|error| Stop::unreadable(record, error))?;
            return Err(Stop::Revised(Box::new(record)));
        }
        kept.docket.follow(record).map_err(Stop::Unreadable)?;
        kept.touched = true;
        if record.kind == RECORD_REVISED {
            self.views.revise(record);
        }
        kept.docket.take_changes(&mut self.changes);
        if let Some(wire) = &mut self.wire {
            wire.followed(record, &self.changes);
        }
        self.views.apply(&mut self.changes);
        Ok(true)
    }

    /// Folds a stream anew that was revised.
    fn revise(&mut self, record: &Record, scan: &mut ScanRecords<'_>) -> Result<(), ClerkError> {
        let (stream, position) = (&record.draft.stream, record.position);
        let court = self.courts.get(stream.court());
        let court = court.ok_or_else(|| ClerkError::Broken(format!("no court for {stream}")))?;
        let part = Part { court: &**court, stream, upto: position };
        let (docket, changes) = part.as_revised(&record.view(), scan)?;
        self.cabinet.put(stream, docket);
        self.changes.extend(changes.into_iter().map(|change| Moved { position, change }));
        if let Some(wire) = &mut self.wire {
            wire.followed(&record.view(), &self.changes);
        }
        self.views.apply(&mut self.changes);
        self.views.position = position;
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
