//! Adopting a revision: decided on everything that was decided before it, and recorded like everything else.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use assize_kernel::{
    AnyRulebook, Moved, Record, Refusal, RefusalKind, Revised, Revision, RulebookRef, StreamId,
};
use assize_ledger::{EachRecord, LedgerError, Scan};

use super::room::Room;
use super::sitting::{Answered, Sitting};
use super::{Answer, ClerkError, Petition};
use crate::history::Part;

/// What is to be different about a stream from now on; the command of a petition.
#[derive(Debug, Clone)]
pub struct Revise {
    /// What, and why.
    pub revision: Revision,
    /// How far the report went that this is based on: refused when something was judged since. None when that does
    /// not matter.
    pub seen: Option<u64>,
}

impl Sitting {
    /// Decides a petition to revise a stream.
    pub(super) fn hear_revision(
        &mut self,
        room: &mut Room,
        petition: &Petition,
        Revise { revision, seen }: &Revise,
    ) -> Answered {
        let Petition { stream, actor, at, .. } = petition;
        let retried = catch_unwind(AssertUnwindSafe(|| self.retry(room, petition, revision)));
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
        let changes = revised.changes.into_iter().map(|change| Moved { position, change });
        self.changes().extend(changes);
        room.cabinet.put(stream, revised.docket);
        if let Some(book) = &revision.rulebook {
            self.enter_rulebook(room, stream, book, *at, actor);
        }
        Ok(Answer { records, repeated: false })
    }

    /// Folds everything there is of the stream: on disk, on its way there, and in this batch.
    fn retry(&self, room: &Room, petition: &Petition, revision: &Revision) -> Result<Revised, ClerkError> {
        let stream = &petition.stream;
        let court = room.courts.get(stream.court());
        let court = court.ok_or_else(|| ClerkError::Broken(format!("no court for {stream}")))?;
        let books = |wanted: &RulebookRef| book(room, stream, wanted);
        let ahead = room.flights.iter().flat_map(|flight| &flight.records).chain(self.records_of(stream));
        let ahead: Vec<&Arc<Record>> = ahead.filter(|record| record.draft.stream == *stream).collect();
        let part = Part { court: &**court, stream, upto: u64::MAX };
        part.retry((revision, &petition.actor), &books, &mut |wanted, each| scan(room, &ahead, wanted, each))
    }
}

/// Reads a stream from the ledger as far as that is known here, and then what is ahead of it.
fn scan(
    room: &Room,
    ahead: &[&Arc<Record>],
    wanted: Scan<'_>,
    each: &mut EachRecord<'_>,
) -> Result<(), LedgerError> {
    let mut ended = false;
    let after = wanted.after;
    room.ledger.scan(wanted, &mut |record| {
        if record.position > room.position {
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

fn book(room: &Room, stream: &StreamId, wanted: &RulebookRef) -> Option<AnyRulebook> {
    let shipped = || room.courts.rulebooks(stream.court()).iter().find(|book| book.reference == *wanted);
    room.shelf.get(&wanted.hash).or_else(shipped).cloned()
}
