//! Anonymous access: the one stream in which clients may submit without a token, by the routes at the root.
//!
//! It is stored as a token with an all-zero digest, for which no secret is known. So it is recorded, listed
//! and revoked like any other token, stays out of exports, and exists at most once.

use assize_kernel::{Actor, Digest, Moment, Role, StreamId};
use assize_ledger::{AccessChange, AccessToken};
use serde_json::json;

use super::deciding::{Known, Ruling, conflict, ruling};
use super::kinds;
use crate::ClerkError;

/// Digest of the anonymous-access token.
pub const NOBODY: Digest = Digest([0; 32]);

pub(super) fn open(
    stream: &StreamId,
    at: Moment,
    issuer: &Actor,
    known: &Known<'_>,
) -> Result<Ruling, ClerkError> {
    let token = AccessToken {
        hash: NOBODY,
        actor: Actor::new(Role::App, "door").to_string(),
        scope: stream.to_string(),
        label: "everybody, by the routes at the root".into(),
        issued: at,
        issued_by: issuer.to_string(),
        expires: None,
        revoked: None,
    };
    if let Some(open) = known.token(&token.id())?.filter(|open| open.revoked.is_none()) {
        let message = format!("`{}` is open to all; close it first", open.scope);
        return Err(conflict("access.door.open", message));
    }
    Ok(ruling(kinds::DOOR_OPENED, json!({ "stream": stream }), vec![AccessChange::Token(token)]))
}

pub(super) fn close(stream: &StreamId, at: Moment, known: &Known<'_>) -> Result<Ruling, ClerkError> {
    let id: String = NOBODY.to_string().chars().take(12).collect();
    let open = known.token(&id)?.filter(|open| open.revoked.is_none() && open.scope == stream.as_str());
    let open =
        open.ok_or_else(|| conflict("access.door.closed", format!("`{stream}` is not open to all")))?;
    let token = AccessToken { revoked: Some(at), ..open };
    Ok(ruling(kinds::DOOR_CLOSED, json!({ "stream": stream }), vec![AccessChange::Token(token)]))
}
