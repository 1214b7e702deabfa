//! Wrong readbacks, in spoken form and in that of speech recognisers, with the expected findings.

use super::classes;
use crate::radio::reading::read_exchange;

/// Asserts the findings, as `kind item`, in order.
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
fn values_and_actions_that_are_others() {
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

#[test]
fn what_recognisers_have_split_or_joined() {
    check("speedbird 245 alfa contact radar 11835", "118 45 speedbird 245 alfa", &["wrong_value frequency"]);
    check(
        "Qantas 8 turn right heading 3 6 0 climb to 8 thousand",
        "right 3 6 0 6 thousand Qantas 8",
        &["wrong_value level"],
    );
    check("Transavia 67L QNH 101 3", "QNH 1023 transavia 67L", &["wrong_value qnh"]);
    check("Edelweiss 30A hold short of runway 28", "hold short 16 edelweiss 30A", &["wrong_value runway"]);
    check(
        "Qantas 437 runway 34 left cleared to land",
        "cleared to land 34 Qantas 437",
        &["dropped_suffix runway"],
    );
    check(
        "speedbird 6 4 9 descend flight level 2 0 0",
        "level three hundred speedbird 6 4 9",
        &["wrong_value level"],
    );
}

#[test]
fn somebody_else_answers() {
    check(
        "Eurowings four alfa bravo climb flight level two four zero",
        "climbing two four zero lufthansa four alfa bravo",
        &["wrong_callsign callsign"],
    );
    check("Tarom 3 0 5 climb 330", "climbing 330 tarom 3 0 6 na shledanou", &["wrong_callsign callsign"]);
    check(
        "oscar kilo mike papa alfa runway one two cleared to land",
        "runway one two cleared to land oscar kilo mike papa bravo",
        &["wrong_callsign callsign"],
    );
}
