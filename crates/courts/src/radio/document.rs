//! Judging a document by itself: an exchange, a call in a scenario, or what somebody else observed.

use std::borrow::Cow;

use assize_kernel::Rulebook;
use serde::Deserialize;
use serde_json::Value;

use super::judging::{Findings, Judgement, judge_exchange, judge_findings, judge_phase};
use super::refusals::RadioRefusal;
use super::rules::{Difficulty, RadioRules};
use super::scenario::{Chart, read_scenario, shipped_scenario};

/// Longer than anybody can hold the button.
pub(super) const LONGEST: usize = 4000;

/// What `assize judge radio` takes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Document {
    pub(super) controller: Option<String>,
    pub(super) pilot: Option<String>,
    /// The name of a scenario that ships, or the text of one.
    pub(super) scenario: Option<String>,
    pub(super) phase: Option<String>,
    #[serde(default)]
    pub(super) difficulty: Difficulty,
    pub(super) findings: Option<Findings>,
    /// What the exchange is called; for whoever asks.
    #[allow(dead_code, reason = "taken so that a file of exchanges can be judged as it is")]
    id: Option<Value>,
}

impl Document {
    pub(super) fn read(document: &str) -> Result<Self, RadioRefusal> {
        serde_json::from_str(document)
            .map_err(|error| RadioRefusal::DocumentMalformed(format!("document: {error}")))
    }
}

/// The verdict on a document, as JSON.
pub(super) fn judge(book: &Rulebook<RadioRules>, document: &str) -> Result<String, RadioRefusal> {
    Ok(judged(book, &Document::read(document)?)?.verdict.to_json())
}

/// The judgement on a document that could be read.
pub(super) fn judged(book: &Rulebook<RadioRules>, document: &Document) -> Result<Judgement, RadioRefusal> {
    match document {
        Document {
            findings: Some(findings),
            controller: None,
            pilot: None,
            scenario: None,
            phase: None,
            ..
        } => judge_findings(book, findings).map_err(RadioRefusal::FindingsInvalid),
        Document {
            controller: Some(controller),
            pilot: Some(pilot),
            scenario: None,
            phase: None,
            findings: None,
            difficulty,
            ..
        } => {
            let (controller, pilot) = (checked("controller", controller)?, checked("pilot", pilot)?);
            Ok(judge_exchange(book, *difficulty, &[], controller, pilot))
        }
        Document {
            scenario: Some(scenario),
            phase: Some(phase),
            pilot: Some(pilot),
            controller: None,
            findings: None,
            difficulty,
            ..
        } => in_scenario(book, scenario, phase, *difficulty, checked("pilot", pilot)?),
        _ => {
            let expected = "document: expected `controller` and `pilot`, or `scenario`, `phase` and `pilot`, or `findings`";
            Err(RadioRefusal::DocumentMalformed(expected.to_owned()))
        }
    }
}

fn in_scenario(
    book: &Rulebook<RadioRules>,
    scenario: &str,
    phase: &str,
    difficulty: Difficulty,
    pilot: &str,
) -> Result<Judgement, RadioRefusal> {
    let chart = chart(scenario)?;
    let found = chart.scenario.phase(phase).ok_or_else(|| {
        let known: Vec<&str> = chart.scenario.phases.iter().map(|phase| phase.name.as_str()).collect();
        RadioRefusal::PhaseUnknown { phase: phase.to_owned(), known: known.join(", ") }
    })?;
    Ok(judge_phase(book, difficulty, &chart, found, pilot))
}

/// A scenario that ships, by name, or the text of one.
pub(super) fn chart(scenario: &str) -> Result<Cow<'static, Chart>, RadioRefusal> {
    if scenario.contains('\n') {
        return read_scenario("scenario", scenario)
            .map(Cow::Owned)
            .map_err(|error| RadioRefusal::ScenarioInvalid(error.to_string()));
    }
    let shipped = shipped_scenario(scenario).map(Cow::Borrowed);
    shipped.ok_or_else(|| RadioRefusal::ScenarioUnknown(scenario.to_owned()))
}

/// A transmission that is no book.
pub(super) fn checked<'t>(field: &str, text: &'t str) -> Result<&'t str, RadioRefusal> {
    if text.len() > LONGEST {
        return Err(RadioRefusal::CallTooLong { field: field.to_owned(), bytes: text.len() });
    }
    Ok(text)
}
