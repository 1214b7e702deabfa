//! Builds the corrected call: the readback that the controller's transmission requires.

use super::grading::is_due;
use super::reading::{CallItem, ItemValue, Parameter, ParsedCall, RadioAction, spoken_digits};
use super::rules::{DecimalWord, PressureUnit, RadioRules};

/// An item that must be read back, with its spoken phrase.
pub(super) struct DueItem {
    pub(super) parameter: Parameter,
    pub(super) phrase: String,
}

/// The items of a controller's transmission that must be read back.
pub(super) fn due(rules: &RadioRules, controller: &ParsedCall, text: &str) -> Vec<DueItem> {
    let items = controller.items.iter().filter(|item| is_due(rules, item));
    items.map(|item| DueItem { parameter: item.parameter, phrase: phrase(rules, item, text) }).collect()
}

/// A correct readback of a controller's transmission.
pub(super) fn readback(due: &[DueItem], controller: &ParsedCall, text: &str) -> String {
    let mut parts: Vec<&str> = Vec::with_capacity(due.len() + 1);
    for DueItem { phrase, .. } in due {
        if !phrase.is_empty() && !parts.contains(&phrase.as_str()) {
            parts.push(phrase);
        }
    }
    parts.extend(controller.callsign.as_ref().map(|own| words(text, own.span)));
    capitalised(&parts.join(", "))
}

fn words(text: &str, span: (usize, usize)) -> &str {
    text.get(span.0..span.1).unwrap_or_default()
}

/// The spoken phrase of an item.
fn phrase(rules: &RadioRules, item: &CallItem, text: &str) -> String {
    let said = || words(text, item.span);
    let digits = || item_digits(item);
    match (item.parameter, &item.value) {
        (Parameter::Action(RadioAction::Taxi | RadioAction::Contact), _) => String::new(),
        (Parameter::Action(action), _) => action.phrase().into_owned(),
        (Parameter::Condition(_), _) => clause(text, item.span.0).to_owned(),
        (Parameter::Runway, ItemValue::Runway(runway)) => format!("runway {}", runway.spoken()),
        (Parameter::HoldingPoint, ItemValue::Runway(runway)) => {
            format!("holding point runway {}", runway.spoken())
        }
        (Parameter::HoldingPoint, _) => format!("holding point {}", said()),
        (Parameter::Stand, _) => format!("stand {}", said()),
        (Parameter::Route, _) => format!("via {}", said()),
        (Parameter::Level, ItemValue::Level(level)) => level.spoken(),
        (Parameter::Heading, ItemValue::Digits(_)) => format!("heading {}", digits()),
        (Parameter::Speed, _) => format!("speed {} knots", digits()),
        (Parameter::Qnh, _) if rules.phraseology.pressure == PressureUnit::Inches => {
            format!("altimeter {}", digits())
        }
        (Parameter::Qnh, _) => format!("QNH {}", digits()),
        (Parameter::Squawk, _) => format!("squawk {}", digits()),
        (Parameter::Frequency, ItemValue::Frequency(frequency)) => match rules.phraseology.decimal {
            DecimalWord::Decimal => frequency.spoken(),
            DecimalWord::Point => frequency.spoken().replace("decimal", "point"),
        },
        (Parameter::Turn, ItemValue::Side(side)) => format!("turn {}", side.word()),
        (Parameter::Direct, _) => format!("direct {}", said()),
        _ => said().to_owned(),
    }
}

fn item_digits(item: &CallItem) -> String {
    match &item.value {
        ItemValue::Digits(digits) => spoken_digits(digits.as_slice()),
        other => other.to_string(),
    }
}

/// The text up to the next comma or full stop.
fn clause(text: &str, from: usize) -> &str {
    let rest = text.get(from..).unwrap_or_default();
    rest.split([',', '.']).next().unwrap_or_default().trim()
}

pub(super) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().to_string() + letters.as_str())
}
