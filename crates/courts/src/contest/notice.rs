//! What spectators are told while a contest runs: these types have no place for a video, a point or an answer.

use assize_kernel::{Audience, Millis, Moment, Notice, SmolStr, Stamp, to_json};
use serde::Serialize;

use super::hint::Hint;
use super::messages::{ContestEvent, Outcome};
use super::task::TaskType;

#[derive(Serialize)]
#[serde(tag = "kind")]
enum Told<'a> {
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
        shown: &'a Hint,
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
        /// Its number, where it had to wait for a judge.
        #[serde(skip_serializing_if = "Option::is_none")]
        answer: Option<u64>,
        /// None while the boards are frozen.
        outcome: Option<Outcome>,
        points: Option<f64>,
    },
}

/// What waits and who looks at it is the judges' business; what becomes of an answer unjudged, the team's.
fn audience(event: &ContestEvent) -> Audience {
    match event {
        ContestEvent::AnswerReceived { .. }
        | ContestEvent::AnswerTaken { .. }
        | ContestEvent::AnswerGivenBack { .. } => Audience::Judges,
        ContestEvent::AnswerSetAside { team, .. } => Audience::Participant(team.clone()),
        _ => Audience::Everyone,
    }
}

pub(super) fn of(event: &ContestEvent, stamp: Stamp) -> Option<Notice> {
    let told = match event {
        ContestEvent::ContestOpened { name, .. } => Told::ContestOpened { name },
        ContestEvent::TeamRegistered { team, name, .. } => {
            Told::TeamRegistered { team, name: name.as_deref() }
        }
        ContestEvent::TaskAdded { task, spec } => Told::TaskAdded { task, task_type: spec.task_type },
        ContestEvent::TaskStarted { task, round, time_limit_ms, buffer_ms, countdown_ms, .. } => {
            let started_at = stamp.at + Millis(*countdown_ms);
            Told::TaskStarted {
                task,
                round: *round,
                started_at,
                time_limit_seconds: Millis(*time_limit_ms).as_seconds(),
                closes_at: started_at + Millis(time_limit_ms + buffer_ms),
            }
        }
        ContestEvent::TaskAdjusted { task, round, by_ms } => {
            Told::TaskAdjusted { task, round: *round, by_seconds: Millis(*by_ms).as_seconds() }
        }
        ContestEvent::HintShown { task, round, hint, shown } => {
            Told::HintShown { task, round: *round, hint: *hint, shown }
        }
        ContestEvent::ProgrammeSet { pause_ms } => {
            Told::ProgrammeSet { pause_seconds: pause_ms.map(|pause| Millis(pause).as_seconds()) }
        }
        ContestEvent::TaskStopped { task, round } => {
            Told::TaskStopped { task, round: *round, closed_at: stamp.at }
        }
        ContestEvent::TaskClosed { task, round } => {
            Told::TaskClosed { task, round: *round, closed_at: stamp.at }
        }
        ContestEvent::TasksReset { .. } => Told::TasksReset {},
        ContestEvent::BoardsFrozen {} => Told::BoardsFrozen {},
        ContestEvent::BoardsUnfrozen {} => Told::BoardsUnfrozen {},
        ContestEvent::TeamRevealed { team } => Told::TeamRevealed { team },
        ContestEvent::AnswerReceived { task, round, answer, .. } => {
            Told::AnswerReceived { task, round: *round, answer: *answer }
        }
        ContestEvent::AnswerTaken { task, round, answer, by, until } => {
            Told::AnswerTaken { task, round: *round, answer: *answer, by, until: *until }
        }
        ContestEvent::AnswerGivenBack { task, round, answer } => {
            Told::AnswerGivenBack { task, round: *round, answer: *answer }
        }
        ContestEvent::AnswerSetAside { task, round, team, answer } => {
            Told::AnswerSetAside { task, round: *round, team, answer: *answer }
        }
        ContestEvent::AnswerJudged { task, round, team, outcome, points, frozen, decided, .. } => {
            let (outcome, points) = (Some(*outcome).filter(|_| !frozen), Some(*points).filter(|_| !frozen));
            let answer = decided.as_ref().and_then(|decided| decided.answer);
            Told::AnswerJudged { task, round: *round, team, answer, outcome, points }
        }
    };
    Some(Notice { audience: audience(event), data: to_json(&told) })
}
