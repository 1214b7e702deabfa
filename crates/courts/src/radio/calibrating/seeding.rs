//! Seeds typical pilot errors into correct readbacks, one at a time.

use super::CalibrationSample;
use super::editing::{clause, digit, digit_like, pieces, remove, replace};
use super::lot::DeterministicRng;
use crate::radio::reading::{
    CallItem, ClearanceCondition, ItemRole, ItemValue, Parameter, ParsedExchange, RadioAction, ReadbackClass,
    ReadbackClasses, read_exchange,
};

/// A readback with one seeded error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeededError {
    /// Kind of error.
    pub kind: SeedKind,
    /// Name of the changed item.
    pub item: &'static str,
    /// The readback including the error.
    pub pilot: String,
}

/// Kinds of seeded errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SeedKind {
    /// One digit is replaced.
    WrongDigit,
    /// Two digits are swapped.
    Transposition,
    /// Left and right are swapped.
    LeftRight,
    /// The side of a runway is left out.
    DroppedSuffix,
    /// A clause that had to be read back is left out.
    Omission,
    /// Only `roger` is said.
    RogerOnly,
    /// The callsign is left out.
    MissingCallsign,
    /// One digit of the callsign is replaced.
    WrongCallsign,
    /// The value is given for another parameter.
    WrongParameter,
    /// The condition is left out.
    DroppedCondition,
    /// Take-off instead of line-up.
    TakeOffForLineUp,
}

impl SeedKind {
    /// All kinds, in the order of reports.
    pub const ALL: [Self; 11] = [
        Self::WrongDigit,
        Self::Transposition,
        Self::LeftRight,
        Self::DroppedSuffix,
        Self::Omission,
        Self::RogerOnly,
        Self::MissingCallsign,
        Self::WrongCallsign,
        Self::WrongParameter,
        Self::DroppedCondition,
        Self::TakeOffForLineUp,
    ];

    /// Name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::WrongDigit => "wrong_digit",
            Self::Transposition => "transposition",
            Self::LeftRight => "left_right",
            Self::DroppedSuffix => "dropped_suffix",
            Self::Omission => "omission",
            Self::RogerOnly => "roger_only",
            Self::MissingCallsign => "missing_callsign",
            Self::WrongCallsign => "wrong_callsign",
            Self::WrongParameter => "wrong_parameter",
            Self::DroppedCondition => "dropped_condition",
            Self::TakeOffForLineUp => "take_off_for_line_up",
        }
    }
}

/// All errors that can be seeded into a readback.
#[must_use]
pub fn seeds(classes: &ReadbackClasses, sample: &CalibrationSample) -> Vec<SeededError> {
    let read = read_exchange(classes, &sample.controller, &sample.pilot);
    let mut seeding = ErrorSeeder { classes, sample, read, seeds: Vec::new() };
    seeding.values();
    seeding.sides();
    seeding.omissions();
    seeding.callsign();
    seeding.conditions();
    seeding.line_ups();
    seeding.seeds
}

struct ErrorSeeder<'a> {
    classes: &'a ReadbackClasses,
    sample: &'a CalibrationSample,
    read: ParsedExchange,
    seeds: Vec<SeededError>,
}

