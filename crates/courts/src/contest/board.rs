//! The boards of a contest: one over all tasks, one for each task, both by score and then by time.

use assize_kernel::{BoardName, SmolStr, Standing, StandingChange, StreamId, round};

use super::messages::{ContestEvent, Outcome};
use super::state::{Attempts, Best, ContestState, Total};

/// What an event has changed on the boards; `state` is the one after it.
pub(super) fn standings(
    stream: &StreamId,
    state: &ContestState,
    event: &ContestEvent,
) -> Vec<StandingChange> {
    match event {
        ContestEvent::TeamRegistered { team, .. } => overall(stream, state, team).into_iter().collect(),
        ContestEvent::TaskStarted { task, round, .. } if *round > 1 => restarted(stream, state, task),
        ContestEvent::AnswerJudged { task, team, outcome, .. } => {
            judged(stream, state, task, team, *outcome).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

fn judged(
    stream: &StreamId,
    state: &ContestState,
    task: &str,
    team: &str,
    outcome: Outcome,
) -> Option<Vec<StandingChange>> {
    let attempts = state.tasks.get(task)?.round.as_ref()?.attempts.get(team)?;
    // A wrong answer moves nobody; a first one shows that the team is trying.
    if outcome == Outcome::Incorrect && attempts.submissions > 1 {
        return None;
    }
    let on_task = StandingChange {
        board: BoardName::of(stream).part(task),
        participant: team.into(),
        standing: Some(attempts_standing(attempts)),
    };
    let mut changes = vec![on_task];
    if outcome != Outcome::Incorrect {
        changes.extend(overall(stream, state, team));
    }
    Some(changes)
}

/// The earlier round goes off both boards.
fn restarted(stream: &StreamId, state: &ContestState, task: &str) -> Vec<StandingChange> {
    let off = |team: &SmolStr| StandingChange {
        board: BoardName::of(stream).part(task),
        participant: team.clone(),
        standing: None,
    };
    let changed = |team| std::iter::once(off(team)).chain(overall(stream, state, team));
    state.teams.keys().flat_map(changed).collect()
}

fn overall(stream: &StreamId, state: &ContestState, team: &str) -> Option<StandingChange> {
    let standing = Some(total_standing(state.teams.get(team)?.total));
    Some(StandingChange { board: BoardName::of(stream), participant: team.into(), standing })
}

fn attempts_standing(attempts: &Attempts) -> Standing {
    match attempts.best {
        Some(Best { points, elapsed, .. }) => Standing { points, ties: [0, elapsed.0] },
        None => Standing { points: 0.0, ties: [1, 0] },
    }
}

fn total_standing(total: Total) -> Standing {
    #[allow(clippy::cast_precision_loss, reason = "a sum of bounded scores")]
    let points = round(total.hundredths as f64 / 100.0, 1);
    // A scored 0 stands before no score at all.
    Standing { points, ties: [i64::from(total.scored == 0), total.elapsed_ms] }
}
