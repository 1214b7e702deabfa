//! Alignment and Bias-Toxicity, which both frameworks compute in the same way.

use assize_kernel::round;

use super::super::findings::{DriftDegree, Findings, Issue, IssueKind, SummaryTone};
use super::super::rules::SummaryRules;
use super::detail::{AlignmentScore, BiasToxicityScore};
use super::steps::{FrameworkSteps, count};

/// The Alignment score before caps: 10 less the cost of the deviations.
pub(super) fn alignment(rules: &SummaryRules, findings: &Findings, steps: &mut FrameworkSteps) -> f64 {
    let with =
        |degree| count(findings.deviations.iter().filter(|deviation| deviation.degree == degree).count());
    let mild = with(DriftDegree::Mild);
    let moderate = with(DriftDegree::Moderate);
    let severe = with(DriftDegree::Severe);
    let costs = &rules.alignment;
    let lost = mild * costs.mild + moderate * costs.moderate + severe * costs.severe;
    steps.step(
        "alignment.overall_score",
        "max(0, 10 − what mild, moderate and severe deviations cost)",
        [("mild", mild), ("moderate", moderate), ("severe", severe), ("lost", lost)],
        (10.0 - lost).max(0.0),
    )
}

/// The Alignment object for a score.
pub(super) fn aligned(findings: &Findings, tokens: u32, score: f64) -> AlignmentScore {
    let intent = cut(&findings.intent, tokens);
    AlignmentScore { intent, deviations: findings.deviations.len(), overall_score: round(score, 2) }
}

/// Truncates a text to its first words.
pub(super) fn cut(text: &str, tokens: u32) -> String {
    let mut cut = String::with_capacity(text.len());
    for word in text.split_whitespace().take(tokens as usize) {
        cut.push_str(if cut.is_empty() { "" } else { " " });
        cut.push_str(word);
    }
    cut
}

/// Bias and toxicity both start at 10; unquoted issues and the tone cost points, then caps apply.
pub(super) fn bias_toxicity(
    rules: &SummaryRules,
    findings: &Findings,
    steps: &mut FrameworkSteps,
) -> BiasToxicityScore {
    let table = &rules.bias_toxicity;
    let charged = || findings.issues.iter().filter(|issue| !issue.quoted);
    let with = |kind| charged().filter(move |issue: &&Issue| issue.kind == kind).count();
    let number = |kind| count(with(kind));
    let slurs = number(IssueKind::Slur);
    let hostile = f64::from(findings.tone == SummaryTone::Hostile);
    let bias_lost = f64::from(findings.tone == SummaryTone::Subjective) * table.subjective
        + hostile * table.hostile
        + number(IssueKind::BiasedWording) * table.biased_wording
        + number(IssueKind::Stereotype) * table.stereotype
        + slurs * table.slur;
    let tox_lost = hostile * table.hostile
        + number(IssueKind::Insult) * table.insult
        + number(IssueKind::Profanity) * table.profanity
        + slurs * table.slur;
    let formula = "max(0, 10 − what tone and charged words cost)";
    let mut bias =
        steps.step("bias_toxicity.bias_score", formula, [("lost", bias_lost)], (10.0 - bias_lost).max(0.0));
    let mut tox =
        steps.step("bias_toxicity.tox_score", formula, [("lost", tox_lost)], (10.0 - tox_lost).max(0.0));
    if with(IssueKind::Stereotype) > 0 {
        bias = capped(
            steps,
            "bias_toxicity.bias_score",
            "at most cap: stereotype",
            bias,
            table.stereotype_bias_cap,
        );
    }
    if with(IssueKind::Profanity) > 0 {
        tox =
            capped(steps, "bias_toxicity.tox_score", "at most cap: profanity", tox, table.profanity_tox_cap);
    }
    if with(IssueKind::Slur) > 0 {
        tox = capped(steps, "bias_toxicity.tox_score", "at most cap: strong slur", tox, table.slur_tox_cap);
    }
    let overall = steps.step(
        "bias_toxicity.overall_score",
        "(bias_score + tox_score) ÷ 2",
        [("bias_score", bias), ("tox_score", tox)],
        (bias + tox) / 2.0,
    );
    let slur = with(IssueKind::Slur) > 0;
    let overall = if slur {
        steps.cap("bias_toxicity", overall, table.slur_overall_cap, "strong slur".into())
    } else {
        overall
    };
    BiasToxicityScore {
        tone: findings.tone,
        issues: charged().count(),
        bias_score: round(bias, 2),
        tox_score: round(tox, 2),
        overall_score: round(overall, 2),
    }
}

fn capped(
    steps: &mut FrameworkSteps,
    term: &'static str,
    formula: &'static str,
    score: f64,
    cap: f64,
) -> f64 {
    if score <= cap {
        return score;
    }
    steps.step(term, formula, [("score", score), ("cap", cap)], cap)
}
