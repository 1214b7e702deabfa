//! Nothing lost: a server killed at any moment has everything it answered, once, and the boards that follow from it.
//!
//! `ASSIZE_CRASH_SEED` repeats a run's choices, `ASSIZE_CRASH_ROUNDS` says how often the server is killed.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test that cannot set the stage must stop"
)]

mod clocks;
#[path = "../common/mod.rs"]
mod common;
mod dice;
mod postgres;
mod sqlite;
mod storm;
mod takeover;
mod timers;

/// How often to kill, unless the environment says otherwise.
fn rounds(usual: u64) -> u64 {
    std::env::var("ASSIZE_CRASH_ROUNDS").map_or(usual, |rounds| rounds.parse().expect("a number of rounds"))
}
