//! Who may see what by default: a court that says nothing keeps its boards to judges.
#![allow(clippy::unwrap_used, reason = "a test stops when it is wrong")]

use assize_courts::courts;
use assize_kernel::Audience;

#[test]
fn only_courts_that_open_their_boards_have_public_ones() {
    let public: Vec<&str> = courts()
        .iter()
        .filter(|court| court.board_audience() == Audience::Everyone)
        .map(|court| court.name())
        .collect();
    assert_eq!(public, ["contest", "quest"], "a new court is for judges until it says otherwise");
}

#[test]
fn the_opening_of_a_radio_session_is_hidden_from_the_student_who_caused_it() {
    let courts = courts();
    let radio = courts.iter().find(|court| court.name() == "radio").unwrap();
    assert!(radio.is_hidden_from_actor("SessionOpened"));
    assert!(!radio.is_hidden_from_actor("TurnJudged"));
}
