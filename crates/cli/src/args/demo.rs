//! The options of `assize demo`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, value_parser};

#[derive(Args)]
pub(crate) struct DemoArgs {
    /// The address to listen on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub(crate) listen: SocketAddr,
    /// Keep everything in this new SQLite file; in memory otherwise
    #[arg(long, value_name = "FILE")]
    pub(crate) data: Option<PathBuf>,
    /// What everything is made up from
    #[arg(long, value_name = "NUMBER", default_value_t = 2026)]
    pub(crate) seed: u64,
    /// How many times as fast as life it goes on
    #[arg(long, value_name = "TIMES", default_value_t = 4, value_parser = value_parser!(u32).range(1..=1_000))]
    pub(crate) speed: u32,
}
