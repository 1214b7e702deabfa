//! Transfer of a contest: export, import into another server, and restore from a backup.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot set the stage must stop"
)]

mod broken;
mod exporting;
mod people;
mod stage;
mod tables;
