//! What somebody missed, read from the ledger: the same words, in the same order, a page at a time.

use std::ops::ControlFlow;

use assize_kernel::{RecordRef, StreamId};
use assize_ledger::{Depth, Ledger, LedgerError, Scan};

use super::said::Said;
use super::topic::Ear;
use crate::Courts;

/// Whoever has missed more than so many records of a stream is told to load everything afresh.
pub(super) const TOO_FAR: u64 = 10_000;
/// So many records of all streams are read through to find those of a few; beyond, each stream is read by itself.
const NEAR: u64 = 1_000;
/// How many events are read at once.
const PAGE: usize = 200;

/// What is read from, and what for.
pub(super) struct Missed<'a> {
    pub(super) ledger: &'a dyn Ledger,
    pub(super) courts: &'a Courts,
    pub(super) streams: &'a [(StreamId, Ear)],
}

/// Some of what was missed.
#[derive(Debug, Default)]
pub(super) struct Page {
    /// Everything up to here is in it.
    pub(super) reached: u64,
    /// The events, one after the other.
    pub(super) text: Vec<u8>,
}

impl Missed<'_> {
    /// Whether more was missed after `reached` than is told.
    pub(super) fn is_too_much(&self, reached: u64) -> Result<bool, LedgerError> {
        for (stream, _) in self.streams {
            let version = self.version_at(stream, reached)?;
            if self.position_after(stream, version + TOO_FAR)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The next events after `reached` and not beyond `upto`.
    pub(super) fn page(&self, reached: u64, upto: u64) -> Result<Page, LedgerError> {
        if self.streams.is_empty() {
            return Ok(Page { reached: upto, text: Vec::new() });
        }
        if upto - reached <= NEAR { self.among_all(reached, upto) } else { self.by_stream(reached, upto) }
    }

    /// Reads every record and keeps what is of these streams.
    fn among_all(&self, after: u64, upto: u64) -> Result<Page, LedgerError> {
        let (mut page, mut count) = (Page { reached: upto, text: Vec::new() }, 0);
        let scan = Scan { stream: None, after, limit: upto - after, depth: Depth::Facts };
        self.ledger.scan(scan, &mut |record| {
            if let Some(said) = self.said(&record) {
                page.text.extend_from_slice(&said.text);
                count += 1;
            }
            if count < PAGE {
                return ControlFlow::Continue(());
            }
            page.reached = record.position;
            ControlFlow::Break(())
        })?;
        Ok(page)
    }

    /// Reads each stream by itself, and puts what was found in order.
    fn by_stream(&self, after: u64, upto: u64) -> Result<Page, LedgerError> {
        let (mut found, mut reached) = (Vec::new(), upto);
        for (stream, _) in self.streams {
            let (version, mut count) = (self.version_at(stream, after)?, 0);
            self.ledger.scan(Scan::stream(stream.as_str(), version, Depth::Facts), &mut |record| {
                if record.position > upto {
                    return ControlFlow::Break(());
                }
                found.extend(self.said(&record));
                count += 1;
                if count < PAGE {
                    return ControlFlow::Continue(());
                }
                // What other streams have beyond this must wait for what this one has.
                reached = reached.min(record.position);
                ControlFlow::Break(())
            })?;
        }
        found.sort_by_key(|said| said.position);
        let text = found.iter().take_while(|said| said.position <= reached);
        Ok(Page { reached, text: text.flat_map(|said| said.text.iter().copied()).collect() })
    }

    fn said(&self, record: &RecordRef<'_>) -> Option<Said> {
        let (_, ear) = self.streams.iter().find(|(stream, _)| stream.as_str() == record.stream)?;
        Said::of(self.courts, record).filter(|said| ear.hears(&said.audience))
    }

    /// How many records a stream had at a position of the ledger.
    fn version_at(&self, stream: &StreamId, position: u64) -> Result<u64, LedgerError> {
        let is_before = |version| {
            Ok::<_, LedgerError>(self.position_after(stream, version)?.is_some_and(|at| at <= position))
        };
        // The first version whose successor is not before: within `low..=high`.
        let (mut low, mut high) = (0, 1);
        while is_before(high)? {
            (low, high) = (high + 1, high * 2);
        }
        while low < high {
            let middle = low + (high - low) / 2;
            if is_before(middle)? {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }

    /// Where the record after a version of a stream stands; none when there is none.
    fn position_after(&self, stream: &StreamId, version: u64) -> Result<Option<u64>, LedgerError> {
        let mut position = None;
        let scan = Scan { stream: Some(stream.as_str()), after: version, limit: 1, depth: Depth::Facts };
        self.ledger.scan(scan, &mut |record| {
            position = Some(record.position);
            ControlFlow::Break(())
        })?;
        Ok(position)
    }
}
