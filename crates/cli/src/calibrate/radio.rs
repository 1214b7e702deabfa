//! The radio court measured: errors put into right answers, and how many of them are found.

use std::io::BufRead;

use assize_courts::radio::calibrating::{Calibration, Disagreement, Opinion, Sample, Tally, calibrate};
use assize_courts::radio::reading::read_exchange;
use assize_courts::radio::{Radio, RadioRules};
use assize_kernel::{Court, Rulebook, RulebookRef, to_json};
use serde::Serialize;

use crate::args::CalibrateRadio;
use crate::output::{Failure, counted, say};
use crate::{Done, judge, rulebook};

/// What is written for programs.
#[derive(Serialize)]
struct Report<'a> {
    court: &'static str,
    rulebook: &'a RulebookRef,
    noise_percent: usize,
    exchanges: usize,
    left_out: usize,
    /// Found, of the errors that could be read, in percent.
    recall: Option<f64>,
    /// Cried out for nothing, of the right answers that could be read, in percent.
    false_alarms: Option<f64>,
    #[serde(flatten)]
    calibration: &'a Calibration,
}

pub(crate) fn run(args: &CalibrateRadio) -> Done {
    let courts = rulebook::shipped()?;
    let court = judge::court(&courts, Radio::NAME)?;
    let book = rulebook::find(&courts, court, args.rulebook.as_deref())?;
    let book = Rulebook::<RadioRules>::read(Radio::NAME, &book.reference.name, &book.text);
    let book = book.map_err(|error| Failure::Use(error.to_string()))?;
    let all = samples(args)?;
    let count = all.len();
    let kept: Vec<Sample> = all.into_iter().filter(|sample| !args.leave_out.contains(&sample.id)).collect();
    let classes = book.rules.classes();
    let calibration = calibrate(classes, &kept, args.noise, |controller, pilot| {
        let read = read_exchange(classes, controller, pilot);
        match (read.is_flagged(), read.is_unclear()) {
            (true, _) => Opinion::Wrong,
            (false, true) => Opinion::Unclear,
            (false, false) => Opinion::Right,
        }
    });
    let report = Report {
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

/// The exchanges of a file, one a line.
fn samples(args: &CalibrateRadio) -> Result<Vec<Sample>, Failure> {
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

fn show(report: &Report<'_>) -> Done {
    let Report { calibration, rulebook, exchanges, left_out, noise_percent, .. } = report;
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

fn row(name: &str, tally: &Tally) -> Done {
    let Tally { all, flagged, passed, unclear } = tally;
    let recall = tally.percent().map_or_else(|| "–".to_owned(), |recall| format!("{recall:.1} %"));
    say(format_args!("{name:24} {all:>7} {flagged:>7} {passed:>7} {unclear:>8} {recall:>8}"))
}

/// One to be read by a person.
fn disagreement(found: &Disagreement) -> Done {
    let Disagreement { id, seeded, item, controller, pilot } = found;
    let what = match (seeded, item) {
        (Some(seeded), Some(item)) => format!("missed: {seeded} of {item}"),
        _ => "false alarm".to_owned(),
    };
    say(format_args!("\n{id}, {what}\n  controller: {controller}\n  pilot:      {pilot}"))
}
