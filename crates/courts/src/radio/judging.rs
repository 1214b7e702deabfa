//! Judges calls: from a transcript or external findings to a verdict.

use std::borrow::Cow;

use assize_kernel::{Assessor, Reason, Rulebook, Severity, Verdict};
use serde::{Deserialize, Serialize};

use super::correcting;
use super::detail::{RadioDetail, ReadingDetail};
use super::grading::{self, GradedTurn, GradingContext};
use super::reading::{CallMarkers, read, read_exchange};
use super::rubric::{self, FindingSource, RubricComponent};
use super::rules::{RadioRules, SessionDifficulty};
use super::scenario::{ScenarioChart, ScenarioPhase};
use super::slots;

/// The verdict on a call.
pub type RadioVerdict = Verdict<RadioDetail>;

/// Findings of an external assessor, used instead of the grader.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename = "Findings", deny_unknown_fields)]
pub struct RadioFindings {
    /// Kind of assessor: `model` or `person`.
    pub by: FindingSource,
    /// Name of the assessor, for the verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assessor: Option<String>,
    /// The observed components.
    pub components: Vec<RubricComponent>,
    /// Why the turn must be repeated.
    #[serde(default, rename = "blockReason", skip_serializing_if = "Option::is_none")]
    pub block_reason: Option<String>,
}

/// A verdict and its effect on the session.
pub(super) struct RadioJudgement {
    pub(super) verdict: RadioVerdict,
    /// Whether the session stays in the phase: the turn was blocked or unclear, or the pilot asked to wait or
    /// repeat.
    pub(super) stays: bool,
}

impl RadioJudgement {
    pub(super) fn is_blocked(&self) -> bool {
        self.verdict.outcome == "blocked"
    }
}

/// Judges an answer to a controller's transmission.
pub(super) fn judge_exchange(
    book: &Rulebook<RadioRules>,
    difficulty: SessionDifficulty,
    dangerous: &[String],
    controller: &str,
    pilot: &str,
) -> RadioJudgement {
    let how = GradingContext { rules: &book.rules, difficulty, dangerous };
    let mut exchange = read_exchange(book.rules.classes(), controller, pilot);
    exchange.findings.retain(|finding| grading::is_judged(&book.rules, finding));
    let due = correcting::due(&book.rules, &exchange.controller, controller);
    let graded = grading::grade(how, &exchange, &due, controller, pilot);
    let corrected = correcting::readback(&due, &exchange.controller, controller);
    let reading = ReadingDetail::of(&exchange);
    finish(book, graded, reading, corrected, exchange.pilot.markers)
}

/// Judges a call in a phase of a scenario.
pub(super) fn judge_phase(
    book: &Rulebook<RadioRules>,
    difficulty: SessionDifficulty,
    chart: &ScenarioChart,
    phase: &ScenarioPhase,
    pilot: &str,
) -> RadioJudgement {
    let mut judgement = match &phase.controller {
        Some(controller) => judge_exchange(book, difficulty, &phase.dangerous, controller, pilot),
        None => {
            let how = GradingContext { rules: &book.rules, difficulty, dangerous: &phase.dangerous };
            let (graded, reading) = slots::grade(how, phase, &chart.scenario.callsign, pilot);
            finish(book, graded, reading, slots::corrected(phase), read(pilot).markers)
        }
    };
    judgement.verdict.detail.scenario = Some(chart.reference.clone());
    judgement.verdict.detail.phase = Some(phase.name.clone());
    judgement
}

fn finish(
    book: &Rulebook<RadioRules>,
    graded: GradedTurn,
    reading: ReadingDetail,
    corrected: String,
    markers: CallMarkers,
) -> RadioJudgement {
    let GradedTurn { components, mut reasons, block_reason } = graded;
    let unclear = reading.unclear && !reading.flagged;
    if reasons.is_empty() {
        reasons.push(Reason::new("radio.call.right", Severity::Info, "nothing is wrong with this call"));
    }
    let assessor = Assessor { name: "reader".into(), version: super::READER.into() };
    let mut verdict = verdict(book, components, FindingSource::Grader, block_reason, reasons, assessor);
    verdict.detail.corrected = Some(corrected);
    verdict.detail.reading = Some(reading);
    let waits = markers.say_again || markers.standby || markers.unable;
    let stays = verdict.outcome == "blocked" || unclear || waits;
    RadioJudgement { verdict, stays }
}

/// Judges external findings. The components are validated and all sums are recomputed.
///
/// # Errors
/// The first fault of the findings.
pub(super) fn judge_findings(
    book: &Rulebook<RadioRules>,
    findings: &RadioFindings,
) -> Result<RadioJudgement, String> {
    if findings.by == FindingSource::Grader {
        return Err("by: expected `model` or `person`: the grader needs no findings".to_owned());
    }
    rubric::check(&findings.components)?;
    let name = match findings.by {
        FindingSource::Person => "person",
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
    Ok(RadioJudgement { verdict, stays })
}

/// Builds the verdict. The turn is blocked when there is a block reason and a critical component or the
/// safety flag.
fn verdict(
    book: &Rulebook<RadioRules>,
    components: Vec<RubricComponent>,
    by: FindingSource,
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
