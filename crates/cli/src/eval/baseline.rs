//! The baseline: the means of an earlier run, by metric.

use std::path::Path;

use super::earlier;
use crate::output::Failure;
use crate::scores::{self, COUNT};

pub(super) struct Baseline {
    means: [f64; COUNT],
    /// The threshold: how far a mean may fall, in points of ten; none without a threshold.
    allowed: Option<f64>,
}

/// The change of a metric against the baseline.
pub(super) struct MetricChange {
    pub(super) name: &'static str,
    pub(super) now: f64,
    pub(super) then: f64,
    /// Whether it fell below the threshold.
    pub(super) dropped: bool,
}

impl Baseline {
    pub(super) fn read(file: &Path, allowed: Option<f64>) -> Result<Self, Failure> {
        let wrong = |problem: String| Failure::Use(format!("`{}`: {problem}", file.display()));
        let mut sums = [0.0; COUNT];
        let mut rows = 0_u64;
        for line in earlier::read(file, None)? {
            let (number, line) = line?;
            let line = line.map_err(|problem| wrong(format!("line {number}: {problem}")))?;
            let Ok(scores) = line.outcome else { continue };
            sums.iter_mut().zip(scores).for_each(|(sum, score)| *sum += score);
            rows += 1;
        }
        if rows == 0 {
            return Err(wrong("no row in it has scores".to_owned()));
        }
        Ok(Self { means: sums.map(|sum| sum / rows as f64), allowed })
    }

    /// Compares every metric; without any judged row, all have dropped.
    pub(super) fn compare(&self, means: [f64; COUNT], rows: u64) -> Vec<MetricChange> {
        let all = scores::NAMES.into_iter().zip(means).zip(self.means).enumerate();
        let compared = all.map(|(metric, ((name, now), then))| {
            let may_fall = |allowed: f64| allowed * scores::most(metric) / 10.0 + 1e-9;
            let dropped = self.allowed.is_some_and(|allowed| rows == 0 || now < then - may_fall(allowed));
            MetricChange { name, now, then, dropped }
        });
        compared.collect()
    }
}

impl MetricChange {
    /// The message for a dropped metric.
    pub(super) fn problem(&self) -> Option<String> {
        let Self { name, now, then, .. } = self;
        self.dropped.then(|| format!("{name} is {now:.3} on average, the baseline's is {then:.3}"))
    }
}
