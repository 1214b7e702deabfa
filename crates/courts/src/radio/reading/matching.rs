//! Item matching: agreement of two items, and the kind of error when they differ.

use super::answering::damaged;
use super::digits::DigitRun;
use super::finding::ErrorKind;
use super::grammar::ParsedItems;
use super::item::{CallItem, ClearanceCondition, ItemValue, Parameter, RadioAction};
use super::names::{NameLikeness, likeness};
use super::values::{Level, Runway};

/// Strictness of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MatchMode {
    /// Same parameter and same value.
    Exact,
    /// Same value, where one parameter may be unknown.
    Loose,
}

/// Whether the said item agrees with the given one.
pub(super) fn agree(given: &CallItem, said: &CallItem, how: MatchMode) -> bool {
    match how {
        MatchMode::Exact => {
            given.parameter == said.parameter && is_same_deed(given, said) && equal(&given.value, &said.value)
        }
        MatchMode::Loose => loosely(given, said),
    }
}

/// A runway to cross is not a runway to hold short of.
fn is_same_deed(given: &CallItem, said: &CallItem) -> bool {
    given.bound.is_none() || said.bound.is_none() || given.bound == said.bound
}

fn equal(given: &ItemValue, said: &ItemValue) -> bool {
    match (given, said) {
        (ItemValue::Level(given), ItemValue::Level(said)) => given.agrees(*said),
        (ItemValue::Digits(given), ItemValue::Digits(said)) => given.value() == said.value(),
        (ItemValue::Named(given, given_code), ItemValue::Named(said, said_code)) => {
            given_code == said_code && likeness(given, said) != NameLikeness::Different
        }
        // The holding point of a runway, with and without the word.
        (ItemValue::Runway(runway), ItemValue::Code(code))
        | (ItemValue::Code(code), ItemValue::Runway(runway)) => code.as_str() == runway.to_string(),
        (given, said) => given == said,
    }
}

/// Same digits or letters, where the parameter of one side is unknown.
fn loosely(given: &CallItem, said: &CallItem) -> bool {
    let given_weak = given.weak;
    match (&given.value, &said.value) {
        (ItemValue::Runway(given), ItemValue::Runway(said)) => given == said,
        (ItemValue::Runway(given), ItemValue::Digits(_)) => {
            given.side.is_none() && is_runway_number(*given, said)
        }
        (ItemValue::Side(given), ItemValue::Side(said)) => given == said,
        (ItemValue::Code(given), ItemValue::Code(code)) => {
            given == code && said.parameter == Parameter::LooseCode
        }
        (ItemValue::Code(given), ItemValue::Digits(digits)) => {
            said.parameter == Parameter::Loose && given.as_str() == digits.to_string()
        }
        (ItemValue::Frequency(given), ItemValue::Digits(digits)) => {
            // The first digit of a frequency is always the same: `two four decimal eight`.
            let all = DigitRun::of(given.0);
            let all = trimmed(all.as_slice());
            let said = trimmed(digits.as_slice());
            all == said || all.get(1..) == Some(said)
        }
        (ItemValue::Level(given), ItemValue::Digits(digits)) => {
            let value = digits.value();
            let agrees = |bare| given.agrees(Level::Bare(bare));
            (said.weak || given_weak) && u16::try_from(value).map_or(*given == Level::Feet(value), agrees)
        }
        (ItemValue::Digits(given), ItemValue::Level(level)) => {
            (said.weak || given_weak) && level.digits().value() == given.value()
        }
        (ItemValue::Digits(digits), ItemValue::Digits(other)) => {
            (said.weak || given.weak) && digits.value() == other.value()
        }
        _ => false,
    }
}

/// Whether an unlabelled number is the number of this runway.
fn is_runway_number(runway: Runway, said: &CallItem) -> bool {
    said.parameter == Parameter::Loose
        && said.digits().is_some_and(|digits| digits.value() == u32::from(runway.number))
}

/// Digits without trailing zeros.
fn trimmed(digits: &[u8]) -> &[u8] {
    let end = digits.iter().rposition(|digit| *digit != 0).map_or(0, |last| last + 1);
    digits.get(..end).unwrap_or_default()
}

/// Words that belong to the value and were left out.
pub(super) fn words_left_out(given: &CallItem, said: &CallItem) -> Option<&'static str> {
    let point = given.parameter == Parameter::HoldingPoint && given.bound.is_none();
    (point && said.parameter != Parameter::HoldingPoint).then_some("holding point")
}

