//! Plans, logs and proofs as they are submitted.

use assize_kernel::{Digest, Moment, SmolStr};
use serde::{Deserialize, Serialize};

use super::profile::{Condition, Intensity, ProofKind};
use super::quantity::Amount;

/// What was planned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// How long it should take.
    pub estimated_duration_min: f64,
    /// How hard it should feel, from 1 to 10.
    pub target_rpe: f64,
    /// How hard it is.
    pub intensity: Intensity,
    /// What is to be done.
    pub exercises: Vec<PlannedExercise>,
}

/// One exercise of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedExercise {
    /// What people call it.
    pub name: SmolStr,
    /// How many sets; 1 unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sets: Option<Amount>,
    /// How much in each set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reps: Option<Amount>,
    /// How long all of it should take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// How far, all in all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance_m: Option<f64>,
    /// With how much weight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load_kg: Option<f64>,
    /// How long to rest between sets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest_seconds: Option<f64>,
}

/// What somebody says they did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Log {
    /// How long it took.
    pub duration_seconds: f64,
    /// How hard it felt, from 1 to 10.
    pub actual_rpe: f64,
    /// How they felt before.
    pub condition: Condition,
    /// In their own words. Personal: never in the ledger's chain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_feedback: Option<String>,
    /// What they did.
    pub exercises: Vec<DoneExercise>,
    /// What they have to show for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<Proof>,
}

/// One exercise of a log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DoneExercise {
    /// What people call it.
    pub name: SmolStr,
    /// How many sets; 1 unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sets_done: Option<Amount>,
    /// How much in each set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reps_done: Option<Amount>,
    /// Whether it was left out; then nothing else about it counts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub skipped: bool,
    /// How long all of it took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// How far, all in all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance_m: Option<f64>,
    /// With how much weight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load_kg: Option<f64>,
}

/// A picture or a video of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// What it is.
    pub kind: ProofKind,
    /// The digest of its bytes: the same media is known by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<Digest>,
    /// Where it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// When it was taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken_at: Option<Moment>,
    /// How long it plays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length_seconds: Option<f64>,
}
