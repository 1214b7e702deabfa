//! Open submission: the task need not be named, and an unknown team is registered with its first answer.

use assize_kernel::{Decision, Moment, Rulebook, Ruling, SmolStr, check_name};

use super::deciding::{ContestRuling, submit_answer};
use super::messages::ContestEvent;
use super::refusals::ContestRefusal;
use super::rules::ContestRules;
use super::state::{ContestState, TaskRound};
use super::submission::SubmittedAnswer;

/// Limit for self-registration, so that nobody can flood a board with names.
const MOST_TEAMS: usize = 1000;

pub(super) fn submit(
    book: &Rulebook<ContestRules>,
    state: &ContestState,
    task: Option<SmolStr>,
    team: SmolStr,
    answers: Vec<SubmittedAnswer>,
    at: Moment,
) -> ContestRuling {
    let task = task.map_or_else(|| only_open_task(state, at), Ok)?;
    let newcomer = !state.teams.contains_key(&team);
    if newcomer {
        check_name(&team)?;
    }
    // A refused answer registers no team.
    let ruling = submit_answer(book, state, task, team.clone(), answers, at)?;
    match ruling {
        Ruling::Decided(_) if newcomer && state.teams.len() >= MOST_TEAMS => {
            Err(ContestRefusal::TeamsFull(state.teams.len()))
        }
        Ruling::Decided(mut decisions) if newcomer => {
            let registered = ContestEvent::TeamRegistered { team, name: None, contact: None };
            decisions.insert(0, Decision::fact(registered));
            Ok(Ruling::Decided(decisions))
        }
        ruling => Ok(ruling),
    }
}

/// The only task that accepts answers now.
fn only_open_task(state: &ContestState, at: Moment) -> Result<SmolStr, ContestRefusal> {
    let open = |round: &TaskRound| round.started_at <= at && at <= round.open_until();
    let mut tasks = state.tasks.iter().filter(|(_, task)| task.round.as_ref().is_some_and(open));
    match (tasks.next(), tasks.next()) {
        (Some((only, _)), None) => Ok(only.clone()),
        (None, _) => Err(ContestRefusal::TaskUnclear("no task is running".into())),
        (Some((one, _)), Some((other, _))) => Err(ContestRefusal::TaskUnclear(format!(
            "`{one}` and `{other}` are running; say which one is meant"
        ))),
    }
}
