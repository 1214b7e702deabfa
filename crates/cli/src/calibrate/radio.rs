//! Calibration of the radio court: recall on errors seeded into right answers, and false alarms.

use std::io::BufRead;

use assize_courts::radio::calibrating::{
    CalibrationSample, JudgeOpinion, OpinionTally, RadioCalibration, RadioDisagreement, calibrate,
};
use assize_courts::radio::reading::read_exchange;
use assize_courts::radio::{Radio, RadioRules};
use assize_kernel::{Court, Rulebook, RulebookRef, to_json};
use serde::Serialize;

use crate::args::CalibrateRadio;
use crate::output::{Failure, counted, say};
use crate::{CommandResult, judge, rulebook};

/// The JSON output.
#[derive(Serialize)]
struct RadioReport<'a> {
    court: &'static str,
    rulebook: &'a RulebookRef,
    noise_percent: usize,
    exchanges: usize,
    left_out: usize,
    /// The share of readable errors that were found, in percent.
    recall: Option<f64>,
    /// The share of readable right answers that were flagged, in percent.
    false_alarms: Option<f64>,
    #[serde(flatten)]
    calibration: &'a RadioCalibration,
}

pub(crate) fn run(args: &CalibrateRadio) -> CommandResult {
    let courts = rulebook::shipped()?;
    let court = judge::court(&courts, Radio::NAME)?;
    let book = rulebook::find(&courts, court, args.rulebook.as_deref())?;
    let book = Rulebook::<RadioRules>::read(Radio::NAME, &book.reference.name, &book.text);
    let book = book.map_err(|error| Failure::Use(error.to_string()))?;
    let all = samples(args)?;
    let count = all.len();
    let kept: Vec<CalibrationSample> =
        all.into_iter().filter(|sample| !args.leave_out.contains(&sample.id)).collect();
    let classes = book.rules.classes();
    let calibration = calibrate(classes, &kept, args.noise, |controller, pilot| {
        let read = read_exchange(classes, controller, pilot);
        match (read.is_flagged(), read.is_unclear()) {
            (true, _) => JudgeOpinion::Wrong,
            (false, true) => JudgeOpinion::Unclear,
            (false, false) => JudgeOpinion::Right,
        }
    });
    let report = RadioReport {
        court: "radio",
        rulebook: &book.reference,
        noise_percent: args.noise,
        exchanges: kept.len(),
        left_out: count - kept.len(),
        recall: calibration.seeded.percent(),
        false_alarms: calibration.right.percent(),
        calibration: &calibration,
    };
    if args.json { say(to_json(&report)) } else { show(&report) }
}

/// Reads the exchanges of a file, one a line.
fn samples(args: &CalibrateRadio) -> Result<Vec<CalibrationSample>, Failure> {
    let name = judge::name(&args.file);
    let mut samples = Vec::new();
    for (number, line) in judge::open(&args.file)?.lines().enumerate() {
        let line = line.map_err(|error| Failure::Use(format!("{name} cannot be read: {error}")))?;
        if line.trim().is_empty() {
            continue;
        }
        let sample = serde_json::from_str(&line).map_err(|error| {
            Failure::Use(format!("line {} of {name}: {error}; expected id, controller and pilot", number + 1))
        })?;
        samples.push(sample);
    }
    if samples.is_empty() {
        return Err(Failure::Use(format!("{name} has no exchanges")));
    }
    Ok(samples)
}

fn show(report: &RadioReport<'_>) -> CommandResult {
    let RadioReport { calibration, rulebook, exchanges, left_out, noise_percent, .. } = report;
    let noise = if *noise_percent > 0 {
        format!(", {noise_percent} % of the words disturbed")
    } else {
        String::new()
    };
    let exchanges = counted(u64::try_from(*exchanges).unwrap_or(u64::MAX), "exchange");
    say(format_args!("{exchanges} ({left_out} left out), rulebook {rulebook}{noise}\n"))?;
    say(format_args!(
        "{:24} {:>7} {:>7} {:>7} {:>8} {:>8}",
        "error", "seeded", "found", "missed", "unclear", "recall"
    ))?;
    for (kind, tally) in &calibration.kinds {
        row(kind, tally)?;
    }
    row("all", &calibration.seeded)?;
    say(format_args!(
        "\n{:24} {:>7} {:>7} {:>7} {:>8} {:>8}",
        "by item", "seeded", "found", "missed", "unclear", "recall"
    ))?;
    for (item, tally) in &calibration.items {
        row(item, tally)?;
    }
    let right = &calibration.right;
    let share =
        right.percent().map_or_else(|| "none could be read".to_owned(), |share| format!("{share:.1} %"));
    let read = right.flagged + right.passed;
    say(format_args!(
        "\nfalse alarms: {} of {read} right answers that could be read ({share}), {} unclear",
        right.flagged, right.unclear
    ))?;
    calibration.disagreements.iter().try_for_each(disagreement)
}

fn row(name: &str, tally: &OpinionTally) -> CommandResult {
    let OpinionTally { all, flagged, passed, unclear } = tally;
    let recall = tally.percent().map_or_else(|| "–".to_owned(), |recall| format!("{recall:.1} %"));
    say(format_args!("{name:24} {all:>7} {flagged:>7} {passed:>7} {unclear:>8} {recall:>8}"))
}

/// Prints a disagreement for review.
fn disagreement(found: &RadioDisagreement) -> CommandResult {
    let RadioDisagreement { id, seeded, item, controller, pilot } = found;
    let what = match (seeded, item) {
        (Some(seeded), Some(item)) => format!("missed: {seeded} of {item}"),
        _ => "false alarm".to_owned(),
    };
    say(format_args!("\n{id}, {what}\n  controller: {controller}\n  pilot:      {pilot}"))
}
