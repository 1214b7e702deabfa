//! Metrics of the clerk: queue length, batch size, commit time, and verdicts by court and outcome.

use std::time::Duration;

use assize_kernel::{Record, VerdictText};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};

use super::store_health::StoreHealth;

/// Metrics shared by the clerk's handles, the decide loop and the committer.
#[derive(Debug)]
pub struct ClerkMetrics {
    /// Petitions and inspections that wait for the decide loop.
    pub(super) waiting: Gauge,
    /// Records written with one flush.
    batch_size: Histogram,
    /// Seconds from handing a batch to the store until it is on disk.
    commit_time: Histogram,
    /// Result of the last write, for the health check.
    pub(super) store_health: StoreHealth,
    verdicts: Family<VerdictLabels, Counter>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct VerdictLabels {
    court: String,
    outcome: String,
}

/// Counts verdicts by court and outcome.
#[derive(Default)]
pub(super) struct VerdictCounter {
    /// The counters in use: a lookup in the metric family would allocate its labels.
    counters: Vec<(VerdictLabels, Counter)>,
}

impl Default for ClerkMetrics {
    fn default() -> Self {
        Self {
            waiting: Gauge::default(),
            batch_size: Histogram::new(exponential_buckets(1.0, 2.0, 14)),
            commit_time: Histogram::new(exponential_buckets(0.000_25, 2.0, 16)),
            store_health: StoreHealth::default(),
            verdicts: Family::default(),
        }
    }
}

impl ClerkMetrics {
    /// Notes that a commit of `records` records took `took`.
    pub(super) fn committed(&self, records: usize, took: Duration) {
        self.commit_time.observe(took.as_secs_f64());
        self.batch_size.observe(records as f64);
        self.store_health.set(Ok(()));
    }

    /// Registers the metrics for export.
    pub fn register(&self, registry: &mut Registry) {
        registry.register("clerk_waiting", "Requests that wait for the clerk", self.waiting.clone());
        let size = "Records written with one flush to disk";
        registry.register("clerk_batch_records", size, self.batch_size.clone());
        let time = "Time from handing a batch to the store until it is on disk";
        registry.register_with_unit("clerk_commit", time, Unit::Seconds, self.commit_time.clone());
        registry.register("verdicts", "Verdicts on disk since the start", self.verdicts.clone());
    }
}

impl VerdictCounter {
    /// Counts the verdict of a record, if it has one.
    pub(super) fn count(&mut self, record: &Record, metrics: &ClerkMetrics) {
        let Some(outcome) = record.draft.verdict.as_ref().and_then(VerdictText::outcome) else { return };
        let court = record.draft.stream.court();
        let known =
            self.counters.iter().find(|(labels, _)| labels.outcome == outcome && labels.court == court);
        if let Some((_, counter)) = known {
            counter.inc();
        } else {
            let labels = VerdictLabels { court: court.to_owned(), outcome: outcome.to_owned() };
            let counter = metrics.verdicts.get_or_create_owned(&labels);
            counter.inc();
            self.counters.push((labels, counter));
        }
    }
}
