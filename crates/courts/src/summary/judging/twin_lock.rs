//! Twin-Lock: the framework that caps Coverage and Relevance when a claim is unsupported.

use assize_kernel::round;

use super::super::findings::Findings;
use super::super::rules::SummaryRules;
use super::counting::{FindingCounts, KeyPointCounts};
use super::detail::{CoverageScore, FrameworkScores, HallucinationScore, RelevanceScore, SegmentLabel};
use super::fairness;
use super::steps::{FrameworkSteps, count, harmonic_mean};
use super::total;

pub(super) fn judge(
    rules: &SummaryRules,
    findings: &Findings,
    counted: &FindingCounts,
    steps: &mut FrameworkSteps,
) -> FrameworkScores {
    let coverage = coverage(rules, findings, counted, steps);
    let alignment = fairness::alignment(rules, findings, steps);
    let alignment = fairness::aligned(findings, rules.twin_lock.intent_tokens, alignment);
    let hallucination = hallucination(rules, counted, steps);
    let relevance = relevance(rules, findings, counted, steps);
    let bias_toxicity = fairness::bias_toxicity(rules, findings, steps);
    let mut framework =
        FrameworkScores { coverage, alignment, hallucination, relevance, bias_toxicity, total: 0.0 };
    framework.total = total(steps, rules.twin_lock.weights.list(), framework.scores());
    framework
}

/// Recall, precision and F1 of Coverage.
pub(super) struct CoverageMeasures {
    pub recall: f64,
    pub precision: f64,
    pub f1: f64,
}

/// Computes recall, precision and F1 for both frameworks.
pub(super) fn recall_and_precision(
    points: &KeyPointCounts,
    counted: &FindingCounts,
    steps: &mut FrameworkSteps,
) -> CoverageMeasures {
    let recall = steps.step(
        "coverage.recall",
        "(fully + 0.5 × partial) ÷ total_keypoints",
        [
            ("fully", count(points.fully)),
            ("partial", count(points.partial)),
            ("total_keypoints", count(points.total())),
        ],
        points.recall(),
    );
    let precision = steps.step(
        "coverage.precision",
        "1 − extraneous_tokens ÷ total_summary_tokens",
        [
            ("extraneous_tokens", count(counted.extraneous_tokens)),
            ("total_summary_tokens", count(counted.summary_tokens)),
        ],
        counted.precision(),
    );
    let f1 = steps.step(
        "coverage.f1",
        "2 × precision × recall ÷ (precision + recall), 0 when one is 0",
        [("precision", precision), ("recall", recall)],
        harmonic_mean(precision, recall),
    );
    CoverageMeasures { recall, precision, f1 }
}

/// The Coverage object without its score.
pub(super) fn covered(
    points: &KeyPointCounts,
    counted: &FindingCounts,
    measured: &CoverageMeasures,
) -> CoverageScore {
    CoverageScore {
        fully: points.fully,
        partial: points.partial,
        not: points.not,
        total_keypoints: points.total(),
        recall: round(measured.recall, 6),
        extraneous_tokens: counted.extraneous_tokens,
        total_summary_tokens: counted.summary_tokens,
        precision: round(measured.precision, 6),
        f1: round(measured.f1, 6),
        qag_accuracy: None,
        overall_score: 0.0,
    }
}

/// The Hallucination object without its score.
pub(super) fn hallucinated(counted: &FindingCounts) -> HallucinationScore {
    HallucinationScore {
        supported: counted.claims - counted.unsupported - counted.partially,
        partially: counted.partially,
        unsupported: counted.unsupported,
        total_claims: counted.claims,
        unsupported_fraction: round(counted.unsupported_fraction, 6),
        severity: None,
        raw_score: None,
        qag_precision: None,
        overall_score: 0.0,
    }
}

