//! Tests of error seeding and counting.

use super::*;
use crate::radio::reading::read_exchange;
use crate::radio::reading::tests::classes;

const EXCHANGES: [(&str, &str); 10] = [
    (
        "Coastal seven three four, descend flight level eight zero, reduce speed two one zero knots.",
        "Descend flight level eight zero, speed two one zero knots, Coastal seven three four.",
    ),
    ("Coastal 734, turn left heading 245, QNH 1008.", "Left heading 245, QNH 1008, Coastal 734."),
    (
        "Speedway four one two, runway one six right, line up and wait.",
        "Runway one six right, line up and wait, Speedway four one two.",
    ),
    (
        "Speedway four one two, behind the landing Boeing, runway one six right, line up and wait behind.",
        "Behind the landing Boeing, runway one six right, lining up behind, Speedway four one two.",
    ),
    (
        "Speedway 412, wind 150 degrees 6 knots, runway 16 Romeo, cleared to land.",
        "Runway 16 right, cleared to land, Speedway 412.",
    ),
    ("Speedway 412, contact Norden Approach 11902.", "11902, Speedway 412."),
    (
        "Golf Echo Lima Oscar Papa, squawk four six two one.",
        "Squawk four six two one, Golf Echo Lima Oscar Papa.",
    ),
    (
        "Golf Echo Lima Oscar Papa, taxi to holding point Alpha one via Charlie, Delta.",
        "Taxi to holding point Alpha one via Charlie, Delta, Golf Echo Lima Oscar Papa.",
    ),
    (
        "Northern two zero, cleared to Larkfield via TOBAN two Bravo, climb five thousand feet, squawk one two zero three.",
        "Cleared to Larkfield via TOBAN two Bravo, climb five thousand feet, squawk one two zero three, Northern two zero.",
    ),
    (
        "Northern two zero, speed one eight zero knots or less.",
        "Speed one eight zero knots or less, Northern two zero.",
    ),
];

fn samples() -> Vec<CalibrationSample> {
    let named = EXCHANGES.iter().enumerate();
    named
        .map(|(number, (controller, pilot))| CalibrationSample {
            id: format!("own-{number}"),
            controller: (*controller).to_owned(),
            pilot: (*pilot).to_owned(),
        })
        .collect()
}

fn measure(noise: usize) -> RadioCalibration {
    let classes = classes();
    calibrate(&classes, &samples(), noise, |controller, pilot| {
        let read = read_exchange(&classes, controller, pilot);
        match (read.is_flagged(), read.is_unclear()) {
            (true, _) => JudgeOpinion::Wrong,
            (false, true) => JudgeOpinion::Unclear,
            (false, false) => JudgeOpinion::Right,
        }
    })
}

#[test]
fn every_kind_of_error_can_be_seeded_and_is_found() {
    let found = measure(0);
    let missed: Vec<_> = found.disagreements.iter().map(|missed| (missed.seeded, &missed.pilot)).collect();
    assert!(missed.is_empty(), "{missed:#?}");
    assert_eq!(found.right, OpinionTally { all: 10, flagged: 0, passed: 10, unclear: 0 });
    for kind in SeedKind::ALL {
        assert!(found.kinds.contains_key(kind.name()), "{} was never seeded", kind.name());
    }
}

#[test]
fn the_same_samples_give_the_same_errors_and_the_same_noise() {
    assert_eq!(measure(5), measure(5));
    assert_eq!(disturb("one", "cleared to land runway two seven", 0), "cleared to land runway two seven");
    assert_ne!(disturb("one", "cleared to land runway two seven", 60), "cleared to land runway two seven");
}

#[test]
fn an_error_changes_one_thing_and_leaves_the_rest() {
    let found = seeds(&classes(), &samples().remove(2));
    let of = |kind| found.iter().filter(move |seed| seed.kind == kind).map(|seed| seed.pilot.as_str());
    assert_eq!(
        of(SeedKind::TakeOffForLineUp).collect::<Vec<_>>(),
        ["Runway one six right, cleared for takeoff, Speedway four one two."]
    );
    assert_eq!(
        of(SeedKind::LeftRight).collect::<Vec<_>>(),
        ["Runway one six left, line up and wait, Speedway four one two."]
    );
    assert_eq!(
        of(SeedKind::DroppedSuffix).collect::<Vec<_>>(),
        ["Runway one six, line up and wait, Speedway four one two."]
    );
    assert_eq!(of(SeedKind::RogerOnly).collect::<Vec<_>>(), ["Roger, Speedway four one two."]);
    assert_eq!(
        of(SeedKind::MissingCallsign).collect::<Vec<_>>(),
        ["Runway one six right, line up and wait,"]
    );
}

#[test]
fn shares_are_of_what_could_be_read() {
    let tally = OpinionTally { all: 10, flagged: 2, passed: 6, unclear: 2 };
    assert_eq!(tally.percent(), Some(25.0));
    assert_eq!(OpinionTally::default().percent(), None);
}
