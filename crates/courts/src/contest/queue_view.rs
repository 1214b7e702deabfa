//! Views of the judging queue. They do not name the team: judging is blind.

#[cfg(feature = "openapi")]
use assize_kernel::openapi::Id;
use assize_kernel::{Moment, SmolStr};
use serde::Serialize;

use super::queue::{AnswerRecords, QueuedAnswer, queue};
use super::state::ContestState;
use super::submission::SubmittedAnswer;
use super::task::TaskType;

/// A page of the judging queue.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Queue))]
pub struct QueueView {
    /// The number of waiting answers.
    #[cfg_attr(feature = "openapi", schema(value_type = u64))]
    pub total: usize,
    /// The number of answers with a valid lease.
    #[cfg_attr(feature = "openapi", schema(value_type = u64))]
    pub held: usize,
    /// The answers of this page, in the order of receipt.
    pub answers: Vec<QueuedView>,
}

/// A waiting answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = QueuedAnswer))]
pub struct QueuedView {
    /// The number of the answer.
    #[cfg_attr(feature = "openapi", schema(minimum = 1))]
    pub answer: u64,
    /// The task.
    #[cfg_attr(feature = "openapi", schema(value_type = Id))]
    pub task: SmolStr,
    /// The type of the task.
    #[serde(rename = "type")]
    pub task_type: TaskType,
    /// The moment of receipt.
    pub received_at: Moment,
    /// The judge who holds it, if any.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub held_by: Option<String>,
    /// The expiry of the lease.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub held_until: Option<Moment>,
}

/// An answer that a judge holds, with everything needed to decide it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HeldAnswer {
    /// The queue entry.
    #[serde(flatten)]
    #[cfg_attr(feature = "openapi", schema(schema_with = <QueuedView as utoipa::PartialSchema>::schema))]
    pub about: QueuedView,
    /// The answers as submitted.
    pub answers: Vec<SubmittedAnswer>,
    /// The scene of the task, if given.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub scene_id: Option<String>,
    /// The expected video, if given.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub video_id: Option<String>,
    /// The expected answer text, if given.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub answer_text: Option<String>,
    /// The number of waiting answers.
    #[cfg_attr(feature = "openapi", schema(value_type = u64))]
    pub total: usize,
}

impl ContestState {
    /// A page of the judging queue, by offset and limit.
    #[must_use]
    pub fn queue(&self, now: Moment, offset: usize, limit: usize) -> QueueView {
        let queue = queue(self);
        let held = queue.iter().filter(|queued| queued.waiting.holder(now).is_some()).count();
        let page = queue.iter().skip(offset).take(limit);
        QueueView { total: queue.len(), held, answers: page.map(|queued| queued.view(now)).collect() }
    }

    /// A waiting answer, for the judge who holds it.
    #[must_use]
    pub fn held(&self, answer: u64, now: Moment) -> Option<HeldAnswer> {
        let queue = queue(self);
        let queued = queue.iter().find(|queued| queued.answer == answer)?;
        let spec = &queued.task.spec;
        Some(HeldAnswer {
            about: queued.view(now),
            answers: queued.waiting.answers.clone(),
            scene_id: spec.scene_id.clone(),
            video_id: Some(spec.video_id.clone()).filter(|video| !video.is_empty()),
            answer_text: spec.answer.clone(),
            total: queue.len(),
        })
    }

    /// Whether an answer is waiting for a judge.
    #[must_use]
    pub fn is_waiting(&self, answer: u64) -> bool {
        let rounds = self.tasks.values().filter_map(|task| task.round.as_ref());
        rounds.into_iter().any(|round| round.waiting.contains_key(&answer))
    }

    /// The records of an answer that had to wait; `None` if there is no such answer.
    #[must_use]
    pub fn fate(&self, answer: u64) -> Option<AnswerRecords> {
        self.tasks.values().find_map(|task| task.fates.get(&answer).copied())
    }
}

impl QueuedAnswer<'_> {
    fn view(&self, now: Moment) -> QueuedView {
        let lease = self.waiting.holder(now);
        QueuedView {
            answer: self.answer,
            task: self.name.clone(),
            task_type: self.task.spec.task_type,
            received_at: self.waiting.at,
            held_by: lease.map(|lease| lease.by.clone()),
            held_until: lease.map(|lease| lease.until),
        }
    }
}
