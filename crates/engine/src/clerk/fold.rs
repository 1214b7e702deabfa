//! Folds records of the ledger into streams and views: at the start, and when other processes appended.

use std::ops::ControlFlow;
use std::sync::Arc;

use assize_kernel::{HISTORY_REVISED, PlacedChange, RECORD_REVISED, Record, RecordRef, StreamId, Unreadable};
use assize_ledger::{Depth, Ledger, Scan};

use super::access_cursor::AccessCursor;
use super::stream_cache::StreamCache;
use super::{ClerkError, RULEBOOKS, RulebookIndex, Views};
use crate::Courts;
use crate::access::ACCESS;
use crate::history::{Part, ScanRecords};
use crate::live::Feed;

/// States and boards computed from the records alone, without snapshots.
pub struct Rebuilt {
    /// The boards.
    pub views: Views,
    /// The cached streams, kept so that dropping them is not part of the measured time.
    _states: StreamCache,
}

/// Folds the whole ledger into states and boards.
///
/// # Errors
/// When the ledger cannot be read.
pub fn rebuild(courts: &Arc<Courts>, ledger: &Arc<dyn Ledger>) -> Result<Rebuilt, ClerkError> {
    rebuild_upto(courts, ledger, u64::MAX)
}

/// Folds the ledger up to a position.
pub(super) fn rebuild_upto(
    courts: &Arc<Courts>,
    ledger: &Arc<dyn Ledger>,
    upto: u64,
) -> Result<Rebuilt, ClerkError> {
    let mut views = Views::default();
    let mut streams = StreamCache::new(courts.clone(), ledger.clone()).without_snapshots();
    let mut rulebooks = RulebookIndex::default();
    let mut access_cursor = AccessCursor::default();
    let mut fold = Fold::new(courts, &mut streams, &mut rulebooks, &mut access_cursor, &mut views);
    fold.catch_up(upto, &mut |scan, each| ledger.scan(scan, each))?;
    Ok(Rebuilt { views, _states: streams })
}

/// A fold in progress, with everything it updates.
pub(super) struct Fold<'a> {
    courts: &'a Courts,
    streams: &'a mut StreamCache,
    rulebooks: &'a mut RulebookIndex,
    access_cursor: &'a mut AccessCursor,
    views: &'a mut Views,
    /// The feed of the broadcaster; `None` while starting.
    feed: Option<&'a mut Feed>,
    /// Buffer for the changes of one record.
    changes: Vec<PlacedChange>,
}

/// Why a scan was interrupted.
enum FoldStop {
    /// This stream must be loaded first.
    Fetch(StreamId),
    /// This record revises its stream, which must be folded anew.
    Revised(Box<Record>),
    Unreadable(Unreadable),
}

impl<'a> Fold<'a> {
    pub(super) fn new(
        courts: &'a Courts,
        streams: &'a mut StreamCache,
        rulebooks: &'a mut RulebookIndex,
        access_cursor: &'a mut AccessCursor,
        views: &'a mut Views,
    ) -> Self {
        Self { courts, streams, rulebooks, access_cursor, views, feed: None, changes: Vec::new() }
    }

    /// Also passes the records to the broadcaster.
    pub(super) fn with_feed(self, feed: &'a mut Feed) -> Self {
        Self { feed: Some(feed), ..self }
    }

    /// Applies every record after the position of the views and up to `upto`.
    pub(super) fn catch_up(&mut self, upto: u64, scan: &mut ScanRecords<'_>) -> Result<(), ClerkError> {
        loop {
            let mut stop = None;
            let limit = upto.saturating_sub(self.views.position);
            let rest = Scan { limit, ..Scan::all(self.views.position, Depth::Facts) };
            scan(rest, &mut |record| match self.apply(&record) {
                Ok(()) => ControlFlow::Continue(()),
                Err(reason) => {
                    stop = Some(reason);
                    ControlFlow::Break(())
                }
            })?;
            match stop {
                None => break,
                Some(FoldStop::Fetch(stream)) => {
                    self.streams.fetch(&stream, self.views.position, scan)?;
                }
                Some(FoldStop::Revised(record)) => self.revise(&record, scan)?,
                Some(FoldStop::Unreadable(error)) => return Err(ClerkError::Damaged(error.to_string())),
            }
        }
        if self.views.chain().is_none() {
            // A scan of `Depth::Facts` reads no hashes.
            scan(Scan::at(1), &mut |first| {
                self.views.begin_chain(first.hash);
                ControlFlow::Break(())
            })?;
        }
        for cached in self.streams.touched() {
            cached.touched = false;
            self.views.set_deadline(cached.stream.stream(), cached.stream.deadline());
        }
        Ok(())
    }

