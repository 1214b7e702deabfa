//! Output and exit codes of the program, by command.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot set the stage must stop"
)]

mod work_dir;

mod alone;
mod cases;
mod damage;
mod evaluating;
mod going_on;
mod help;
mod judging;
mod ledgers;
mod opening;
mod pipes;
mod rejudging;
mod rulebooks;
mod serving;
mod settings;
