//! Live notices of a contest: these types have no field for a video, a point or an answer.

use assize_kernel::{Audience, Millis, Moment, Notice, RecordedAt, SmolStr, to_json};
use serde::Serialize;

use super::hint::TaskHint;
use super::messages::{AnswerOutcome, ContestEvent};
use super::task::TaskType;

#[derive(Serialize)]
#[serde(tag = "kind")]
enum ContestNotice<'a> {
    ContestOpened {
        name: &'a str,
    },
    TeamRegistered {
        team: &'a SmolStr,
        name: Option<&'a str>,
    },
    TaskAdded {
        task: &'a SmolStr,
        #[serde(rename = "type")]
        task_type: TaskType,
    },
    TaskStarted {
        task: &'a SmolStr,
        round: u32,
        started_at: Moment,
        time_limit_seconds: f64,
        closes_at: Moment,
    },
    TaskAdjusted {
        task: &'a SmolStr,
        round: u32,
        by_seconds: f64,
    },
    HintShown {
        task: &'a SmolStr,
        round: u32,
        hint: usize,
        shown: &'a TaskHint,
    },
    ProgrammeSet {
        pause_seconds: Option<f64>,
    },
    TaskStopped {
        task: &'a SmolStr,
        round: u32,
        closed_at: Moment,
    },
    TaskClosed {
        task: &'a SmolStr,
        round: u32,
        closed_at: Moment,
    },
    TasksReset {},
    BoardsFrozen {},
    BoardsUnfrozen {},
    TeamRevealed {
        team: &'a SmolStr,
    },
    AnswerReceived {
        task: &'a SmolStr,
        round: u32,
        answer: u64,
    },
    AnswerTaken {
        task: &'a SmolStr,
        round: u32,
        answer: u64,
        by: &'a str,
        until: Moment,
    },
    AnswerGivenBack {
        task: &'a SmolStr,
        round: u32,
        answer: u64,
    },
    AnswerSetAside {
        task: &'a SmolStr,
        round: u32,
        team: &'a SmolStr,
        answer: u64,
    },
    AnswerJudged {
        task: &'a SmolStr,
        round: u32,
        team: &'a SmolStr,
        /// The number of the answer, if it had to wait for a judge.
        #[serde(skip_serializing_if = "Option::is_none")]
        answer: Option<u64>,
        /// `None` while the boards are frozen.
        outcome: Option<AnswerOutcome>,
        points: Option<f64>,
    },
}

/// Queue events go to judges, a set-aside answer to its team, everything else to everyone.
fn audience(event: &ContestEvent) -> Audience {
    match event {
        ContestEvent::AnswerReceived { .. }
        | ContestEvent::AnswerTaken { .. }
        | ContestEvent::AnswerGivenBack { .. } => Audience::Judges,
        ContestEvent::AnswerSetAside { team, .. } => Audience::Participant(team.clone()),
        _ => Audience::Everyone,
    }
}

pub(super) fn of(event: &ContestEvent, recorded_at: RecordedAt) -> Option<Notice> {
    let told = match event {
        ContestEvent::ContestOpened { name, .. } => ContestNotice::ContestOpened { name },
        ContestEvent::TeamRegistered { team, name, .. } => {
            ContestNotice::TeamRegistered { team, name: name.as_deref() }
        }
        ContestEvent::TaskAdded { task, spec } => {
            ContestNotice::TaskAdded { task, task_type: spec.task_type }
        }
        ContestEvent::TaskStarted { task, round, time_limit_ms, buffer_ms, countdown_ms, .. } => {
            let started_at = recorded_at.at + Millis(*countdown_ms);
            ContestNotice::TaskStarted {
                task,
                round: *round,
                started_at,
                time_limit_seconds: Millis(*time_limit_ms).as_seconds(),
                closes_at: started_at + Millis(time_limit_ms + buffer_ms),
            }
        }
        ContestEvent::TaskAdjusted { task, round, by_ms } => {
            ContestNotice::TaskAdjusted { task, round: *round, by_seconds: Millis(*by_ms).as_seconds() }
        }
        ContestEvent::HintShown { task, round, hint, shown } => {
            ContestNotice::HintShown { task, round: *round, hint: *hint, shown }
        }
        ContestEvent::ProgrammeSet { pause_ms } => {
            ContestNotice::ProgrammeSet { pause_seconds: pause_ms.map(|pause| Millis(pause).as_seconds()) }
        }
        ContestEvent::TaskStopped { task, round } => {
            ContestNotice::TaskStopped { task, round: *round, closed_at: recorded_at.at }
        }
        ContestEvent::TaskClosed { task, round } => {
            ContestNotice::TaskClosed { task, round: *round, closed_at: recorded_at.at }
        }
        ContestEvent::TasksReset { .. } => ContestNotice::TasksReset {},
        ContestEvent::BoardsFrozen {} => ContestNotice::BoardsFrozen {},
        ContestEvent::BoardsUnfrozen {} => ContestNotice::BoardsUnfrozen {},
        ContestEvent::TeamRevealed { team } => ContestNotice::TeamRevealed { team },
        ContestEvent::AnswerReceived { task, round, answer, .. } => {
            ContestNotice::AnswerReceived { task, round: *round, answer: *answer }
        }
        ContestEvent::AnswerTaken { task, round, answer, by, until } => {
            ContestNotice::AnswerTaken { task, round: *round, answer: *answer, by, until: *until }
        }
        ContestEvent::AnswerGivenBack { task, round, answer } => {
            ContestNotice::AnswerGivenBack { task, round: *round, answer: *answer }
        }
        ContestEvent::AnswerSetAside { task, round, team, answer } => {
            ContestNotice::AnswerSetAside { task, round: *round, team, answer: *answer }
        }
        ContestEvent::AnswerJudged { task, round, team, outcome, points, frozen, decided, .. } => {
            let outcome = Some(*outcome).filter(|_| !frozen);
            let points = Some(*points).filter(|_| !frozen);
            let answer = decided.as_ref().and_then(|decided| decided.answer);
            ContestNotice::AnswerJudged { task, round: *round, team, answer, outcome, points }
        }
    };
    Some(Notice { audience: audience(event), data: to_json(&told) })
}
