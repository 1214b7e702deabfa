//! Live events of real servers: everything once and in order, for whoever may hear it, whatever becomes of them.
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
