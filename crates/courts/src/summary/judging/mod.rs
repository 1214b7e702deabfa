//! From findings to a verdict: both frameworks, every step of them, and why.

mod counting;
mod detail;
mod fairness;
mod judge_lock;
mod reasons;
mod steps;
mod twin_lock;
mod written;

use assize_kernel::{Assessor, Court, Rulebook, Verdict, round};

use super::findings::Findings;
use super::rules::SummaryRules;
use super::{Summary, Texts};
use counting::Counted;
pub use detail::{
    AlignmentScore, BiasToxicityScore, CoverageScore, Framework, HallucinationScore, RelevanceScore,
    SegmentLabel, Severity, SummaryDetail,
};
use steps::{Steps, count};

/// The verdict on findings that have been checked.
pub(super) fn judge(
    book: &Rulebook<SummaryRules>,
    texts: Texts<'_>,
    findings: Findings,
    assessor: Assessor,
) -> Verdict<SummaryDetail> {
    let (rules, findings) = (&book.rules, findings.rounded());
    let counted = Counted::of(rules, &findings, texts);
    let (mut twin, mut judge) = (Steps::new("twin_lock"), Steps::new("judge_lock"));
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

/// The weighted mean of the five, as the last step of a framework.
fn total(steps: &mut Steps, weights: [f64; 5], scores: [f64; 5]) -> f64 {
    let all: f64 = weights.iter().sum();
    let sum: f64 = weights.iter().zip(scores).map(|(weight, score)| weight * score).sum();
    let [coverage, alignment, hallucination, relevance, bias_toxicity] = scores;
    let total = steps.step(
        "total",
        "mean of the five, each by its weight, to 2 decimals",
        [
            ("coverage", coverage),
            ("alignment", alignment),
            ("hallucination", hallucination),
            ("relevance", relevance),
            ("bias_toxicity", bias_toxicity),
        ],
        round(sum / all, 2),
    );
    round(total, 2)
}
