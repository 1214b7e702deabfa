//! The contract test suite of the three stores: everything the engine relies on, for each of them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test that cannot set the stage must stop"
)]

#[macro_use]
mod stage;

mod access;
mod ahead;
mod appending;
mod backups;
mod beside;
mod blobs;
mod exports;
mod following;
mod killing;
mod migrating;
mod opening;
mod origins;
mod personal;
mod postgres_failing;
mod reading;
mod sqlite_failing;
mod sqlite_moved;
mod verifying;
mod webhooks;
