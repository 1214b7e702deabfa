//! Access control: tokens, users, passwords and invitation codes. Every change is a record of the stream
//! `assize/access`, committed together with the rows it changes.

mod deciding;
mod disabling;
mod door;
mod outside;
mod passwords;
mod scope;
mod secrets;

use assize_kernel::{Actor, Digest, Moment, Role, StreamId};
use assize_ledger::AccessToken;

pub use deciding::check_code;
pub(crate) use deciding::{Known, Ruling, decide, give_token};
pub use disabling::is_unrestricted_admin;
pub use door::NOBODY;
pub use outside::change_access;
pub use passwords::{hash_password, is_password, make_password};
pub use scope::{BadScope, Scope};
pub use secrets::Secret;

/// The stream that records all changes of access.
pub(crate) const ACCESS: &str = "assize/access";

/// [`ACCESS`] as a stream id.
pub(crate) fn access_stream() -> StreamId {
    StreamId::of_engine("access")
}

/// Kinds of the access records.
pub(crate) mod kinds {
    pub(crate) const TOKEN_ISSUED: &str = "TokenIssued";
    pub(crate) const TOKEN_REVOKED: &str = "TokenRevoked";
    pub(crate) const USER_ADDED: &str = "UserAdded";
    pub(crate) const USER_DISABLED: &str = "UserDisabled";
    pub(crate) const USER_ENABLED: &str = "UserEnabled";
    pub(crate) const PASSWORD_CHANGED: &str = "PasswordChanged";
    pub(crate) const CODE_ISSUED: &str = "CodeIssued";
    pub(crate) const DOOR_OPENED: &str = "DoorOpened";
    pub(crate) const DOOR_CLOSED: &str = "DoorClosed";

    /// Token or login whose access was revoked.
    #[derive(Debug, PartialEq, Eq)]
    pub(crate) enum Loser {
        /// The token with this id.
        Token(String),
        /// All sessions of the user with this name.
        Login(String),
    }

    /// The token or login that an access record revokes.
    pub(crate) fn loser(kind: &str, body: &str) -> Option<Loser> {
        let (field, loser): (_, fn(String) -> Loser) = match kind {
            TOKEN_REVOKED => ("id", Loser::Token),
            USER_DISABLED | PASSWORD_CHANGED => ("name", Loser::Login),
            _ => return None,
        };
        let body: serde_json::Value = serde_json::from_str(body).ok()?;
        body.get(kind)?.get(field)?.as_str().map(str::to_owned).map(loser)
    }

    /// Whether a record of this kind revokes access, so that cached tokens and sessions are stale.
    pub(crate) fn takes_away(kind: &str) -> bool {
        [TOKEN_REVOKED, USER_DISABLED, PASSWORD_CHANGED, DOOR_CLOSED].contains(&kind)
    }
}

/// A change of access.
#[derive(Debug, Clone)]
pub enum AccessCommand {
    /// Issues a token.
    IssueToken(NewToken),
    /// Issues the first token; refused when any token was issued before.
    IssueFirstToken(NewToken),
    /// Revokes a token.
    RevokeToken {
        /// Id of the token.
        id: String,
    },
    /// Adds a user, who can log in with a password.
    AddUser(NewUser),
    /// Changes a password and ends all sessions of the user.
    ChangePassword {
        /// Name of the user.
        name: String,
        /// Argon2id digest of the new password.
        password: String,
    },
    /// Disables a user and ends their sessions.
    DisableUser {
        /// Name of the user.
        name: String,
    },
    /// Enables a disabled user; the password is the one from before.
    EnableUser {
        /// Name of the user.
        name: String,
    },
    /// Issues an invitation code, with which its recipient chooses a name and a password.
    IssueCode {
        /// SHA-256 of the code.
        hash: Digest,
        /// Role of the new user.
        role: Role,
        /// Time of expiry.
        expires: Moment,
    },
    /// Adds the user who redeems an invitation code.
    UseCode {
        /// SHA-256 of the code.
        hash: Digest,
        /// Name chosen by the user.
        name: String,
        /// Argon2id digest of the chosen password.
        password: String,
    },
    /// Allows anonymous submissions in a stream, through the routes at the root.
    OpenDoor {
        /// The stream; only one can be open.
        stream: StreamId,
    },
    /// Ends anonymous submissions.
    CloseDoor {
        /// The stream that is open.
        stream: StreamId,
    },
}

/// A token to be issued.
#[derive(Debug, Clone)]
pub struct NewToken {
    /// SHA-256 of the secret.
    pub hash: Digest,
    /// The actor that requests with this token act as.
    pub owner: Actor,
    /// The streams that may be accessed.
    pub scope: Scope,
    /// Description for admins.
    pub label: String,
    /// Time of expiry.
    pub expires: Option<Moment>,
}

/// A user to be added.
#[derive(Debug, Clone)]
pub struct NewUser {
    /// Login name, which is also the actor's name in records.
    pub name: String,
    /// Role of the user.
    pub role: Role,
    /// The streams that may be accessed.
    pub scope: Scope,
    /// Argon2id digest of the password.
    pub password: String,
}

impl NewToken {
    /// A token with unrestricted scope that does not expire.
    #[must_use]
    pub fn of(secret: &Secret, owner: Actor) -> Self {
        Self { hash: secret.hash(), owner, scope: Scope::Everything, label: String::new(), expires: None }
    }

    /// The row stored in the ledger.
    fn row(&self, at: Moment, issuer: &Actor) -> AccessToken {
        AccessToken {
            hash: self.hash,
            actor: self.owner.to_string(),
            scope: self.scope.to_string(),
            label: self.label.clone(),
            issued: at,
            issued_by: issuer.to_string(),
            expires: self.expires,
            revoked: None,
        }
    }
}
