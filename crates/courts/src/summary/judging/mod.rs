//! Scoring: computes both frameworks, their derivation and the reasons of a verdict from findings.

mod counting;
mod detail;
mod fairness;
mod judge_lock;
mod reasons;
mod steps;
mod twin_lock;

use assize_kernel::{Assessor, Court, Rulebook, Verdict, round};

use super::findings::Findings;
use super::metrics::{JUDGE_LOCK, METRIC_COUNT, METRICS, TWIN_LOCK};
use super::rules::SummaryRules;
use super::{Summary, TextPair};
use counting::FindingCounts;
pub use detail::{
    AlignmentScore, BiasToxicityScore, CoverageScore, FrameworkScores, HallucinationScore,
    HallucinationSeverity, RelevanceScore, SegmentLabel, SummaryDetail,
};
use steps::{FrameworkSteps, count};

/// Computes the verdict from findings that have been checked.
pub(super) fn judge(
    book: &Rulebook<SummaryRules>,
    texts: TextPair<'_>,
    findings: Findings,
    assessor: Assessor,
) -> Verdict<SummaryDetail> {
    let rules = &book.rules;
    let findings = findings.rounded();
    let counted = FindingCounts::of(rules, &findings, texts);
    let mut twin = FrameworkSteps::new(TWIN_LOCK.key);
    let mut judge = FrameworkSteps::new(JUDGE_LOCK.key);
    let twin_lock = twin_lock::judge(rules, &findings, &counted, &mut twin);
    let judge_lock = judge_lock::judge(rules, &findings, &counted, &mut judge);
    let reasons = reasons::of(&findings, &counted);
    let mut derivation = twin.terms;
    derivation.append(&mut judge.terms);
    Verdict {
        court: Summary::NAME.into(),
        rulebook: book.reference.clone(),
        assessor,
        outcome: "judged".into(),
        points: judge_lock.total,
        reasons,
        derivation,
        detail: SummaryDetail {
            twin_lock,
            judge_lock,
            support: findings.support.map(|support| round(support, 6)),
            recall: findings.recall.map(|recall| round(recall, 6)),
            findings,
        },
    }
}

/// The weighted mean of the metrics, as the last step of a framework.
fn total(steps: &mut FrameworkSteps, weights: [f64; METRIC_COUNT], scores: [f64; METRIC_COUNT]) -> f64 {
    let all: f64 = weights.iter().sum();
    let sum: f64 = weights.iter().zip(scores).map(|(weight, score)| weight * score).sum();
    let mut inputs = METRICS.map(|metric| (metric.key, 0.0));
    inputs.iter_mut().zip(scores).for_each(|(input, score)| input.1 = score);
    let total = steps.step(
        "total",
        "mean of the five, each by its weight, to 2 decimals",
        inputs,
        round(sum / all, 2),
    );
    round(total, 2)
}
