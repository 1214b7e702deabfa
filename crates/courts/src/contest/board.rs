//! The boards of a contest: one over all tasks, one for each task, both by score and then by time; and, while they
//! are frozen, a copy of each for the public.

use std::cmp::Ordering;

use assize_kernel::{BoardName, SmolStr, Standing, StandingChange, StreamId, round};

use super::messages::{ContestEvent, Outcome};
use super::state::{Attempts, Best, ContestState, Total};

/// Adds what an event has changed on the boards to `changes`; `state` is the one after it.
pub(super) fn standings(
    stream: &StreamId,
    state: &ContestState,
    event: &ContestEvent,
    changes: &mut Vec<StandingChange>,
) {
    match event {
        ContestEvent::TeamRegistered { team, .. } => {
            changes.extend(overall(stream, state, team));
            // Of a team that has just come there is nothing to hide.
            changes.extend(state.frozen.as_ref().and_then(|_| overall(stream, state, team)).map(frozen));
        }
        ContestEvent::TaskStarted { task, round, .. } if *round > 1 => {
            changes.extend(state.teams.keys().flat_map(|team| restarted(stream, state, task, team)));
        }
        ContestEvent::TasksReset { .. } => {
            changes.extend(state.tasks.keys().flat_map(|task| {
                state.teams.keys().flat_map(move |team| restarted(stream, state, task, team))
            }))
        }
        // Not the team's first answer: moves nobody, and needs no looking up. Most answers are such.
        ContestEvent::AnswerJudged { outcome: Outcome::Incorrect, wrong_before: 1.., .. } => {}
        ContestEvent::AnswerJudged { task, team, outcome, .. } => {
            changes.extend(on_task(stream, state, (task, team), *outcome));
            if outcome.is_right() {
                changes.extend(overall(stream, state, team));
                changes.extend(revealed(stream, state, team));
            }
        }
        ContestEvent::AnswerReceived { task, team, .. } => {
            changes.extend(on_task(stream, state, (task, team), Outcome::Undecided));
        }
        ContestEvent::BoardsFrozen {} => changes.extend(copies(stream, state)),
        ContestEvent::BoardsUnfrozen {} => {
            changes.extend(copies(stream, state).map(|copy| StandingChange { standing: None, ..copy }));
        }
        ContestEvent::TeamRevealed { team } => changes.extend(revealed(stream, state, team)),
        _ => {}
    }
}

impl Total {
    /// Who stands lower comes first.
    pub(super) fn cmp_standing(&self, other: &Self) -> Ordering {
        let (left, right) = (total_standing(*self), total_standing(*other));
        left.points.total_cmp(&right.points).then(right.ties.cmp(&left.ties))
    }
}

/// A wrong answer moves nobody; a first one shows that the team is trying.
fn on_task(
    stream: &StreamId,
    state: &ContestState,
    (task, team): (&str, &SmolStr),
    outcome: Outcome,
) -> Option<StandingChange> {
    let attempts = state.tasks.get(task)?.round.as_ref()?.attempts.get(team)?;
    let moved = outcome.is_right() || attempts.submissions == 1;
    moved.then(|| StandingChange {
        board: BoardName::of(stream).part(task),
        participant: team.clone(),
        standing: Some(attempts_standing(attempts)),
    })
}

/// The earlier round goes off both boards.
fn restarted(
    stream: &StreamId,
    state: &ContestState,
    task: &str,
    team: &SmolStr,
) -> impl Iterator<Item = StandingChange> {
    let board = BoardName::of(stream).part(task);
    let off = StandingChange { board, participant: team.clone(), standing: None };
    std::iter::once(off).chain(overall(stream, state, team))
}

fn overall(stream: &StreamId, state: &ContestState, team: &SmolStr) -> Option<StandingChange> {
    let standing = Some(total_standing(state.teams.get(team)?.total));
    Some(StandingChange { board: BoardName::of(stream), participant: team.clone(), standing })
}

/// Everybody's place on every board, on the copies for the public.
fn copies(stream: &StreamId, state: &ContestState) -> impl Iterator<Item = StandingChange> {
    let totals = state.teams.keys().filter_map(|team| overall(stream, state, team));
    let on_tasks = state.tasks.iter().flat_map(|(task, about)| {
        let board = BoardName::of(stream).part(task);
        state.teams.keys().map(move |team| {
            let attempts = about.round.as_ref().and_then(|round| round.attempts.get(team));
            let standing = attempts.map(attempts_standing);
            StandingChange { board: board.clone(), participant: team.clone(), standing }
        })
    });
    totals.chain(on_tasks).map(frozen)
}

/// How a team of which the public knows everything really stands, for the copy of the board over all tasks.
fn revealed(stream: &StreamId, state: &ContestState, team: &SmolStr) -> Option<StandingChange> {
    let known = state.frozen.as_ref()?.revealed.contains(team);
    known.then(|| overall(stream, state, team)).flatten().map(frozen)
}

/// The same on the copy for the public.
fn frozen(change: StandingChange) -> StandingChange {
    StandingChange { board: change.board.public_copy(), ..change }
}

fn attempts_standing(attempts: &Attempts) -> Standing {
    match attempts.best {
        Some(Best { points, elapsed, .. }) => Standing { points, ties: [0, elapsed.0] },
        None => Standing { points: 0.0, ties: [1, 0] },
    }
}

fn total_standing(total: Total) -> Standing {
    #[allow(clippy::cast_precision_loss, reason = "a sum of bounded scores")]
    let points = round(total.hundredths as f64 / 100.0, 2);
    // A scored 0 stands before no score at all.
    Standing { points, ties: [i64::from(total.scored == 0), total.elapsed_ms] }
}
