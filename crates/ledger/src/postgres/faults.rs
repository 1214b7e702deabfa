//! Mapping of PostgreSQL errors to [`LedgerError`].

use std::error::Error as _;

use ::postgres::Error;
use ::postgres::error::{DbError, Severity, SqlState};

use crate::{LedgerError, chain};

/// The error, with a message a person can act on.
pub(super) fn explain(place: &str, error: &Error) -> LedgerError {
    let Some(answer) = error.as_db_error() else {
        return LedgerError::Unavailable(format!("cannot reach the {place}: {}", description(error)));
    };
    let code = answer.code();
    if *code == SqlState::UNIQUE_VIOLATION {
        return chain::taken(answer.detail().unwrap_or(answer.message()));
    }
    if *code == SqlState::LOCK_NOT_AVAILABLE {
        return LedgerError::Unavailable(format!("another process is holding the ledger in the {place}"));
    }
    let message = format!("the {place} says: {}", answer.message());
    // Classes of SQLSTATE for wrong credentials, missing rights and unknown names: a person must mend them.
    let class = code.code().get(..2).unwrap_or_default();
    if ["28", "3D", "42", "3F"].contains(&class) {
        return LedgerError::Unusable(message);
    }
    // Impossible data, corruption.
    if ["22", "23", "XX"].contains(&class) {
        return LedgerError::Damaged(message);
    }
    LedgerError::Unavailable(message)
}

/// Like [`explain`], for an error during a commit: only severity `ERROR` says that nothing was committed.
pub(super) fn explain_commit(place: &str, error: &Error) -> LedgerError {
    let plain = |answer: &DbError| answer.parsed_severity() == Some(Severity::Error);
    if error.as_db_error().is_some_and(plain) {
        return explain(place, error);
    }
    LedgerError::CommitUnknown(description(error))
}

fn description(error: &Error) -> String {
    match (error.as_db_error(), error.source()) {
        (Some(answer), _) => answer.message().to_owned(),
        (None, Some(cause)) => format!("{error}: {cause}"),
        (None, None) => error.to_string(),
    }
}
