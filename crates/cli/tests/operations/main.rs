//! Operations: limits, headers, TLS, readiness, metrics and shutdown.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot set the stage must stop"
)]

mod wire;

mod clock;
mod closing;
mod limits;
mod readiness;
mod requests;
mod tls;
