//! From a call to a verdict.

use std::borrow::Cow;

use assize_kernel::{Assessor, Reason, Rulebook, Severity, Verdict};
use serde::{Deserialize, Serialize};

use super::correcting;
use super::detail::{RadioDetail, ReadingDetail};
use super::grading::{self, Graded, Strictness};
use super::reading::{Said, read, read_exchange};
use super::rubric::{self, By, Component};
use super::rules::{Difficulty, RadioRules};
use super::scenario::{Chart, Phase};
use super::slots;

/// The verdict on a call.
pub type RadioVerdict = Verdict<RadioDetail>;

/// What somebody else observed, instead of the grader.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Findings {
    /// Who observed: `model` or `person`.
    pub by: By,
    /// Their name, for the verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assessor: Option<String>,
    /// What they observed.
    pub components: Vec<Component>,
    /// Why the turn must be said again.
    #[serde(default, rename = "blockReason", skip_serializing_if = "Option::is_none")]
    pub block_reason: Option<String>,
}

/// A verdict with what follows from it in a session.
pub(super) struct Judgement {
    pub(super) verdict: RadioVerdict,
    /// Whether the same phase comes again: blocked, asked to wait or repeat, or unreadable.
    pub(super) stays: bool,
}

impl Judgement {
    pub(super) fn is_blocked(&self) -> bool {
        self.verdict.outcome == "blocked"
    }
}

/// Judges an answer to a controller's transmission.
pub(super) fn judge_exchange(
    book: &Rulebook<RadioRules>,
    difficulty: Difficulty,
    dangerous: &[String],
    controller: &str,
    pilot: &str,
) -> Judgement {
    let how = Strictness { rules: &book.rules, difficulty, dangerous };
    let exchange = read_exchange(book.rules.classes(), controller, pilot);
    let due = correcting::due(&book.rules, &exchange.controller, controller);
    let graded = grading::grade(how, &exchange, &due, controller, pilot);
    let corrected = correcting::readback(&due, &exchange.controller, controller);
    let reading = ReadingDetail::of(&exchange);
    finish(book, graded, reading, corrected, exchange.pilot.said)
}

/// Judges a call in a phase of a scenario.
pub(super) fn judge_phase(
    book: &Rulebook<RadioRules>,
    difficulty: Difficulty,
    chart: &Chart,
    phase: &Phase,
    pilot: &str,
) -> Judgement {
    let mut judgement = match &phase.controller {
        Some(controller) => judge_exchange(book, difficulty, &phase.dangerous, controller, pilot),
        None => {
            let how = Strictness { rules: &book.rules, difficulty, dangerous: &phase.dangerous };
            let (graded, reading) = slots::grade(how, phase, &chart.scenario.callsign, pilot);
            finish(book, graded, reading, slots::corrected(phase), read(pilot).said)
        }
    };
    judgement.verdict.detail.scenario = Some(chart.reference.clone());
    judgement.verdict.detail.phase = Some(phase.name.clone());
    judgement
}

fn finish(
    book: &Rulebook<RadioRules>,
    graded: Graded,
    reading: ReadingDetail,
    corrected: String,
    said: Said,
) -> Judgement {
    let Graded { components, mut reasons, block_reason } = graded;
    let unclear = reading.unclear && !reading.flagged;
    if reasons.is_empty() {
        reasons.push(Reason::new("radio.call.right", Severity::Info, "nothing is wrong with this call"));
    }
    let assessor = Assessor { name: "reader".into(), version: super::READER.into() };
    let mut verdict = verdict(book, components, By::Grader, block_reason, reasons, assessor);
    verdict.detail.corrected = Some(corrected);
    verdict.detail.reading = Some(reading);
    let waits = said.say_again || said.standby || said.unable;
    let stays = verdict.outcome == "blocked" || unclear || waits;
    Judgement { verdict, stays }
}

/// Judges by what somebody else observed: checked and computed anew, never believed.
///
/// # Errors
/// What is wrong with the findings.
pub(super) fn judge_findings(book: &Rulebook<RadioRules>, findings: &Findings) -> Result<Judgement, String> {
    if findings.by == By::Grader {
        return Err("by: expected `model` or `person`: the grader needs no findings".to_owned());
    }
    rubric::check(&findings.components)?;
    let name = match findings.by {
        By::Person => "person",
        _ => "model",
    };
    let version: Cow<'static, str> = findings.assessor.clone().unwrap_or_default().into();
    let assessor = Assessor { name: name.into(), version };
    let reasons = findings.components.iter().filter(|component| component.severity > Severity::Info);
    let reasons = reasons.map(|component| {
        let message = format!("{}: {}", component.code, component.detail);
        let mut reason = Reason::new("radio.component", component.severity, message);
        reason.evidence.clone_from(&component.evidence);
        reason
    });
    let reasons = reasons.collect();
    let block_reason = findings.block_reason.clone().filter(|reason| !reason.trim().is_empty());
    let components = findings.components.clone();
    let verdict = verdict(book, components, findings.by, block_reason, reasons, assessor);
    let stays = verdict.outcome == "blocked";
    Ok(Judgement { verdict, stays })
}

/// Blocked when there is a reason for it and something critical, or the safety flag.
fn verdict(
    book: &Rulebook<RadioRules>,
    components: Vec<Component>,
    by: By,
    block_reason: Option<String>,
    mut reasons: Vec<Reason>,
    assessor: Assessor,
) -> RadioVerdict {
    let mut sum = rubric::add_up(components, by);
    let critical = sum.components.iter().any(|component| component.severity == Severity::Critical);
    let blocked = block_reason.is_some() && (critical || sum.safety_flag);
    let detail = RadioDetail::of(&book.rules.rubric_version, &mut sum, block_reason);
    reasons.extend(sum.remarks);
    Verdict {
        court: super::NAME.into(),
        rulebook: book.reference.clone(),
        assessor,
        outcome: if blocked { "blocked" } else { "accepted" }.into(),
        points: sum.score_delta,
        reasons,
        derivation: sum.derivation,
        detail,
    }
}
