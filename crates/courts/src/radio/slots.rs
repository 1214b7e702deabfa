//! Grading a call that is no readback: what must be in it, and in which order.

use assize_kernel::Severity;

use super::correcting::capitalised;
use super::detail::{ErrorDetail, ReadingDetail};
use super::grading::{Graded, Strictness, message};
use super::reading::{About, Answered, Call, ErrorKind, Finding, find_values, read_own_call};
use super::rubric::{Code, Hazard};
use super::scenario::{Phase, SLOT_ITEMS, Slot};
use super::sheet::Sheet;

/// Where a slot was found, or what is wrong with it.
enum Found {
    At(usize),
    Wrong(Finding),
    Missing,
}

/// Grades a call against the slots of a phase.
pub(super) fn grade(
    how: Strictness<'_>,
    phase: &Phase,
    callsign: &str,
    pilot: &str,
) -> (Graded, ReadingDetail) {
    let (call, answered) = read_own_call(callsign, pilot);
    let mut sheet = Sheet::new(how, pilot);
    let mut findings = Vec::new();
    let mut places: Vec<(&str, usize)> = Vec::new();
    for slot in &phase.slots {
        sheet.topic(topic_of(&slot.item)).items += u32::from(slot.mandatory || slot.item == "callsign");
        match find(slot, &call, answered, pilot) {
            Found::At(place) => {
                places.push((&slot.item, place));
                let topic = sheet.topic(topic_of(&slot.item));
                topic.items = topic.items.max(1);
            }
            Found::Wrong(finding) => findings.push((slot, finding)),
            Found::Missing if slot.mandatory => findings.push((slot, missing(slot, pilot))),
            Found::Missing => {}
        }
    }
    for (slot, finding) in &findings {
        enter(&mut sheet, slot, finding);
    }
    order(&mut sheet, phase, &places);
    let findings: Vec<Finding> = findings.into_iter().map(|(_, finding)| finding).collect();
    let detail = ReadingDetail {
        flagged: findings.iter().any(|finding| finding.kind.is_error()),
        unclear: findings.iter().any(|finding| finding.kind == ErrorKind::Unclear),
        errors: findings.iter().map(ErrorDetail::of).collect(),
        entities: super::detail::Entities { controller: Vec::new(), pilot: super::detail::entities(&call) },
    };
    (sheet.graded(), detail)
}

/// The call as it should have been.
pub(super) fn corrected(phase: &Phase) -> String {
    let parts: Vec<&str> = phase.slots.iter().map(|slot| slot.say.as_str()).collect();
    capitalised(&parts.join(", "))
}

fn find(slot: &Slot, call: &Call, answered: Answered, pilot: &str) -> Found {
    if slot.item == "callsign" {
        let place = call.callsign.as_ref().map_or((pilot.len(), pilot.len()), |own| own.span);
        let said = pilot.get(place.0..place.1).unwrap_or_default().to_owned();
        let kind = match answered {
            Answered::Right => return Found::At(place.0),
            Answered::Shortened => ErrorKind::ShortenedCallsign,
            Answered::Wrong => ErrorKind::WrongCallsign,
            Answered::Unclear => ErrorKind::Unclear,
            Answered::Missing => ErrorKind::MissingCallsign,
        };
        return Found::Wrong(Finding {
            kind,
            about: About::Callsign,
            expected: slot.say.clone(),
            said,
            span: place,
        });
    }
    if !slot.any.is_empty() {
        let place = slot.any.iter().filter_map(|words| place_of(pilot, words)).min();
        return place.map_or(Found::Missing, Found::At);
    }
    match find_values(&slot.say, call, pilot) {
        Ok(place) => Found::At(place.map_or(0, |(from, _)| from)),
        Err(finding) if finding.kind == ErrorKind::Omission => Found::Missing,
        Err(finding) => Found::Wrong(finding),
    }
}

