//! Hunters over HTTP: from registration to a verdict, reports and judges, what is private, and what can be erased.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot set the stage must stop"
)]

mod bucket;
mod judging;
mod living;
mod media;
mod moderating;
mod person;
mod stage;
