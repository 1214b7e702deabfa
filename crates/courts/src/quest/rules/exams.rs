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
    /// Offered from this level on.
    pub(crate) level: u32,
    /// Strength, Endurance or Skill.
    pub(crate) exam_type: ExamType,
    pub(crate) required_exercises: Vec<RequiredExercise>,
    /// At least this kind of proof.
    pub(crate) proof_type: ProofKind,
    /// How long a timelapse may play, in seconds.
    pub(crate) timelapse_seconds: (f64, f64),
    /// The sign that belongs to the exam; another one is drawn for every attempt.
    pub(crate) hand_sign: SmolStr,
    /// To be done within so long of accepting.
    pub(crate) time_limit_hours: f64,
    pub(crate) estimated_duration_min: f64,
    pub(crate) target_rpe: f64,
    pub(crate) intensity: Intensity,
}

/// What an exam is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExamType {
    /// How much.
    Strength,
    /// How long.
    Endurance,
    /// How well.
    Skill,
}

/// An exercise that an exam asks for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RequiredExercise {
    pub(crate) name: SmolStr,
    /// How many repetitions, or how much of what the text says.
    pub(crate) reps: super::super::quantity::Amount,
    /// In one set.
    #[serde(default)]
    pub(crate) continuous: bool,
}

/// Promotions without an exam: nobody is offered them.
pub(super) fn unlisted(exams: &[ExamRules]) -> impl Iterator<Item = Fault> {
    let steps = Rank::ALL.into_iter().zip(Rank::ALL.into_iter().skip(1));
    let missing = steps.skip(exams.len());
    missing.map(|(from, to)| Fault::new("exams", format!("{} to {} is missing", from.as_str(), to.as_str())))
}

/// A rank is reached by one exam, from the rank below it; the highest may have none.
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
