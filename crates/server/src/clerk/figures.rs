//! What the clerk counts while it works: atomic numbers, and a look at each verdict that is on disk.

use std::time::Duration;

use assize_kernel::Record;
use memchr::memmem::Finder;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};

use super::pulse::Pulse;

/// Shared between the clerk's face, its desk and its pen.
#[derive(Debug)]
pub(crate) struct Figures {
    /// Petitions and inspections that wait for the desk.
    pub(super) waiting: Gauge,
    /// Records written with one flush.
    batch_size: Histogram,
    /// Seconds from handing a batch to the store until it is on disk.
    commit_time: Histogram,
    /// Whether the store can be written.
    pub(super) pulse: Pulse,
    verdicts: Family<VerdictLabels, Counter>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct VerdictLabels {
    court: String,
    outcome: String,
}

/// Counts verdicts.
pub(super) struct Tally {
    /// The counters in use, so that counting a verdict looks nothing up by a name of its own.
    counters: Vec<(VerdictLabels, Counter)>,
    outcome: Finder<'static>,
}

impl Default for Figures {
    fn default() -> Self {
        Self {
            waiting: Gauge::default(),
            batch_size: Histogram::new(exponential_buckets(1.0, 2.0, 14)),
            commit_time: Histogram::new(exponential_buckets(0.000_25, 2.0, 16)),
            pulse: Pulse::default(),
            verdicts: Family::default(),
        }
    }
}

impl Figures {
    /// So many records are on disk after so long.
    pub(super) fn committed(&self, records: usize, took: Duration) {
        self.commit_time.observe(took.as_secs_f64());
        self.batch_size.observe(records as f64);
        self.pulse.note(Ok(()));
    }

    /// Has everything shown among the metrics.
    pub(crate) fn register(&self, registry: &mut Registry) {
        registry.register("clerk_waiting", "Requests that wait for the clerk", self.waiting.clone());
        let size = "Records written with one flush to disk";
        registry.register("clerk_batch_records", size, self.batch_size.clone());
        let time = "Time from handing a batch to the store until it is on disk";
        registry.register_with_unit("clerk_commit", time, Unit::Seconds, self.commit_time.clone());
        registry.register("verdicts", "Verdicts on disk since the start", self.verdicts.clone());
    }
}

impl Default for Tally {
    fn default() -> Self {
        Self { counters: Vec::new(), outcome: Finder::new(r#""outcome":""#) }
    }
}

impl Tally {
    /// Counts a record's verdict, when it has one.
    pub(super) fn count(&mut self, record: &Record, figures: &Figures) {
        let Some(outcome) = record.draft.verdict.as_deref().and_then(|verdict| self.outcome(verdict)) else {
            return;
        };
        let court = record.draft.stream.court();
        let known =
            self.counters.iter().find(|(labels, _)| labels.outcome == outcome && labels.court == court);
        if let Some((_, counter)) = known {
            counter.inc();
        } else {
            let labels = VerdictLabels { court: court.to_owned(), outcome: outcome.to_owned() };
            let counter = figures.verdicts.get_or_create_owned(&labels);
            counter.inc();
            self.counters.push((labels, counter));
        }
    }

    /// The outcome in a verdict's text, which begins with short fields of which this is one. Inside a text, quotation
    /// marks are escaped: what is found is the field.
    fn outcome<'a>(&self, verdict: &'a str) -> Option<&'a str> {
        let begin = self.outcome.find(verdict.as_bytes())? + self.outcome.needle().len();
        verdict.get(begin..)?.split('"').next()
    }
}

#[test]
fn the_outcome_is_found_beside_texts_that_look_like_it() {
    let (tally, odd) =
        (Tally::default(), r#"{"rulebook":{"name":"\"outcome\":\"no\""},"outcome":"full","points":1}"#);
    assert_eq!(tally.outcome(odd), Some("full"));
    assert_eq!(tally.outcome(r#"{"court":"outcome","outcome":"none"}"#), Some("none"));
    assert_eq!(tally.outcome("{}"), None);
}
