//! Measuring whoever judges readbacks: errors are put into right answers, and it is counted how many are found.
//!
//! Nothing is drawn by chance: the same exchanges give the same errors and the same noise, on every machine.

mod editing;
mod lot;
mod measuring;
mod noise;
mod seeding;
#[cfg(test)]
mod tests;

pub use measuring::{Calibration, Disagreement, Opinion, Tally, calibrate};
pub use noise::disturb;
pub use seeding::{Seed, SeedKind, seeds};

use serde::Deserialize;

/// A controller's transmission and a right answer to it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Sample {
    /// What it is called in reports.
    pub id: String,
    /// What the controller said.
    pub controller: String,
    /// What the pilot answered.
    pub pilot: String,
}
