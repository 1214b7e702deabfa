//! Judge-Lock: the framework that also weighs questions asked both ways, and has more caps.

use assize_kernel::round;

use super::super::findings::Findings;
use super::super::metrics::METRICS;
use super::super::rules::{JudgeLockRules, QuestionMetric, SummaryRules};
use super::counting::{AnswerCounts, FindingCounts, KeyPointCounts};
use super::detail::{
    CoverageScore, FrameworkScores, HallucinationScore, HallucinationSeverity, RelevanceScore,
};
use super::fairness;
use super::steps::{FrameworkSteps, count, harmonic_mean};
use super::total;
use super::twin_lock::{
    covered, extraneous_claim, hallucinated, recall_and_precision, section_overlap, unsupported_fraction,
};

/// Computes Hallucination first, because other metrics depend on it.
pub(super) fn judge(
    rules: &SummaryRules,
    findings: &Findings,
    counted: &FindingCounts,
    steps: &mut FrameworkSteps,
) -> FrameworkScores {
    let judge_lock = &rules.judge_lock;
    let hallucination = hallucination(judge_lock, counted, steps);
    let accuracy = answered(steps, "coverage.qag_accuracy", &counted.article_questions);
    let coverage = coverage(judge_lock, findings, counted, accuracy, steps);
    let alignment = alignment(rules, findings, hallucination.severity, steps);
    let relevance = relevance(judge_lock, findings, counted, accuracy, steps);
    let bias_toxicity = fairness::bias_toxicity(rules, findings, steps);
    let alignment = fairness::aligned(findings, judge_lock.intent_tokens, alignment);
    let mut framework =
        FrameworkScores { coverage, alignment, hallucination, relevance, bias_toxicity, total: 0.0 };
    guard(judge_lock, counted, &mut framework, steps);
    framework.total = total(steps, judge_lock.weights.list(), framework.scores());
    framework
}

fn answered(steps: &mut FrameworkSteps, term: &'static str, answers: &AnswerCounts) -> f64 {
    steps.step(
        term,
        "(correct + 0.5 × partial) ÷ questions",
        [
            ("correct", count(answers.correct)),
            ("partial", count(answers.partial)),
            ("questions", count(answers.asked)),
        ],
        answers.mean,
    )
}

fn hallucination(
    rules: &JudgeLockRules,
    counted: &FindingCounts,
    steps: &mut FrameworkSteps,
) -> HallucinationScore {
    let fraction = unsupported_fraction(counted, steps);
    let raw = if counted.unsupported > 0 {
        let base = rules.unsupported_base;
        let factor = rules.unsupported_base_factor;
        steps.step(
            "hallucination.raw_score",
            "max(0, base − round(unsupported_fraction × factor)), with an unsupported claim",
            [("base", base), ("unsupported_fraction", fraction), ("factor", factor)],
            (base - round(fraction * factor, 0)).max(0.0),
        )
    } else {
        let factor = rules.unsupported_factor;
        steps.step(
            "hallucination.raw_score",
            "max(0, 10 − round(unsupported_fraction × factor))",
            [("unsupported_fraction", fraction), ("factor", factor)],
            (10.0 - round(fraction * factor, 0)).max(0.0),
        )
    };
    let precision = answered(steps, "hallucination.qag_precision", &counted.summary_questions);
    let mut score = steps.step(
        "hallucination.overall_score",
        "raw_score × qag_precision",
        [("raw_score", raw), ("qag_precision", precision)],
        raw * precision,
    );
    score = asked(rules, QuestionMetric::Hallucination, &counted.summary_questions, score, steps);
    HallucinationScore {
        severity: Some(severity(rules, fraction)),
        raw_score: Some(raw),
        qag_precision: Some(round(precision, 6)),
        overall_score: round(score, 2),
        ..hallucinated(counted)
    }
}

fn severity(rules: &JudgeLockRules, fraction: f64) -> HallucinationSeverity {
    match fraction + 1e-9 {
        fraction if fraction >= rules.severe => HallucinationSeverity::Severe,
        fraction if fraction >= rules.moderate => HallucinationSeverity::Moderate,
        _ => HallucinationSeverity::Minor,
    }
}