pub(super) fn unsupported_fraction(counted: &FindingCounts, steps: &mut FrameworkSteps) -> f64 {
    steps.step(
        "hallucination.unsupported_fraction",
        "(unsupported + 0.5 × partially) ÷ total_claims",
        [
            ("unsupported", count(counted.unsupported)),
            ("partially", count(counted.partially)),
            ("total_claims", count(counted.claims)),
        ],
        counted.unsupported_fraction,
    )
}

/// The mean value of the segment labels.
pub(super) fn section_overlap(some_value: f64, counted: &FindingCounts, steps: &mut FrameworkSteps) -> f64 {
    let with = |label| count(counted.segments.iter().filter(|segment| **segment == label).count());
    let high = with(SegmentLabel::High);
    let some = with(SegmentLabel::Some);
    let none = with(SegmentLabel::None);
    steps.step(
        "relevance.section_overlap",
        "(high + some_value × some) ÷ segments",
        [("high", high), ("some", some), ("none", none), ("some_value", some_value)],
        (high + some_value * some) / count(counted.segments.len()).max(1.0),
    )
}

/// The reason of a cap by an unsupported claim; none without such a claim.
pub(super) fn extraneous_claim(counted: &FindingCounts) -> Option<String> {
    counted.worst.as_ref().map(|claim| format!("extraneous claim `{claim}`"))
}

fn coverage(
    rules: &SummaryRules,
    findings: &Findings,
    counted: &FindingCounts,
    steps: &mut FrameworkSteps,
) -> CoverageScore {
    let points = KeyPointCounts::of(findings, rules.twin_lock.key_points_max);
    let measured = recall_and_precision(&points, counted, steps);
    let formula = "f1 × 10, to 2 decimals";
    let score = round(measured.f1 * 10.0, 2);
    let mut score = steps.step("coverage.overall_score", formula, [("f1", measured.f1)], score);
    if let Some(claim) = extraneous_claim(counted) {
        score = steps.cap("coverage", score, rules.twin_lock.cap, claim.into());
    }
    CoverageScore { overall_score: round(score, 2), ..covered(&points, counted, &measured) }
}

fn hallucination(
    rules: &SummaryRules,
    counted: &FindingCounts,
    steps: &mut FrameworkSteps,
) -> HallucinationScore {
    let fraction = unsupported_fraction(counted, steps);
    let factor = rules.twin_lock.unsupported_factor;
    let mut score = steps.step(
        "hallucination.overall_score",
        "max(0, 10 − round(unsupported_fraction × factor))",
        [("unsupported_fraction", fraction), ("factor", factor)],
        (10.0 - round(fraction * factor, 0)).max(0.0),
    );
    if rules.twin_lock.cap_hallucination
        && let Some(claim) = extraneous_claim(counted)
    {
        score = steps.cap("hallucination", score, rules.twin_lock.cap, claim.into());
    }
    HallucinationScore { overall_score: round(score, 2), ..hallucinated(counted) }
}

fn relevance(
    rules: &SummaryRules,
    findings: &Findings,
    counted: &FindingCounts,
    steps: &mut FrameworkSteps,
) -> RelevanceScore {
    let overlap = section_overlap(rules.twin_lock.some_value, counted, steps);
    let formula = "section_overlap × 10";
    let mut score =
        steps.step("relevance.overall_score", formula, [("section_overlap", overlap)], overlap * 10.0);
    if counted.has_foreign_segment() {
        score = steps.cap(
            "relevance",
            score,
            rules.twin_lock.cap,
            "a segment shares nothing with the article".into(),
        );
    }
    if let Some(claim) = extraneous_claim(counted) {
        score = steps.cap("relevance", score, rules.twin_lock.cap, claim.into());
    }
    RelevanceScore {
        theme: fairness::cut(&findings.theme, rules.twin_lock.theme_tokens),
        labels: counted.segments.clone(),
        section_overlap: round(overlap, 6),
        qag_accuracy: None,
        overall_score: round(score, 2),
    }
}
