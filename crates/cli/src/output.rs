//! Output and exit codes.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use assize_engine::ClerkError;
use assize_ledger::LedgerError;

use crate::CommandResult;

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A difference was found, which has been printed already.
    Different,
    /// The command was used wrongly.
    Use(String),
    /// An internal or system error.
    Fault(String),
    /// The reader of standard output has closed the pipe.
    Unread,
}

impl Failure {
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Unread => ExitCode::SUCCESS,
            Self::Different => ExitCode::from(1),
            Self::Use(_) => ExitCode::from(2),
            Self::Fault(_) => ExitCode::from(3),
        }
    }
}

/// Writes a line to standard output.
pub(crate) fn say(line: impl Display) -> CommandResult {
    Ok(writeln!(io::stdout().lock(), "{line}")?)
}

/// Writes a line to standard error; errors are ignored.
pub(crate) fn note(line: impl Display) {
    drop(writeln!(io::stderr().lock(), "{line}"));
}

/// A number with its noun in singular or plural.
pub(crate) fn counted(number: u64, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// Prints the error message.
pub(crate) fn complain(failure: &Failure) {
    if let Failure::Use(message) | Failure::Fault(message) = failure {
        note(format_args!("assize: {message}"));
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::Unread,
            _ => Self::Fault(error.to_string()),
        }
    }
}

impl From<LedgerError> for Failure {
    fn from(error: LedgerError) -> Self {
        match error {
            LedgerError::Unusable(_) | LedgerError::Newer { .. } => Self::Use(error.to_string()),
            LedgerError::Damaged(_) | LedgerError::Unavailable(_) | LedgerError::CommitUnknown(_) => {
                Self::Fault(error.to_string())
            }
        }
    }
}

impl From<ClerkError> for Failure {
    fn from(error: ClerkError) -> Self {
        match error {
            ClerkError::Refused(refusal) => Self::Use(refusal.message),
            other => Self::Fault(other.to_string()),
        }
    }
}
