//! The boards of a contest: one over all tasks and one for each task, ordered by score and then by time;
//! while they are frozen, the public sees a copy of each.

use std::cmp::Ordering;

use assize_kernel::{BoardName, Millis, SmolStr, Standing, StandingChange, StreamId, round};

use super::messages::{AnswerOutcome, ContestEvent};
use super::state::{BestSubmission, ContestState, TeamAttempts, TeamTotal};

/// Appends the standings that an event changed to `changes`; `state` is the state after the event.
pub(super) fn standings(
    stream: &StreamId,
    state: &ContestState,
    event: &ContestEvent,
    changes: &mut Vec<StandingChange>,
) {
    match event {
        ContestEvent::TeamRegistered { team, .. } => {
            changes.extend(overall(stream, state, team));
            // A newly registered team has nothing to hide.
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
        // A wrong answer after the first changes no standing and needs no lookup. Most answers are of this
        // kind.
        ContestEvent::AnswerJudged { outcome: AnswerOutcome::Incorrect, wrong_before: 1.., .. } => {}
        ContestEvent::AnswerJudged { task, team, outcome, .. } => {
            changes.extend(on_task(stream, state, task, team, *outcome));
            if outcome.is_right() {
                changes.extend(overall(stream, state, team));
                changes.extend(revealed(stream, state, team));
            }
        }
        ContestEvent::AnswerReceived { task, team, .. } => {
            changes.extend(on_task(stream, state, task, team, AnswerOutcome::Undecided));
        }
        ContestEvent::BoardsFrozen {} => changes.extend(copies(stream, state)),
        ContestEvent::BoardsUnfrozen {} => {
            changes.extend(copies(stream, state).map(|copy| StandingChange { standing: None, ..copy }));
        }
        ContestEvent::TeamRevealed { team } => changes.extend(revealed(stream, state, team)),
        _ => {}
    }
}

/// The time that a team's score took; none when the team has not scored. Equal points are ordered by it.
#[must_use]
pub fn scoring_time(standing: &Standing) -> Option<Millis> {
    let [unscored, elapsed_ms] = standing.ties;
    (unscored == 0).then_some(Millis(elapsed_ms))
}

impl TeamTotal {
    /// Orders totals by standing, the lower one first.
    pub(super) fn cmp_standing(&self, other: &Self) -> Ordering {
        let left = total_standing(*self);
        let right = total_standing(*other);
        left.points.total_cmp(&right.points).then(right.ties.cmp(&left.ties))
    }
}

/// The change on a task's board: a right answer moves the team, its first answer puts it on the board.
fn on_task(
    stream: &StreamId,
    state: &ContestState,
    task: &str,
    team: &SmolStr,
    outcome: AnswerOutcome,
) -> Option<StandingChange> {
    let attempts = state.tasks.get(task)?.round.as_ref()?.attempts.get(team)?;
    let moved = outcome.is_right() || attempts.submissions == 1;
    moved.then(|| StandingChange {
        board: BoardName::of(stream).part(task),
        participant: team.clone(),
        standing: Some(attempts_standing(attempts)),
    })
}

/// Takes the previous round of a task off the task's board and the overall board.
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

/// The standing of every team on every board, as changes to the public copies.
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

/// The actual standing of a revealed team, as a change to the public copy of the overall board.
fn revealed(stream: &StreamId, state: &ContestState, team: &SmolStr) -> Option<StandingChange> {
    let known = state.frozen.as_ref()?.revealed.contains(team);
    known.then(|| overall(stream, state, team)).flatten().map(frozen)
}

/// The same change on the public copy of the board.
fn frozen(change: StandingChange) -> StandingChange {
    StandingChange { board: change.board.public_copy(), ..change }
}

fn attempts_standing(attempts: &TeamAttempts) -> Standing {
    match attempts.best {
        Some(BestSubmission { points, elapsed, .. }) => Standing { points, ties: [0, elapsed.0] },
        None => Standing { points: 0.0, ties: [1, 0] },
    }
}

fn total_standing(total: TeamTotal) -> Standing {
    #[allow(clippy::cast_precision_loss, reason = "a sum of bounded scores")]
    let points = round(total.hundredths as f64 / 100.0, 2);
    // A score of 0 ranks before no score at all.
    Standing { points, ties: [i64::from(total.scored == 0), total.elapsed_ms] }
}
