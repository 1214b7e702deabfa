//! The detail of a summary verdict: one object per metric, and the findings they were computed from.

use assize_kernel::Detail;
use serde::{Deserialize, Serialize};

use super::super::findings::{Findings, SummaryTone};
use super::super::metrics::{METRIC_COUNT, METRICS};

/// The scores of both frameworks, support, recall and the findings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SummaryDetail {
    /// The scores of Twin-Lock.
    pub twin_lock: FrameworkScores,
    /// The scores of Judge-Lock.
    pub judge_lock: FrameworkScores,
    /// How well the article supports the summary, from 0 to 1.
    pub support: Option<f64>,
    /// The share of the article's important content that the summary has, from 0 to 1.
    pub recall: Option<f64>,
    /// The findings with their spans in both texts.
    pub findings: Findings,
}

/// The five metrics of one framework, and their weighted mean.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FrameworkScores {
    /// How much of the article the summary covers.
    pub coverage: CoverageScore,
    /// Whether the summary keeps the article's intent, stance and tone.
    pub alignment: AlignmentScore,
    /// Whether the article supports the claims.
    pub hallucination: HallucinationScore,
    /// Whether every segment is about the article.
    pub relevance: RelevanceScore,
    /// Whether the wording is unbiased and civil.
    pub bias_toxicity: BiasToxicityScore,
    /// The weighted mean.
    pub total: f64,
}

/// How much of the article the summary covers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CoverageScore {
    /// Key points that are covered fully.
    pub fully: usize,
    /// Key points that are covered in part.
    pub partial: usize,
    /// Key points that are not covered.
    pub not: usize,
    /// All key points.
    pub total_keypoints: usize,
    /// (Fully + 0.5 × Partial) ÷ total_keypoints.
    pub recall: f64,
    /// Words without support in the article.
    pub extraneous_tokens: usize,
    /// All words of the summary.
    pub total_summary_tokens: usize,
    /// 1 − extraneous_tokens ÷ total_summary_tokens.
    pub precision: f64,
    /// The harmonic mean of recall and precision.
    pub f1: f64,
    /// Judge-Lock: how well the summary answers questions about the article.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub qag_accuracy: Option<f64>,
    /// From 0 to 10.
    pub overall_score: f64,
}

/// Whether the summary keeps the article's intent, stance and tone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AlignmentScore {
    /// The article's intent, stance and tone, cut to the framework's length.
    pub intent: String,
    /// The number of deviations.
    pub deviations: usize,
    /// From 0 to 10.
    pub overall_score: f64,
}

/// Whether the article supports the claims.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HallucinationScore {
    /// Claims that the article supports.
    pub supported: usize,
    /// Claims that the article supports in part.
    pub partially: usize,
    /// Claims that the article does not support.
    pub unsupported: usize,
    /// All claims.
    pub total_claims: usize,
    /// (Unsupported + 0.5 × Partially) ÷ total_claims.
    pub unsupported_fraction: f64,
    /// Judge-Lock: the severity by the unsupported fraction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub severity: Option<HallucinationSeverity>,
    /// Judge-Lock: the score before it is multiplied by `qag_precision`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw_score: Option<f64>,
    /// Judge-Lock: how well the article answers questions about the summary.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub qag_precision: Option<f64>,
    /// From 0 to 10.
    pub overall_score: f64,
}

/// The severity of the hallucination; the rulebook sets the thresholds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HallucinationSeverity {
    /// Below the threshold of `Moderate`.
    Minor,
    /// Below the threshold of `Severe`.
    Moderate,
    /// At or above the threshold.
    Severe,
}

/// Whether every segment is about the article.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RelevanceScore {
    /// The theme of the article, cut to the framework's length.
    pub theme: String,
    /// The label of each segment, in order.
    pub labels: Vec<SegmentLabel>,
    /// The mean value of the labels.
    pub section_overlap: f64,
    /// Judge-Lock: the same value as in Coverage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub qag_accuracy: Option<f64>,
    /// From 0 to 10.
    pub overall_score: f64,
}

/// The overlap of a segment with the article.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum SegmentLabel {
    /// At least the rulebook's `high`.
    High,
    /// At least the rulebook's `some`.
    Some,
    /// Below the rulebook's `some`.
    None,
}

/// Whether the wording is unbiased and civil.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BiasToxicityScore {
    /// The tone of the summary.
    pub tone: SummaryTone,
    /// The number of issues that cost points; quoted ones do not.
    pub issues: usize,
    /// From 0 to 10.
    pub bias_score: f64,
    /// From 0 to 10.
    pub tox_score: f64,
    /// (bias_score + tox_score) ÷ 2.
    pub overall_score: f64,
}

impl FrameworkScores {
    /// The scores in the order of [`METRICS`].
    #[must_use]
    pub fn scores(&self) -> [f64; METRIC_COUNT] {
        METRICS.map(|metric| (metric.score)(self))
    }
}

impl Detail for SummaryDetail {
    fn room(&self) -> usize {
        8_192
    }
}

#[cfg(test)]
mod tests {
    use assize_kernel::Rulebook;

    use crate::summary::{LOCKS, SummaryRules, TextPair, assess};

    #[test]
    fn a_verdict_on_a_summary_is_written_as_serde_would() {
        let book = Rulebook::<SummaryRules>::read("summary", "locks", LOCKS).unwrap();
        let article = "The city council of Leeds approved a \"new\" tram line on Tuesday.\nMayor Ann Berry said the \
            line would cost 250 million pounds and open in 2031. Shares in the builder Norcon rose by 4 per cent \
            after the vote. The opposition did not support the plan.";
        for summary in [
            article,
            "Trams.",
            "Mayor Ann Berry said the line would cost 260 million pounds, and the \\ opposition did support it.",
            "Women are emotional, and that damn idiot of a mayor is a disgrace; the vote of Leeds was in 2031.",
            "Shares in Norcon fell by 4 per cent. Something else happened far away, on another day, to others.",
        ] {
            let verdict = assess(&book, TextPair { article, summary }).unwrap();
            assert_eq!(verdict.to_json(), serde_json::to_string(&verdict).unwrap(), "{summary}");
        }
    }
}
