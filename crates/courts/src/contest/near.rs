//! Distance scoring: values are matched with events in order, and every frame outside an event costs points.

use assize_kernel::{Input, Inputs, Term, round};

use super::answer::ParsedAnswer;
use super::judging::{ScoreMeasure, ScoredAnswer};
use super::matching::{is_right_text, is_right_video};
use super::messages::AnswerOutcome;
use super::reasons;
use super::rules::{DistanceRules, ScoreAggregate};
use super::task::{TaskSpec, TaskType};

/// The score of an event and the distance of its value from it in frames; `None` without a value.
struct EventMatch {
    distance: Option<f64>,
    score: f64,
}

pub(super) fn score(rules: &DistanceRules, task: &TaskSpec, answer: &ParsedAnswer) -> ScoredAnswer {
    let right = is_right_video(task, answer) && is_right_text(task, answer) != Some(false);
    let met = meet(rules, task, answer, right);
    let scores: Vec<f64> = met.iter().map(|met| met.score).collect();
    let points = round(aggregate(rules.aggregate, &scores), 2);
    let all = u32::try_from(met.len()).unwrap_or(u32::MAX);
    let matched = u32::try_from(scores.iter().filter(|score| **score > 0.0).count()).unwrap_or(u32::MAX);
    let outcome = if scores.iter().all(|score| *score >= rules.maximum) {
        AnswerOutcome::Full
    } else if points > 0.0 {
        AnswerOutcome::Partial
    } else {
        AnswerOutcome::Incorrect
    };
    ScoredAnswer {
        outcome,
        points,
        // The best submission counts, so a team may always try again.
        completes: false,
        reasons: reasons::near(outcome, task, answer, (matched, all)),
        derivation: derivation(rules, task.task_type, &met, right, points),
        matched: (matched, all),
        measure: ScoreMeasure::Events(scores.iter().map(|score| round(*score, 2)).collect()),
    }
}

/// Matches values with events. Surplus values are ignored; events without a value score nothing.
fn meet(rules: &DistanceRules, task: &TaskSpec, answer: &ParsedAnswer, right: bool) -> Vec<EventMatch> {
    let mut values = answer.starts();
    let meet = |(start, end): (u64, u64)| {
        let Some(value) = values.next().filter(|_| right) else {
            return EventMatch { distance: None, score: 0.0 };
        };
        let outside =
            frames(rules, task.task_type, start.saturating_sub(value).max(value.saturating_sub(end)));
        let within = outside <= tolerance(rules, task.task_type);
        let score = if within { (rules.maximum - rules.decay * outside).max(0.0) } else { 0.0 };
        EventMatch { distance: Some(outside), score }
    };
    task.events().map(meet).collect()
}

/// A distance in frames; converts milliseconds for tasks that count in them.
#[allow(clippy::cast_precision_loss, reason = "positions in a video are bounded on input")]
fn frames(rules: &DistanceRules, task_type: TaskType, distance: u64) -> f64 {
    match task_type {
        TaskType::Tr => distance as f64,
        TaskType::Kis | TaskType::Qa => distance as f64 * rules.frames_per_second / 1000.0,
    }
}

fn tolerance(rules: &DistanceRules, task_type: TaskType) -> f64 {
    match task_type {
        TaskType::Tr => rules.tolerance_frames,
        TaskType::Kis | TaskType::Qa => rules.tolerance_milliseconds * rules.frames_per_second / 1000.0,
    }
}

#[allow(clippy::cast_precision_loss, reason = "a task has at most a few hundred events")]
fn aggregate(how: ScoreAggregate, scores: &[f64]) -> f64 {
    match how {
        ScoreAggregate::Mean => scores.iter().sum::<f64>() / scores.len().max(1) as f64,
        ScoreAggregate::Min => scores.iter().copied().fold(f64::INFINITY, f64::min).min(f64::MAX),
        ScoreAggregate::Sum => scores.iter().sum(),
    }
}

/// One term for each event and one for their aggregate.
fn derivation(
    rules: &DistanceRules,
    task_type: TaskType,
    met: &[EventMatch],
    right: bool,
    points: f64,
) -> Vec<Term> {
    let mut terms: Vec<Term> =
        met.iter().enumerate().map(|(index, met)| event_term(rules, task_type, index, met, right)).collect();
    let formula = match rules.aggregate {
        ScoreAggregate::Mean => "mean of the events, to 2 decimals",
        ScoreAggregate::Min => "lowest of the events, to 2 decimals",
        ScoreAggregate::Sum => "sum of the events, to 2 decimals",
    };
    let inputs = met
        .iter()
        .enumerate()
        .map(|(index, met)| (format!("event_{}", index + 1).into(), Input::Number(round(met.score, 6))));
    let inputs = Inputs(inputs.collect());
    terms.push(Term { term: "score".into(), formula: formula.into(), inputs, value: points });
    terms
}

fn event_term(
    rules: &DistanceRules,
    task_type: TaskType,
    index: usize,
    met: &EventMatch,
    right: bool,
) -> Term {
    let formula = match met.distance {
        None if right => "0 without a value",
        None => "0 for another video or another text",
        Some(distance) if distance > tolerance(rules, task_type) => "0 when distance > tolerance",
        Some(_) => "max(0, maximum − decay × distance)",
    };
    let inputs = met.distance.map(|distance| {
        [
            ("maximum", rules.maximum),
            ("decay", rules.decay),
            ("distance", round(distance, 6)),
            ("tolerance", round(tolerance(rules, task_type), 6)),
        ]
    });
    let inputs = inputs.into_iter().flatten().map(|(name, value)| (name.into(), Input::Number(value)));
    Term {
        term: format!("event_{}", index + 1).into(),
        formula: formula.into(),
        inputs: Inputs(inputs.collect()),
        value: round(met.score, 6),
    }
}
