//! Parser for amounts: repetitions, seconds or metres.

use std::fmt;

use assize_kernel::SmolStr;
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// The limit for one set.
const MOST_REPETITIONS: f64 = 100_000.0;
/// The limit for times: one day.
pub(super) const MOST_SECONDS: f64 = 86_400.0;
/// The limit for distances.
pub(super) const MOST_METRES: f64 = 1_000_000.0;

const FORMS: &str = "a count such as 12, a range such as 10-12, a time such as 30s or 1:30, or a distance such as 400m or 2km";

/// An amount as submitted: a number or a text.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Amount {
    /// `12`
    Whole(i64),
    /// `12.0` is accepted as 12; `12.5` is refused.
    Fraction(f64),
    /// `"12"`, `"10-12"`, `"30s"`, `"1:30"`, `"2km"`, `"400m"`
    Text(SmolStr),
}

/// The unit of an amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Repetitions,
    Seconds,
    Metres,
}

/// A range in one unit: the low end counts for credit, the high end for plausibility.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Quantity {
    pub(super) unit: Unit,
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Unit {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Repetitions => "repetitions",
            Self::Seconds => "seconds",
            Self::Metres => "metres",
        }
    }

    const fn most(self) -> f64 {
        match self {
            Self::Repetitions => MOST_REPETITIONS,
            Self::Seconds => MOST_SECONDS,
            Self::Metres => MOST_METRES,
        }
    }
}

impl Quantity {
    pub(super) const fn exactly(unit: Unit, amount: f64) -> Self {
        Self { unit, low: amount, high: amount }
    }
}

impl Amount {
    /// Parses the amount; the error says what is wrong with it.
    pub(super) fn read(&self) -> Result<Quantity, String> {
        let read = match self {
            #[allow(clippy::cast_precision_loss, reason = "bounded below")]
            Self::Whole(count) => Some(Quantity::exactly(Unit::Repetitions, *count as f64)),
            Self::Fraction(count) if count.fract() == 0.0 => {
                Some(Quantity::exactly(Unit::Repetitions, *count))
            }
            Self::Fraction(_) => None,
            Self::Text(text) => read_text(text.trim()),
        };
        let quantity = read.ok_or_else(|| format!("`{self}` is no amount; expected {FORMS}"))?;
        let Quantity { unit, low, high } = quantity;
        if low < 0.0 || high > unit.most() {
            let most = unit.most();
            let unit = unit.as_str();
            return Err(format!("`{self}` is out of bounds; expected 0 to {most} {unit} a set"));
        }
        if low > high {
            return Err(format!("`{self}` runs backwards; the smaller number comes first"));
        }
        Ok(quantity)
    }

    /// A plain whole number, for counts of sets.
    pub(super) fn whole(&self, least: u32, most: u32) -> Result<u32, String> {
        let found = match self {
            Self::Whole(count) => u32::try_from(*count).ok(),
            Self::Text(text) => digits(text.trim()).and_then(|_| text.trim().parse().ok()),
            Self::Fraction(_) => None,
        };
        let found = found.filter(|count| (least..=most).contains(count));
        found.ok_or_else(|| format!("`{self}` is no whole number from {least} to {most}"))
    }
}

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for Amount {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        let forms = "`12`, `\"12\"`, `\"10-12\"`, `\"30s\"`, `\"1:30\"`, `\"400m\"` or `\"2km\"`.";
        let either = utoipa::openapi::OneOf::builder().item(u32::schema()).item(String::schema());
        either.description(Some(forms)).into()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for Amount {
    fn name() -> std::borrow::Cow<'static, str> {
        "ExerciseAmount".into()
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(count) => count.fmt(f),
            Self::Fraction(count) => count.fmt(f),
            Self::Text(text) => text.chars().take(40).try_for_each(|char| write!(f, "{char}")),
        }
    }
}

