//! The overlay of revisions over the records of a stream, and folding a stream with it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::{RECORD_REVISED, RecordRevised, is_one};
use crate::any_court::{AnyStream, Unreadable};
use crate::record::RecordRef;

/// The revised content of a stream's records.
#[derive(Debug, Default)]
pub struct Overlay {
    /// By the position of the record: its revisions, the latest last.
    layers: BTreeMap<u64, Vec<Layer>>,
}

#[derive(Debug)]
struct Layer {
    /// The version of the revision in the stream.
    version: u64,
    position: u64,
    edition: u32,
    event: String,
    verdict: Option<String>,
    refusal: Option<Cow<'static, str>>,
}

/// A record with its revisions applied.
#[derive(Debug, Clone, Copy)]
pub(super) struct AsItStands<'a> {
    pub(super) record: RecordRef<'a>,
    /// Why it was set aside and does not count.
    pub(super) refusal: Option<&'a Cow<'static, str>>,
    /// The last verdict, even if the event was set aside later; none when nothing was judged.
    pub(super) was_judged: Option<&'a str>,
}

impl Overlay {
    /// Adds a record of the stream; records that are not of a revision are ignored.
    ///
    /// # Errors
    /// A record of a revision cannot be parsed.
    pub fn note(&mut self, record: &RecordRef<'_>) -> Result<(), Unreadable> {
        if record.kind != RECORD_REVISED {
            return Ok(());
        }
        let revised = RecordRevised::read(record)?;
        let layer = Layer {
            version: record.version,
            position: record.position,
            edition: record.edition,
            event: revised.event.get().to_owned(),
            verdict: record.verdict.map(str::to_owned),
            refusal: revised.refusal.map(|refusal| refusal.code),
        };
        self.layers.entry(revised.position).or_default().push(layer);
        Ok(())
    }

    /// Folds a record into a state, with the revisions before the stream's version `before` applied.
    ///
    /// # Errors
    /// The record cannot be parsed.
    pub fn follow(
        &self,
        any_stream: &mut dyn AnyStream,
        record: &RecordRef<'_>,
        before: u64,
    ) -> Result<(), Unreadable> {
        match self.as_it_stands(record, before) {
            Some(AsItStands { record, refusal: None, .. }) => any_stream.follow(&record),
            Some(AsItStands { record, .. }) => any_stream.set_aside(&record),
            None => {
                any_stream.pass();
                Ok(())
            }
        }
    }

    /// The record with the revisions before a version applied; none when it is part of a revision, or set
    /// aside.
    #[must_use]
    pub fn standing<'a>(&'a self, record: &RecordRef<'a>, before: u64) -> Option<RecordRef<'a>> {
        self.as_it_stands(record, before).filter(|found| found.refusal.is_none()).map(|found| found.record)
    }

    /// The position of the latest revision of the record at a position.
    #[must_use]
    pub fn revised_at(&self, position: u64) -> Option<u64> {
        self.layers.get(&position)?.last().map(|layer| layer.position)
    }

    /// None for a record of a revision.
    pub(super) fn as_it_stands<'a>(&'a self, record: &RecordRef<'a>, before: u64) -> Option<AsItStands<'a>> {
        if is_one(record.kind) {
            return None;
        }
        let layers = self.layers.get(&record.position).map_or(&[][..], Vec::as_slice);
        let Some(layer) = layers.iter().rev().find(|layer| layer.version < before) else {
            return Some(AsItStands { record: *record, refusal: None, was_judged: record.verdict });
        };
        let verdict = layer.verdict.as_deref();
        Some(AsItStands {
            record: RecordRef { body: &layer.event, verdict, edition: layer.edition, ..*record },
            refusal: layer.refusal.as_ref(),
            was_judged: verdict.or(record.verdict),
        })
    }
}
