//! Exchanges of many airports with their expected findings, and errors seeded into the correct ones.

use super::classes;
use crate::radio::calibrating::{CalibrationSample, JudgeOpinion, calibrate};
use crate::radio::reading::{ParsedExchange, read_exchange};

/// Expected, controller, pilot.
fn exchanges() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let lines =
        include_str!("exchanges.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| {
        let mut parts = line.split(" | ");
        let mut part = || parts.next().unwrap();
        (part(), part(), part())
    })
}

/// Findings in the format of the file.
fn found(read: &ParsedExchange) -> String {
    let all = read.findings.iter();
    let all: Vec<_> = all.map(|found| format!("{}:{}", found.kind.name(), found.about.name())).collect();
    if read.is_flagged() || read.is_unclear() { all.join(" ") } else { "ok".to_owned() }
}

#[test]
fn every_exchange_comes_out_as_it_was_thought() {
    let classes = classes();
    for (expected, controller, pilot) in exchanges() {
        let read = read_exchange(&classes, controller, pilot);
        assert_eq!(found(&read), expected, "\n  {controller}\n  {pilot}");
    }
}

#[test]
fn errors_put_into_right_ones_are_found() {
    let classes = classes();
    let right = exchanges().filter(|(expected, ..)| *expected == "ok").enumerate();
    let samples: Vec<CalibrationSample> = right
        .map(|(number, (_, controller, pilot))| CalibrationSample {
            id: number.to_string(),
            controller: controller.to_owned(),
            pilot: pilot.to_owned(),
        })
        .collect();
    let calibration = calibrate(&classes, &samples, 0, |controller, pilot| {
        let read = read_exchange(&classes, controller, pilot);
        match (read.is_flagged(), read.is_unclear()) {
            (true, _) => JudgeOpinion::Wrong,
            (false, true) => JudgeOpinion::Unclear,
            (false, false) => JudgeOpinion::Right,
        }
    });
    assert_eq!(calibration.right.flagged, 0, "{:?}", calibration.disagreements);
    assert!(calibration.seeded.percent() >= Some(97.0), "{:?}", calibration.seeded);
    for kind in ["left_right", "dropped_suffix", "take_off_for_line_up", "roger_only", "wrong_digit"] {
        assert_eq!(calibration.kinds[kind].percent(), Some(100.0), "{kind}: {:?}", calibration.kinds[kind]);
    }
}
