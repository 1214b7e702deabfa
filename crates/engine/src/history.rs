//! A stream as its revisions have left it, and as it would be after one more, read from wherever its records are.

use std::ops::ControlFlow;

use assize_kernel::{
    Actor, AnyCourt, AnyStream, Books, DecideError, HistoryRevised, Overlay, RecordRef, Retrial, Revised,
    Revision, StandingChange, Standings, StreamId,
};
use assize_ledger::{Depth, EachRecord, LedgerError, Scan};

use crate::ClerkError;

/// Where records are read from: the ledger itself, the turn to append, or what is still on its way beside it.
pub(crate) type ScanRecords<'a> = dyn FnMut(Scan<'_>, &mut EachRecord<'_>) -> Result<(), LedgerError> + 'a;

/// A stream up to a position of the ledger.
#[derive(Clone, Copy)]
pub(crate) struct Part<'a> {
    pub(crate) court: &'a dyn AnyCourt,
    pub(crate) stream: &'a StreamId,
    pub(crate) upto: u64,
}

impl Part<'_> {
    /// Its state, folded with everything that was revised in it.
    pub(crate) fn as_it_stands(self, scan: &mut ScanRecords<'_>) -> Result<Box<dyn AnyStream>, ClerkError> {
        let overlay = self.overlay(Depth::Facts, scan)?;
        let mut any_stream = self.court.empty(self.stream.clone());
        self.each(Depth::Facts, scan, |record| {
            overlay.follow(&mut *any_stream, record, u64::MAX).map_err(damaged)?;
            any_stream.drop_changes();
            Ok(())
        })?;
        Ok(any_stream)
    }

    /// Its state after the revision that `last`, its last record, concludes; and what that changes on the boards.
    pub(crate) fn as_revised(
        self,
        last: &RecordRef<'_>,
        scan: &mut ScanRecords<'_>,
    ) -> Result<(Box<dyn AnyStream>, Vec<StandingChange>), ClerkError> {
        let revised = HistoryRevised::read(last).map_err(damaged)?;
        let overlay = self.overlay(Depth::Facts, scan)?;
        let (mut before, mut after) = (Folded::new(self), Folded::new(self));
        let first = last.version.saturating_sub(revised.revised);
        self.each(Depth::Facts, scan, |record| {
            before.follow(&overlay, record, first)?;
            after.follow(&overlay, record, u64::MAX)
        })?;
        if after.any_stream.version() != last.version {
            let problem = format!("{} has a gap before record {}", self.stream, last.position);
            return Err(ClerkError::Damaged(problem));
        }
        Ok((after.any_stream, before.standings.changes_to(&after.standings)))
    }

    /// What would come of it with something different.
    pub(crate) fn retry(
        self,
        (revision, actor): (&Revision, &Actor),
        books: &Books<'_>,
        scan: &mut ScanRecords<'_>,
    ) -> Result<Revised, ClerkError> {
        let overlay = self.overlay(Depth::Whole, scan)?;
        let mut retrial = Retrial::new(self.court, self.stream, (revision, actor), &overlay, books);
        self.each(Depth::Whole, scan, |record| Ok(retrial.take(record)?))?;
        retrial.finish().map_err(ClerkError::Refused)
    }

    /// What revisions have laid over its records.
    pub(crate) fn overlay(self, depth: Depth, scan: &mut ScanRecords<'_>) -> Result<Overlay, ClerkError> {
        let mut overlay = Overlay::default();
        self.each(depth, scan, |record| overlay.note(record).map_err(damaged))?;
        Ok(overlay)
    }

    /// Hands out its records in order.
    pub(crate) fn each(
        self,
        depth: Depth,
        scan: &mut ScanRecords<'_>,
        mut take: impl FnMut(&RecordRef<'_>) -> Result<(), ClerkError>,
    ) -> Result<(), ClerkError> {
        let mut failed = None;
        scan(Scan::stream(self.stream.as_str(), 0, depth), &mut |record| {
            if record.position > self.upto {
                return ControlFlow::Break(());
            }
            match take(&record) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            }
        })?;
        failed.map_or(Ok(()), Err)
    }
}

/// A state with where everybody stands.
struct Folded {
    any_stream: Box<dyn AnyStream>,
    standings: Standings,
}

impl Folded {
    fn new(part: Part<'_>) -> Self {
        Self { any_stream: part.court.empty(part.stream.clone()), standings: Standings::default() }
    }

    fn follow(&mut self, overlay: &Overlay, record: &RecordRef<'_>, before: u64) -> Result<(), ClerkError> {
        overlay.follow(&mut *self.any_stream, record, before).map_err(damaged)?;
        self.standings.take(&mut *self.any_stream);
        Ok(())
    }
}

fn damaged(error: impl ToString) -> ClerkError {
    ClerkError::Damaged(error.to_string())
}

impl From<DecideError> for ClerkError {
    fn from(unheard: DecideError) -> Self {
        match unheard {
            DecideError::Refused(refusal) => Self::Refused(refusal),
            DecideError::Broken(problem) => Self::Broken(problem.into_owned()),
        }
    }
}
