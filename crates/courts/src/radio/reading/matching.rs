//! Whether two items agree, and how they differ when they do not.

use super::answering::damaged;
use super::digits::Digits;
use super::finding::ErrorKind;
use super::grammar::Scanned;
use super::item::{Action, Condition, Item, Parameter, Value};
use super::names::{Likeness, likeness};
use super::values::{Level, Runway};

/// How closely two items must agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Match {
    /// The same value of the same thing.
    Exact,
    /// The same value of something that may be the same thing.
    Loose,
}

/// Whether what was said is what was given.
pub(super) fn agree(given: &Item, said: &Item, how: Match) -> bool {
    match how {
        Match::Exact => {
            given.parameter == said.parameter && is_same_deed(given, said) && equal(&given.value, &said.value)
        }
        Match::Loose => loosely(given, said),
    }
}

/// A runway to be crossed is not one to hold short of.
fn is_same_deed(given: &Item, said: &Item) -> bool {
    given.bound.is_none() || said.bound.is_none() || given.bound == said.bound
}

fn equal(given: &Value, said: &Value) -> bool {
    match (given, said) {
        (Value::Level(given), Value::Level(said)) => given.agrees(*said),
        (Value::Digits(given), Value::Digits(said)) => given.value() == said.value(),
        (Value::Named(given, given_code), Value::Named(said, said_code)) => {
            given_code == said_code && likeness(given, said) != Likeness::Different
        }
        // The holding point of a runway, with and without the word.
        (Value::Runway(runway), Value::Code(code)) | (Value::Code(code), Value::Runway(runway)) => {
            code.as_str() == runway.to_string()
        }
        (given, said) => given == said,
    }
}

/// The same digits or letters, where one of the two does not say what they are.
fn loosely(given: &Item, said: &Item) -> bool {
    let given_weak = given.weak;
    match (&given.value, &said.value) {
        (Value::Runway(given), Value::Runway(said)) => given == said,
        (Value::Runway(given), Value::Digits(_)) => given.side.is_none() && is_runway_number(*given, said),
        (Value::Side(given), Value::Side(said)) => given == said,
        (Value::Code(given), Value::Code(code)) => given == code && said.parameter == Parameter::LooseCode,
        (Value::Code(given), Value::Digits(digits)) => {
            said.parameter == Parameter::Loose && given.as_str() == digits.to_string()
        }
        (Value::Frequency(given), Value::Digits(digits)) => {
            // The first digit of a frequency is always the same: `two four decimal eight`.
            let all = Digits::of(given.0);
            let (all, said) = (trimmed(all.as_slice()), trimmed(digits.as_slice()));
            all == said || all.get(1..) == Some(said)
        }
        (Value::Level(given), Value::Digits(digits)) => {
            let value = digits.value();
            let agrees = |bare| given.agrees(Level::Bare(bare));
            (said.weak || given_weak) && u16::try_from(value).map_or(*given == Level::Feet(value), agrees)
        }
        (Value::Digits(given), Value::Level(level)) => {
            (said.weak || given_weak) && level.digits().value() == given.value()
        }
        (Value::Digits(digits), Value::Digits(other)) => {
            (said.weak || given.weak) && digits.value() == other.value()
        }
        _ => false,
    }
}

/// A number that could be anything, and is that of a runway.
fn is_runway_number(runway: Runway, said: &Item) -> bool {
    said.parameter == Parameter::Loose
        && said.digits().is_some_and(|digits| digits.value() == u32::from(runway.number))
}

/// Digits without the zeros at their end.
fn trimmed(digits: &[u8]) -> &[u8] {
    let end = digits.iter().rposition(|digit| *digit != 0).map_or(0, |last| last + 1);
    digits.get(..end).unwrap_or_default()
}

/// Words that belong to a value and were left out.
pub(super) fn words_left_out(given: &Item, said: &Item) -> Option<&'static str> {
    let point = given.parameter == Parameter::HoldingPoint && given.bound.is_none();
    (point && said.parameter != Parameter::HoldingPoint).then_some("holding point")
}

/// Whether both are about the same thing; any left or right may be meant for a turn.
pub(super) fn is_same_kind(given: &Item, said: &Item) -> bool {
    given.parameter == said.parameter
        || matches!((&given.value, &said.value), (Value::Side(_), Value::Side(_)))
}

/// Whether the right value was said of something else.
pub(super) fn misplaced(given: &Item, said: &Item) -> bool {
    let different = given.parameter != said.parameter && !said.weak;
    different
        && match (given.digits(), said.digits()) {
            (Some(one), Some(other)) => one.value() == other.value(),
            _ => false,
        }
}

/// Whether a number that could be anything is probably the one that was given, changed.
pub(super) fn near(given: &Item, said: &Item) -> bool {
    if said.parameter != Parameter::Loose && !said.weak {
        return false;
    }
    let (Some(one), Some(other)) = (given.digits(), said.digits()) else { return false };
    let (one, other) = (one.as_slice(), other.as_slice());
    let same = one.iter().zip(other).filter(|(one, other)| one == other).count();
    (one.len() == other.len() && same + 2 >= one.len() && same > 0) || damaged(one, other)
}