impl ErrorSeeder<'_> {
    fn add(&mut self, kind: SeedKind, item: &'static str, pilot: String) {
        let same = pilot == self.sample.pilot || pilot.trim().is_empty();
        if !same && !self.seeds.iter().any(|seed| seed.pilot == pilot) {
            self.seeds.push(SeededError { kind, item, pilot });
        }
    }

    /// The required items that the pilot read back.
    fn read_back(&self) -> Vec<CallItem> {
        let given = &self.read.controller.items;
        let required = |said: &CallItem| {
            given.iter().any(|given| {
                given.role == ItemRole::Instruct
                    && self.classes.of(given.parameter) == ReadbackClass::Required
                    && given.parameter == said.parameter
            })
        };
        self.read.pilot.items.iter().filter(|said| required(said)).cloned().collect()
    }

    fn values(&mut self) {
        for item in self.read_back() {
            let name = item.parameter.name();
            let digits: Vec<_> = pieces(&self.sample.pilot, item.span)
                .into_iter()
                .filter(|piece| digit(piece.text).is_some())
                .collect();
            let mut rng = DeterministicRng::of(&[&self.sample.id, name, &item.span.0.to_string()]);
            if let (Some(piece), true) = (digits.get(rng.next(digits.len())), has_value(&item)) {
                let other = (digit(piece.text).unwrap_or_default() + 1 + rng.next(9)) % 10;
                let pilot =
                    replace(&self.sample.pilot, (piece.start, piece.end), &digit_like(piece.text, other));
                self.add(SeedKind::WrongDigit, name, pilot);
            }
            let pair = digits.windows(2).find_map(|pair| match pair {
                [one, other] if one.text != other.text && has_value(&item) => Some((*one, *other)),
                _ => None,
            });
            if let Some((one, other)) = pair {
                let pilot = replace(&self.sample.pilot, (other.start, other.end), one.text);
                self.add(SeedKind::Transposition, name, replace(&pilot, (one.start, one.end), other.text));
            }
            self.other_parameter(&item);
        }
    }

    /// Replaces the word that labels a value.
    fn other_parameter(&mut self, item: &CallItem) {
        let swaps: &[(&str, &str)] = match item.parameter {
            Parameter::Squawk => &[("squawk", "QNH")],
            Parameter::Qnh => &[("qnh", "squawk")],
            Parameter::Heading => &[("heading", "speed")],
            Parameter::Speed => &[("speed", "heading"), ("knots", "degrees")],
            _ => return,
        };
        let (from, _) = clause(&self.sample.pilot, item.span.0);
        let before = pieces(&self.sample.pilot, (from, item.span.1));
        let label = before.iter().rev().find_map(|piece| {
            let swap = swaps.iter().find(|(word, _)| piece.text.eq_ignore_ascii_case(word));
            swap.map(|(_, other)| (piece, *other))
        });
        if let Some((piece, other)) = label {
            let pilot = replace(&self.sample.pilot, (piece.start, piece.end), other);
            self.add(SeedKind::WrongParameter, item.parameter.name(), pilot);
        }
    }

    fn sides(&mut self) {
        let text = self.sample.pilot.clone();
        for piece in pieces(&text, (0, text.len())) {
            let other = match piece.text {
                "left" => "right",
                "right" => "left",
                _ => continue,
            };
            let place = (piece.start, piece.end);
            let runway = self
                .read
                .pilot
                .items
                .iter()
                .any(|item| matches!(item.value, ItemValue::Runway(_)) && item.span.1 == piece.end);
            let item = if runway { "runway" } else { "side" };
            self.add(SeedKind::LeftRight, item, replace(&text, place, other));
            if runway {
                self.add(SeedKind::DroppedSuffix, item, remove(&text, place));
            }
        }
    }

    fn omissions(&mut self) {
        let text = self.sample.pilot.clone();
        for item in self.read_back() {
            let place = clause(&text, item.span.0);
            let own = self
                .read
                .pilot
                .callsign
                .as_ref()
                .is_some_and(|own| own.span.0 >= place.0 && own.span.1 <= place.1);
            let place = if own { item.span } else { place };
            self.add(SeedKind::Omission, item.parameter.name(), remove(&text, place));
        }
        let must = self.read.controller.items.iter().any(|given| {
            given.role == ItemRole::Instruct
                && !given.weak
                && self.classes.of(given.parameter) == ReadbackClass::Required
        });
        if let (Some(own), true) = (self.read.pilot.callsign.clone(), must) {
            let callsign = text.get(own.span.0..own.span.1).unwrap_or_default();
            self.add(SeedKind::RogerOnly, "readback", format!("Roger, {callsign}."));
        }
    }

    fn callsign(&mut self) {
        let Some(own) = self.read.pilot.callsign.clone() else { return };
        let text = self.sample.pilot.clone();
        self.add(SeedKind::MissingCallsign, "callsign", remove(&text, own.span));
        let digits: Vec<_> =
            pieces(&text, own.span).into_iter().filter(|piece| digit(piece.text).is_some()).collect();
        let mut rng = DeterministicRng::of(&[&self.sample.id, "callsign"]);
        if let Some(piece) = digits.get(rng.next(digits.len())) {
            let other = (digit(piece.text).unwrap_or_default() + 1 + rng.next(9)) % 10;
            let pilot = replace(&text, (piece.start, piece.end), &digit_like(piece.text, other));
            self.add(SeedKind::WrongCallsign, "callsign", pilot);
        }
    }

    fn conditions(&mut self) {
        let mut text = self.sample.pilot.clone();
        let conditional = |item: &&CallItem| {
            let parameter = item.parameter;
            let condition = matches!(parameter, Parameter::Condition(_)) && !item.weak;
            condition && self.classes.of(parameter) == ReadbackClass::Required
        };
        let Some(condition) = self.read.pilot.items.iter().find(conditional).cloned() else { return };
        let name = condition.parameter.name();
        text = remove(&text, clause(&text, condition.span.0));
        if condition.parameter == Parameter::Condition(ClearanceCondition::Behind) {
            text = text.replace(" behind", "");
        }
        self.add(SeedKind::DroppedCondition, name, text);
    }

    fn line_ups(&mut self) {
        let up = |item: &&CallItem| item.parameter == Parameter::Action(RadioAction::LineUp);
        let Some(item) = self.read.pilot.items.iter().find(up) else { return };
        let given = self.read.controller.items.iter().any(|given| given.parameter == item.parameter);
        let (from, _) = item.span;
        let (_, to) = clause(&self.sample.pilot, from);
        if given {
            let pilot = replace(&self.sample.pilot, (from, to), "cleared for takeoff");
            self.add(SeedKind::TakeOffForLineUp, "line_up", pilot);
        }
    }
}

const fn has_value(item: &CallItem) -> bool {
    matches!(
        item.value,
        ItemValue::Digits(_)
            | ItemValue::Level(_)
            | ItemValue::Runway(_)
            | ItemValue::Frequency(_)
            | ItemValue::Code(_)
            | ItemValue::Named(..)
    )
}
