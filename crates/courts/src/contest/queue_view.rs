//! What judges see of the answers that wait. Whose they are is not in it: a judge need not know.

use assize_kernel::{Moment, SmolStr};
use serde::Serialize;

use super::queue::{Fate, Queued, queue};
use super::state::ContestState;
use super::submission::SubmittedAnswer;
use super::task::TaskType;

/// The answers that wait for a judge.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QueueView {
    /// How many there are.
    pub total: usize,
    /// How many of them somebody holds.
    pub held: usize,
    /// In the order in which they were received.
    pub answers: Vec<QueuedView>,
}

/// An answer that waits for a judge.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QueuedView {
    /// Its number.
    pub answer: u64,
    /// To which task.
    pub task: SmolStr,
    /// What kind of question it asks.
    #[serde(rename = "type")]
    pub task_type: TaskType,
    /// When it was received.
    pub received_at: Moment,
    /// Who holds it; none when nobody does.
    pub held_by: Option<String>,
    /// Until when.
    pub held_until: Option<Moment>,
}

/// An answer that a judge holds, with all they need to decide it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Held {
    /// What it is and how long it is held.
    #[serde(flatten)]
    pub about: QueuedView,
    /// As submitted.
    pub answers: Vec<SubmittedAnswer>,
    /// The scene the task is from, if its authors say so.
    pub scene_id: Option<String>,
    /// The video they had in mind, if they say so.
    pub video_id: Option<String>,
    /// The answer text they had in mind, if they say so.
    pub answer_text: Option<String>,
    /// How many wait in all.
    pub total: usize,
}

impl ContestState {
    /// The answers that wait for a judge: so many, after leaving so many out.
    #[must_use]
    pub fn queue(&self, now: Moment, offset: usize, limit: usize) -> QueueView {
        let queue = queue(self);
        let held = queue.iter().filter(|queued| queued.waiting.holder(now).is_some()).count();
        let page = queue.iter().skip(offset).take(limit);
        QueueView { total: queue.len(), held, answers: page.map(|queued| queued.view(now)).collect() }
    }

    /// A waiting answer, for whoever holds it.
    #[must_use]
    pub fn held(&self, answer: u64, now: Moment) -> Option<Held> {
        let queue = queue(self);
        let queued = queue.iter().find(|queued| queued.answer == answer)?;
        let spec = &queued.task.spec;
        Some(Held {
            about: queued.view(now),
            answers: queued.waiting.answers.clone(),
            scene_id: spec.scene_id.clone(),
            video_id: Some(spec.video_id.clone()).filter(|video| !video.is_empty()),
            answer_text: spec.answer.clone(),
            total: queue.len(),
        })
    }

    /// Whether an answer waits for a judge.
    #[must_use]
    pub fn is_waiting(&self, answer: u64) -> bool {
        let rounds = self.tasks.values().filter_map(|task| task.round.as_ref());
        rounds.into_iter().any(|round| round.waiting.contains_key(&answer))
    }

    /// What has become of an answer that had to wait; none when there is no such answer.
    #[must_use]
    pub fn fate(&self, answer: u64) -> Option<Fate> {
        self.tasks.values().find_map(|task| task.fates.get(&answer).copied())
    }
}

impl Queued<'_> {
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
