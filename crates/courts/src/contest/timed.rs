//! Timed scoring: correctness, a factor for the remaining time, and a penalty for every wrong attempt.

use assize_kernel::{Term, round};

use super::answer::ParsedAnswer;
use super::judging::{AttemptContext, ScoreMeasure, ScoredAnswer};
use super::matching::{MatchFindings, compare};
use super::messages::AnswerOutcome;
use super::reasons::{self, MatchWording};
use super::rules::{MatchingMode, PartialRules, ScoreRules};
use super::task::{TaskSpec, TaskType};

pub(super) fn score(
    score: &ScoreRules,
    partial: &PartialRules,
    matching: MatchingMode,
    task: &TaskSpec,
    answer: &ParsedAnswer,
    at: AttemptContext,
) -> ScoredAnswer {
    let findings = compare(matching, task, answer);
    let words = MatchWording::of(matching);
    let (outcome, correctness) = correctness(partial, task.task_type, &findings);
    let mut derivation = matching_terms(partial, words, task.task_type, &findings, correctness);
    let points = if outcome == AnswerOutcome::Incorrect {
        derivation.push(Term::new("score", "0 when correctness is 0", [("correctness", 0.0.into())], 0.0));
        0.0
    } else {
        let (terms, points) = score_terms(score, at, correctness);
        derivation.extend(terms);
        points
    };
    let completes = match outcome {
        AnswerOutcome::Full => true,
        AnswerOutcome::Partial => partial.completes,
        AnswerOutcome::Incorrect | AnswerOutcome::Undecided => false,
    };
    ScoredAnswer {
        outcome,
        points,
        completes,
        reasons: reasons::timed(score, words, outcome, answer, &findings, at),
        derivation,
        matched: (findings.matched, findings.wanted),
        measure: ScoreMeasure::TimeFactor(round(time_factor(at), 3)),
    }
}

fn correctness(
    partial: &PartialRules,
    task_type: TaskType,
    findings: &MatchFindings,
) -> (AnswerOutcome, f64) {
    if findings.exact() {
        (AnswerOutcome::Full, 1.0)
    } else if task_type == TaskType::Tr && findings.share() >= partial.threshold {
        (AnswerOutcome::Partial, partial.factor)
    } else {
        (AnswerOutcome::Incorrect, 0.0)
    }
}

/// 1 at the start, 0 at the time limit and after it.
pub(super) fn time_factor(AttemptContext { elapsed, limit, .. }: AttemptContext) -> f64 {
    if limit.0 <= 0 {
        return 0.0;
    }
    (1.0 - elapsed.as_seconds() / limit.as_seconds()).clamp(0.0, 1.0)
}

fn matching_terms(
    partial: &PartialRules,
    words: &'static MatchWording,
    task_type: TaskType,
    findings: &MatchFindings,
    correctness: f64,
) -> Vec<Term> {
    let MatchFindings { wanted, submitted, matched, .. } = *findings;
    let counts = [(words.wanted, wanted.into()), ("submitted", submitted.into())];
    let formula = if findings.right_video { words.matched } else { "0 in another video" };
    let mut terms = vec![Term::new("matched", formula, counts.clone(), f64::from(matched))];
    let counts = std::iter::once(("matched", matched.into())).chain(counts);
    if task_type == TaskType::Tr {
        let share = round(findings.share(), 6);
        terms.push(Term::new("share", words.share, counts, share));
        terms.push(Term::new(
            "correctness",
            "1 when share = 1, factor when share ≥ threshold, else 0",
            [
                ("share", share.into()),
                ("threshold", partial.threshold.into()),
                ("factor", partial.factor.into()),
            ],
            correctness,
        ));
    } else if let Some(right) = findings.right_text {
        let text = if right { "right" } else { "wrong" };
        let counts = counts.chain([("text", text.into())]);
        terms.push(Term::new("correctness", words.all_with_text, counts, correctness));
    } else {
        terms.push(Term::new("correctness", words.all, counts, correctness));
    }
    terms
}

/// The terms of the score. The factor is shown to six decimals but used unrounded; the score is rounded once.
pub(super) fn score_terms(score: &ScoreRules, at: AttemptContext, correctness: f64) -> ([Term; 2], f64) {
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
