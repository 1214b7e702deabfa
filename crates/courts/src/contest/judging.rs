//! Judging: turns a parsed answer, the elapsed time and the earlier attempts into a verdict with its
//! derivation.

use std::borrow::Cow;

use assize_kernel::{Assessor, JsonWriter, Millis, Reason, Rulebook, Term, Verdict};
use serde::Serialize;

use super::answer::ParsedAnswer;
use super::messages::AnswerOutcome;
use super::rules::{ContestRules, ScoringMode};
use super::task::TaskSpec;
use super::{near, timed};

const EXACT: Assessor = Assessor { name: Cow::Borrowed("exact"), version: Cow::Borrowed("1") };
/// The message of a wrong answer; teams' tools show it word for word.
const TRY_AGAIN: &str = "Wrong answer. Try again with penalty.";

/// The timing and the earlier attempts that a score depends on.
#[derive(Debug, Clone, Copy)]
pub(super) struct AttemptContext {
    /// Time from the start of the task to the receipt of the answer.
    pub elapsed: Millis,
    /// The time limit of the task.
    pub limit: Millis,
    /// The number of earlier wrong attempts.
    pub wrong_before: u32,
}

/// A verdict, with the parts of it that the event records.
pub(super) struct ContestJudgement {
    pub outcome: AnswerOutcome,
    pub points: f64,
    pub completes: bool,
    pub verdict: Verdict<ContestDetail>,
}

/// The result of a scoring mode.
pub(super) struct ScoredAnswer {
    pub outcome: AnswerOutcome,
    pub points: f64,
    pub completes: bool,
    pub reasons: Vec<Reason>,
    pub derivation: Vec<Term>,
    /// The number of matched boundaries or events, and their total.
    pub matched: (u32, u32),
    pub measure: ScoreMeasure,
}

/// The measure that is reported beside the score.
pub(super) enum ScoreMeasure {
    /// The share of the time that was left, from 1 to 0.
    TimeFactor(f64),
    /// The score of each event.
    Events(Vec<f64>),
    /// A judge's decision, with the share of the time that was left if that counts.
    Word(Option<f64>),
}

/// The `detail` of a contest verdict, read by teams' tools.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub(super) enum ContestDetail {
    Timed {
        matched_events: u32,
        total_events: u32,
        wrong_attempts: u32,
        elapsed_time: f64,
        time_factor: f64,
    },
    Near {
        matched_events: u32,
        total_events: u32,
        wrong_attempts: u32,
        elapsed_time: f64,
        event_scores: Vec<f64>,
    },
    Word {
        wrong_attempts: u32,
        elapsed_time: f64,
        #[serde(skip_serializing_if = "Option::is_none")]
        time_factor: Option<f64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        message: Option<&'static str>,
    },
    Wrong {
        matched_events: u32,
        total_events: u32,
        wrong_attempts: u32,
        message: &'static str,
    },
}

impl assize_kernel::Detail for ContestDetail {
    fn room(&self) -> usize {
        192
    }

    fn write(&self, out: &mut JsonWriter) {
        match self {
            Self::Timed { matched_events, total_events, wrong_attempts, elapsed_time, time_factor } => {
                write_counts(out, *matched_events, *total_events, *wrong_attempts);
                out.put(",\"elapsed_time\":").float(*elapsed_time);
                out.put(",\"time_factor\":").float(*time_factor);
                out.put("}");
            }
            Self::Wrong { matched_events, total_events, wrong_attempts, message } => {
                write_counts(out, *matched_events, *total_events, *wrong_attempts);
                out.field(",\"message\":", message);
                out.put("}");
            }
            Self::Near { .. } | Self::Word { .. } => out.serde(self),
        }
    }
}

fn write_counts(out: &mut JsonWriter, matched: u32, total: u32, wrong: u32) {
    out.put("{\"matched_events\":").whole(matched.into());
    out.put(",\"total_events\":").whole(total.into());
    out.put(",\"wrong_attempts\":").whole(wrong.into());
}

