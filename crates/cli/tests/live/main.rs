//! Server-sent events of real servers: every permitted event once and in order, across failures.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot set the stage must stop"
)]

mod crowd;
mod dropping;
mod following;
mod processes;
mod secrets;
mod stage;
