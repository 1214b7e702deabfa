//! The messages of a rulebook, shown to hunters word for word.

use serde::Deserialize;

/// The messages of a rulebook.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, expecting = "struct Words")]
pub(crate) struct RulebookMessages {
    /// The message of a good log.
    pub(crate) good: String,
    /// Of one that cannot be.
    pub(crate) cheating: String,
    /// Of one that was dangerous.
    pub(crate) unsafe_: String,
    /// Of an exam that waits for its review.
    pub(crate) promotion_pending: String,
    /// Of an exam without proof.
    pub(crate) promotion_without_proof: String,
    /// Why a log was rejected.
    pub(crate) rejected: String,
    /// Why a log was flagged.
    pub(crate) flagged: String,
    /// Why an exam without proof is rejected.
    pub(crate) proof_for_promotion: String,
    /// The results of an exam.
    pub(crate) exam: ExamMessages,
    /// What a hunter is told when reports have made them Flagged.
    pub(crate) report_flagged: String,
    /// And Corrupted.
    pub(crate) report_corrupted: String,
}

/// Why an exam was passed or not.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, expecting = "struct ExamWords")]
pub(crate) struct ExamMessages {
    /// No proof.
    pub(crate) no_proof: String,
    /// A weaker kind of proof than asked for.
    pub(crate) weak_proof: String,
    /// A timelapse that is too short or too long.
    pub(crate) wrong_length: String,
    /// An exercise is missing, or too little of it was done.
    pub(crate) too_little: String,
    /// Done in several sets where one was asked for.
    pub(crate) not_continuous: String,
    /// Too late.
    pub(crate) too_late: String,
    /// Not believable.
    pub(crate) inconsistent: String,
    /// Passed.
    pub(crate) granted: String,
    /// A judge has said no.
    pub(crate) refused: String,
}
