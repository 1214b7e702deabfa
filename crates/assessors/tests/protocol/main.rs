//! The chat protocol against a real HTTP server that misbehaves as scripted.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot set the stage must stop"
)]

mod answering;
mod failing;
mod spending;
mod stage;
mod trace_exporter;
