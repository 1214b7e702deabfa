//! Exam checks: each has its own reason, and the first that fails decides.

use super::integrity::LogIntegrity;
use super::log::Proof;
use super::profile::{ProofKind, Rank};
use super::quantity::{Quantity, Unit};
use super::rules::{ExamRules, Exercise, QuestRules, RequiredExercise};
use super::verdict::RankUpExamResult;
use super::work::{DoneWork, LoggedWork};

/// The requirements of an exam attempt.
#[derive(Debug, Clone)]
pub(super) struct ExamTerms<'a> {
    pub(super) to_rank: Rank,
    pub(super) required: &'a [RequiredExercise],
    pub(super) proof_type: ProofKind,
    pub(super) timelapse_seconds: (f64, f64),
    pub(super) time_limit_hours: f64,
    /// How long after accepting it was submitted.
    pub(super) elapsed_hours: f64,
}

/// Why an exam was not passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ExamFailure {
    NoProof,
    WeakProof,
    WrongLength,
    TooLittle,
    NotContinuous,
    TooLate,
    Inconsistent,
}

impl<'a> ExamTerms<'a> {
    pub(super) fn of(exam: &'a ExamRules, elapsed_hours: f64) -> Self {
        Self {
            to_rank: exam.to_rank,
            required: &exam.required_exercises,
            proof_type: exam.proof_type,
            timelapse_seconds: exam.timelapse_seconds,
            time_limit_hours: exam.time_limit_hours,
            elapsed_hours,
        }
    }

    pub(super) fn check(
        &self,
        rules: &QuestRules,
        own: &[Exercise],
        work: &LoggedWork<'_>,
        proof: Option<&Proof>,
        integrity: &LogIntegrity<'_>,
    ) -> Result<(), ExamFailure> {
        let Some(proof) = proof else { return Err(ExamFailure::NoProof) };
        if proof.kind < self.proof_type {
            return Err(ExamFailure::WeakProof);
        }
        let (least, most) = self.timelapse_seconds;
        let length = proof.length_seconds.filter(|_| proof.kind == ProofKind::Timelapse);
        if length.is_some_and(|length| !(least..=most).contains(&length)) {
            return Err(ExamFailure::WrongLength);
        }
        for required in self.required {
            self.check_exercise(&work.named(rules, own, &required.name), required)?;
        }
        if self.elapsed_hours > self.time_limit_hours {
            return Err(ExamFailure::TooLate);
        }
        if integrity.score < rules.integrity.flagged_below {
            return Err(ExamFailure::Inconsistent);
        }
        Ok(())
    }

    fn check_exercise(&self, done: &[&DoneWork<'_>], required: &RequiredExercise) -> Result<(), ExamFailure> {
        let Ok(Quantity { unit, low: asked, .. }) = required.reps.read() else {
            return Err(ExamFailure::TooLittle);
        };
        let total: f64 = done.iter().filter_map(|done| done.credit(unit)).sum();
        if total < asked {
            return Err(ExamFailure::TooLittle);
        }
        let at_once = done.iter().any(|done| in_one_set(done, unit) >= asked);
        if required.continuous && !at_once { Err(ExamFailure::NotContinuous) } else { Ok(()) }
    }
}

/// The amount done in one set; 0 when the log does not give it.
fn in_one_set(done: &DoneWork<'_>, unit: Unit) -> f64 {
    match done.quantity {
        Some(quantity) if quantity.unit == unit => quantity.low,
        _ if done.sets <= 1.0 => done.credit(unit).unwrap_or(0.0),
        _ => 0.0,
    }
}

impl ExamFailure {
    pub(super) const fn code(self) -> &'static str {
        match self {
            Self::NoProof => "quest.exam.no_proof",
            Self::WeakProof => "quest.exam.weak_proof",
            Self::WrongLength => "quest.exam.wrong_length",
            Self::TooLittle => "quest.exam.too_little",
            Self::NotContinuous => "quest.exam.not_continuous",
            Self::TooLate => "quest.exam.too_late",
            Self::Inconsistent => "quest.exam.inconsistent",
        }
    }

    pub(super) fn reason(self, rules: &QuestRules) -> &str {
        let words = &rules.messages.exam;
        match self {
            Self::NoProof => &words.no_proof,
            Self::WeakProof => &words.weak_proof,
            Self::WrongLength => &words.wrong_length,
            Self::TooLittle => &words.too_little,
            Self::NotContinuous => &words.not_continuous,
            Self::TooLate => &words.too_late,
            Self::Inconsistent => &words.inconsistent,
        }
    }
}

/// The exam result for the verdict's `detail`.
pub(super) fn result(
    rules: &QuestRules,
    to_rank: Rank,
    checked: Result<(), ExamFailure>,
) -> RankUpExamResult<'_> {
    match checked {
        Ok(()) => {
            RankUpExamResult { passed: true, reason: &rules.messages.exam.granted, new_rank: Some(to_rank) }
        }
        Err(failed) => RankUpExamResult { passed: false, reason: failed.reason(rules), new_rank: None },
    }
}
