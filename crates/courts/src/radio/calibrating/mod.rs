//! Calibration of readback judges: seeds errors into correct readbacks and counts how many are detected.
//!
//! Deterministic: the same exchanges give the same errors and the same noise on every machine.

mod editing;
mod lot;
mod measuring;
mod noise;
mod seeding;
#[cfg(test)]
mod tests;

pub use measuring::{JudgeOpinion, OpinionTally, RadioCalibration, RadioDisagreement, calibrate};
pub use noise::disturb;
pub use seeding::{SeedKind, SeededError, seeds};

use serde::Deserialize;

/// A controller's transmission and a correct readback of it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename = "Sample")]
pub struct CalibrationSample {
    /// Identifier used in reports.
    pub id: String,
    /// Transmission of the controller.
    pub controller: String,
    /// Readback of the pilot.
    pub pilot: String,
}
