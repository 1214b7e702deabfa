//! Timers of a contest: hints, the close of a task, and the start of the next task after a pause.

use assize_kernel::{Millis, Moment, SmolStr};

use super::messages::ContestCommand;
use super::state::{ContestState, ContestTask, DueCommand, TaskRound};

/// Recomputes the next timer; called after every event except answers.
pub(super) fn plan(state: &mut ContestState, now: Moment) {
    let running = running_rounds(state).next().is_some();
    state.idle_since = if running { None } else { state.idle_since.or(Some(now)) };
    state.due = next(state, now);
}

/// The rounds that have not ended, including those in their countdown.
pub(super) fn running_rounds(
    state: &ContestState,
) -> impl Iterator<Item = (&SmolStr, &ContestTask, &TaskRound)> {
    let current = state.tasks.iter().filter_map(|(name, task)| Some((name, task, task.round.as_ref()?)));
    current.filter(|(_, _, round)| round.is_running())
}

/// The earliest timer; at the same moment, a hint comes before a close.
fn next(state: &ContestState, now: Moment) -> Option<DueCommand> {
    let hints = running_rounds(state).filter_map(|(task, about, round)| hint_due(task, about, round));
    let closes = running_rounds(state).map(|(task, _, round)| {
        let command = ContestCommand::CloseTask { task: task.clone(), round: round.number };
        DueCommand { at: round.closes_at(), command }
    });
    hints.chain(closes).chain(start_due(state, now)).min_by_key(|due| due.at)
}

fn hint_due(task: &SmolStr, about: &ContestTask, round: &TaskRound) -> Option<DueCommand> {
    let hint = about.spec.hints.get(round.hints_shown)?;
    let at = round.started_at + Millis::from_seconds(hint.at_seconds);
    let command =
        ContestCommand::ShowHint { task: task.clone(), round: round.number, hint: round.hints_shown };
    // A hint that is due after the close is never shown.
    (at <= round.closes_at()).then_some(DueCommand { at, command })
}

/// The first task of the programme that has not been started, after the pause; if that is over, at once.
fn start_due(state: &ContestState, now: Moment) -> Option<DueCommand> {
    let at = (state.idle_since? + state.pause?).max(now);
    let waiting = state.tasks.iter().filter(|(_, task)| task.round.is_none());
    let (task, _) = waiting.min_by_key(|(_, task)| task.number)?;
    let command = ContestCommand::StartTask {
        task: task.clone(),
        time_limit_seconds: None,
        buffer_seconds: None,
        countdown_seconds: None,
    };
    Some(DueCommand { at, command })
}
