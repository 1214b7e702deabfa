//! The examples of the README over HTTP, with only the token that the program prints.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot set the stage must stop"
)]

mod boards;
mod describing;
mod freezing;
mod importing;
mod judging;
mod media;
mod people;
mod radio;
mod repeating;
mod requests;
mod revising;
mod roles;
mod secrets;
mod stage;
mod summaries;
mod walking;
