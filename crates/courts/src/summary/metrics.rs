//! The table of summary metrics: weights, totals, the guard rail, the command line and the pages all read it.

use super::judging::{FrameworkScores, SummaryDetail};
use super::rules::Weights;

/// A metric that both frameworks compute, from 0 to 10.
#[derive(Debug, Clone, Copy)]
pub struct SummaryMetric {
    /// The name in rulebooks, derivations and JSON.
    pub key: &'static str,
    /// The name on pages.
    pub name: &'static str,
    /// Reads the weight of the metric in the total.
    pub weight: fn(&Weights) -> f64,
    /// Reads the score of the metric.
    pub score: fn(&FrameworkScores) -> f64,
    /// The score of the metric, to be lowered by a cap.
    pub(super) score_mut: fn(&mut FrameworkScores) -> &mut f64,
}

/// A framework: a way to compute the metrics from the findings.
#[derive(Debug, Clone, Copy)]
pub struct SummaryFramework {
    /// The name in rulebooks, derivations and JSON.
    pub key: &'static str,
    /// The name on pages.
    pub name: &'static str,
    /// Reads the scores of the framework.
    pub scores: fn(&SummaryDetail) -> &FrameworkScores,
}

/// A single number of a verdict: a metric or the total of one framework, or a measure outside the frameworks.
#[derive(Debug, Clone, Copy)]
pub struct SummaryScore {
    /// The key of the metric; Twin-Lock's scores have the prefix `twin_lock.`, Judge-Lock's have none.
    pub key: &'static str,
    /// The highest possible value.
    pub max: f64,
    /// Reads the number; 0 for a measure that the assessor did not report.
    pub value: fn(&SummaryDetail) -> f64,
}

pub(super) const TWIN_LOCK: SummaryFramework =
    SummaryFramework { key: "twin_lock", name: "Twin-Lock", scores: |detail| &detail.twin_lock };
pub(super) const JUDGE_LOCK: SummaryFramework =
    SummaryFramework { key: "judge_lock", name: "Judge-Lock", scores: |detail| &detail.judge_lock };

/// The frameworks in the order of the verdict.
pub const FRAMEWORKS: [SummaryFramework; 2] = [TWIN_LOCK, JUDGE_LOCK];

/// Builds all tables from one list: each metric as the field of [`Weights`] and [`FrameworkScores`], and its
/// name.
macro_rules! metric_tables {
    ($($field:ident: $name:literal,)+) => {
        /// The number of metrics of a framework.
        pub const METRIC_COUNT: usize = [$($name),+].len();

        /// The metrics in the order of the verdict.
        pub const METRICS: [SummaryMetric; METRIC_COUNT] = [$(SummaryMetric {
            key: stringify!($field),
            name: $name,
            weight: |weights| weights.$field,
            score: |scores| scores.$field.overall_score,
            score_mut: |scores| &mut scores.$field.overall_score,
        }),+];

        /// Every score of a verdict: Judge-Lock, Twin-Lock, then support and recall.
        pub const SCORES: [SummaryScore; 2 * (METRIC_COUNT + 1) + 2] = [
            $(SummaryScore {
                key: stringify!($field),
                max: 10.0,
                value: |detail| detail.judge_lock.$field.overall_score,
            },)+
            SummaryScore { key: "total", max: 10.0, value: |detail| detail.judge_lock.total },
            $(SummaryScore {
                key: concat!("twin_lock.", stringify!($field)),
                max: 10.0,
                value: |detail| detail.twin_lock.$field.overall_score,
            },)+
            SummaryScore { key: "twin_lock.total", max: 10.0, value: |detail| detail.twin_lock.total },
            SummaryScore { key: "support", max: 1.0, value: |detail| detail.support.unwrap_or(0.0) },
            SummaryScore { key: "recall", max: 1.0, value: |detail| detail.recall.unwrap_or(0.0) },
        ];
    };
}

metric_tables! {
    coverage: "Coverage",
    alignment: "Alignment",
    hallucination: "Hallucination",
    relevance: "Relevance",
    bias_toxicity: "Bias and toxicity",
}

/// The index of Judge-Lock's total in [`SCORES`].
pub const TOTAL_SCORE: usize = METRIC_COUNT;
