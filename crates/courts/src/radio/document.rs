//! Judges a single document: an exchange, a call in a scenario, or external findings.

use std::borrow::Cow;

use assize_kernel::{Rulebook, VerdictText};
use serde::Deserialize;
use serde_json::Value;

use super::judging::{RadioFindings, RadioJudgement, judge_exchange, judge_findings, judge_phase};
use super::refusals::RadioRefusal;
use super::rules::{RadioRules, SessionDifficulty};
use super::scenario::{ScenarioChart, read_scenario, shipped_scenario};

/// Maximum length of a transmission in bytes.
pub(super) const LONGEST: usize = 4000;

/// Input of `assize judge radio`.
#[derive(Deserialize)]
#[serde(rename = "Document", deny_unknown_fields)]
pub(super) struct RadioDocument {
    pub(super) controller: Option<String>,
    pub(super) pilot: Option<String>,
    /// Name of a shipped scenario, or the TOML text of one.
    pub(super) scenario: Option<String>,
    pub(super) phase: Option<String>,
    #[serde(default)]
    pub(super) difficulty: SessionDifficulty,
    pub(super) findings: Option<RadioFindings>,
    /// Identifier of the exchange; not used.
    #[allow(dead_code, reason = "accepted so that a file of exchanges with ids can be judged")]
    id: Option<Value>,
}

impl RadioDocument {
    pub(super) fn read(document: &str) -> Result<Self, RadioRefusal> {
        serde_json::from_str(document)
            .map_err(|error| RadioRefusal::DocumentMalformed(format!("document: {error}")))
    }
}

/// Judges a document and returns the verdict as JSON.
pub(super) fn judge(book: &Rulebook<RadioRules>, document: &str) -> Result<VerdictText, RadioRefusal> {
    Ok(judged(book, &RadioDocument::read(document)?)?.verdict.to_text())
}

/// Judges a parsed document.
pub(super) fn judged(
    book: &Rulebook<RadioRules>,
    document: &RadioDocument,
) -> Result<RadioJudgement, RadioRefusal> {
    match document {
        RadioDocument {
            findings: Some(findings),
            controller: None,
            pilot: None,
            scenario: None,
            phase: None,
            ..
        } => judge_findings(book, findings).map_err(RadioRefusal::FindingsInvalid),
        RadioDocument {
            controller: Some(controller),
            pilot: Some(pilot),
            scenario: None,
            phase: None,
            findings: None,
            difficulty,
            ..
        } => {
            let controller = checked("controller", controller)?;
            let pilot = checked("pilot", pilot)?;
            Ok(judge_exchange(book, *difficulty, &[], controller, pilot))
        }
        RadioDocument {
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
    difficulty: SessionDifficulty,
    pilot: &str,
) -> Result<RadioJudgement, RadioRefusal> {
    let chart = chart(scenario)?;
    let found = chart.scenario.phase(phase).ok_or_else(|| {
        let known: Vec<&str> = chart.scenario.phases.iter().map(|phase| phase.name.as_str()).collect();
        RadioRefusal::PhaseUnknown { phase: phase.to_owned(), known: known.join(", ") }
    })?;
    Ok(judge_phase(book, difficulty, &chart, found, pilot))
}

/// Finds a shipped scenario by name, or parses the text of one.
pub(super) fn chart(scenario: &str) -> Result<Cow<'static, ScenarioChart>, RadioRefusal> {
    if scenario.contains('\n') {
        return read_scenario("scenario", scenario)
            .map(Cow::Owned)
            .map_err(|error| RadioRefusal::ScenarioInvalid(error.to_string()));
    }
    let shipped = shipped_scenario(scenario).map(Cow::Borrowed);
    shipped.ok_or_else(|| RadioRefusal::ScenarioUnknown(scenario.to_owned()))
}

/// Checks the length of a transmission.
pub(super) fn checked<'t>(field: &str, text: &'t str) -> Result<&'t str, RadioRefusal> {
    if text.len() > LONGEST {
        return Err(RadioRefusal::CallTooLong { field: field.to_owned(), bytes: text.len() });
    }
    Ok(text)
}
