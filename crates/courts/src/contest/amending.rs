//! Amendments: corrects a task's ground truth or one judged answer after the fact, and finds the recorded
//! events that could not have happened under the correction.

use assize_kernel::{Correction, RecordedAt, Refusal, Rulebook, RulebookRef, SmolStr};
use serde::{Deserialize, Serialize};

use super::answer;
use super::deciding::already_completed;
use super::messages::{AnswerOutcome, ContestEvent};
use super::people::JudgeDecision;
use super::queue;
use super::refusals::ContestRefusal;
use super::rules::ContestRules;
use super::state::ContestState;
use super::task::{TaskPoints, TaskSpec};

/// An amendment to a contest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum ContestAmendment {
    /// Corrects the ground truth of a task; omitted fields stay as they are.
    CorrectTask {
        /// The task.
        task: SmolStr,
        /// The video the answer is in.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        video_id: Option<String>,
        /// The boundaries.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        points: Option<TaskPoints>,
        /// The answer text of a QA task; an empty text removes it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        answer: Option<String>,
    },
    /// Replaces the outcome of one answer.
    OverruleAnswer {
        /// The position of the record in which the answer was judged.
        position: u64,
        /// The new outcome.
        outcome: AnswerOutcome,
    },
}

/// The corrected event, or `None` when the amendment concerns another event.
pub(super) fn amend(
    event: &ContestEvent,
    recorded_at: RecordedAt,
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
            if position == recorded_at.position =>
        {
            let by = correction.actor.to_string();
            let note = Some(correction.reason.trim().to_owned());
            let mut event = event.clone();
            if let ContestEvent::AnswerJudged { decided, .. } = &mut event {
                // The amendment applies to this answer only, not to equal ones.
                let answer = decided.as_ref().and_then(|decided| decided.answer);
                *decided = Some(Box::new(JudgeDecision { outcome, by, note, answer, like: None }));
            }
            Ok(Some(event))
        }
        _ => Ok(None),
    }
}

/// Rewrites the opening event to name another rulebook; recorded task times stay as they were.
pub(super) fn under(event: &ContestEvent, rulebook: &RulebookRef) -> Option<ContestEvent> {
    let ContestEvent::ContestOpened { name, .. } = event else { return None };
    Some(ContestEvent::ContestOpened { name: name.clone(), rulebook: rulebook.clone() })
}

/// The team whose answer the event judges.
pub(super) const fn participant(event: &ContestEvent) -> Option<&SmolStr> {
    match event {
        ContestEvent::AnswerJudged { team, .. } => Some(team),
        _ => None,
    }
}

/// Why a recorded event could not have happened on this state: the team had already completed the task, the
/// answer does not parse under this rulebook, or an answer was set aside although the task was not completed.
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

/// Removes an answer that no longer counts from the judging queue.
pub(super) fn set_aside(state: &mut ContestState, event: &ContestEvent, recorded_at: RecordedAt) {
    let ContestEvent::AnswerJudged { task, round, team, decided: Some(decided), .. } = event else { return };
    if let Some(answer) = decided.answer {
        let event =
            ContestEvent::AnswerSetAside { task: task.clone(), round: *round, team: team.clone(), answer };
        queue::evolve(state, &event, recorded_at);
    }
}

fn corrected(
    mut spec: TaskSpec,
    video_id: Option<String>,
    points: Option<TaskPoints>,
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
