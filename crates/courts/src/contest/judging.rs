//! Judging: from an answer, the clock and the attempts before to a verdict with its arithmetic.

use std::borrow::Cow;

use assize_kernel::{Assessor, JsonText, Millis, Reason, Rulebook, Term, Verdict};
use serde::Serialize;

use super::answer::Answer;
use super::messages::Outcome;
use super::rules::{ContestRules, Scoring};
use super::task::TaskSpec;
use super::{near, timed};

const EXACT: Assessor = Assessor { name: Cow::Borrowed("exact"), version: Cow::Borrowed("1") };
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

/// What a way of scoring has come to.
pub(super) struct Scored {
    pub outcome: Outcome,
    pub points: f64,
    pub completes: bool,
    pub reasons: Vec<Reason>,
    pub derivation: Vec<Term>,
    /// How many boundaries or events were matched, of how many.
    pub matched: (u32, u32),
    pub measure: Measure,
}

/// What teams' tools are told beside the score.
pub(super) enum Measure {
    /// How much of the time was left, from 1 to 0.
    TimeFactor(f64),
    /// What each event has earned.
    Events(Vec<f64>),
    /// What a judge has said; how much of the time was left, where that counts.
    Word(Option<f64>),
}

/// The numbers that teams' tools read.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub(super) enum Detail {
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

impl assize_kernel::Detail for Detail {
    fn room(&self) -> usize {
        192
    }

    fn write(&self, page: &mut JsonText) {
        match self {
            Self::Timed { matched_events, total_events, wrong_attempts, elapsed_time, time_factor } => {
                write_counts(page, [*matched_events, *total_events, *wrong_attempts]);
                page.put(",\"elapsed_time\":").float(*elapsed_time);
                page.put(",\"time_factor\":").float(*time_factor);
                page.put("}");
            }
            Self::Wrong { matched_events, total_events, wrong_attempts, message } => {
                write_counts(page, [*matched_events, *total_events, *wrong_attempts]);
                page.field(",\"message\":", message);
                page.put("}");
            }
            Self::Near { .. } | Self::Word { .. } => page.serde(self),
        }
    }
}

fn write_counts(page: &mut JsonText, [matched, total, wrong]: [u32; 3]) {
    page.put("{\"matched_events\":").whole(matched.into());
    page.put(",\"total_events\":").whole(total.into());
    page.put(",\"wrong_attempts\":").whole(wrong.into());
}

pub(super) fn judge(
    book: &Rulebook<ContestRules>,
    task: &TaskSpec,
    answer: &Answer,
    circumstances: Circumstances,
) -> Judgement {
    let scored = match book.rules.scoring() {
        Scoring::Timed(score, partial) => {
            timed::score((score, partial), book.rules.matching, task, answer, circumstances)
        }
        Scoring::Near(distance) => near::score(distance, task, answer),
    };
    conclude(book, task, scored, circumstances, EXACT)
}

/// A verdict from what a way of scoring has come to.
pub(super) fn conclude(
    book: &Rulebook<ContestRules>,
    task: &TaskSpec,
    mut scored: Scored,
    circumstances: Circumstances,
    assessor: Assessor,
) -> Judgement {
    if task.rehearsal {
        rehearse(&mut scored);
    }
    let detail = detail(&scored, circumstances);
    let Scored { outcome, points, completes, reasons, derivation, .. } = scored;
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
    Judgement { outcome, points, completes, verdict }
}

/// Judged as if it counted, and worth nothing.
fn rehearse(scored: &mut Scored) {
    let would_be = [("score", scored.points.into())];
    scored.derivation.push(Term::new("points", "0: a rehearsal scores nothing", would_be, 0.0));
    scored.points = 0.0;
}

fn detail(scored: &Scored, at: Circumstances) -> Detail {
    let (matched_events, total_events) = scored.matched;
    let (wrong_attempts, elapsed_time) = (at.wrong_before, at.elapsed.as_seconds());
    match &scored.measure {
        Measure::TimeFactor(_) if scored.outcome == Outcome::Incorrect => {
            let wrong_attempts = wrong_attempts.saturating_add(1);
            Detail::Wrong { matched_events, total_events, wrong_attempts, message: TRY_AGAIN }
        }
        Measure::TimeFactor(time_factor) => {
            let time_factor = *time_factor;
            Detail::Timed { matched_events, total_events, wrong_attempts, elapsed_time, time_factor }
        }
        Measure::Word(time_factor) => {
            let (right, wrong) = (scored.outcome.is_right(), scored.outcome == Outcome::Incorrect);
            Detail::Word {
                wrong_attempts: wrong_attempts.saturating_add(u32::from(wrong)),
                elapsed_time,
                time_factor: time_factor.filter(|_| right),
                message: wrong.then_some(TRY_AGAIN),
            }
        }
        Measure::Events(scores) => {
            let event_scores = scores.clone();
            Detail::Near { matched_events, total_events, wrong_attempts, elapsed_time, event_scores }
        }
    }
}

#[test]
fn what_teams_tools_read_is_written_as_serde_writes_it() {
    use assize_kernel::Detail as _;

    let (matched_events, total_events, wrong_attempts, elapsed_time) = (3, 4, u32::MAX, 45.25);
    let message = TRY_AGAIN;
    let (time_factor, event_scores) = (0.85, vec![1.0, 0.5]);
    for detail in [
        Detail::Timed { matched_events, total_events, wrong_attempts, elapsed_time, time_factor },
        Detail::Timed { matched_events, total_events, wrong_attempts, elapsed_time: 300.0, time_factor: 0.0 },
        Detail::Near { matched_events, total_events, wrong_attempts, elapsed_time, event_scores },
        Detail::Word { wrong_attempts, elapsed_time, time_factor: None, message: Some(message) },
        Detail::Wrong { matched_events, total_events, wrong_attempts, message },
    ] {
        let mut page = JsonText::default();
        detail.write(&mut page);
        assert_eq!(page.as_str(), assize_kernel::to_json(&detail));
    }
}
