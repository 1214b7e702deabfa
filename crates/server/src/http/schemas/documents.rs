//! OpenAPI schemas of the documents for stateless judging, court by court.
#![allow(dead_code, reason = "only described here, parsed by the courts")]

use assize_courts::quest::{Exercise, Log, Plan, Profile, ProofKind, QuestType, Rank};
use assize_courts::radio::{RadioFindings, SessionDifficulty};
use assize_kernel::Assessor;
use utoipa::ToSchema;

use super::AnyObject;
use super::contest::ContestDocument;

/// A document of the court in the path.
#[derive(ToSchema)]
#[serde(untagged)]
pub(crate) enum JudgeDocument {
    Contest(ContestDocument),
    Quest(QuestDocument),
    RadioExchange(RadioExchange),
    RadioCall(RadioCall),
    RadioFindings(RadioObserved),
    Summary(SummaryDocument),
}

/// A plan, the log of its execution, and the hunter.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct QuestDocument {
    quest_type: QuestType,
    plan: Plan,
    log: Log,
    profile: Profile,
    /// For `RankUp` only: replaces the rulebook's requirements for the rank.
    exam: Option<ExamDocument>,
    /// Exercises that the rulebook does not know.
    #[schema(required = false)]
    own_exercises: Vec<Exercise>,
    /// The text of a report about this log, read instead of the hunter's feedback. It lowers no score.
    report: Option<String>,
}

/// An exam that differs from the rulebook's.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExamDocument {
    to_rank: Option<Rank>,
    exam_type: Option<String>,
    /// `name`, `reps` and `continuous`.
    required_exercises: Option<Vec<AnyObject>>,
    proof_type: Option<ProofKind>,
    hand_sign: Option<String>,
    #[schema(minimum = 0, maximum = 87_600)]
    time_limit_hours: Option<f64>,
    /// The time from acceptance to submission.
    #[schema(minimum = 0, maximum = 87_600)]
    elapsed_hours: Option<f64>,
}

/// A controller's transmission and the pilot's answer.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RadioExchange {
    #[schema(max_length = 4000)]
    controller: String,
    #[schema(max_length = 4000)]
    pilot: String,
    difficulty: Option<SessionDifficulty>,
    /// The identifier of the exchange; not used.
    id: Option<String>,
}

/// A student's transmission in a phase of a scenario.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RadioCall {
    /// The name of a shipped scenario, or the text of one.
    scenario: String,
    phase: String,
    #[schema(max_length = 4000)]
    pilot: String,
    difficulty: Option<SessionDifficulty>,
}

/// The findings of a model or a person about a call.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RadioObserved {
    findings: RadioFindings,
}

/// An article and a summary of it; the court reads them itself unless findings are given.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SummaryDocument {
    #[schema(min_length = 1)]
    article: String,
    #[schema(min_length = 1)]
    summary: String,
    /// The findings of a language model or a person.
    findings: Option<AnyObject>,
    /// The author of the findings.
    assessor: Option<Assessor>,
}
