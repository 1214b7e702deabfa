//! The court's own structure: one object for each metric, in the seed's order, and the findings behind them.

use serde::{Deserialize, Serialize};

use super::super::findings::{Findings, Tone};

/// Both frameworks, the fine measures under them, and what was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SummaryDetail {
    /// The first framework.
    pub twin_lock: Framework,
    /// The second framework.
    pub judge_lock: Framework,
    /// How well the article carries the summary, from 0 to 1.
    pub support: Option<f64>,
    /// How much of the article's weight the summary carries, from 0 to 1.
    pub recall: Option<f64>,
    /// What was found, with its places in both texts.
    pub findings: Findings,
}

/// The five metrics of one framework, and their weighted mean.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Framework {
    /// How much of the article is there.
    pub coverage: CoverageScore,
    /// Whether intent, stance and tone are kept.
    pub alignment: AlignmentScore,
    /// Whether what is claimed is in the article.
    pub hallucination: HallucinationScore,
    /// Whether every part belongs there.
    pub relevance: RelevanceScore,
    /// Whether it is fair and civil.
    pub bias_toxicity: BiasToxicityScore,
    /// The weighted mean.
    pub total: f64,
}

/// How much of the article is there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CoverageScore {
    /// Key points that are all there.
    pub fully: usize,
    /// Key points that are there in part.
    pub partial: usize,
    /// Key points that are not there.
    pub not: usize,
    /// All of them.
    pub total_keypoints: usize,
    /// (Fully + 0.5 × Partial) ÷ total_keypoints.
    pub recall: f64,
    /// Words that the article does not carry.
    pub extraneous_tokens: usize,
    /// All words of the summary.
    pub total_summary_tokens: usize,
    /// 1 − extraneous_tokens ÷ total_summary_tokens.
    pub precision: f64,
    /// The harmonic mean of the two.
    pub f1: f64,
    /// Judge-Lock: how well the summary answers questions about the article.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub qag_accuracy: Option<f64>,
    /// From 0 to 10.
    pub overall_score: f64,
}

/// Whether intent, stance and tone are kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AlignmentScore {
    /// The article's intent, stance and tone, cut to the framework's length.
    pub intent: String,
    /// How many deviations there are.
    pub deviations: usize,
    /// From 0 to 10.
    pub overall_score: f64,
}

/// Whether what is claimed is in the article.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HallucinationScore {
    /// Claims that the article backs.
    pub supported: usize,
    /// Claims that it backs in part.
    pub partially: usize,
    /// Claims that it does not back.
    pub unsupported: usize,
    /// All of them.
    pub total_claims: usize,
    /// (Unsupported + 0.5 × Partially) ÷ total_claims.
    pub unsupported_fraction: f64,
    /// Judge-Lock: how bad that is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub severity: Option<Severity>,
    /// Judge-Lock: before the questions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw_score: Option<f64>,
    /// Judge-Lock: how well the article answers questions about the summary.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub qag_precision: Option<f64>,
    /// From 0 to 10.
    pub overall_score: f64,
}

/// How bad the hallucination is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// A small part.
    Minor,
    /// A good part.
    Moderate,
    /// Half or more.
    Severe,
}

/// Whether every part belongs there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RelevanceScore {
    /// What the article is about, cut to the framework's length.
    pub theme: String,
    /// The label of each segment, in order.
    pub labels: Vec<SegmentLabel>,
    /// The mean of what the labels are worth.
    pub section_overlap: f64,
    /// Judge-Lock: the same as in Coverage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub qag_accuracy: Option<f64>,
    /// From 0 to 10.
    pub overall_score: f64,
}

/// How much a segment shares with the article.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum SegmentLabel {
    /// Nearly all.
    High,
    /// Some.
    Some,
    /// Hardly anything.
    None,
}

/// Whether it is fair and civil.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BiasToxicityScore {
    /// How it sounds.
    pub tone: Tone,
    /// Issues that were charged; quoted ones are not.
    pub issues: usize,
    /// From 0 to 10.
    pub bias_score: f64,
    /// From 0 to 10.
    pub tox_score: f64,
    /// (bias_score + tox_score) ÷ 2.
    pub overall_score: f64,
}

impl Framework {
    /// The five scores in order.
    #[must_use]
    pub const fn scores(&self) -> [f64; 5] {
        [
            self.coverage.overall_score,
            self.alignment.overall_score,
            self.hallucination.overall_score,
            self.relevance.overall_score,
            self.bias_toxicity.overall_score,
        ]
    }
}
