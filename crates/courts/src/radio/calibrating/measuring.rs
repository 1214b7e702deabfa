//! Counts detected and missed errors, false alarms and unclear readbacks.

use std::collections::BTreeMap;

use assize_kernel::round;
use serde::Serialize;

use super::CalibrationSample;
use super::noise::disturb;
use super::seeding::{SeedKind, seeds};
use crate::radio::reading::ReadbackClasses;

/// Opinion of the judge on a readback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JudgeOpinion {
    /// The readback is correct.
    Right,
    /// The readback has an error.
    Wrong,
    /// The readback cannot be parsed (`say again`).
    Unclear,
}

/// Counts of opinions on readbacks whose correctness is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct OpinionTally {
    /// Total.
    pub all: u32,
    /// Judged wrong.
    pub flagged: u32,
    /// Judged right.
    pub passed: u32,
    /// Judged unclear.
    pub unclear: u32,
}

/// A readback on which the judge was mistaken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RadioDisagreement {
    /// Identifier of the exchange.
    pub id: String,
    /// Kind of the seeded error; none for a correct readback.
    pub seeded: Option<&'static str>,
    /// Item with the seeded error.
    pub item: Option<&'static str>,
    /// Transmission of the controller.
    pub controller: String,
    /// Readback of the pilot, including the error.
    pub pilot: String,
}

/// Result of a calibration.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct RadioCalibration {
    /// Correct readbacks: `flagged` counts false alarms.
    pub right: OpinionTally,
    /// Readbacks with a seeded error: `flagged` counts detections.
    pub seeded: OpinionTally,
    /// Seeded errors by kind.
    pub kinds: BTreeMap<&'static str, OpinionTally>,
    /// Seeded errors by item.
    pub items: BTreeMap<&'static str, OpinionTally>,
    /// False alarms and missed errors, for review.
    pub disagreements: Vec<RadioDisagreement>,
}

impl OpinionTally {
    fn count(&mut self, opinion: JudgeOpinion) {
        self.all += 1;
        match opinion {
            JudgeOpinion::Right => self.passed += 1,
            JudgeOpinion::Wrong => self.flagged += 1,
            JudgeOpinion::Unclear => self.unclear += 1,
        }
    }

    /// Share judged wrong, in percent to one decimal, unclear ones excluded; none when there were no others.
    #[must_use]
    pub fn percent(&self) -> Option<f64> {
        let read = self.flagged + self.passed;
        (read > 0).then(|| round(100.0 * f64::from(self.flagged) / f64::from(read), 1))
    }
}

/// Seeds every possible error into every sample and queries the judge. Noise is applied after seeding.
pub fn calibrate(
    classes: &ReadbackClasses,
    samples: &[CalibrationSample],
    noise_percent: usize,
    judge: impl Fn(&str, &str) -> JudgeOpinion,
) -> RadioCalibration {
    let mut calibration = RadioCalibration::default();
    for sample in samples {
        let hear = |kind: &str, pilot: &str| match noise_percent {
            0 => pilot.to_owned(),
            percent => disturb(&format!("{} {kind}", sample.id), pilot, percent),
        };
        let pilot = hear("right", &sample.pilot);
        let opinion = judge(&sample.controller, &pilot);
        calibration.right.count(opinion);
        if opinion == JudgeOpinion::Wrong {
            calibration.disagree(sample, None, pilot);
        }
        for seed in seeds(classes, sample) {
            let pilot = hear(seed.kind.name(), &seed.pilot);
            let opinion = judge(&sample.controller, &pilot);
            calibration.seeded.count(opinion);
            calibration.kinds.entry(seed.kind.name()).or_default().count(opinion);
            calibration.items.entry(seed.item).or_default().count(opinion);
            if opinion == JudgeOpinion::Right {
                calibration.disagree(sample, Some((seed.kind, seed.item)), pilot);
            }
        }
    }
    calibration
}

impl RadioCalibration {
    fn disagree(
        &mut self,
        sample: &CalibrationSample,
        seeded: Option<(SeedKind, &'static str)>,
        pilot: String,
    ) {
        self.disagreements.push(RadioDisagreement {
            id: sample.id.clone(),
            seeded: seeded.map(|(kind, _)| kind.name()),
            item: seeded.map(|(_, item)| item),
            controller: sample.controller.clone(),
            pilot,
        });
    }
}
