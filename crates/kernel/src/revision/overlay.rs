//! What revisions have laid over the records of a history, and folding it with that.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::{RECORD_REVISED, RecordRevised, is_one};
use crate::any_court::{AnyStream, Unreadable};
use crate::record::RecordRef;

/// What the records of a stream say now, where revisions have changed it.
#[derive(Debug, Default)]
pub struct Overlay {
    /// By the position of the record, what was laid over it, the last one last.
    layers: BTreeMap<u64, Vec<Layer>>,
}

#[derive(Debug)]
struct Layer {
    /// Where the revision stands.
    version: u64,
    position: u64,
    edition: u32,
    event: String,
    verdict: Option<String>,
    refusal: Option<Cow<'static, str>>,
}

/// A record as it stands after revisions.
#[derive(Debug, Clone, Copy)]
pub(super) struct AsItStands<'a> {
    pub(super) record: RecordRef<'a>,
    /// Why it would not have been taken up, and does not count.
    pub(super) refusal: Option<&'a Cow<'static, str>>,
    /// The last verdict there was, whatever has become of it; none when nothing was judged.
    pub(super) was_judged: Option<&'a str>,
}

impl Overlay {
    /// Takes in a record of the stream.
    ///
    /// # Errors
    /// When it is a revision that cannot be read.
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

    /// Folds a record into a state as it stands after the revisions before the stream's version `before`.
    ///
    /// # Errors
    /// When it cannot be read.
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

    /// The record as it stands after the revisions before a version; none when it is of a revision itself, or does
    /// not count.
    #[must_use]
    pub fn standing<'a>(&'a self, record: &RecordRef<'a>, before: u64) -> Option<RecordRef<'a>> {
        self.as_it_stands(record, before).filter(|found| found.refusal.is_none()).map(|found| found.record)
    }

    /// Where the revision stands by which the record at a position was last changed.
    #[must_use]
    pub fn revised_at(&self, position: u64) -> Option<u64> {
        self.layers.get(&position)?.last().map(|layer| layer.position)
    }

    /// None for what is of a revision itself.
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
