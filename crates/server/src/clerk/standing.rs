//! What was said before, as it stands: whoever repeats a request is not told a verdict that was overturned since.

use std::sync::Arc;

use assize_kernel::{Draft, RECORD_REVISED, Record, RecordRevised, StreamId};

use super::room::Room;
use super::sitting::{Answered, Sitting};
use super::{Answer, ClerkError};

impl Sitting {
    /// The record at a position, with what a revision says in its place: that may be on disk, on its way there, or in
    /// this very batch. Its receipt stays the one that was given.
    pub(super) fn as_it_stands(&self, room: &Room, stream: &StreamId, position: u64) -> Answered {
        let answer = self.recorded(room, position, position)?;
        let of_this = |record: &&Arc<Record>| {
            let revises =
                || RecordRevised::read(&record.view()).is_ok_and(|revised| revised.position == position);
            record.draft.kind == RECORD_REVISED && record.draft.stream == *stream && revises()
        };
        let ahead = room.flights.iter().flat_map(|flight| &flight.records).chain(self.records_of(stream));
        let revision = match ahead.rev().find(of_this) {
            Some(ahead) => Some(ahead.clone()),
            None => match room.revised_at(position) {
                Some(revised_at) => room.records(revised_at, revised_at)?.pop(),
                None => None,
            },
        };
        let Some(revision) = revision else { return Ok(answer) };
        let records = answer.records.iter().map(|record| replaced(record, &revision));
        Ok(Answer { records: records.collect::<Result<_, _>>()?, ..answer })
    }
}

fn replaced(record: &Record, revision: &Record) -> Result<Arc<Record>, ClerkError> {
    let revised = RecordRevised::read(&revision.view());
    let revised = revised.map_err(|error| ClerkError::Damaged(error.to_string()))?;
    let (body, verdict) = (revised.event.get().to_owned(), revision.draft.verdict.clone());
    let draft = Draft { body, verdict, edition: revision.draft.edition, ..record.draft.clone() };
    Ok(Arc::new(Record { draft, ..record.clone() }))
}
