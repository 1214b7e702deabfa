//! The `assize` program.

mod args;
mod check;
mod explain;
mod judge;
mod ledger;
mod logging;
mod output;
mod progress;
mod replay;
mod rulebook;
mod serve;
mod store;
mod token;

use std::process::ExitCode;

use args::{Args, Command};
use clap::Parser;
use output::Failure;

/// Every record folded is many small allocations; the system's allocator takes noticeably longer over them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let done = match Args::parse().command {
        Command::Serve(args) => serve::run(&args),
        Command::Judge(args) => judge::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Ledger(command) => ledger::run(&command),
        Command::Rulebook(command) => rulebook::run(&command),
        Command::Token(args) => token::run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            output::complain(&failure);
            failure.exit_code()
        }
    }
}

/// What every command returns.
type Done = Result<(), Failure>;
