//! Correct readbacks, in spoken form and in that of speech recognisers: no errors and nothing unclear.

use super::classes;
use crate::radio::reading::read_exchange;

/// Asserts that there are no findings except lapses, such as a shortened callsign.
#[track_caller]
fn are_right(exchanges: &[(&str, &str)]) {
    for (controller, pilot) in exchanges {
        let read = read_exchange(&classes(), controller, pilot);
        let lapse = |name: &str| matches!(name, "shortened_callsign" | "words_left_out");
        let wrong: Vec<_> = read.findings.iter().filter(|finding| !lapse(finding.kind.name())).collect();
        assert!(wrong.is_empty(), "\n  {controller}\n  {pilot}\n  {wrong:?}");
    }
}

#[test]
fn levels_and_altitudes() {
    are_right(&[
        ("Air Nostrum 85AB descend 150", "descending 150 Air Nostrum 85AB"),
        (
            "Air Nostrum 85AB descend flight level 150",
            "down to level one five zero Air Nostrum 85 alpha bravo",
        ),
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
            "Emirates 404, when ready descend flight level 100 to be level by ABVIP",
            "When ready descend flight level 100, level by ABVIP, Emirates 404",
        ),
        (
            "Emirates 404, stop climb at flight level two four zero",
            "stop climb flight level two four zero, Emirates four zero four",
        ),
        (
            "speedbird six four niner descend when ready flight level two zero zero",
            "when ready descend level two hundred speedbird six four niner",
        ),
        ("Singapore 221 heavy descend to 5 thousand 5 hundred feet", "descend 5500 singapore 221 heavy"),
        ("Condor 5 6 1 descend 8 0", "down to flight level 80 condor 5 6 1"),
    ]);
}

#[test]
fn headings_speeds_and_what_runs_into_them() {
    are_right(&[
        (
            "Thai 910 turn left heading 220 descend 3000 feet QNH 1013",
            "left heading 220 descending 3000 feet QNH 1013 Thai 910",
        ),
        ("Thai 910 turn left heading two two zero", "left two two zero Thai nine one zero"),
        ("Thai 910 reduce speed 180 knots", "speed 180 Thai 910"),
        ("Thai 910 reduce 180", "reducing 180 knots Thai 910"),
        ("Thai 910 maintain 180 knots until 4 miles", "180 until 4 miles Thai 910"),
        ("Delta 82 heavy, turn right heading 360, maintain 4,000", "Right 360, 4,000, Delta 82 heavy"),
        ("Emirates 404, speed 220 knots or less", "220 or less, Emirates 404"),
        (
            "Emirates 404, leave heading 050, descend to 7000",
            "leaving heading 050 descending 7000 Emirates 404",
        ),
        ("Qantas 8 turn right heading 3 6 0 climb to 8 thousand", "right 3 6 0 8 thousand Qantas 8"),
        (
            "Emirates 1 3 9 turn left heading 3 1 0 descend 4 thousand QNH 1 0 1 9",
            "turning left 3 1 0 4 thousand on 1019 emirates 1 3 9",
        ),
        (
            "Malaysian one two two turn left left heading two one zero",
            "left heading two one zero malaysian one two two",
        ),
        ("Helvetic 371 turn right 10 degrees report heading", "right 10 degrees helvetic 371"),
    ]);
}

#[test]
fn frequencies_with_and_without_their_point() {
    are_right(&[
        ("KLM 37C contact Radar 11835 bye", "11835 KLM 37C bye bye"),
        (
            "malaysian one two four contact approach one one nine decimal two",
            "one one nine two malaysian one two four goodbye",
        ),
        (
            "Emirates 404, vacate left on Whiskey 5, contact ground 121.725",
            "Left Whiskey 5, 121.72, Emirates 404",
        ),
        (
            "Emirates 404, climb FL320, passing FL100 contact Control on 133.8",
            "Climb 320, 133.8 passing 100, Emirates 404",
        ),
        ("speedbird 245 alfa contact radar 1 1 8 decimal 3 5", "118 35 speedbird 245 alfa, bye bye"),
        ("Edelweiss 30A cross runway 28 contact tower 118 1", "crossing 28 118 1 edelweiss 30A"),
        ("Smartwings 231W contact Bratislava 134.475", "134475 Smartwings 231W ahoj na shledanou"),
        (
            "Scandinavian one seven six five vacate via delta contact ground one two one decimal niner zero five",
            "via delta one two one niner zero five scandinavian one seven six five",
        ),
    ]);
}

