//! Correcting a contest after the fact: a task's ground truth, or one judged answer; and what of the history would
//! not have happened then.

use assize_kernel::{Correction, Refusal, Rulebook, RulebookRef, SmolStr, Stamp};
use serde::{Deserialize, Serialize};

use super::answer;
use super::deciding::already_completed;
use super::messages::{ContestEvent, Outcome};
use super::people::Decided;
use super::queue;
use super::refusals::ContestRefusal;
use super::rules::ContestRules;
use super::state::ContestState;
use super::task::{Points, TaskSpec};

/// What can be corrected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum ContestAmendment {
    /// The ground truth of a task; what is not given stays.
    CorrectTask {
        /// Which one.
        task: SmolStr,
        /// The video the answer is in.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        video_id: Option<String>,
        /// The boundaries.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        points: Option<Points>,
        /// The answer text of a QA task; an empty one takes it away.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        answer: Option<String>,
    },
    /// How right one answer was.
    OverruleAnswer {
        /// The record in which it was judged.
        position: u64,
        /// How right it was.
        outcome: Outcome,
    },
}

/// An event as it is corrected; none when that is about another one.
pub(super) fn amend(
    event: &ContestEvent,
    stamp: Stamp,
    correction: &Correction<'_>,
) -> Result<Option<ContestEvent>, Refusal> {
    let amendment = ContestAmendment::deserialize(correction.amendment)
        .map_err(|error| ContestRefusal::AmendmentMalformed(error.to_string()))?;
    match (amendment, event) {
        (
            ContestAmendment::CorrectTask { task, video_id, points, answer },
            ContestEvent::TaskAdded { task: added, spec },
        ) if task == *added => {
            let spec = corrected(spec.clone(), video_id, points, answer)?;
            Ok(Some(ContestEvent::TaskAdded { task, spec }))
        }
        (ContestAmendment::OverruleAnswer { position, outcome }, ContestEvent::AnswerJudged { .. })
            if position == stamp.position =>
        {
            let (by, note) = (correction.actor.to_string(), Some(correction.reason.trim().to_owned()));
            let mut event = event.clone();
            if let ContestEvent::AnswerJudged { decided, .. } = &mut event {
                // Said of this answer, whatever was said of equal ones.
                let answer = decided.as_ref().and_then(|decided| decided.answer);
                *decided = Some(Box::new(Decided { outcome, by, note, answer, like: None }));
            }
            Ok(Some(event))
        }
        _ => Ok(None),
    }
}

/// The opening names the rulebook; the times that tasks were started with stand as they ran.
pub(super) fn under(event: &ContestEvent, rulebook: &RulebookRef) -> Option<ContestEvent> {
    let ContestEvent::ContestOpened { name, .. } = event else { return None };
    Some(ContestEvent::ContestOpened { name: name.clone(), rulebook: rulebook.clone() })
}

/// The team whose answer it is.
pub(super) const fn participant(event: &ContestEvent) -> Option<&SmolStr> {
    match event {
        ContestEvent::AnswerJudged { team, .. } => Some(team),
        _ => None,
    }
}

/// An answer to a task that the team has completed, or that cannot be read under this rulebook; and the setting
/// aside of one to a task that it has not.
pub(super) fn objection(
    book: &Rulebook<ContestRules>,
    state: &ContestState,
    event: &ContestEvent,
) -> Option<ContestRefusal> {
    let (task, round, team) = match event {
        ContestEvent::AnswerJudged { task, round, team, .. }
        | ContestEvent::AnswerReceived { task, round, team, .. }
        | ContestEvent::AnswerSetAside { task, round, team, .. } => (task, round, team),
        _ => return None,
    };
    let known = state.tasks.get(task)?;
    let current = known.round.as_ref().filter(|current| current.number == *round)?;
    let completed = current.attempts.get(team).and_then(already_completed);
    if matches!(event, ContestEvent::AnswerSetAside { .. }) {
        return completed.is_none().then(|| ContestRefusal::NotCompleted(team.clone()));
    }
    let (ContestEvent::AnswerJudged { answers, .. } | ContestEvent::AnswerReceived { answers, .. }) = event
    else {
        return completed;
    };
    let task_type = known.spec.task_type;
    let unread = || answer::read(book.rules.matching, task_type, answers).err();
    completed.or_else(|| unread().map(|problem| ContestRefusal::AnswerMalformed { task_type, problem }))
}

/// An answer that counts nothing does not wait for a judge either.
pub(super) fn set_aside(state: &mut ContestState, event: &ContestEvent, stamp: Stamp) {
    let ContestEvent::AnswerJudged { task, round, team, decided: Some(decided), .. } = event else { return };
    if let Some(answer) = decided.answer {
        let (task, round, team) = (task.clone(), *round, team.clone());
        queue::evolve(state, &ContestEvent::AnswerSetAside { task, round, team, answer }, stamp);
    }
}

fn corrected(
    mut spec: TaskSpec,
    video_id: Option<String>,
    points: Option<Points>,
    answer: Option<String>,
) -> Result<TaskSpec, ContestRefusal> {
    if let Some(video_id) = video_id {
        spec.video_id = video_id;
    }
    if let Some(points) = points {
        spec.points = points.read()?;
    }
    if answer.is_some() {
        spec.answer = answer;
    }
    Ok(spec.checked()?)
}
