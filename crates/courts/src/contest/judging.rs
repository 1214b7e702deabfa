//! Judging: from what was found, the clock and the attempts before to a verdict with its arithmetic.

use assize_kernel::{Assessor, Millis, Rulebook, Term, Verdict, round};
use serde::Serialize;

use super::answer::Answer;
use super::matching::{Findings, compare};
use super::messages::Outcome;
use super::reasons::reasons;
use super::rules::ContestRules;
use super::task::{TaskSpec, TaskType};

/// What a wrong answer is told; teams' tools show it word for word.
const TRY_AGAIN: &str = "Wrong answer. Try again with penalty.";

/// What beside the answer decides what it earns.
#[derive(Debug, Clone, Copy)]
pub(super) struct Circumstances {
    /// How long after the start it was received.
    pub elapsed: Millis,
    /// How long the task runs.
    pub limit: Millis,
    /// How many wrong attempts came before it.
    pub wrong_before: u32,
}

/// A verdict, with what of it is remembered.
pub(super) struct Judgement {
    pub outcome: Outcome,
    pub points: f64,
    pub completes: bool,
    pub verdict: Verdict<Detail>,
}

/// The numbers that teams' tools read.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub(super) enum Detail {
    Scored {
        matched_events: u32,
        total_events: u32,
        wrong_attempts: u32,
        elapsed_time: f64,
        time_factor: f64,
    },
    Wrong {
        matched_events: u32,
        total_events: u32,
        wrong_attempts: u32,
        message: &'static str,
    },
}

pub(super) fn judge(
    book: &Rulebook<ContestRules>,
    task: &TaskSpec,
    answer: &Answer,
    circumstances: Circumstances,
) -> Judgement {
    let rules = &book.rules;
    let findings = compare(task, answer);
    let (outcome, correctness) = correctness(rules, task.task_type, &findings);
    let mut derivation = matching_terms(rules, task.task_type, &findings, correctness);
    let points = if outcome == Outcome::Incorrect {
        derivation.push(Term::new("score", "0 when correctness is 0", [("correctness", 0.0.into())], 0.0));
        0.0
    } else {
        let (terms, points) = score_terms(rules, circumstances, correctness);
        derivation.extend(terms);
        points
    };
    let verdict = Verdict {
        court: "contest".into(),
        rulebook: book.reference.clone(),
        assessor: Assessor { name: "exact".into(), version: "1".into() },
        outcome: outcome.as_str().into(),
        points,
        reasons: reasons(rules, outcome, answer, &findings, circumstances),
        derivation,
        detail: detail(outcome, &findings, circumstances),
    };
    let completes = match outcome {
        Outcome::Full => true,
        Outcome::Partial => rules.partial.completes,
        Outcome::Incorrect => false,
    };
    Judgement { outcome, points, completes, verdict }
}

fn correctness(rules: &ContestRules, task_type: TaskType, findings: &Findings) -> (Outcome, f64) {
    if findings.exact() {
        (Outcome::Full, 1.0)
    } else if task_type == TaskType::Tr && findings.share() >= rules.partial.threshold {
        (Outcome::Partial, rules.partial.factor)
    } else {
        (Outcome::Incorrect, 0.0)
    }
}

/// 1 at the start, 0 at the time limit and after it.
fn time_factor(Circumstances { elapsed, limit, .. }: Circumstances) -> f64 {
    if limit.0 <= 0 {
        return 0.0;
    }
    (1.0 - elapsed.as_seconds() / limit.as_seconds()).clamp(0.0, 1.0)
}

fn matching_terms(
    rules: &ContestRules,
    task_type: TaskType,
    findings: &Findings,
    correctness: f64,
) -> Vec<Term> {
    let Findings { boundaries, submitted, matched, .. } = *findings;
    let counts = [("boundaries", boundaries.into()), ("submitted", submitted.into())];
    let formula = if findings.right_video {
        "boundaries among the submitted values, each counted once"
    } else {
        "0 in another video"
    };
    let mut terms = vec![Term::new("matched", formula, counts.clone(), f64::from(matched))];
    let counts = std::iter::once(("matched", matched.into())).chain(counts);
    if task_type == TaskType::Tr {
        let share = round(findings.share(), 6);
        terms.push(Term::new("share", "matched ÷ max(boundaries, submitted)", counts, share));
        terms.push(Term::new(
            "correctness",
            "1 when share = 1, factor when share ≥ threshold, else 0",
            [
                ("share", share.into()),
                ("threshold", rules.partial.threshold.into()),
                ("factor", rules.partial.factor.into()),
            ],
            correctness,
        ));
    } else if let Some(right) = findings.right_text {
        let text = if right { "right" } else { "wrong" };
        terms.push(Term::new(
            "correctness",
            "1 when matched = boundaries = submitted and text is right, else 0",
            counts.chain([("text", text.into())]),
            correctness,
        ));
    } else {
        let formula = "1 when matched = boundaries = submitted, else 0";
        terms.push(Term::new("correctness", formula, counts, correctness));
    }
    terms
}

/// The factor is shown to six decimals and computed with in full; the score is rounded once.
fn score_terms(rules: &ContestRules, at: Circumstances, correctness: f64) -> ([Term; 2], f64) {
    let score = &rules.score;
    let factor = time_factor(at);
    let wrong = f64::from(at.wrong_before);
    let before = score.base + (score.maximum - score.base) * factor - wrong * score.penalty;
    let points = round(before.max(0.0) * correctness, 1);
    let formula =
        if at.limit.0 > 0 { "1 − elapsed ÷ limit, from 0 to 1" } else { "0 without a time limit" };
    let shown = round(factor, 6);
    let times = [("elapsed", at.elapsed.as_seconds().into()), ("limit", at.limit.as_seconds().into())];
    let terms = [
        Term::new("time_factor", formula, times, shown),
        Term::new(
            "score",
            "max(0, base + (maximum − base) × time_factor − wrong × penalty) × correctness, to 1 decimal",
            [
                ("base", score.base.into()),
                ("maximum", score.maximum.into()),
                ("time_factor", shown.into()),
                ("wrong", at.wrong_before.into()),
                ("penalty", score.penalty.into()),
                ("correctness", correctness.into()),
            ],
            points,
        ),
    ];
    (terms, points)
}

fn detail(outcome: Outcome, findings: &Findings, at: Circumstances) -> Detail {
    let (matched_events, total_events) = (findings.matched, findings.boundaries);
    if outcome == Outcome::Incorrect {
        let wrong_attempts = at.wrong_before.saturating_add(1);
        return Detail::Wrong { matched_events, total_events, wrong_attempts, message: TRY_AGAIN };
    }
    Detail::Scored {
        matched_events,
        total_events,
        wrong_attempts: at.wrong_before,
        elapsed_time: at.elapsed.as_seconds(),
        time_factor: round(time_factor(at), 3),
    }
}
