//! OpenAPI schemas of the judges' queue.

use utoipa::ToSchema;

use super::contest::{SubmittedAnswerSchema, TaskTypeSchema};
use super::{Id, MomentSchema};

/// The answers that wait for a judge.
#[derive(ToSchema)]
#[schema(as = Queue)]
pub(crate) struct QueueViewSchema {
    /// How many there are.
    total: u64,
    /// How many of them somebody holds.
    held: u64,
    /// In the order in which they were received.
    answers: Vec<QueuedViewSchema>,
}

/// An answer that waits for a judge; whose it is does not matter.
#[derive(ToSchema)]
#[schema(as = QueuedAnswer)]
pub(crate) struct QueuedViewSchema {
    /// Its number.
    #[schema(minimum = 1)]
    answer: u64,
    task: Id,
    r#type: TaskTypeSchema,
    received_at: MomentSchema,
    /// Who holds it, as role and name; null when nobody does.
    #[schema(required = true)]
    held_by: Option<String>,
    #[schema(required = true)]
    held_until: Option<MomentSchema>,
}

/// An answer that a judge holds, with all they need to decide it.
#[derive(ToSchema)]
#[schema(as = HeldAnswer)]
pub(crate) struct HeldSchema {
    /// Its number.
    #[schema(minimum = 1)]
    answer: u64,
    task: Id,
    r#type: TaskTypeSchema,
    received_at: MomentSchema,
    #[schema(required = true)]
    held_by: Option<String>,
    #[schema(required = true)]
    held_until: Option<MomentSchema>,
    /// As submitted.
    answers: Vec<SubmittedAnswerSchema>,
    /// What the task's authors call the scene, if they say so.
    #[schema(required = true)]
    scene_id: Option<String>,
    /// The video they had in mind, if they say so.
    #[schema(required = true)]
    video_id: Option<String>,
    /// The answer text they had in mind, if they say so.
    #[schema(required = true)]
    answer_text: Option<String>,
    /// How many answers wait in all.
    total: u64,
}

/// `full` (right), `partial` (partly right, `TR` only), `incorrect` (wrong) or `undecided` (nobody can decide it).
#[derive(ToSchema)]
#[schema(as = Outcome, rename_all = "lowercase")]
pub(crate) enum OutcomeSchema {
    Full,
    Partial,
    Incorrect,
    Undecided,
}
