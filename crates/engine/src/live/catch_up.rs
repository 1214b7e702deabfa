//! Catch-up: reads the events that a subscriber missed from the ledger, in order, a page at a time.

use std::ops::ControlFlow;

use assize_kernel::{Digest, RecordRef, StreamId};
use assize_ledger::{Depth, Ledger, LedgerError, Scan};

use super::rendered_event::RenderedEvent;
use super::topic::Visibility;
use crate::Courts;

/// A subscriber that missed more records of a stream than this gets a `reset` and reloads.
pub(super) const MAX_MISSED: u64 = 10_000;
/// Up to this distance, the records of all streams are scanned; beyond it, each stream is scanned by itself.
const SCAN_ALL_UP_TO: u64 = 1_000;
/// Number of events in a page.
const PAGE: usize = 200;

/// The source of a catch-up and the streams it covers.
pub(super) struct CatchUp<'a> {
    pub(super) ledger: &'a dyn Ledger,
    pub(super) courts: &'a Courts,
    pub(super) streams: &'a [(StreamId, Visibility)],
    /// The history that the events belong to.
    pub(super) fork: Option<Digest>,
}

/// A page of missed events.
#[derive(Debug, Default)]
pub(super) struct CatchUpPage {
    /// The page covers everything up to this position.
    pub(super) reached: u64,
    /// The rendered events, concatenated.
    pub(super) text: Vec<u8>,
}

impl CatchUp<'_> {
    /// Whether more records were missed after `reached` than are sent.
    pub(super) fn is_too_much(&self, reached: u64) -> Result<bool, LedgerError> {
        for (stream, _) in self.streams {
            let version = self.version_at(stream, reached)?;
            if self.position_after(stream, version + MAX_MISSED)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The next page of events after `reached` and up to `upto`.
    pub(super) fn page(&self, reached: u64, upto: u64) -> Result<CatchUpPage, LedgerError> {
        if self.streams.is_empty() {
            return Ok(CatchUpPage { reached: upto, text: Vec::new() });
        }
        if upto - reached <= SCAN_ALL_UP_TO {
            self.among_all(reached, upto)
        } else {
            self.by_stream(reached, upto)
        }
    }

    /// Scans all streams and keeps the records of the subscribed ones.
    fn among_all(&self, after: u64, upto: u64) -> Result<CatchUpPage, LedgerError> {
        let mut page = CatchUpPage { reached: upto, text: Vec::new() };
        let mut count = 0;
        let scan = Scan { stream: None, after, limit: upto - after, depth: Depth::Facts };
        self.ledger.scan(scan, &mut |record| {
            if let Some(event) = self.event(&record) {
                page.text.extend_from_slice(&event.text);
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

    /// Scans each stream by itself and merges the events by position.
    fn by_stream(&self, after: u64, upto: u64) -> Result<CatchUpPage, LedgerError> {
        let mut found = Vec::new();
        let mut reached = upto;
        for (stream, _) in self.streams {
            let version = self.version_at(stream, after)?;
            let mut count = 0;
            self.ledger.scan(Scan::stream(stream.as_str(), version, Depth::Facts), &mut |record| {
                if record.position > upto {
                    return ControlFlow::Break(());
                }
                found.extend(self.event(&record));
                count += 1;
                if count < PAGE {
                    return ControlFlow::Continue(());
                }
                // Events of other streams beyond this position belong to the next page.
                reached = reached.min(record.position);
                ControlFlow::Break(())
            })?;
        }
        found.sort_by_key(|event| event.id.position);
        let text = found.iter().take_while(|event| event.id.position <= reached);
        Ok(CatchUpPage { reached, text: text.flat_map(|event| event.text.iter().copied()).collect() })
    }

    fn event(&self, record: &RecordRef<'_>) -> Option<RenderedEvent> {
        let (_, visibility) = self.streams.iter().find(|(stream, _)| stream.as_str() == record.stream)?;
        RenderedEvent::of(self.courts, record, self.fork).filter(|event| visibility.sees(&event.audience))
    }

    /// The version of a stream at a position of the ledger.
    fn version_at(&self, stream: &StreamId, position: u64) -> Result<u64, LedgerError> {
        let is_before = |version| {
            Ok::<_, LedgerError>(self.position_after(stream, version)?.is_some_and(|at| at <= position))
        };
        // Galloping, then binary search for the first version whose successor is beyond `position`.
        let mut low = 0;
        let mut high = 1;
        while is_before(high)? {
            low = high + 1;
            high *= 2;
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

    /// Position of the record that follows a version of a stream, if there is one.
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
