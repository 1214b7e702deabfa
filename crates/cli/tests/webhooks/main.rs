//! Webhooks of real servers to a real receiver: signed, at least once, in order, across crashes.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot set the stage must stop"
)]

mod admin;
mod changing;
mod crashing;
mod failing;
mod hunters;
mod stage;
mod telling;