#[test]
fn pressures_and_codes() {
    are_right(&[
        ("scoot eight squawk four two one five", "four two one five scoot eight"),
        (
            "Southwest 2218, descend and maintain one one thousand, altimeter two niner niner two",
            "Down to eleven thousand, 29.92, Southwest twenty-two eighteen",
        ),
        ("Emirates 404, squawk ident", "ident Emirates 404"),
        ("Transavia 67L descend to 4000ft QNH 101 3", "4000ft QNH 1013 transavia 67L"),
        ("Swiss 345 squawk 7 0 0 0", "7000 coming down swiss 345"),
        ("Cathay 1 0 1 QNH 1 0 0 9 descend to altitude 6 thousand", "6 thousand 1 0 0 9 cathay 1 0 1"),
    ]);
}

#[test]
fn runways_and_what_is_done_on_them() {
    are_right(&[
        ("Qantas 12 runway 16 Romeo cleared to land", "cleared to land 16 right Qantas 12"),
        ("Qantas twelve runway one six right cleared to land", "Cleared to land 16R, Qantas 12."),
        (
            "malaysian one two four cleared ils approach runway two zero center",
            "cleared ils two zero center malaysian one two four",
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
        (
            "Hello Emirates 404, continue approach runway 02 Centre, number 2",
            "Continue approach, Emirates 404",
        ),
        ("Emirates 404 cross runway 20 centre", "crossing 20 centre Emirates 404"),
        ("Emirates 404, hold short of runway 20C", "Hold short runway 20 center, Emirates 404"),
        (
            "Emirates 404, behind the landing Boeing 737, line up and wait runway 20 centre behind",
            "behind landing 737 line up 20 centre behind Emirates 404",
        ),
        ("Edelweiss 30A hold short of runway 28", "hold short 28 edelweiss 30A"),
    ]);
}

#[test]
fn taxi_routes_and_holding_points() {
    are_right(&[
        (
            "singapore three two seven taxi to holding point alpha one via november whiskey",
            "holding point alpha one via november whiskey singapore three two seven",
        ),
        (
            "Golf Alpha Bravo Charlie Delta, join left downwind runway two seven, QNH one zero one three",
            "Join left downwind runway two seven, QNH one zero one three, Golf Charlie Delta",
        ),
        (
            "VH-ABC, taxi to holding point Alpha, runway 17",
            "Taxi to holding point Alpha runway 17, Alpha Bravo Charlie",
        ),
        (
            "Air France one six eight two taxi holding point runway two four via foxtrot delta",
            "holding point two four via foxtrot delta air france one six eight two",
        ),
        (
            "Qatar 9 0 8 taxi via Bravo 1 0 Charlie hold short of runway 16 Right",
            "taxi via bravo 10 charlie hold short 16 right qatar 9 0 8",
        ),
        ("HB-KAL taxi to holding point runway 14 via Alpha", "holding point runway 14 via alpha H-A-L"),
    ]);
}

#[test]
fn callsigns_cut_short_and_beside_other_names() {
    are_right(&[
        ("tiger two one zero two proceed direct to nylon", "direct nylon tiger two one zero two"),
        ("N123AB, Boston Tower, runway 22 Left, cleared to land", "Cleared to land 22L, 3AB"),
        ("Victor Hotel India Juliet Kilo track direct prospect", "direct prospect india juliet kilo"),
        ("Eurowings 4AB proceed direct Rapet", "direct Rapet 4AB"),
        ("Eurowings four alfa bravo dobrý den climb 240", "climbing 240 eurowings 4AB na shledanou"),
    ]);
}

#[test]
fn what_needs_no_readback() {
    are_right(&[
        (
            "tiger two one zero two expect ils approach runway two left descend to four thousand feet",
            "descend four thousand tiger two one zero two",
        ),
        ("tiger two one zero two are you ready for departure", "affirm tiger two one zero two"),
        (
            "tiger two one zero two traffic ten o'clock five miles opposite direction",
            "looking tiger two one zero two",
        ),
        ("tiger two one zero two report established", "wilco tiger two one zero two"),
        ("tiger two one zero two stand by", "standing by tiger two one zero two"),
        ("tiger two one zero two say again", "request flight level three two zero tiger two one zero two"),
        ("Ryanair 4KT what is your speed", "uh 2 1 0 knots ryanair 4KT"),
    ]);
}