fn coverage(
    rules: &JudgeLockRules,
    findings: &Findings,
    counted: &FindingCounts,
    accuracy: f64,
    steps: &mut FrameworkSteps,
) -> CoverageScore {
    let points = KeyPointCounts::of(findings, rules.key_points_max);
    let measured = recall_and_precision(&points, counted, steps);
    let mut score = steps.step(
        "coverage.overall_score",
        "harmonic mean of f1 and qag_accuracy × 10, 0 when one is 0",
        [("f1", measured.f1), ("qag_accuracy", accuracy)],
        harmonic_mean(measured.f1, accuracy) * 10.0,
    );
    if let Some(claim) = extraneous_claim(counted) {
        score = steps.cap("coverage", score, rules.cap, claim.into());
    }
    score = asked(rules, QuestionMetric::Coverage, &counted.article_questions, score, steps);
    if measured.precision + 1e-9 < rules.precision_min {
        score = steps.cap("coverage", score, rules.quality_cap, "low precision".into());
    }
    if measured.recall + 1e-9 < rules.recall_min {
        score = steps.cap("coverage", score, rules.quality_cap, "low recall".into());
    }
    let covered = covered(&points, counted, &measured);
    CoverageScore { qag_accuracy: Some(round(accuracy, 6)), overall_score: round(score, 2), ..covered }
}

/// Caps a metric for incorrect answers, or for two answers with the same evidence.
fn asked(
    rules: &JudgeLockRules,
    metric: QuestionMetric,
    answers: &AnswerCounts,
    score: f64,
    steps: &mut FrameworkSteps,
) -> f64 {
    let name = match metric {
        QuestionMetric::Coverage => "coverage",
        QuestionMetric::Hallucination => "hallucination",
        QuestionMetric::Relevance => "relevance",
    };
    let mut score = score;
    if rules.few_correct_caps.contains(&metric) && answers.correct < answers.asked {
        let because = format!("{} of {} questions answered correctly", answers.correct, answers.asked);
        score = steps.cap(name, score, rules.quality_cap, because.into());
    }
    if answers.repeated {
        score = steps.cap(name, score, rules.quality_cap, "two answers rest on the same words".into());
    }
    score
}

fn alignment(
    rules: &SummaryRules,
    findings: &Findings,
    severity: Option<HallucinationSeverity>,
    steps: &mut FrameworkSteps,
) -> f64 {
    let score = fairness::alignment(rules, findings, steps);
    if severity == Some(HallucinationSeverity::Severe) {
        return steps.cap("alignment", score, rules.judge_lock.severe_cap, "severe hallucination".into());
    }
    score
}

fn relevance(
    rules: &JudgeLockRules,
    findings: &Findings,
    counted: &FindingCounts,
    accuracy: f64,
    steps: &mut FrameworkSteps,
) -> RelevanceScore {
    let overlap = section_overlap(rules.some_value, counted, steps);
    let mut score = steps.step(
        "relevance.overall_score",
        "harmonic mean of section_overlap and qag_accuracy × 10, 0 when one is 0",
        [("section_overlap", overlap), ("qag_accuracy", accuracy)],
        harmonic_mean(overlap, accuracy) * 10.0,
    );
    if counted.has_foreign_segment() {
        score = steps.cap("relevance", score, rules.cap, "a segment shares nothing with the article".into());
    }
    if let Some(claim) = extraneous_claim(counted) {
        score = steps.cap("relevance", score, rules.cap, claim.into());
    }
    score = asked(rules, QuestionMetric::Relevance, &counted.article_questions, score, steps);
    RelevanceScore {
        theme: fairness::cut(&findings.theme, rules.theme_tokens),
        labels: counted.segments.clone(),
        section_overlap: round(overlap, 6),
        qag_accuracy: Some(round(accuracy, 6)),
        overall_score: round(score, 2),
    }
}

/// The guard rail: caps all scores when they are nearly perfect on very little evidence.
fn guard(
    rules: &JudgeLockRules,
    counted: &FindingCounts,
    framework: &mut FrameworkScores,
    steps: &mut FrameworkSteps,
) {
    let few = counted.distinct_evidence < rules.perfect_evidence as usize;
    if !few || framework.scores().iter().any(|score| *score < rules.perfect_from) {
        return;
    }
    let because =
        format!("all scores ≥ {} on {} distinct passages", rules.perfect_from, counted.distinct_evidence);
    for metric in METRICS {
        let score = (metric.score_mut)(framework);
        *score = steps.cap(metric.key, *score, rules.perfect_cap, because.clone().into());
    }
}
