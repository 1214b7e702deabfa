//! An earlier run to compare with: its means, metric by metric.

use std::path::Path;

use super::earlier;
use crate::output::Failure;
use crate::scores::{self, COUNT};

pub(super) struct Baseline {
    means: [f64; COUNT],
    /// How many points of ten a mean may fall; none when it may fall as far as it likes.
    allowed: Option<f64>,
}

/// A metric, now and then.
pub(super) struct Compared {
    pub(super) name: &'static str,
    pub(super) now: f64,
    pub(super) then: f64,
    /// Whether it fell further than it may.
    pub(super) dropped: bool,
}

impl Baseline {
    pub(super) fn read(file: &Path, allowed: Option<f64>) -> Result<Self, Failure> {
        let wrong = |problem: String| Failure::Use(format!("`{}`: {problem}", file.display()));
        let (mut sums, mut rows) = ([0.0; COUNT], 0_u64);
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

    /// Every metric beside what it was; without a single row now, all have dropped.
    pub(super) fn compare(&self, means: [f64; COUNT], rows: u64) -> Vec<Compared> {
        let all = scores::NAMES.into_iter().zip(means).zip(self.means).enumerate();
        let compared = all.map(|(metric, ((name, now), then))| {
            let may_fall = |allowed: f64| allowed * scores::most(metric) / 10.0 + 1e-9;
            let dropped = self.allowed.is_some_and(|allowed| rows == 0 || now < then - may_fall(allowed));
            Compared { name, now, then, dropped }
        });
        compared.collect()
    }
}

impl Compared {
    /// What is wrong, where something is.
    pub(super) fn problem(&self) -> Option<String> {
        let Self { name, now, then, .. } = self;
        self.dropped.then(|| format!("{name} is {now:.3} on average, the baseline's is {then:.3}"))
    }
}
