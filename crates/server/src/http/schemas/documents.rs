//! OpenAPI schemas of the documents for stateless judging, court by court.

use utoipa::ToSchema;

use super::contest::ContestDocument;
use super::quest::{
    ClassSchema, HunterStatusSchema, LogSchema, OwnExercise, PlanSchema, ProofKindSchema, QuestTypeSchema,
    RankSchema,
};
use super::radio::{DifficultySchema, FindingsSchema};
use super::{AnyObject, AssessorSchema};

/// A document of the court in the address.
#[derive(ToSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "described here, read by the courts")]
pub(crate) enum JudgeDocument {
    Contest(ContestDocument),
    Quest(QuestDocument),
    RadioExchange(RadioExchange),
    RadioCall(RadioCall),
    RadioFindings(RadioObserved),
    Summary(SummaryDocument),
}

/// A plan, what was done of it, and by whom.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct QuestDocument {
    quest_type: QuestTypeSchema,
    plan: PlanSchema,
    log: LogSchema,
    profile: QuestProfile,
    /// For `RankUp` only: what the rulebook asks of the rank, unless it says otherwise.
    exam: Option<ExamDocumentSchema>,
    /// Exercises that the rulebook does not know.
    #[schema(required = false)]
    own_exercises: Vec<OwnExercise>,
}

/// A hunter as a log is judged against them.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct QuestProfile {
    class: ClassSchema,
    rank: RankSchema,
    hunter_status: HunterStatusSchema,
    streak_days: u32,
}

/// An exam, where it is another one than the rulebook's.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ExamDocument)]
pub(crate) struct ExamDocumentSchema {
    to_rank: Option<RankSchema>,
    exam_type: Option<String>,
    /// `name`, `reps` and `continuous`.
    required_exercises: Option<Vec<AnyObject>>,
    proof_type: Option<ProofKindSchema>,
    hand_sign: Option<String>,
    #[schema(minimum = 0, maximum = 87_600)]
    time_limit_hours: Option<f64>,
    /// How long after accepting it was submitted.
    #[schema(minimum = 0, maximum = 87_600)]
    elapsed_hours: Option<f64>,
}

/// What a controller said, and what a pilot answered.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RadioExchange {
    #[schema(max_length = 4000)]
    controller: String,
    #[schema(max_length = 4000)]
    pilot: String,
    difficulty: Option<DifficultySchema>,
    /// What the exchange is called; nothing is made of it.
    id: Option<String>,
}

/// What a student says in a phase of a scenario.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RadioCall {
    /// The name of one that ships, or the text of one.
    scenario: String,
    phase: String,
    #[schema(max_length = 4000)]
    pilot: String,
    difficulty: Option<DifficultySchema>,
}

/// What somebody observed of a call.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RadioObserved {
    findings: FindingsSchema,
}

/// An article and a summary of it, read here unless somebody's findings are given.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SummaryDocument {
    #[schema(min_length = 1)]
    article: String,
    #[schema(min_length = 1)]
    summary: String,
    /// Those of a language model or a person.
    findings: Option<AnyObject>,
    /// Whose findings they are.
    assessor: Option<AssessorSchema>,
}
