//! What the program says, and how it ends.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use assize_ledger::LedgerError;
use assize_server::ClerkError;

use crate::Done;

/// Why a command did not end well.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A difference was found; it has been shown already.
    Different,
    /// The command was used wrongly.
    Use(String),
    /// Our fault, or the machine's.
    Fault(String),
    /// Whoever was reading has stopped: nobody is left to complain to.
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
pub(crate) fn say(line: impl Display) -> Done {
    Ok(writeln!(io::stdout().lock(), "{line}")?)
}

/// Writes a line to standard error; when that is gone too, there is nothing left to do.
pub(crate) fn note(line: impl Display) {
    drop(writeln!(io::stderr().lock(), "{line}"));
}

/// So many of something, in words that are right for one too.
pub(crate) fn counted(number: u64, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// Says why the command failed.
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
