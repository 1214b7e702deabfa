//! The `assize` executable: parses the command line and runs a command.

mod access;
mod args;
mod assessors;
mod batch;
mod bless;
mod calibrate;
mod check;
mod contest;
mod demo;
mod dice;
mod eval;
mod explain;
mod first_start;
mod judge;
mod ledger;
mod logging;
mod open_contest;
mod output;
mod progress;
mod rejudge;
mod replay;
mod rows;
mod rulebook;
mod scores;
mod serve;
mod settings;
mod store;
mod token;
mod user;

use std::process::ExitCode;

use args::Command;
use output::Failure;

/// Folding records makes many small allocations, for which the system's allocator is noticeably slower.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    match settings::parse().and_then(|(args, matches)| run(args.command, &matches)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            output::complain(&failure);
            failure.exit_code()
        }
    }
}

fn run(command: Command, matches: &clap::ArgMatches) -> CommandResult {
    match command {
        Command::Demo(args) => demo::run(&args),
        Command::Serve(args) => serve::run(&args, matches),
        Command::Judge(args) => judge::run(&args),
        Command::Eval(args) => eval::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Calibrate(command) => calibrate::run(&command),
        Command::Explain(args) => explain::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Rejudge(args) => rejudge::run(&args),
        Command::Ledger(command) => ledger::run(&command),
        Command::Contest(command) => contest::run(&command),
        Command::Rulebook(command) => rulebook::run(&command),
        Command::Token(args) => token::run(&args),
        Command::User(command) => user::run(&command),
    }
}

/// The result of every command.
type CommandResult = Result<(), Failure>;
