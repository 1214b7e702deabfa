//! The call as it should have been.

use super::grading::is_due;
use super::reading::{Action, Call, Item, Parameter, Value, spoken_digits};
use super::rules::{Decimal, Pressure, RadioRules};

/// Something that had to be read back, as it is said.
pub(super) struct Due {
    pub(super) parameter: Parameter,
    pub(super) phrase: String,
}

/// All that had to be read back of a controller's transmission.
pub(super) fn due(rules: &RadioRules, controller: &Call, text: &str) -> Vec<Due> {
    let items = controller.items.iter().filter(|item| is_due(rules, item));
    items.map(|item| Due { parameter: item.parameter, phrase: phrase(rules, item, text) }).collect()
}

/// A right readback of a controller's transmission, in words.
pub(super) fn readback(due: &[Due], controller: &Call, text: &str) -> String {
    let mut parts: Vec<&str> = Vec::with_capacity(due.len() + 1);
    for Due { phrase, .. } in due {
        if !phrase.is_empty() && !parts.contains(&phrase.as_str()) {
            parts.push(phrase);
        }
    }
    parts.extend(controller.callsign.as_ref().map(|own| words(text, own.span)));
    capitalised(&parts.join(", "))
}

fn words(text: &str, (from, to): (usize, usize)) -> &str {
    text.get(from..to).unwrap_or_default()
}

/// One item as it is said.
fn phrase(rules: &RadioRules, item: &Item, text: &str) -> String {
    let said = || words(text, item.span);
    let digits = || item_digits(item);
    match (item.parameter, &item.value) {
        (Parameter::Action(Action::Taxi | Action::Contact), _) => String::new(),
        (Parameter::Action(action), _) => action.phrase().into_owned(),
        (Parameter::Condition(_), _) => clause(text, item.span.0).to_owned(),
        (Parameter::Runway, Value::Runway(runway)) => format!("runway {}", runway.spoken()),
        (Parameter::HoldingPoint, Value::Runway(runway)) => {
            format!("holding point runway {}", runway.spoken())
        }
        (Parameter::HoldingPoint, _) => format!("holding point {}", said()),
        (Parameter::Stand, _) => format!("stand {}", said()),
        (Parameter::Route, _) => format!("via {}", said()),
        (Parameter::Level, Value::Level(level)) => level.spoken(),
        (Parameter::Heading, Value::Digits(_)) => format!("heading {}", digits()),
        (Parameter::Speed, _) => format!("speed {} knots", digits()),
        (Parameter::Qnh, _) if rules.phraseology.pressure == Pressure::Inches => {
            format!("altimeter {}", digits())
        }
        (Parameter::Qnh, _) => format!("QNH {}", digits()),
        (Parameter::Squawk, _) => format!("squawk {}", digits()),
        (Parameter::Frequency, Value::Frequency(frequency)) => match rules.phraseology.decimal {
            Decimal::Decimal => frequency.spoken(),
            Decimal::Point => frequency.spoken().replace("decimal", "point"),
        },
        (Parameter::Turn, Value::Side(side)) => format!("turn {}", side.word()),
        (Parameter::Direct, _) => format!("direct {}", said()),
        _ => said().to_owned(),
    }
}

fn item_digits(item: &Item) -> String {
    match &item.value {
        Value::Digits(digits) => spoken_digits(digits.as_slice()),
        other => other.to_string(),
    }
}

/// The words up to the next pause.
fn clause(text: &str, from: usize) -> &str {
    let rest = text.get(from..).unwrap_or_default();
    rest.split([',', '.']).next().unwrap_or_default().trim()
}

pub(super) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().to_string() + letters.as_str())
}
