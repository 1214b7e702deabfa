//! The first start: a token for programs and a link for a person, each shown this once.

use assize_kernel::{Actor, Millis, Role};
use assize_ledger::Ledger;
use assize_server::{AccessCommand, ClerkError, NewToken, Secret, change_access, system_time};

use crate::output::Failure;

/// How long the link is good.
const LINK: Millis = Millis(24 * 60 * 60 * 1_000);

/// What the first start shows.
pub(crate) struct Keys {
    pub(crate) token: Secret,
    /// Lets somebody choose a name and a password.
    pub(crate) code: Secret,
}

/// Makes the keys if nobody has ever been let in.
pub(crate) fn keys(ledger: &dyn Ledger) -> Result<Option<Keys>, Failure> {
    if ledger.has_tokens()? {
        return Ok(None);
    }
    let secret = || Secret::new().map_err(|error| Failure::Fault(error.to_string()));
    let keys = Keys { token: secret()?, code: secret()? };
    let (now, actor) = (system_time(), Actor::new(Role::System, "start"));
    let token = NewToken::of(&keys.token, Actor::new(Role::Admin, "organiser"));
    match change_access(ledger, &AccessCommand::IssueFirstToken(token), now, &actor) {
        Ok(()) => {}
        // Another process over the same database was quicker.
        Err(ClerkError::Refused(_)) => return Ok(None),
        Err(error) => return Err(error.into()),
    }
    let (hash, role, expires) = (keys.code.hash(), Role::Admin, now + LINK);
    change_access(ledger, &AccessCommand::IssueCode { hash, role, expires }, now, &actor)?;
    Ok(Some(keys))
}
