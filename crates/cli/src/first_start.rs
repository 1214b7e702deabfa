//! The first start: an admin token and a link for the first login, each shown once. Also detects a lock-out.

use assize_engine::access::is_unrestricted_admin;
use assize_engine::{AccessCommand, ClerkError, NewToken, Secret, change_access, system_time};
use assize_kernel::{Actor, Millis, Role};
use assize_ledger::{Ledger, UserAccount};

use crate::output::Failure;

/// How long the link is valid.
const LINK: Millis = Millis(24 * 60 * 60 * 1_000);

/// The credentials shown at the first start.
pub(crate) struct FirstKeys {
    pub(crate) token: Secret,
    /// The invitation code of the link.
    pub(crate) code: Secret,
}

/// Creates the credentials if no token has ever been issued.
pub(crate) fn keys(ledger: &dyn Ledger) -> Result<Option<FirstKeys>, Failure> {
    if ledger.has_tokens()? {
        return Ok(None);
    }
    let secret = || Secret::new().map_err(|error| Failure::Fault(error.to_string()));
    let keys = FirstKeys { token: secret()?, code: secret()? };
    let now = system_time();
    let actor = Actor::new(Role::System, "start");
    let token = NewToken::of(&keys.token, Actor::new(Role::Admin, "organiser"));
    match change_access(ledger, &AccessCommand::IssueFirstToken(token), now, &actor) {
        Ok(()) => {}
        // Another process on the same database was first.
        Err(ClerkError::Refused(_)) => return Ok(None),
        Err(error) => return Err(error.into()),
    }
    let code = AccessCommand::IssueCode { hash: keys.code.hash(), role: Role::Admin, expires: now + LINK };
    change_access(ledger, &code, now, &actor)?;
    Ok(Some(keys))
}

/// The admin to enable when all admins of the whole server are disabled; none when one can log in, or when
/// none was ever added.
pub(crate) fn locked_out(ledger: &dyn Ledger) -> Result<Option<String>, Failure> {
    let users = ledger.users()?;
    if users.iter().any(is_unrestricted_admin) {
        return Ok(None);
    }
    let mut disabled = users.into_iter().filter(|user| user.disabled.is_some());
    let enabled = |user: &UserAccount| is_unrestricted_admin(&UserAccount { disabled: None, ..user.clone() });
    Ok(disabled.find(enabled).map(|user| user.name))
}
