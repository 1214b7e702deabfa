//! Tools that were written for DRES, against a real server: every operation and every status of its public client
//! document, and no field beyond those that it names.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot set the stage must stop"
)]

mod contract;
mod entering;
mod evaluations;
mod hall;
mod keeping;
mod logging;
mod people;
mod submitting;
