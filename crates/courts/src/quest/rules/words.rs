//! The messages of a rulebook, shown to hunters word for word.

use serde::Deserialize;

/// The messages of a rulebook.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, expecting = "struct Words")]
pub(crate) struct RulebookMessages {
    /// The message of a good log.
    pub(crate) good: String,
    /// The message of an impossible log.
    pub(crate) cheating: String,
    /// The message of a log with a safety violation.
    pub(crate) unsafe_: String,
    /// The message of a passed exam during its review period.
    pub(crate) promotion_pending: String,
    /// The message of an exam without proof.
    pub(crate) promotion_without_proof: String,
    /// Why a log was rejected.
    pub(crate) rejected: String,
    /// Why a log was flagged.
    pub(crate) flagged: String,
    /// Why an exam without proof is rejected.
    pub(crate) proof_for_promotion: String,
    /// The results of an exam.
    pub(crate) exam: ExamMessages,
    /// The message to a hunter who became Flagged.
    pub(crate) report_flagged: String,
    /// The message to a hunter who became Corrupted.
    pub(crate) report_corrupted: String,
}

/// The messages of an exam's results.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, expecting = "struct ExamWords")]
pub(crate) struct ExamMessages {
    /// The exam has no proof.
    pub(crate) no_proof: String,
    /// The proof is weaker than required.
    pub(crate) weak_proof: String,
    /// The timelapse is too short or too long.
    pub(crate) wrong_length: String,
    /// An exercise is missing, or too little of it was done.
    pub(crate) too_little: String,
    /// The exercise was split into several sets.
    pub(crate) not_continuous: String,
    /// The exam was submitted too late.
    pub(crate) too_late: String,
    /// The integrity score is too low.
    pub(crate) inconsistent: String,
    /// The exam is granted.
    pub(crate) granted: String,
    /// A judge refused the exam.
    pub(crate) refused: String,
}
