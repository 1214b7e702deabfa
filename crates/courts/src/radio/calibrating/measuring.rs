//! Counting what was found, what was missed, what was cried out for nothing, and what nobody could read.

use std::collections::BTreeMap;

use assize_kernel::round;
use serde::Serialize;

use super::Sample;
use super::noise::disturb;
use super::seeding::{SeedKind, seeds};
use crate::radio::reading::Classes;

/// What somebody who judges says of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opinion {
    /// It is right.
    Right,
    /// An instructor should step in.
    Wrong,
    /// It cannot be read: say again.
    Unclear,
}

/// How often what was said, where the truth is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// How many there were.
    pub all: u32,
    /// How many were called wrong.
    pub flagged: u32,
    /// How many were called right.
    pub passed: u32,
    /// How many could not be read.
    pub unclear: u32,
}

/// One answer on which the judge and the truth differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Disagreement {
    /// Which exchange.
    pub id: String,
    /// What was put into it; none when it was right.
    pub seeded: Option<&'static str>,
    /// Into which item.
    pub item: Option<&'static str>,
    /// What the controller said.
    pub controller: String,
    /// What the pilot answered, with the error.
    pub pilot: String,
}

/// What came of a calibration.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Calibration {
    /// Right answers: `flagged` are false alarms.
    pub right: Tally,
    /// Answers with an error: `flagged` are found.
    pub seeded: Tally,
    /// The same by kind of error.
    pub kinds: BTreeMap<&'static str, Tally>,
    /// The same by item.
    pub items: BTreeMap<&'static str, Tally>,
    /// False alarms and missed errors, to be read.
    pub disagreements: Vec<Disagreement>,
}

impl Tally {
    fn count(&mut self, opinion: Opinion) {
        self.all += 1;
        match opinion {
            Opinion::Right => self.passed += 1,
            Opinion::Wrong => self.flagged += 1,
            Opinion::Unclear => self.unclear += 1,
        }
    }

    /// The share called wrong of what could be read, in percent to one decimal; none when there was nothing.
    #[must_use]
    pub fn percent(&self) -> Option<f64> {
        let read = self.flagged + self.passed;
        (read > 0).then(|| round(100.0 * f64::from(self.flagged) / f64::from(read), 1))
    }
}

/// Puts every error into every sample and asks the judge; with noise, the words are disturbed first.
pub fn calibrate(
    classes: &Classes,
    samples: &[Sample],
    noise_percent: usize,
    judge: impl Fn(&str, &str) -> Opinion,
) -> Calibration {
    let mut calibration = Calibration::default();
    for sample in samples {
        let hear = |kind: &str, pilot: &str| match noise_percent {
            0 => pilot.to_owned(),
            percent => disturb(&format!("{} {kind}", sample.id), pilot, percent),
        };
        let pilot = hear("right", &sample.pilot);
        let opinion = judge(&sample.controller, &pilot);
        calibration.right.count(opinion);
        if opinion == Opinion::Wrong {
            calibration.disagree(sample, None, pilot);
        }
        for seed in seeds(classes, sample) {
            let pilot = hear(seed.kind.name(), &seed.pilot);
            let opinion = judge(&sample.controller, &pilot);
            calibration.seeded.count(opinion);
            calibration.kinds.entry(seed.kind.name()).or_default().count(opinion);
            calibration.items.entry(seed.item).or_default().count(opinion);
            if opinion == Opinion::Right {
                calibration.disagree(sample, Some((seed.kind, seed.item)), pilot);
            }
        }
    }
    calibration
}

impl Calibration {
    fn disagree(&mut self, sample: &Sample, seeded: Option<(SeedKind, &'static str)>, pilot: String) {
        self.disagreements.push(Disagreement {
            id: sample.id.clone(),
            seeded: seeded.map(|(kind, _)| kind.name()),
            item: seeded.map(|(_, item)| item),
            controller: sample.controller.clone(),
            pilot,
        });
    }
}
