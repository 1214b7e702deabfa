//! Live events over the routes of a server in this process.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot set the stage must stop"
)]

mod boards;
mod catching_up;
mod coming_in;
mod hall;
#[allow(dead_code, reason = "its clerk's tests use the rest of it")]
#[path = "../../../engine/tests/clerk/tally.rs"]
mod tally;
