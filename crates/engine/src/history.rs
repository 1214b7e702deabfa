//! Folds the state of a stream with its revisions applied, and computes the result of a further revision.

use std::ops::ControlFlow;

use assize_kernel::{
    Actor, AnyCourt, AnyStream, Books, DecideError, HistoryRevised, Overlay, RecordRef, Retrial, Revised,
    Revision, StandingChange, Standings, StreamId,
};
use assize_ledger::{Depth, EachRecord, LedgerError, Scan};

use crate::ClerkError;

/// Reads records from the ledger, from a locked writer, or from the ledger plus in-flight batches.
pub(crate) type ScanRecords<'a> = dyn FnMut(Scan<'_>, &mut EachRecord<'_>) -> Result<(), LedgerError> + 'a;

/// The records of a stream up to a position of the ledger.
#[derive(Clone, Copy)]
pub(crate) struct Part<'a> {
    pub(crate) court: &'a dyn AnyCourt,
    pub(crate) stream: &'a StreamId,
    pub(crate) upto: u64,
}

impl Part<'_> {
    /// The state with all revisions applied.
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

    /// The state after the revision that `last`, the last record of the stream, concludes, and the changes of
    /// standings that the revision causes.
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

    /// Computes the result of a revision without recording it.
    pub(crate) fn retry(
        self,
        revision: &Revision,
        actor: &Actor,
        books: &Books<'_>,
        scan: &mut ScanRecords<'_>,
    ) -> Result<Revised, ClerkError> {
        let overlay = self.overlay(Depth::Whole, scan)?;
        let mut retrial = Retrial::new(self.court, self.stream, revision, actor, &overlay, books);
        self.each(Depth::Whole, scan, |record| Ok(retrial.take(record)?))?;
        retrial.finish().map_err(ClerkError::Refused)
    }

    /// The overlay: events and verdicts that revisions put in place of recorded ones.
    pub(crate) fn overlay(self, depth: Depth, scan: &mut ScanRecords<'_>) -> Result<Overlay, ClerkError> {
        let mut overlay = Overlay::default();
        self.each(depth, scan, |record| overlay.note(record).map_err(damaged))?;
        Ok(overlay)
    }

    /// Calls `take` for each record in order; stops at the first error.
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

/// A stream state with the standings of its participants.
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
