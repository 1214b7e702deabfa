//! Nothing leaks: every operation of the OpenAPI document and every live event, as everybody who is no organiser,
//! before, during and after a task and while the boards are frozen, searched for what nobody may know yet.
//!
//! Operations are found in the document, so that a new one is walked without a line here.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot set the stage must stop"
)]

mod freezing;
mod raw;
mod secrets;
mod stage;
mod walk;