/// Whether both have the same parameter; any left or right may be meant as a turn.
pub(super) fn is_same_kind(given: &CallItem, said: &CallItem) -> bool {
    given.parameter == said.parameter
        || matches!((&given.value, &said.value), (ItemValue::Side(_), ItemValue::Side(_)))
}

/// Whether the right value was given for another parameter.
pub(super) fn misplaced(given: &CallItem, said: &CallItem) -> bool {
    let different = given.parameter != said.parameter && !said.weak;
    different
        && match (given.digits(), said.digits()) {
            (Some(one), Some(other)) => one.value() == other.value(),
            _ => false,
        }
}

/// Whether an unlabelled number is probably an altered form of the given one.
pub(super) fn near(given: &CallItem, said: &CallItem) -> bool {
    if said.parameter != Parameter::Loose && !said.weak {
        return false;
    }
    let (Some(one), Some(other)) = (given.digits(), said.digits()) else { return false };
    let one = one.as_slice();
    let other = other.as_slice();
    let same = one.iter().zip(other).filter(|(one, other)| one == other).count();
    (one.len() == other.len() && same + 2 >= one.len() && same > 0) || damaged(one, other)
}

/// Whether an unlabelled number or code is a fragment of the given one.
pub(super) fn is_fragment(given: &CallItem, said: &CallItem) -> bool {
    if let (ItemValue::Code(one), ItemValue::Code(other)) = (&given.value, &said.value) {
        let mut rest = one.bytes();
        return said.parameter == Parameter::LooseCode
            && said.trails_off
            && other.bytes().all(|byte| rest.any(|given| given == byte));
    }
    let (Some(one), Some(other)) = (given.digits(), said.digits()) else { return false };
    let mut rest = one.as_slice().iter();
    said.parameter == Parameter::Loose
        && other.as_slice().iter().all(|digit| rest.any(|given| given == digit))
}

/// Kind of error between a given and a said value.
pub(super) fn difference(given: &CallItem, said: &CallItem) -> ErrorKind {
    match (&given.value, &said.value) {
        (ItemValue::Runway(given), ItemValue::Runway(runway)) => runways(*given, *runway, said),
        (ItemValue::Runway(given), _) if is_runway_number(*given, said) => ErrorKind::DroppedSuffix,
        (ItemValue::Frequency(given), ItemValue::Frequency(frequency)) => {
            let given = DigitRun::of(given.0);
            let read = DigitRun::of(frequency.0);
            let given = trimmed(given.as_slice());
            let short = trimmed(read.as_slice());
            // A spoken trailing zero is not a lost digit.
            let whole = short.len() < given.len() && usize::from(said.digits_said) >= given.len();
            codes(given, read.as_slice().get(..given.len()).filter(|_| whole).unwrap_or(short))
        }
        (ItemValue::Side(_), ItemValue::Side(_)) => ErrorKind::LeftRight,
        (ItemValue::Level(given), ItemValue::Level(level)) => levels(*given, *level, said.digits_said),
        (ItemValue::Code(given), ItemValue::Code(said)) => codes(given.as_bytes(), said.as_bytes()),
        (ItemValue::Named(given, given_code), ItemValue::Named(said, said_code)) => {
            if said_code.is_empty() {
                ErrorKind::Unclear
            } else if given_code == said_code {
                // Same letters after a different name: speech recognisers often garble names.
                let doubtful = given_code.is_empty() || likeness(given, said) != NameLikeness::Different;
                if doubtful { ErrorKind::Unclear } else { ErrorKind::WrongValue }
            } else {
                codes(given_code.as_bytes(), said_code.as_bytes())
            }
        }
        _ => match (given.digits(), said.digits()) {
            (Some(given), Some(said)) => digits(given.as_slice(), said.as_slice()),
            _ => ErrorKind::WrongValue,
        },
    }
}

fn runways(given: Runway, said: Runway, item: &CallItem) -> ErrorKind {
    if given.number != said.number {
        let both = |runway: Runway| [runway.number / 10, runway.number % 10];
        let cut = item.digits_said == 1 && given.number >= 10 && both(given).contains(&said.number);
        return if cut { ErrorKind::Unclear } else { digits(&both(given), &both(said)) };
    }
    match (given.side, said.side) {
        (Some(_), Some(_)) => ErrorKind::LeftRight,
        (Some(_), None) if item.trails_off => ErrorKind::Unclear,
        (Some(_), None) => ErrorKind::DroppedSuffix,
        _ => ErrorKind::WrongValue,
    }
}

