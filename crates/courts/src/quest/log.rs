//! Plans, logs and proofs as they are submitted.

use assize_kernel::{Digest, Moment, SmolStr};
use serde::{Deserialize, Serialize};

use super::profile::{Condition, Intensity, ProofKind};
use super::quantity::Amount;

/// What was planned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = QuestPlan))]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The estimated duration in minutes.
    #[cfg_attr(feature = "openapi", schema(minimum = 0.1, maximum = 1_440))]
    pub estimated_duration_min: f64,
    /// The target rate of perceived exertion, from 1 to 10.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 10))]
    pub target_rpe: f64,
    /// The intensity.
    pub intensity: Intensity,
    /// The planned exercises.
    #[cfg_attr(feature = "openapi", schema(min_items = 1, max_items = 100))]
    pub exercises: Vec<PlannedExercise>,
}

/// One exercise of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PlannedExercise {
    /// What people call it.
    #[cfg_attr(feature = "openapi", schema(value_type = String, min_length = 1, max_length = 80))]
    pub name: SmolStr,
    /// The number of sets; 1 unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sets: Option<Amount>,
    /// How much in each set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reps: Option<Amount>,
    /// How long all of it should take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// The total distance in metres.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance_m: Option<f64>,
    /// The load in kilograms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load_kg: Option<f64>,
    /// The rest between sets in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest_seconds: Option<f64>,
}

/// What somebody says they did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = QuestLog))]
#[serde(deny_unknown_fields)]
pub struct Log {
    /// The duration in seconds.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 86_400))]
    pub duration_seconds: f64,
    /// The actual rate of perceived exertion, from 1 to 10.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 10))]
    pub actual_rpe: f64,
    /// The hunter's condition before the workout.
    pub condition: Condition,
    /// Feedback as free text. Personal: never in the ledger's chain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(max_length = 4_000))]
    pub user_feedback: Option<String>,
    /// The logged exercises.
    #[cfg_attr(feature = "openapi", schema(max_items = 100))]
    pub exercises: Vec<DoneExercise>,
    /// The proof.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<Proof>,
}

/// One exercise of a log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct DoneExercise {
    /// What people call it.
    #[cfg_attr(feature = "openapi", schema(value_type = String, min_length = 1, max_length = 80))]
    pub name: SmolStr,
    /// The number of sets; 1 unless given.
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
    /// The total distance in metres.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance_m: Option<f64>,
    /// The load in kilograms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load_kg: Option<f64>,
}

/// A picture or video as proof.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = QuestProof))]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// The kind of proof.
    pub kind: ProofKind,
    /// The digest of its bytes, by which reused media is detected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<Digest>,
    /// Where it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// When the picture or video was taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken_at: Option<Moment>,
    /// How long it plays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length_seconds: Option<f64>,
}