    fn apply(&mut self, record: &RecordRef<'_>) -> Result<(), FoldStop> {
        // Most records belong to a cached stream, so the cache is looked up first.
        if !self.follow(record)? {
            self.apply_uncached(record)?;
        }
        if record.version == 1
            && let Ok(stream) = record.stream.parse()
        {
            self.views.begin_stream(stream, record.position);
        }
        self.views.position = record.position;
        Ok(())
    }

    /// Applies a record of a stream that is not cached: one of the engine's own, or one that must be loaded.
    fn apply_uncached(&mut self, record: &RecordRef<'_>) -> Result<(), FoldStop> {
        let court = record.stream.split_once('/').map_or("", |(court, _)| court);
        if record.stream == RULEBOOKS {
            if record.version > self.rulebooks.version() {
                self.rulebooks.follow(self.courts, record);
            }
        } else if record.stream == ACCESS {
            self.access_cursor.follow(record);
            if let Some(feed) = &self.feed {
                feed.access_changed(record);
            }
        } else if self.courts.get(court).is_some() {
            let stream: StreamId =
                record.stream.parse().map_err(|error| FoldStop::unreadable(record, error))?;
            return Err(FoldStop::Fetch(stream));
        }
        Ok(())
    }

    /// Applies a record to its stream; returns `false` if the stream is not cached.
    fn follow(&mut self, record: &RecordRef<'_>) -> Result<bool, FoldStop> {
        let Some(cached) = self.streams.cached(record.stream) else { return Ok(false) };
        if cached.stream.version() + 1 != record.version {
            return Err(FoldStop::unreadable(record, "its stream has a gap before it"));
        }
        if record.kind == HISTORY_REVISED {
            let record = record.to_record().map_err(|error| FoldStop::unreadable(record, error))?;
            return Err(FoldStop::Revised(Box::new(record)));
        }
        cached.stream.follow(record).map_err(FoldStop::Unreadable)?;
        cached.touched = true;
        if record.kind == RECORD_REVISED {
            self.views.revise(record);
        }
        cached.stream.take_changes(&mut self.changes);
        if let Some(feed) = &mut self.feed {
            feed.followed(record, &self.changes);
        }
        self.views.apply(&mut self.changes);
        Ok(true)
    }

    /// Folds a revised stream anew.
    fn revise(&mut self, record: &Record, scan: &mut ScanRecords<'_>) -> Result<(), ClerkError> {
        let stream = &record.draft.stream;
        let position = record.position;
        let court = self.courts.get(stream.court());
        let court = court.ok_or_else(|| ClerkError::Broken(format!("no court for {stream}")))?;
        let part = Part { court: &**court, stream, upto: position };
        let (any_stream, changes) = part.as_revised(&record.view(), scan)?;
        self.streams.put(stream, any_stream);
        self.changes.extend(changes.into_iter().map(|change| PlacedChange { position, change }));
        if let Some(feed) = &mut self.feed {
            feed.followed(&record.view(), &self.changes);
        }
        self.views.apply(&mut self.changes);
        self.views.position = position;
        Ok(())
    }
}

impl FoldStop {
    fn unreadable(record: &RecordRef<'_>, problem: impl ToString) -> Self {
        Self::Unreadable(Unreadable {
            position: record.position,
            stream: record.stream.to_owned(),
            kind: record.kind.to_owned(),
            problem: problem.to_string(),
        })
    }
}
