//! Disables and enables users. At least one admin who can log in always remains.

use assize_kernel::{Moment, Role};
use assize_ledger::{AccessChange, UserAccount};
use serde_json::json;

use super::deciding::{Known, Ruling, conflict, ruling, user_of};
use super::kinds;
use crate::ClerkError;

/// Disables a user and ends their sessions. The last admin is refused: nobody could enable them over HTTP.
pub(super) fn disable(name: &str, at: Moment, known: &Known<'_>) -> Result<Ruling, ClerkError> {
    let user = user_of(name, known)?;
    if user.disabled.is_some() {
        return Err(conflict("access.user.disabled", format!("`{name}` has been disabled already")));
    }
    let remains = |other: &UserAccount| other.name != name && is_unrestricted_admin(other);
    if is_unrestricted_admin(&user) && !known.users()?.iter().any(remains) {
        let message = format!("`{name}` is the only admin who can log in; add or enable another admin first");
        return Err(conflict("access.user.last_admin", message));
    }
    let user = UserAccount { disabled: Some(at), ..user };
    let changes = vec![AccessChange::User(user), AccessChange::EndSessions(name.to_owned())];
    Ok(ruling(kinds::USER_DISABLED, json!({ "name": name }), changes))
}

/// Enables a disabled user, whose password stays as it was.
pub(super) fn enable(name: &str, known: &Known<'_>) -> Result<Ruling, ClerkError> {
    let user = user_of(name, known)?;
    if user.disabled.is_none() {
        return Err(conflict("access.user.enabled", format!("`{name}` is not disabled")));
    }
    let user = UserAccount { disabled: None, ..user };
    Ok(ruling(kinds::USER_ENABLED, json!({ "name": name }), vec![AccessChange::User(user)]))
}

/// Whether the user is enabled and an admin of the whole server.
#[must_use]
pub fn is_unrestricted_admin(user: &UserAccount) -> bool {
    user.disabled.is_none() && user.role == Role::Admin.as_str() && user.scope.is_empty()
}