/// Whether a number that could be anything is a part of the one that was given.
pub(super) fn is_fragment(given: &Item, said: &Item) -> bool {
    if let (Value::Code(one), Value::Code(other)) = (&given.value, &said.value) {
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

/// How a value differs from the one that was given.
pub(super) fn difference(given: &Item, said: &Item) -> ErrorKind {
    match (&given.value, &said.value) {
        (Value::Runway(given), Value::Runway(runway)) => runways(*given, *runway, said),
        (Value::Runway(given), _) if is_runway_number(*given, said) => ErrorKind::DroppedSuffix,
        (Value::Frequency(given), Value::Frequency(frequency)) => {
            let (given, read) = (Digits::of(given.0), Digits::of(frequency.0));
            let (given, short) = (trimmed(given.as_slice()), trimmed(read.as_slice()));
            // A zero at the end that was said is not a digit that was lost.
            let whole = short.len() < given.len() && usize::from(said.digits_said) >= given.len();
            codes(given, read.as_slice().get(..given.len()).filter(|_| whole).unwrap_or(short))
        }
        (Value::Side(_), Value::Side(_)) => ErrorKind::LeftRight,
        (Value::Level(given), Value::Level(level)) => levels(*given, *level, said.digits_said),
        (Value::Code(given), Value::Code(said)) => codes(given.as_bytes(), said.as_bytes()),
        (Value::Named(given, given_code), Value::Named(said, said_code)) => {
            if said_code.is_empty() {
                ErrorKind::Unclear
            } else if given_code == said_code {
                // The same letters behind another name: recognisers do that to names.
                let doubtful = given_code.is_empty() || likeness(given, said) != Likeness::Different;
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

fn runways(given: Runway, said: Runway, item: &Item) -> ErrorKind {
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

/// A level that is complete is a wrong one; one digit by itself is none.
fn levels(given: Level, said: Level, digits_said: u8) -> ErrorKind {
    let (one, other) = (given.digits(), said.digits());
    let torn = usize::from(digits_said) != one.len();
    let cut = match said {
        // Nobody flies there: a digit was lost or doubled.
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

/// The same digits with two of them exchanged.
fn transposed(one: &[u8], other: &[u8]) -> bool {
    let mut different = one.iter().zip(other).filter(|(one, other)| one != other);
    let (first, second, more) = (different.next(), different.next(), different.next());
    match (first, second, more) {
        (Some((one_a, other_a)), Some((one_b, other_b)), None) => {
            one.len() == other.len() && one_a == other_b && one_b == other_a
        }
        _ => false,
    }
}

/// Whether what was said does what was asked for.
pub(super) fn does(action: Action, said: &Item) -> bool {
    let Parameter::Action(done) = said.parameter else {
        return match action {
            Action::Taxi => matches!(
                said.parameter,
                Parameter::HoldingPoint | Parameter::Stand | Parameter::Route | Parameter::LooseCode
            ),
            Action::Approach => said.parameter == Parameter::ApproachType,
            _ => false,
        };
    };
    done == action
        || match action {
            Action::HoldPosition | Action::CancelTakeOff | Action::Stop => {
                matches!(
                    done,
                    Action::HoldPosition | Action::CancelTakeOff | Action::Stop | Action::HoldShort
                )
            }
            Action::HoldShort => done == Action::HoldPosition,
            _ => false,
        }
}

/// Actions that put an aircraft on a runway.
pub(super) const fn is_runway_use(action: Action) -> bool {
    matches!(
        action,
        Action::TakeOff
            | Action::Land
            | Action::LineUp
            | Action::TouchAndGo
            | Action::Cross
            | Action::Backtrack
            | Action::Approach
    )
}

/// Actions that a use of a runway contradicts: another use, or staying away from it.
pub(super) const fn keeps_off_or_uses(action: Action) -> bool {
    is_runway_use(action)
        || matches!(
            action,
            Action::HoldShort
                | Action::HoldPosition
                | Action::CancelTakeOff
                | Action::GoAround
                | Action::Stop
        )
}

/// Whether the words of a clearance were begun, and not enough of them could be read.
pub(super) fn begun(action: Action, pilot: &Scanned) -> bool {
    let cleared_to = || pilot.items.iter().any(|item| item.parameter == Parameter::Destination);
    pilot.said.unfinished_clearance || (is_runway_use(action) && cleared_to())
}

/// Whether a condition was read back.
pub(super) fn keeps(condition: Condition, given: &Item, said: &Item) -> bool {
    let Parameter::Condition(kept) = said.parameter else { return false };
    let same = match condition {
        Condition::Behind | Condition::After => matches!(kept, Condition::Behind | Condition::After),
        other => kept == other,
    };
    same && (given.weak || !said.weak)
}
