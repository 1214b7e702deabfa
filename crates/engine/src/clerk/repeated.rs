//! Answers to repeated submissions: the earlier record, with the verdict that stands after revisions.

use std::sync::Arc;

use assize_kernel::{Draft, RECORD_REVISED, Record, RecordRevised, StreamId};

use super::batch::{BatchBuilder, DecideResult};
use super::context::DecideContext;
use super::{Answer, ClerkError};

impl BatchBuilder {
    /// The record at a position with its latest revision applied, which may be on disk, in flight or in this
    /// batch. The receipt stays the original one.
    pub(super) fn as_it_stands(
        &self,
        context: &DecideContext,
        stream: &StreamId,
        position: u64,
    ) -> DecideResult {
        let answer = self.recorded(context, position, position)?;
        let of_this = |record: &&Arc<Record>| {
            let revises =
                || RecordRevised::read(&record.view()).is_ok_and(|revised| revised.position == position);
            record.draft.kind == RECORD_REVISED && record.draft.stream == *stream && revises()
        };
        let ahead = context.in_flight.iter().flat_map(|batch| &batch.records).chain(self.records_of(stream));
        let revision = match ahead.rev().find(of_this) {
            Some(ahead) => Some(ahead.clone()),
            None => match context.revised_at(position) {
                Some(revised_at) => context.records(revised_at, revised_at)?.pop(),
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
    let draft = Draft {
        body: revised.event.get().to_owned(),
        verdict: revision.draft.verdict.clone(),
        edition: revision.draft.edition,
        ..record.draft.clone()
    };
    Ok(Arc::new(Record { draft, ..record.clone() }))
}
