//! Getting in, being kept out, and being shut out while the server runs: real processes, as people meet them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot set the stage must stop"
)]

mod audit;
mod browser;
mod house;
mod people;
mod tokens;
mod users;
mod welcome;
