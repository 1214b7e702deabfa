//! Taking in what is in the ledger: at the start, and whenever others have appended.

use std::ops::ControlFlow;
use std::sync::Arc;

use assize_kernel::{RecordRef, StreamId, Unreadable};
use assize_ledger::{Depth, Ledger, Scan};

use super::cabinet::{Cabinet, ScanRecords};
use super::{ClerkError, RULEBOOKS, Shelf, Views};
use crate::Courts;

/// The boards as they come of the records alone, whatever snapshots say.
///
/// # Errors
/// When the ledger cannot be read.
pub fn rebuild(courts: &Arc<Courts>, ledger: &Arc<dyn Ledger>) -> Result<Views, ClerkError> {
    let mut views = Views::default();
    let (mut cabinet, mut shelf) = (Cabinet::new(courts.clone(), ledger.clone()), Shelf::default());
    let mut fold = Fold { courts, cabinet: &mut cabinet, shelf: &mut shelf, views: &mut views };
    fold.catch_up(&mut |scan, each| ledger.scan(scan, each))?;
    Ok(views)
}

/// What a fold keeps up to date.
pub(super) struct Fold<'a> {
    pub(super) courts: &'a Courts,
    pub(super) cabinet: &'a mut Cabinet,
    pub(super) shelf: &'a mut Shelf,
    pub(super) views: &'a mut Views,
}

/// Why a scan was broken off.
enum Stop {
    /// This stream must be fetched first.
    Fetch(StreamId),
    Unreadable(Unreadable),
}

impl Fold<'_> {
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
                Some(Stop::Unreadable(error)) => return Err(ClerkError::Broken(error.to_string())),
            }
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
        } else if self.courts.get(court).is_some() {
            self.follow(record)?;
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
        self.views.apply(kept.docket.take_changes());
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
