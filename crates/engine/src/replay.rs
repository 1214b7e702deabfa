//! Replay: computes every verdict in the ledger again from its recorded inputs and compares it byte for byte.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

use assize_kernel::{
    AnyStream, Comparison, HISTORY_REVISED, HistoryRevised, RECORD_REVISED, Record, RecordRef,
};
use assize_ledger::{Depth, EachRecord, Ledger, Scan, SequenceCheck};
use serde::Serialize;

use crate::clerk::RulebookIndex;
use crate::history::Part;
use crate::{ClerkError, Courts};

/// Largest number of differences in the report, for each edition.
const SHOWN: usize = 20;

/// The report of a replay.
#[derive(Debug, Default, Serialize)]
pub struct Replay {
    /// Records read.
    pub records: u64,
    /// Verdicts computed again, of all editions.
    pub verdicts: u64,
    /// Verdicts that are identical, byte for byte.
    pub same: u64,
    /// Verdicts of the current edition that differ.
    pub different: u64,
    /// Verdicts of other editions, keyed by `court:edition`: compared in the same way, counted separately.
    pub other_editions: BTreeMap<String, OtherEdition>,
    /// Records that could not be replayed.
    pub unreadable: u64,
    /// Places where records are missing, in the ledger or in a stream.
    pub gaps: u64,
    /// The first differences, unreadable records and gaps.
    pub shown: Vec<Difference>,
}

/// The verdicts of one other edition of a court.
#[derive(Debug, Default, Serialize)]
pub struct OtherEdition {
    /// Verdicts of this edition.
    pub verdicts: u64,
    /// Verdicts that differ under the current edition, which is allowed.
    pub different: u64,
    /// The first differences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<Difference>,
}

/// A verdict that differs, a record that could not be read, or a gap before a record.
#[derive(Debug, Serialize)]
pub struct Difference {
    /// Position of the record.
    pub position: u64,
    /// The stream of the record.
    pub stream: String,
    /// The differences by JSON path, or the problem.
    pub what: Vec<String>,
}

impl Replay {
    /// Whether there are no gaps, unreadable records or differences; verdicts of other editions may differ.
    #[must_use]
    pub const fn is_well(&self) -> bool {
        self.different + self.unreadable + self.gaps == 0
    }
}

/// Computes every verdict again. Calls `progress` with the position every 1024 records.
///
/// # Errors
/// When the ledger cannot be read.
pub fn replay(
    courts: &Courts,
    ledger: &dyn Ledger,
    progress: &mut dyn FnMut(u64),
) -> Result<Replay, ClerkError> {
    let rulebooks = RulebookIndex::load(ledger, courts)?;
    let head = ledger.head()?.position;
    let mut replaying = Replaying {
        courts,
        rulebooks,
        any_streams: HashMap::new(),
        sequence: SequenceCheck::default(),
        found: Replay::default(),
    };
    let mut reached = 0;
    loop {
        let mut revised = None;
        ledger.scan(Scan::all(reached, Depth::Whole), &mut |record| {
            replaying.take(&record);
            reached = record.position;
            if record.position.is_multiple_of(1024) {
                progress(record.position);
            }
            if record.kind != HISTORY_REVISED {
                return ControlFlow::Continue(());
            }
            revised = record.to_record().ok();
            ControlFlow::Break(())
        })?;
        let Some(revised) = revised else { break };
        replaying.revise(ledger, &revised)?;
    }
    Ok(replaying.finish(head))
}

struct Replaying<'a> {
    courts: &'a Courts,
    rulebooks: RulebookIndex,
    any_streams: HashMap<String, Box<dyn AnyStream>>,
    sequence: SequenceCheck,
    found: Replay,
}

