//! What earlier versions have written is still read, verified, replayed, exported and shown: `cases/ledgers`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot set the stage must stop"
)]

mod frozen;

mod reading;
mod rulebooks;
mod showing;
