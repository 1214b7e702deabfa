//! Bench streams, in which submissions wait for assessors: one for each rulebook of a court.

use assize_kernel::{AnyBench, RulebookRef, StreamId};
use assize_ledger::{Ledger, LedgerError};

use super::{Assessing, Bench};
use crate::Courts;
use crate::clerk::RulebookIndex;

/// Longest part of a rulebook's name in the name of its bench stream.
const LONGEST_NAME: usize = 40;

/// The bench stream of a rulebook. The name contains its hash, so another text has another stream.
pub fn stream_of(bench: &dyn AnyBench, rulebook: &RulebookRef) -> Option<StreamId> {
    let name: String = rulebook.name.chars().take(LONGEST_NAME).collect();
    StreamId::new(bench.name(), &format!("{name}-{}", rulebook.hash.short())).ok()
}

/// The bench of a bench stream.
pub(crate) fn bench_of<'a>(assessing: &'a Assessing, stream: &StreamId) -> Option<&'a Bench> {
    assessing.benches().find(|bench| bench.face.name() == stream.court())
}

/// All bench streams of a court: those of its shipped rulebooks and of the recorded ones.
pub fn bench_streams(
    bench: &dyn AnyBench,
    courts: &Courts,
    ledger: &dyn Ledger,
) -> Result<Vec<StreamId>, LedgerError> {
    let rulebooks = RulebookIndex::load(ledger, courts)?;
    let entered = rulebooks.books().filter(|book| book.court == bench.court());
    let known = courts.rulebooks(bench.court()).iter().chain(entered);
    let mut streams: Vec<StreamId> = known.filter_map(|book| stream_of(bench, &book.reference)).collect();
    streams.sort();
    streams.dedup();
    Ok(streams)
}
