//! Models and people as assessors, from the settings file to the verdict: with the real program, and an endpoint that
//! answers as it is told.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot set the stage must stop"
)]

mod calibrating;
mod delivering;
mod everywhere;
mod hunters;
mod injections;
mod judging;
mod many;
mod oracle;
mod panel;
mod stage;
mod waiting;
