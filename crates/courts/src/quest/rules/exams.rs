//! The exams of a rulebook: the requirements of each promotion.

use assize_kernel::{Fault, SmolStr};
use serde::{Deserialize, Serialize};

use super::super::profile::{Intensity, ProofKind, Rank};

/// One exam.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExamRules {
    pub(crate) from_rank: Rank,
    pub(crate) to_rank: Rank,
    /// The minimum level at which the exam is offered.
    pub(crate) level: u32,
    pub(crate) exam_type: ExamType,
    pub(crate) required_exercises: Vec<RequiredExercise>,
    /// The weakest accepted kind of proof.
    pub(crate) proof_type: ProofKind,
    /// The accepted length of a timelapse, in seconds.
    pub(crate) timelapse_seconds: (f64, f64),
    /// The fixed hand sign of the exam; another is drawn for every attempt.
    pub(crate) hand_sign: SmolStr,
    /// The time limit from acceptance to submission.
    pub(crate) time_limit_hours: f64,
    pub(crate) estimated_duration_min: f64,
    pub(crate) target_rpe: f64,
    pub(crate) intensity: Intensity,
}

/// The type of an exam.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExamType {
    /// Tests strength.
    Strength,
    /// Tests endurance.
    Endurance,
    /// Tests skill.
    Skill,
}

/// A required exercise of an exam.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RequiredExercise {
    pub(crate) name: SmolStr,
    /// The required amount.
    pub(crate) reps: super::super::quantity::Amount,
    /// Whether it must be done in one set.
    #[serde(default)]
    pub(crate) continuous: bool,
}

/// Promotions without an exam; they are never offered.
pub(super) fn unlisted(exams: &[ExamRules]) -> impl Iterator<Item = Fault> {
    let steps = Rank::ALL.into_iter().zip(Rank::ALL.into_iter().skip(1));
    let missing = steps.skip(exams.len());
    missing.map(|(from, to)| Fault::new("exams", format!("{} to {} is missing", from.as_str(), to.as_str())))
}

/// Checks that the exams follow the ranks from E upwards without a gap; the highest ranks may have none.
pub(super) fn faults(exams: &[ExamRules]) -> Vec<Fault> {
    let steps: Vec<(Rank, Rank)> = exams.iter().map(|exam| (exam.from_rank, exam.to_rank)).collect();
    let asked: Vec<(Rank, Rank)> = Rank::ALL.into_iter().zip(Rank::ALL.into_iter().skip(1)).collect();
    let mut faults = Vec::new();
    if steps.is_empty() || !asked.starts_with(&steps) {
        faults.push(Fault::new("exams", "there must be one for each step from E to S, in this order"));
    }
    for exam in exams {
        let step = format!("{} to {}", exam.from_rank.as_str(), exam.to_rank.as_str());
        if exam.required_exercises.is_empty() {
            faults.push(Fault::new("exams", format!("{step}: nothing is asked for")));
        }
        let wrong = exam.required_exercises.iter().filter_map(|exercise| exercise.reps.read().err());
        faults.extend(wrong.map(|problem| Fault::new("exams", format!("{step}: {problem}"))));
        let hours = exam.time_limit_hours;
        if !(hours > 0.0 && hours <= 8_784.0) {
            faults.push(Fault::new("exams", format!("{step}: `time_limit_hours` is {hours}")));
        }
    }
    faults
}