pub(super) fn judge(
    book: &Rulebook<ContestRules>,
    task: &TaskSpec,
    answer: &ParsedAnswer,
    circumstances: AttemptContext,
) -> ContestJudgement {
    let scored = match book.rules.scoring() {
        ScoringMode::Timed(score, partial) => {
            timed::score(score, partial, book.rules.matching, task, answer, circumstances)
        }
        ScoringMode::Near(distance) => near::score(distance, task, answer),
    };
    conclude(book, task, scored, circumstances, EXACT)
}

/// Builds the verdict from the result of a scoring mode.
pub(super) fn conclude(
    book: &Rulebook<ContestRules>,
    task: &TaskSpec,
    mut scored: ScoredAnswer,
    circumstances: AttemptContext,
    assessor: Assessor,
) -> ContestJudgement {
    if task.rehearsal {
        rehearse(&mut scored);
    }
    let detail = detail(&scored, circumstances);
    let ScoredAnswer { outcome, points, completes, reasons, derivation, .. } = scored;
    let verdict = Verdict {
        court: "contest".into(),
        rulebook: book.reference.clone(),
        assessor,
        outcome: outcome.as_str().into(),
        points,
        reasons,
        derivation,
        detail,
    };
    ContestJudgement { outcome, points, completes, verdict }
}

/// Sets the points of a rehearsal to 0; the derivation shows what it would have scored.
fn rehearse(scored: &mut ScoredAnswer) {
    let would_be = [("score", scored.points.into())];
    scored.derivation.push(Term::new("points", "0: a rehearsal scores nothing", would_be, 0.0));
    scored.points = 0.0;
}

fn detail(scored: &ScoredAnswer, at: AttemptContext) -> ContestDetail {
    let (matched_events, total_events) = scored.matched;
    let wrong_attempts = at.wrong_before;
    let elapsed_time = at.elapsed.as_seconds();
    match &scored.measure {
        ScoreMeasure::TimeFactor(_) if scored.outcome == AnswerOutcome::Incorrect => {
            let wrong_attempts = wrong_attempts.saturating_add(1);
            ContestDetail::Wrong { matched_events, total_events, wrong_attempts, message: TRY_AGAIN }
        }
        ScoreMeasure::TimeFactor(time_factor) => {
            let time_factor = *time_factor;
            ContestDetail::Timed { matched_events, total_events, wrong_attempts, elapsed_time, time_factor }
        }
        ScoreMeasure::Word(time_factor) => {
            let right = scored.outcome.is_right();
            let wrong = scored.outcome == AnswerOutcome::Incorrect;
            ContestDetail::Word {
                wrong_attempts: wrong_attempts.saturating_add(u32::from(wrong)),
                elapsed_time,
                time_factor: time_factor.filter(|_| right),
                message: wrong.then_some(TRY_AGAIN),
            }
        }
        ScoreMeasure::Events(scores) => {
            let event_scores = scores.clone();
            ContestDetail::Near { matched_events, total_events, wrong_attempts, elapsed_time, event_scores }
        }
    }
}

#[test]
fn what_teams_tools_read_is_written_as_serde_writes_it() {
    use assize_kernel::Detail as _;

    let matched_events = 3;
    let total_events = 4;
    let wrong_attempts = u32::MAX;
    let elapsed_time = 45.25;
    let message = TRY_AGAIN;
    let time_factor = 0.85;
    let event_scores = vec![1.0, 0.5];
    for detail in [
        ContestDetail::Timed { matched_events, total_events, wrong_attempts, elapsed_time, time_factor },
        ContestDetail::Timed {
            matched_events,
            total_events,
            wrong_attempts,
            elapsed_time: 300.0,
            time_factor: 0.0,
        },
        ContestDetail::Near { matched_events, total_events, wrong_attempts, elapsed_time, event_scores },
        ContestDetail::Word { wrong_attempts, elapsed_time, time_factor: None, message: Some(message) },
        ContestDetail::Wrong { matched_events, total_events, wrong_attempts, message },
    ] {
        let mut out = JsonWriter::default();
        detail.write(&mut out);
        assert_eq!(out.as_str(), assize_kernel::to_json(&detail));
    }
}
