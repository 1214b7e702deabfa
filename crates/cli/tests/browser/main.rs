//! Pages in a real browser against a real server: a contest by hand from its opening to its end, hunters, the radio,
//! summaries, and every page held to what all of them promise.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test that cannot set the stage must stop, and what it measures is printed"
)]

mod contest;
mod hall;
mod hunters;
mod judging;
mod moderating;
mod people;
mod promises;
mod radio;
mod summaries;
