//! Tests of the clerk with a minimal court.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "these are tests"
)]

mod access;
mod alarms;
mod bench;
mod boards;
mod flights;
mod keys;
mod promises;
mod revisions;
mod rulebooks;
mod tally;
