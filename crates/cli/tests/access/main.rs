//! Authentication, authorisation and revocation while the server runs, with real processes.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot set the stage must stop"
)]

mod audit;
mod browser;
mod hidden;
mod installation;
mod locked_out;
mod people;
mod storm;
mod tokens;
mod users;
mod welcome;
