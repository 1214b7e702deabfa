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
    AnswerJudged {
        task: &'a SmolStr,
        round: u32,
        team: &'a SmolStr,
        /// None while the boards are frozen.
        outcome: Option<Outcome>,
        points: Option<f64>,
    },
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
        ContestEvent::AnswerJudged { task, round, team, outcome, points, frozen, .. } => {
            let (outcome, points) = (Some(*outcome).filter(|_| !frozen), Some(*points).filter(|_| !frozen));
            Told::AnswerJudged { task, round: *round, team, outcome, points }
        }
    };
    Some(Notice { audience: Audience::Everyone, data: to_json(&told) })
}