/// A complete level is wrong; a truncated one is unclear.
fn levels(given: Level, said: Level, digits_said: u8) -> ErrorKind {
    let one = given.digits();
    let other = said.digits();
    let torn = usize::from(digits_said) != one.len();
    let cut = match said {
        // Not a plausible level: a digit was lost or doubled.
        Level::Bare(level) | Level::Flight(level) => (other.len() < one.len() && level < 30) || level > 660,
        Level::Feet(feet) => !(1_000..=45_000).contains(&feet) || feet % 100 != 0,
    };
    if cut && torn && damaged_or_cut(one.as_slice(), other.as_slice()) {
        return ErrorKind::Unclear;
    }
    if transposed(one.as_slice(), other.as_slice()) {
        ErrorKind::TransposedDigits
    } else {
        ErrorKind::WrongValue
    }
}

fn damaged_or_cut(one: &[u8], other: &[u8]) -> bool {
    damaged(one, other) || one.starts_with(other)
}

fn codes(given: &[u8], said: &[u8]) -> ErrorKind {
    if damaged(given, said) {
        ErrorKind::Unclear
    } else if transposed(given, said) {
        ErrorKind::TransposedDigits
    } else {
        ErrorKind::WrongValue
    }
}

fn digits(given: &[u8], said: &[u8]) -> ErrorKind {
    codes(given, said)
}

/// Same digits with two of them swapped.
fn transposed(one: &[u8], other: &[u8]) -> bool {
    let mut different = one.iter().zip(other).filter(|(one, other)| one != other);
    let first = different.next();
    let second = different.next();
    match (first, second, different.next()) {
        (Some((one_a, other_a)), Some((one_b, other_b)), None) => {
            one.len() == other.len() && one_a == other_b && one_b == other_a
        }
        _ => false,
    }
}

/// Whether the said item reads back the action.
pub(super) fn does(action: RadioAction, said: &CallItem) -> bool {
    let Parameter::Action(done) = said.parameter else {
        return match action {
            RadioAction::Taxi => matches!(
                said.parameter,
                Parameter::HoldingPoint | Parameter::Stand | Parameter::Route | Parameter::LooseCode
            ),
            RadioAction::Approach => said.parameter == Parameter::ApproachType,
            _ => false,
        };
    };
    done == action
        || match action {
            RadioAction::HoldPosition | RadioAction::CancelTakeOff | RadioAction::Stop => {
                matches!(
                    done,
                    RadioAction::HoldPosition
                        | RadioAction::CancelTakeOff
                        | RadioAction::Stop
                        | RadioAction::HoldShort
                )
            }
            RadioAction::HoldShort => done == RadioAction::HoldPosition,
            _ => false,
        }
}

/// Actions that put an aircraft on a runway.
pub(super) const fn is_runway_use(action: RadioAction) -> bool {
    matches!(
        action,
        RadioAction::TakeOff
            | RadioAction::Land
            | RadioAction::LineUp
            | RadioAction::TouchAndGo
            | RadioAction::Cross
            | RadioAction::Backtrack
            | RadioAction::Approach
    )
}

/// Actions that another use of the runway contradicts: a use of it, or staying clear of it.
pub(super) const fn keeps_off_or_uses(action: RadioAction) -> bool {
    is_runway_use(action)
        || matches!(
            action,
            RadioAction::HoldShort
                | RadioAction::HoldPosition
                | RadioAction::CancelTakeOff
                | RadioAction::GoAround
                | RadioAction::Stop
        )
}

/// Whether a clearance was started, but could not be parsed completely.
pub(super) fn begun(action: RadioAction, pilot: &ParsedItems) -> bool {
    let cleared_to = || pilot.items.iter().any(|item| item.parameter == Parameter::Destination);
    pilot.markers.unfinished_clearance || (is_runway_use(action) && cleared_to())
}

/// Whether a condition was read back.
pub(super) fn keeps(condition: ClearanceCondition, given: &CallItem, said: &CallItem) -> bool {
    let Parameter::Condition(kept) = said.parameter else { return false };
    let same = match condition {
        ClearanceCondition::Behind | ClearanceCondition::After => {
            matches!(kept, ClearanceCondition::Behind | ClearanceCondition::After)
        }
        other => kept == other,
    };
    same && (given.weak || !said.weak)
}
