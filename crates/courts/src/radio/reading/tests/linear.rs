//! The number of parser steps is linear in the length of the text, also for hostile input.

use super::classes;
use crate::radio::reading::{read_exchange, steps};

/// Fragments repeated to build long texts: everything that a step might look ahead for, or back to.
const HOSTILE: [&str; 30] = [
    "two ",
    "2",
    "22 ",
    "two decimal ",
    "two two decimal ",
    "decimal ",
    "ninety ",
    "double ",
    "hundred ",
    "two thousand ",
    "to ",
    "the ",
    "uh ",
    "roger ",
    "Swiss ",
    "Swiss 85 whiskey ",
    "A ",
    "Alpha ",
    "VH-ABC ",
    "ABC-",
    "runway ",
    "runway two seven left ",
    "behind the landing ",
    "hold short ",
    "cleared for take-off ",
    ", ",
    ".",
    "x",
    "é",
    "🛩 ",
];

/// Limit per byte: a word of four letters is inspected by a few rules, each of which looks a few words ahead.
const STEPS_A_BYTE: usize = 40;

fn check(controller: &str, pilot: &str) {
    let classes = classes();
    let taken = steps::of(|| read_exchange(&classes, controller, pilot));
    let length = controller.len() + pilot.len();
    let shown: String = pilot.chars().take(40).collect();
    assert!(taken <= STEPS_A_BYTE * (length + 10), "{taken} steps for {length} bytes of `{shown}…`");
}

#[test]
fn a_hundred_kilobytes_of_anything_are_read_in_linear_time() {
    for part in HOSTILE {
        let long = part.repeat(100_000 / part.len());
        check("Swiss eight five whiskey, runway two seven left.", &long);
        check(&long, "Swiss eight five whiskey, runway two seven left.");
        check(&long, &long);
        // With a possible callsign at the very end.
        check(
            "Swiss eight five whiskey, climb flight level eight zero.",
            &format!("{long} eight five whiskey"),
        );
        check(&format!("Swiss eight five whiskey {long}"), &format!("{long} Swiss eight five whiskey"));
    }
}

#[test]
fn two_things_in_turn_are_read_in_linear_time() {
    for one in HOSTILE {
        for other in HOSTILE {
            let turn = format!("{one}{other}");
            let long = turn.repeat(8_000 / turn.len());
            check(&long, &long);
            check("Swiss eight five whiskey, runway two seven left.", &long);
        }
    }
}

#[test]
fn steps_are_counted() {
    let classes = classes();
    let read = |times: usize| steps::of(|| read_exchange(&classes, "", &"runway two seven ".repeat(times)));
    assert!(read(100) > 1_000, "{}", read(100));
    assert!(read(1_000) < 12 * read(100), "ten times as long is ten times the work");
}
