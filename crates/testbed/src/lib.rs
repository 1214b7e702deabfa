//! Fixtures of the tests and benchmarks: a temporary PostgreSQL, a proxy that cuts connections, a running
//! server, HTTP clients, a webhook receiver and a browser.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test that cannot set the stage must stop"
)]

pub mod browser;
pub mod client;
pub mod contest;
pub mod ear;
pub mod postgres;
pub mod proxy;
pub mod receiver;
pub mod server;
