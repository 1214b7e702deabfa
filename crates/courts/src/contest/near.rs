//! Scoring by being near: the values meet the events in order, and every frame outside an event costs.

use assize_kernel::{Input, Inputs, Term, round};

use super::answer::Answer;
use super::judging::{Measure, Scored};
use super::matching::{is_right_text, is_right_video};
use super::messages::Outcome;
use super::reasons;
use super::rules::{Aggregate, DistanceRules};
use super::task::{TaskSpec, TaskType};

/// What an event has earned, and how far outside it the value was, in frames; none without a value.
struct Met {
    distance: Option<f64>,
    score: f64,
}

pub(super) fn score(rules: &DistanceRules, task: &TaskSpec, answer: &Answer) -> Scored {
    let right = is_right_video(task, answer) && is_right_text(task, answer) != Some(false);
    let met = meet(rules, task, answer, right);
    let scores: Vec<f64> = met.iter().map(|met| met.score).collect();
    let points = round(aggregate(rules.aggregate, &scores), 2);
    let all = u32::try_from(met.len()).unwrap_or(u32::MAX);
    let matched = u32::try_from(scores.iter().filter(|score| **score > 0.0).count()).unwrap_or(u32::MAX);
    let outcome = if scores.iter().all(|score| *score >= rules.maximum) {
        Outcome::Full
    } else if points > 0.0 {
        Outcome::Partial
    } else {
        Outcome::Incorrect
    };
    Scored {
        outcome,
        points,
        // The best submission counts: there is always a better one.
        completes: false,
        reasons: reasons::near(outcome, task, answer, (matched, all)),
        derivation: derivation(rules, task.task_type, &met, right, points),
        matched: (matched, all),
        measure: Measure::Events(scores.iter().map(|score| round(*score, 2)).collect()),
    }
}

/// Values beyond the events are ignored; events without a value earn nothing.
fn meet(rules: &DistanceRules, task: &TaskSpec, answer: &Answer, right: bool) -> Vec<Met> {
    let mut values = answer.starts();
    let meet = |(start, end): (u64, u64)| {
        let Some(value) = values.next().filter(|_| right) else { return Met { distance: None, score: 0.0 } };
        let outside =
            frames(rules, task.task_type, start.saturating_sub(value).max(value.saturating_sub(end)));
        let within = outside <= tolerance(rules, task.task_type);
        let score = if within { (rules.maximum - rules.decay * outside).max(0.0) } else { 0.0 };
        Met { distance: Some(outside), score }
    };
    task.events().map(meet).collect()
}

/// Milliseconds as frames, where the task counts in milliseconds.
#[allow(clippy::cast_precision_loss, reason = "places in a video are bounded where they come in")]
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
fn aggregate(how: Aggregate, scores: &[f64]) -> f64 {
    match how {
        Aggregate::Mean => scores.iter().sum::<f64>() / scores.len().max(1) as f64,
        Aggregate::Min => scores.iter().copied().fold(f64::INFINITY, f64::min).min(f64::MAX),
        Aggregate::Sum => scores.iter().sum(),
    }
}

/// A term for each event, and what has become of them.
fn derivation(
    rules: &DistanceRules,
    task_type: TaskType,
    met: &[Met],
    right: bool,
    points: f64,
) -> Vec<Term> {
    let mut terms: Vec<Term> =
        met.iter().enumerate().map(|(index, met)| event_term(rules, task_type, index, met, right)).collect();
    let formula = match rules.aggregate {
        Aggregate::Mean => "mean of the events, to 2 decimals",
        Aggregate::Min => "lowest of the events, to 2 decimals",
        Aggregate::Sum => "sum of the events, to 2 decimals",
    };
    let inputs = met
        .iter()
        .enumerate()
        .map(|(index, met)| (format!("event_{}", index + 1).into(), Input::Number(round(met.score, 6))));
    let inputs = Inputs(inputs.collect());
    terms.push(Term { term: "score".into(), formula: formula.into(), inputs, value: points });
    terms
}

fn event_term(rules: &DistanceRules, task_type: TaskType, index: usize, met: &Met, right: bool) -> Term {
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
