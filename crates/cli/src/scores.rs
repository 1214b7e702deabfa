//! The scores of a summary's verdict by name, read from the summary court's table of metrics.

use assize_courts::summary::{SCORES, SummaryDetail, TOTAL_SCORE};

/// The number of scores.
pub(crate) const COUNT: usize = SCORES.len();

/// The names of the scores, in the order of the table.
pub(crate) const NAMES: [&str; COUNT] = names();

/// The index of Judge-Lock's total.
pub(crate) const TOTAL: usize = TOTAL_SCORE;

#[allow(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const fn names() -> [&'static str; COUNT] {
    let mut names = [""; COUNT];
    let mut score = 0;
    while score < COUNT {
        names[score] = SCORES[score].key;
        score += 1;
    }
    names
}

/// The scores of a verdict, in the order of the names.
pub(crate) fn of(detail: &SummaryDetail) -> [f64; COUNT] {
    SCORES.map(|score| (score.value)(detail))
}

/// The highest possible value of a score.
pub(crate) fn most(metric: usize) -> f64 {
    SCORES.get(metric).map_or(1.0, |score| score.max)
}