/// Where words stand in a text, as whole words and in any case.
fn place_of(text: &str, words: &str) -> Option<usize> {
    let (text, words) = (text.to_lowercase(), words.to_lowercase());
    let edge = |side: Option<char>| side.is_none_or(|letter| !letter.is_alphanumeric());
    text.match_indices(words.as_str()).map(|(place, _)| place).find(|place| {
        let before = text.get(..*place).and_then(|before| before.chars().next_back());
        let after = text.get(place + words.len()..).and_then(|after| after.chars().next());
        edge(before) && edge(after)
    })
}

fn missing(slot: &Slot, pilot: &str) -> Finding {
    let about = About::Part(SLOT_ITEMS.iter().find(|known| **known == slot.item).copied().unwrap_or("part"));
    let span = (pilot.len(), pilot.len());
    Finding { kind: ErrorKind::Omission, about, expected: slot.say.clone(), said: String::new(), span }
}

/// The component that a slot counts for.
fn topic_of(item: &str) -> Code {
    match item {
        "callsign" => Code::Callsign,
        "unit" => Code::Prefix,
        "runway" => Code::Runway,
        "qnh" => Code::Qnh,
        "altitude" => Code::Altitude,
        "position" | "place" | "leg" => Code::Position,
        "request" | "intent" => Code::Request,
        _ => Code::Readback,
    }
}

fn enter(sheet: &mut Sheet<'_>, slot: &Slot, finding: &Finding) {
    let severity = sheet.how.severity(finding);
    let words = match finding.kind {
        ErrorKind::Omission => format!("{} `{}` was not said", slot.item, slot.say),
        _ => message(finding).replace("read back", "said"),
    };
    sheet.reason(finding, severity, &words);
    let lost = if finding.kind.is_error() { 1.0 } else { 0.5 };
    sheet.show(topic_of(&slot.item), finding.span);
    let topic = sheet.topic(topic_of(&slot.item));
    topic.lose(lost, severity, words.clone());
    topic.correct(&slot.say);
    if finding.kind == ErrorKind::WrongCallsign {
        topic.hazard = Some(Hazard::WrongCallsign);
    }
    if severity == Severity::Critical && finding.about != About::Callsign {
        let danger = match slot.item.as_str() {
            "runway" => Code::WrongRunway,
            "altitude" => Code::MisreadAltitude,
            _ => Code::ConflictingClearance,
        };
        let topic = sheet.topic(danger);
        topic.items = 1;
        topic.lose(1.0, Severity::Critical, words);
    }
}

/// Slots are listed in their usual order; position comes before altitude and request, intent behind the callsign.
fn order(sheet: &mut Sheet<'_>, phase: &Phase, places: &[(&str, usize)]) {
    let place = |item: &str| places.iter().find(|(known, _)| *known == item).map(|(_, place)| *place);
    if places.len() > 1 {
        let turned = places.windows(2).find_map(|pair| match pair {
            [(one, first), (other, second)] if first > second => Some((*one, *other)),
            _ => None,
        });
        let topic = sheet.topic(Code::Sequence);
        topic.items = 1;
        if let Some((one, other)) = turned {
            topic.lose(0.5, Severity::Minor, format!("{one} comes before {other}"));
        }
    }
    let has = |item: &str| phase.slots.iter().any(|slot| slot.item == item);
    if let (Some(position), true) = (place("position"), has("altitude") || has("request")) {
        let late = ["altitude", "request"]
            .into_iter()
            .find(|later| place(later).is_some_and(|later| later < position));
        let topic = sheet.topic(Code::PositionFirst);
        topic.items = 1;
        if let Some(later) = late {
            topic.lose(1.0, Severity::Minor, format!("position comes before {later}"));
        }
    }
    if let Some(intent) = place("intent") {
        let early = place("callsign").is_some_and(|callsign| intent < callsign);
        let late = place("position").is_some_and(|position| intent > position);
        let topic = sheet.topic(Code::IntentPlacement);
        topic.items = 1;
        if early || late {
            topic.lose(
                1.0,
                Severity::Minor,
                "what is intended follows the callsign, before the position".to_owned(),
            );
        }
    }
}
