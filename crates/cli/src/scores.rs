//! The numbers of a summary's verdict, by name.

use assize_courts::summary::SummaryDetail;

/// How many there are.
pub(crate) const COUNT: usize = 14;

/// Their names; Judge-Lock's metrics go by their own, Twin-Lock's with its name before them.
pub(crate) const NAMES: [&str; COUNT] = [
    "coverage",
    "alignment",
    "hallucination",
    "relevance",
    "bias_toxicity",
    "total",
    "twin_lock.coverage",
    "twin_lock.alignment",
    "twin_lock.hallucination",
    "twin_lock.relevance",
    "twin_lock.bias_toxicity",
    "twin_lock.total",
    "support",
    "recall",
];

/// What `total` is among them.
pub(crate) const TOTAL: usize = 5;

/// The numbers, in the order of the names.
pub(crate) fn of(detail: &SummaryDetail) -> [f64; COUNT] {
    let [a, b, c, d, e] = detail.judge_lock.scores();
    let [f, g, h, i, j] = detail.twin_lock.scores();
    let (judge, twin) = (detail.judge_lock.total, detail.twin_lock.total);
    [a, b, c, d, e, judge, f, g, h, i, j, twin, detail.support.unwrap_or(0.0), detail.recall.unwrap_or(0.0)]
}

/// The highest each can be.
pub(crate) const fn most(metric: usize) -> f64 {
    if metric >= 12 { 1.0 } else { 10.0 }
}