fn read_text(text: &str) -> Option<Quantity> {
    if let Some(count) = digits(text) {
        return Some(Quantity::exactly(Unit::Repetitions, count));
    }
    if let Some((low, high)) = text.split_once('-') {
        return Some(Quantity { unit: Unit::Repetitions, low: digits(low)?, high: digits(high)? });
    }
    if let Some((minutes, seconds)) = text.split_once(':') {
        let below_a_minute = seconds.len() == 2 && seconds < "60";
        let seconds = digits(seconds).filter(|_| below_a_minute)?;
        return Some(Quantity::exactly(Unit::Seconds, digits(minutes)? * 60.0 + seconds));
    }
    if let Some(seconds) = text.strip_suffix('s') {
        return Some(Quantity::exactly(Unit::Seconds, digits(seconds)?));
    }
    if let Some(kilometres) = text.strip_suffix("km") {
        return Some(Quantity::exactly(Unit::Metres, decimal(kilometres)? * 1000.0));
    }
    Some(Quantity::exactly(Unit::Metres, digits(text.strip_suffix('m')?)?))
}

/// Parses 1 to 9 ASCII digits.
fn digits(text: &str) -> Option<f64> {
    let plain = (1..=9).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

/// Parses digits with an optional decimal point.
fn decimal(text: &str) -> Option<f64> {
    let Some((whole, part)) = text.split_once('.') else { return digits(text) };
    digits(whole).and(digits(part))?;
    text.parse().ok()
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyAmount)
    }
}

/// Accepts any number or text; errors are reported later, where the exercise is known.
struct AnyAmount;

impl Visitor<'_> for AnyAmount {
    type Value = Amount;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(FORMS)
    }

    fn visit_i64<E: de::Error>(self, count: i64) -> Result<Amount, E> {
        Ok(Amount::Whole(count))
    }

    fn visit_u64<E: de::Error>(self, count: u64) -> Result<Amount, E> {
        Ok(Amount::Whole(i64::try_from(count).unwrap_or(i64::MAX)))
    }

    fn visit_f64<E: de::Error>(self, count: f64) -> Result<Amount, E> {
        Ok(Amount::Fraction(count))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Amount, E> {
        Ok(Amount::Text(text.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Result<(Unit, f64, f64), &str>) {
        let read = Amount::Text(text.into()).read();
        let read = read.map(|quantity| (quantity.unit, quantity.low, quantity.high));
        assert_eq!(read, expected.map_err(str::to_owned));
    }

    #[test]
    fn the_forms_that_people_write() {
        check("12", Ok((Unit::Repetitions, 12.0, 12.0)));
        check("10-12", Ok((Unit::Repetitions, 10.0, 12.0)));
        check("30s", Ok((Unit::Seconds, 30.0, 30.0)));
        check("1:30", Ok((Unit::Seconds, 90.0, 90.0)));
        check("2km", Ok((Unit::Metres, 2000.0, 2000.0)));
        check("2.5km", Ok((Unit::Metres, 2500.0, 2500.0)));
        check("400m", Ok((Unit::Metres, 400.0, 400.0)));
        check(" 0 ", Ok((Unit::Repetitions, 0.0, 0.0)));
    }

    #[test]
    fn whatever_else_they_write_is_shown_back() {
        for text in ["AMRAP", "", "-5", "1e6", "12x", "1:5", "1:75", "NaN", "٣", "10-", "10-12-14", "+3"] {
            let said = Amount::Text(text.into()).read().unwrap_err();
            assert!(said.starts_with(&format!("`{text}` is no amount; expected a count")), "{said}");
        }
        check("12-10", Err("`12-10` runs backwards; the smaller number comes first"));
        check("100001", Err("`100001` is out of bounds; expected 0 to 100000 repetitions a set"));
        check("1441:00", Err("`1441:00` is out of bounds; expected 0 to 86400 seconds a set"));
    }

    #[test]
    fn numbers_are_whole_and_not_negative() {
        assert!(Amount::Whole(-1000).read().is_err());
        assert!(Amount::Fraction(0.5).read().is_err());
        assert_eq!(Amount::Fraction(12.0).read().unwrap().low, 12.0);
        assert!(Amount::Fraction(1e6).read().is_err());
        assert_eq!(Amount::Text("3".into()).whole(0, 1000), Ok(3));
        assert_eq!(Amount::Whole(-3).whole(0, 1000).unwrap_err(), "`-3` is no whole number from 0 to 1000");
    }
}
