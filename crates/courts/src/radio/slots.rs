//! Grades a call that is not a readback: expected slots and their order.

use assize_kernel::Severity;

use super::correcting::capitalised;
use super::detail::{ErrorDetail, ReadingDetail};
use super::grading::{GradedTurn, GradingContext, message};
use super::reading::{
    CallsignAnswer, ErrorKind, Finding, FindingSubject, ParsedCall, find_values, read_own_call,
};
use super::rubric::{ComponentCode, SafetyHazard};
use super::scenario::{PhaseSlot, SLOT_ITEMS, ScenarioPhase};
use super::sheet::GradingSheet;

/// Result of looking for a slot: its byte offset, an error, or nothing.
enum SlotMatch {
    At(usize),
    Wrong(Finding),
    Missing,
}

/// Grades a call against the slots of a phase.
pub(super) fn grade(
    how: GradingContext<'_>,
    phase: &ScenarioPhase,
    callsign: &str,
    pilot: &str,
) -> (GradedTurn, ReadingDetail) {
    let (call, answered) = read_own_call(callsign, pilot);
    let mut sheet = GradingSheet::new(how, pilot);
    let mut findings = Vec::new();
    let mut places: Vec<(&str, usize)> = Vec::new();
    for slot in &phase.slots {
        sheet.topic(topic_of(&slot.item)).items += u32::from(slot.mandatory || slot.item == "callsign");
        match find(slot, &call, answered, pilot) {
            SlotMatch::At(place) => {
                places.push((&slot.item, place));
                let topic = sheet.topic(topic_of(&slot.item));
                topic.items = topic.items.max(1);
            }
            SlotMatch::Wrong(finding) => findings.push((slot, finding)),
            SlotMatch::Missing if slot.mandatory => findings.push((slot, missing(slot, pilot))),
            SlotMatch::Missing => {}
        }
    }
    findings.retain(|(slot, finding)| how.rules.judges(finding.kind, finding.about, topic_of(&slot.item)));
    for (slot, finding) in &findings {
        enter(&mut sheet, slot, finding);
    }
    order(&mut sheet, phase, &places);
    let findings: Vec<Finding> = findings.into_iter().map(|(_, finding)| finding).collect();
    let detail = ReadingDetail {
        flagged: findings.iter().any(|finding| finding.kind.is_error()),
        unclear: findings.iter().any(|finding| finding.kind == ErrorKind::Unclear),
        errors: findings.iter().map(ErrorDetail::of).collect(),
        entities: super::detail::ParsedEntities {
            controller: Vec::new(),
            pilot: super::detail::entities(&call),
        },
    };
    (sheet.graded(), detail)
}

/// The corrected call.
pub(super) fn corrected(phase: &ScenarioPhase) -> String {
    let parts: Vec<&str> = phase.slots.iter().map(|slot| slot.say.as_str()).collect();
    capitalised(&parts.join(", "))
}

fn find(slot: &PhaseSlot, call: &ParsedCall, answered: CallsignAnswer, pilot: &str) -> SlotMatch {
    if slot.item == "callsign" {
        let place = call.callsign.as_ref().map_or((pilot.len(), pilot.len()), |own| own.span);
        let said = pilot.get(place.0..place.1).unwrap_or_default().to_owned();
        let kind = match answered {
            CallsignAnswer::Right => return SlotMatch::At(place.0),
            CallsignAnswer::Shortened => ErrorKind::ShortenedCallsign,
            CallsignAnswer::Wrong => ErrorKind::WrongCallsign,
            CallsignAnswer::Unclear => ErrorKind::Unclear,
            CallsignAnswer::Missing => ErrorKind::MissingCallsign,
        };
        return SlotMatch::Wrong(Finding {
            kind,
            about: FindingSubject::Callsign,
            expected: slot.say.clone(),
            said,
            span: place,
        });
    }
    if !slot.any.is_empty() {
        let place = slot.any.iter().filter_map(|words| place_of(pilot, words)).min();
        return place.map_or(SlotMatch::Missing, SlotMatch::At);
    }
    match find_values(&slot.say, call, pilot) {
        Ok(place) => SlotMatch::At(place.map_or(0, |(from, _)| from)),
        Err(finding) if finding.kind == ErrorKind::Omission => SlotMatch::Missing,
        Err(finding) => SlotMatch::Wrong(finding),
    }
}

/// Byte offset of words in a text: whole words, ignoring case.
fn place_of(text: &str, words: &str) -> Option<usize> {
    let text = text.to_lowercase();
    let words = words.to_lowercase();
    let edge = |side: Option<char>| side.is_none_or(|letter| !letter.is_alphanumeric());
    text.match_indices(words.as_str()).map(|(place, _)| place).find(|place| {
        let before = text.get(..*place).and_then(|before| before.chars().next_back());
        let after = text.get(place + words.len()..).and_then(|after| after.chars().next());
        edge(before) && edge(after)
    })
}

fn missing(slot: &PhaseSlot, pilot: &str) -> Finding {
    let about =
        FindingSubject::Part(SLOT_ITEMS.iter().find(|known| **known == slot.item).copied().unwrap_or("part"));
    let span = (pilot.len(), pilot.len());
    Finding { kind: ErrorKind::Omission, about, expected: slot.say.clone(), said: String::new(), span }
}

/// Component code of a slot item.
fn topic_of(item: &str) -> ComponentCode {
    match item {
        "callsign" => ComponentCode::Callsign,
        "unit" => ComponentCode::Prefix,
        "runway" => ComponentCode::Runway,
        "qnh" => ComponentCode::Qnh,
        "altitude" => ComponentCode::Altitude,
        "position" | "place" | "leg" => ComponentCode::Position,
        "request" | "intent" => ComponentCode::Request,
        _ => ComponentCode::Readback,
    }
}

fn enter(sheet: &mut GradingSheet<'_>, slot: &PhaseSlot, finding: &Finding) {
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
        topic.hazard = Some(SafetyHazard::WrongCallsign);
    }
    if severity == Severity::Critical && finding.about != FindingSubject::Callsign {
        let danger = match slot.item.as_str() {
            "runway" => ComponentCode::WrongRunway,
            "altitude" => ComponentCode::MisreadAltitude,
            _ => ComponentCode::ConflictingClearance,
        };
        let topic = sheet.topic(danger);
        topic.items = 1;
        topic.lose(1.0, Severity::Critical, words);
    }
}

/// Grades the order: slots are listed in their usual order, position comes before altitude and request, and
/// intent follows the callsign.
fn order(sheet: &mut GradingSheet<'_>, phase: &ScenarioPhase, places: &[(&str, usize)]) {
    let place = |item: &str| places.iter().find(|(known, _)| *known == item).map(|(_, place)| *place);
    if places.len() > 1 {
        let turned = places.windows(2).find_map(|pair| match pair {
            [(one, first), (other, second)] if first > second => Some((*one, *other)),
            _ => None,
        });
        let topic = sheet.topic(ComponentCode::Sequence);
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
        let topic = sheet.topic(ComponentCode::PositionFirst);
        topic.items = 1;
        if let Some(later) = late {
            topic.lose(1.0, Severity::Minor, format!("position comes before {later}"));
        }
    }
    if let Some(intent) = place("intent") {
        let early = place("callsign").is_some_and(|callsign| intent < callsign);
        let late = place("position").is_some_and(|position| intent > position);
        let topic = sheet.topic(ComponentCode::IntentPlacement);
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
