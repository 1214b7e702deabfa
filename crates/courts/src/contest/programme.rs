//! What happens by itself: hints at their time, the close of a task, and the next task after a pause.

use assize_kernel::{Millis, Moment, SmolStr};

use super::messages::ContestCommand;
use super::state::{ContestState, Due, Round, Task};

/// Works out what happens next, after anything but an answer has happened.
pub(super) fn plan(state: &mut ContestState, now: Moment) {
    let running = running_rounds(state).next().is_some();
    state.idle_since = if running { None } else { state.idle_since.or(Some(now)) };
    state.due = next(state, now);
}

/// The rounds that nothing has ended yet, countdowns included.
pub(super) fn running_rounds(state: &ContestState) -> impl Iterator<Item = (&SmolStr, &Task, &Round)> {
    let current = state.tasks.iter().filter_map(|(name, task)| Some((name, task, task.round.as_ref()?)));
    current.filter(|(_, _, round)| round.is_running())
}

/// The earliest of everything that is to come; a hint before a close at the same moment.
fn next(state: &ContestState, now: Moment) -> Option<Due> {
    let hints = running_rounds(state).filter_map(|(task, about, round)| hint_due(task, about, round));
    let closes = running_rounds(state).map(|(task, _, round)| {
        let command = ContestCommand::CloseTask { task: task.clone(), round: round.number };
        Due { at: round.closes_at(), command }
    });
    hints.chain(closes).chain(start_due(state, now)).min_by_key(|due| due.at)
}

fn hint_due(task: &SmolStr, about: &Task, round: &Round) -> Option<Due> {
    let hint = about.spec.hints.get(round.hints_shown)?;
    let at = round.started_at + Millis::from_seconds(hint.at_seconds);
    let command =
        ContestCommand::ShowHint { task: task.clone(), round: round.number, hint: round.hints_shown };
    // What would be shown after the close is shown to nobody.
    (at <= round.closes_at()).then_some(Due { at, command })
}

/// The first task of the programme that has not been started, after the pause; one that comes later, at once.
fn start_due(state: &ContestState, now: Moment) -> Option<Due> {
    let at = (state.idle_since? + state.pause?).max(now);
    let waiting = state.tasks.iter().filter(|(_, task)| task.round.is_none());
    let (task, _) = waiting.min_by_key(|(_, task)| task.number)?;
    let (time_limit_seconds, buffer_seconds, countdown_seconds) = (None, None, None);
    let command = ContestCommand::StartTask {
        task: task.clone(),
        time_limit_seconds,
        buffer_seconds,
        countdown_seconds,
    };
    Some(Due { at, command })
}
