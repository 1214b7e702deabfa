//! Exchanges as people speak and as recognisers write, and what is wrong with them.

use super::classes;
use crate::radio::reading::read_exchange;

/// What is found, as `kind item`, in order.
#[track_caller]
fn check(controller: &str, pilot: &str, expected: &[&str]) {
    let read = read_exchange(&classes(), controller, pilot);
    let found: Vec<String> = read
        .findings
        .iter()
        .map(|finding| format!("{} {}", finding.kind.name(), finding.about.name()))
        .collect();
    assert_eq!(found, expected, "\n  {controller}\n  {pilot}");
}

#[test]
fn right_readbacks_as_recognisers_write_them() {
    let mut wrong = Vec::new();
    for (controller, pilot) in [
        ("KLM 37C contact Radar 11835 bye", "11835 KLM 37C bye bye"),
        ("Air Nostrum 85AB descend 150", "descending 150 Air Nostrum 85AB"),
        (
            "Air Nostrum 85AB descend flight level 150",
            "down to level one five zero Air Nostrum 85 alpha bravo",
        ),
        ("Qantas 12 runway 16 Romeo cleared to land", "cleared to land 16 right Qantas 12"),
        ("Qantas twelve runway one six right cleared to land", "Cleared to land 16R, Qantas 12."),
        (
            "Thai 910 turn left heading 220 descend 3000 feet QNH 1013",
            "left heading 220 descending 3000 feet QNH 1013 Thai 910",
        ),
        ("Thai 910 turn left heading two two zero", "left two two zero Thai nine one zero"),
        ("Thai 910 reduce speed 180 knots", "speed 180 Thai 910"),
        ("Thai 910 reduce 180", "reducing 180 knots Thai 910"),
        ("Thai 910 maintain 180 knots until 4 miles", "180 until 4 miles Thai 910"),
        (
            "Cathay 271 climb to altitude five thousand feet",
            "climbing five thousand feet Cathay two seven one",
        ),
        (
            "Cathay 271 climb flight level three zero zero",
            "climb flight level three hundred Cathay two seventy one",
        ),
        (
            "Cathay two seven one good morning radar contact climb flight level one six zero",
            "climb flight level one six zero cathay two seven one",
        ),
        (
            "malaysian one two four contact approach one one nine decimal two",
            "one one nine two malaysian one two four goodbye",
        ),
        (
            "malaysian one two four cleared ils approach runway two zero center",
            "cleared ils two zero center malaysian one two four",
        ),
        (
            "singapore three two seven taxi to holding point alpha one via november whiskey",
            "holding point alpha one via november whiskey singapore three two seven",
        ),
        (
            "singapore three two seven line up and wait runway zero two left",
            "line up zero two left singapore three two seven",
        ),
        (
            "singapore three two seven wind zero two zero degrees eight knots cleared for take off runway zero two left",
            "cleared for takeoff zero two left singapore three two seven",
        ),
        (
            "singapore three two seven after departure turn right heading one two zero climb three thousand feet runway two zero right cleared for takeoff",
            "after departure right heading one two zero climb three thousand cleared for takeoff two zero right singapore three two seven",
        ),
        ("scoot eight squawk four two one five", "four two one five scoot eight"),
        (
            "tiger two one zero two expect ils approach runway two left descend to four thousand feet",
            "descend four thousand tiger two one zero two",
        ),
        ("tiger two one zero two proceed direct to nylon", "direct nylon tiger two one zero two"),
        ("tiger two one zero two are you ready for departure", "affirm tiger two one zero two"),
        (
            "tiger two one zero two traffic ten o'clock five miles opposite direction",
            "looking tiger two one zero two",
        ),
        ("tiger two one zero two report established", "wilco tiger two one zero two"),
        ("tiger two one zero two stand by", "standing by tiger two one zero two"),
        ("tiger two one zero two say again", "request flight level three two zero tiger two one zero two"),
        ("Delta 82 heavy, turn right heading 360, maintain 4,000", "Right 360, 4,000, Delta 82 heavy"),
        (
            "Southwest 2218, descend and maintain one one thousand, altimeter two niner niner two",
            "Down to eleven thousand, 29.92, Southwest twenty-two eighteen",
        ),
        ("N123AB, Boston Tower, runway 22 Left, cleared to land", "Cleared to land 22L, 3AB"),
        (
            "Golf Alpha Bravo Charlie Delta, join left downwind runway two seven, QNH one zero one three",
            "Join left downwind runway two seven, QNH one zero one three, Golf Charlie Delta",
        ),
        (
            "VH-ABC, taxi to holding point Alpha, runway 17",
            "Taxi to holding point Alpha runway 17, Alpha Bravo Charlie",
        ),
        (
            "Hello Emirates 404, continue approach runway 02 Centre, number 2",
            "Continue approach, Emirates 404",
        ),
        (
            "Emirates 404, vacate left on Whiskey 5, contact ground 121.725",
            "Left Whiskey 5, 121.72, Emirates 404",
        ),
        ("Emirates 404 cross runway 20 centre", "crossing 20 centre Emirates 404"),
        ("Emirates 404, hold short of runway 20C", "Hold short runway 20 center, Emirates 404"),
        (
            "Emirates 404, when ready descend flight level 100 to be level by ABVIP",
            "When ready descend flight level 100, level by ABVIP, Emirates 404",
        ),
        ("Emirates 404, speed 220 knots or less", "220 or less, Emirates 404"),
        (
            "Emirates 404, behind the landing Boeing 737, line up and wait runway 20 centre behind",
            "behind landing 737 line up 20 centre behind Emirates 404",
        ),
        ("Emirates 404, squawk ident", "ident Emirates 404"),
        (
            "Emirates 404, climb FL320, passing FL100 contact Control on 133.8",
            "Climb 320, 133.8 passing 100, Emirates 404",
        ),
        (
            "Emirates 404, leave heading 050, descend to 7000",
            "leaving heading 050 descending 7000 Emirates 404",
        ),
        (
            "Emirates 404, stop climb at flight level two four zero",
            "stop climb flight level two four zero, Emirates four zero four",
        ),
    ] {
        let read = read_exchange(&classes(), controller, pilot);
        let errors: Vec<_> =
            read.findings.iter().filter(|finding| finding.kind.name() != "shortened_callsign").collect();
        if !errors.is_empty() {
            wrong.push(format!("\n  {controller}\n  {pilot}\n  {errors:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn wrong_ones_are_found() {
    check("KLM 37C contact Radar 11835 bye", "11853 KLM 37C bye bye", &["transposed_digits frequency"]);
    check("Air Nostrum 85AB descend 150", "descending 140 Air Nostrum 85AB", &["wrong_value level"]);
    check(
        "Qantas 12 runway 16 Romeo cleared to land",
        "cleared to land 16 left Qantas 12",
        &["left_right runway"],
    );
    check(
        "Qantas 12 runway 16 Romeo cleared to land",
        "cleared to land 16 Qantas 12",
        &["dropped_suffix runway"],
    );
    check(
        "Qantas 12 line up and wait runway 16R",
        "cleared for takeoff 16R Qantas 12",
        &["wrong_action line_up"],
    );
    check("Thai 910 turn left heading 220", "right heading 220 Thai 910", &["left_right turn"]);
    check("Thai 910 turn left heading 220", "heading 220 Thai 910", &["omission turn"]);
    check("Thai 910 turn left heading 220", "roger Thai 910", &["roger_only readback"]);
    check("Thai 910 turn left heading 220", "left speed 220 Thai 910", &["wrong_parameter heading"]);
    check("Thai 910 squawk 4215", "4251 Thai 910", &["transposed_digits squawk"]);
    check("Thai 910 squawk 4215", "squawk 4215", &["missing_callsign callsign"]);
    check("Thai 910 squawk 4215", "squawk 4215 Thai 901", &["wrong_callsign callsign"]);
    check("Thai 910 squawk 4215", "squawk 4215 Emirates 910", &["wrong_callsign callsign"]);
    check("Thai 910 squawk 4215", "squawk 4215 Cathay 910", &["unclear callsign"]);
    check("Thai 910 squawk 4215 QNH 1012", "squawk 4215 Thai 910", &["omission qnh"]);
    check("Thai 910 speed 220 knots or less", "220 knots Thai 910", &["dropped_condition or_below"]);
    check("Thai 910 descend 3000 feet", "descend FL30 Thai 910", &["wrong_value level"]);
    check("Thai 910 climb flight level 150", "descend flight level 150 Thai 910", &["wrong_action climb"]);
    check("Thai 910 hold short of runway 16R", "crossing runway 16R Thai 910", &["wrong_action hold_short"]);
    check("Thai 910 hold position", "line up runway 16 Thai 910", &["wrong_action hold_position"]);
}