impl Replaying<'_> {
    fn take(&mut self, record: &RecordRef<'_>) {
        self.found.records += 1;
        let mut gaps = Vec::new();
        self.sequence.follow(record, &mut gaps);
        if !gaps.is_empty() {
            self.found.gaps += gaps.len() as u64;
            show(&mut self.found.shown, record, gaps);
        }
        if let Err(problem) = self.compare_and_follow(record) {
            self.unreadable(record, problem);
        }
    }

    fn compare_and_follow(&mut self, record: &RecordRef<'_>) -> Result<(), String> {
        let court_name = record.stream.split_once('/').map_or("", |(court, _)| court);
        let Some(court) = self.courts.get(court_name) else {
            return match record.verdict {
                Some(_) => Err(format!("no court `{court_name}` here")),
                None => Ok(()),
            };
        };
        if !self.any_streams.contains_key(record.stream) {
            let stream = record.stream.parse().map_err(|error| format!("{error}"))?;
            self.any_streams.insert(record.stream.to_owned(), court.empty(stream));
        }
        let Some(any_stream) = self.any_streams.get_mut(record.stream) else { return Ok(()) };
        // The verdicts of a revision are compared in `revise`, once all of its records are read.
        let judged = record.verdict.filter(|_| record.kind != RECORD_REVISED);
        let compared = judged.map(|_| compare(&self.rulebooks, &**any_stream, record));
        // Also after a failed comparison: later records depend on this one.
        any_stream.follow(record).map_err(|error| error.to_string())?;
        any_stream.drop_changes();
        if let Some(compared) = compared {
            self.count(record, compared?, court.edition());
        }
        Ok(())
    }

    /// Folds a stream again with its latest revision applied, and compares the verdicts of that revision.
    fn revise(&mut self, ledger: &dyn Ledger, last: &Record) -> Result<(), ClerkError> {
        let (stream, upto) = (&last.draft.stream, last.position);
        let Some(court) = self.courts.get(stream.court()).cloned() else { return Ok(()) };
        let revised = HistoryRevised::read(&last.view()).map_or(0, |revised| revised.revised);
        let part = Part { court: &*court, stream, upto };
        let mut scan = |wanted: Scan<'_>, each: &mut EachRecord<'_>| ledger.scan(wanted, each);
        let overlay = part.overlay(Depth::Whole, &mut scan)?;
        let mut any_stream = court.empty(stream.clone());
        part.each(Depth::Whole, &mut scan, |record| {
            let is_new = |at: u64| at.saturating_add(revised) >= upto;
            let standing = overlay.standing(record, u64::MAX).filter(|standing| standing.verdict.is_some());
            if let Some(standing) =
                standing.filter(|_| overlay.revised_at(record.position).is_some_and(is_new))
            {
                match compare(&self.rulebooks, &*any_stream, &standing) {
                    Ok(compared) => self.count(&standing, compared, court.edition()),
                    Err(problem) => self.unreadable(&standing, problem),
                }
            }
            overlay
                .follow(&mut *any_stream, record, u64::MAX)
                .map_err(|error| ClerkError::Damaged(error.to_string()))?;
            any_stream.drop_changes();
            Ok(())
        })?;
        self.any_streams.insert(stream.to_string(), any_stream);
        Ok(())
    }

    fn unreadable(&mut self, record: &RecordRef<'_>, problem: String) {
        self.found.unreadable += 1;
        show(&mut self.found.shown, record, vec![problem]);
    }

    fn count(&mut self, record: &RecordRef<'_>, compared: Comparison, edition: u32) {
        let court = record.stream.split_once('/').map_or("", |(court, _)| court);
        let other_edition = (record.edition != edition).then(|| format!("{court}:{}", record.edition));
        self.found.verdicts += 1;
        let other = other_edition.map(|edition| self.found.other_editions.entry(edition).or_default());
        let what = match compared {
            Comparison::Same => None,
            Comparison::NoVerdict => Some(vec!["the court does not judge this any more".to_owned()]),
            Comparison::Different(differences) => Some(differences),
        };
        self.found.same += u64::from(what.is_none());
        let (different, shown) = match other {
            Some(other) => {
                other.verdicts += 1;
                (&mut other.different, &mut other.shown)
            }
            None => (&mut self.found.different, &mut self.found.shown),
        };
        if let Some(what) = what {
            *different += 1;
            show(shown, record, what);
        }
    }

    /// Reports records missing at the end: the head is stored separately and may be ahead of the last record.
    fn finish(mut self, head: u64) -> Replay {
        if let Some(missing) = self.sequence.missing_until(head) {
            self.found.gaps += 1;
            let end = Difference { position: head, stream: "the ledger".into(), what: vec![missing] };
            self.found.shown.push(end);
        }
        self.found
    }
}

fn show(shown: &mut Vec<Difference>, record: &RecordRef<'_>, what: Vec<String>) {
    if shown.len() < SHOWN {
        shown.push(Difference { position: record.position, stream: record.stream.to_owned(), what });
    }
}

fn compare(
    rulebooks: &RulebookIndex,
    any_stream: &dyn AnyStream,
    record: &RecordRef<'_>,
) -> Result<Comparison, String> {
    let reference = any_stream.rulebook().ok_or("a verdict before its stream was opened")?;
    let book = rulebooks
        .get(&reference.hash)
        .ok_or_else(|| format!("the rulebook {reference} is not in the ledger"))?;
    any_stream.compare(book, record).map_err(|error| error.to_string())
}
