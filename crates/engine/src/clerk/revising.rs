//! Adopting a revision: decided on the whole history of the stream, including batches in flight.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use assize_kernel::{
    AnyRulebook, PlacedChange, Record, Refusal, RefusalKind, Revised, Revision, RulebookRef, StreamId,
};
use assize_ledger::{EachRecord, LedgerError, Scan};

use super::batch::{BatchBuilder, DecideResult};
use super::context::DecideContext;
use super::{Answer, ClerkError, Petition};
use crate::history::Part;

/// The command to revise a stream: another rulebook, amendments, or both.
#[derive(Debug, Clone)]
pub struct Revise {
    /// The revision and its reason.
    pub revision: Revision,
    /// Position of the report this is based on; the revision is refused if something was judged since. `None`
    /// skips the check.
    pub seen: Option<u64>,
}

impl BatchBuilder {
    /// Decides a petition to revise a stream.
    pub(super) fn decide_revision(
        &mut self,
        context: &mut DecideContext,
        petition: &Petition,
        revise: &Revise,
    ) -> DecideResult {
        let Revise { revision, seen } = revise;
        let Petition { stream, actor, at, .. } = petition;
        let retried = catch_unwind(AssertUnwindSafe(|| self.retry(context, petition, revision)));
        let mut revised = retried.unwrap_or_else(|_| {
            Err(ClerkError::Broken(format!("the court of {stream} broke down over a revision")))
        })?;
        if seen.is_some_and(|seen| seen < revised.last_judged) {
            let message = "something was judged since; look again at what would change, and then adopt that";
            let stale = Refusal::new("revision.stale", RefusalKind::Conflict, message);
            return Err(ClerkError::Refused(stale.with("position", revised.report.position)));
        }
        let drafts = revised.adopt(revision, *at, actor)?;
        let records = self.seal(drafts);
        let position = records.last().map_or(0, |record| record.position);
        let changes = revised.changes.into_iter().map(|change| PlacedChange { position, change });
        self.changes().extend(changes);
        context.streams.put(stream, revised.any_stream);
        if let Some(book) = &revision.rulebook {
            self.enter_rulebook(context, stream, book, *at, actor);
        }
        Ok(Answer { records, repeated: false })
    }

    /// Judges the whole stream again: records on disk, in flight and in this batch.
    fn retry(
        &self,
        context: &DecideContext,
        petition: &Petition,
        revision: &Revision,
    ) -> Result<Revised, ClerkError> {
        let stream = &petition.stream;
        let court = context.courts.get(stream.court());
        let court = court.ok_or_else(|| ClerkError::Broken(format!("no court for {stream}")))?;
        let books = |wanted: &RulebookRef| book(context, stream, wanted);
        let ahead = context.in_flight.iter().flat_map(|batch| &batch.records).chain(self.records_of(stream));
        let ahead: Vec<&Arc<Record>> = ahead.filter(|record| record.draft.stream == *stream).collect();
        let part = Part { court: &**court, stream, upto: u64::MAX };
        part.retry(revision, &petition.actor, &books, &mut |wanted, each| scan(context, &ahead, wanted, each))
    }
}

/// Scans a stream in the ledger up to the known position, then the records that are not on disk yet.
fn scan(
    context: &DecideContext,
    ahead: &[&Arc<Record>],
    wanted: Scan<'_>,
    each: &mut EachRecord<'_>,
) -> Result<(), LedgerError> {
    let mut ended = false;
    let after = wanted.after;
    context.ledger.scan(wanted, &mut |record| {
        if record.position > context.position {
            return ControlFlow::Break(());
        }
        let flow = each(record);
        ended = flow.is_break();
        flow
    })?;
    for record in ahead.iter().filter(|record| record.draft.version > after) {
        if ended || each(record.view()).is_break() {
            break;
        }
    }
    Ok(())
}

fn book(context: &DecideContext, stream: &StreamId, wanted: &RulebookRef) -> Option<AnyRulebook> {
    let shipped = || context.courts.rulebooks(stream.court()).iter().find(|book| book.reference == *wanted);
    context.rulebooks.get(&wanted.hash).or_else(shipped).cloned()
}
