//! Who may come in: giving out and taking back tokens, adding people, changing passwords. Every change is a record
//! of the stream `assize/access`, made together with what it changes.

mod deciding;
mod door;
mod outside;
mod passwords;
mod scope;
mod secrets;

use assize_kernel::{Actor, Digest, Moment, Role, StreamId};
use assize_ledger::AccessToken;

pub use deciding::check_code;
pub(crate) use deciding::{Known, Ruling, decide, give_token};
pub use door::NOBODY;
pub use outside::change_access;
pub use passwords::{hash_password, is_password, make_password};
pub use scope::{BadScope, Scope};
pub use secrets::Secret;

/// The stream in which every change of who may come in is entered.
pub(crate) const ACCESS: &str = "assize/access";

/// The same, by its type.
pub(crate) fn access_stream() -> StreamId {
    StreamId::of_engine("access")
}

/// What happened, as the records of the stream call it.
pub(crate) mod kinds {
    pub(crate) const TOKEN_ISSUED: &str = "TokenIssued";
    pub(crate) const TOKEN_REVOKED: &str = "TokenRevoked";
    pub(crate) const USER_ADDED: &str = "UserAdded";
    pub(crate) const USER_DISABLED: &str = "UserDisabled";
    pub(crate) const PASSWORD_CHANGED: &str = "PasswordChanged";
    pub(crate) const CODE_ISSUED: &str = "CodeIssued";
    pub(crate) const DOOR_OPENED: &str = "DoorOpened";
    pub(crate) const DOOR_CLOSED: &str = "DoorClosed";

    /// Who was let in before and is not any more.
    #[derive(Debug, PartialEq, Eq)]
    pub(crate) enum Loser {
        /// Whoever has the token that is called so.
        Token(String),
        /// Whoever has logged in under this name.
        Login(String),
    }

    /// Who has lost something by a record of the stream.
    pub(crate) fn loser(kind: &str, body: &str) -> Option<Loser> {
        let (field, loser): (_, fn(String) -> Loser) = match kind {
            TOKEN_REVOKED => ("id", Loser::Token),
            USER_DISABLED | PASSWORD_CHANGED => ("name", Loser::Login),
            _ => return None,
        };
        let body: serde_json::Value = serde_json::from_str(body).ok()?;
        body.get(kind)?.get(field)?.as_str().map(str::to_owned).map(loser)
    }

    /// Whether somebody may have been let in before this and may not be any more.
    pub(crate) fn takes_away(kind: &str) -> bool {
        [TOKEN_REVOKED, USER_DISABLED, PASSWORD_CHANGED, DOOR_CLOSED].contains(&kind)
    }
}

/// What is to be changed.
#[derive(Debug, Clone)]
pub enum AccessCommand {
    /// Gives somebody a token.
    IssueToken(NewToken),
    /// The same, if nobody has ever been given one.
    IssueFirstToken(NewToken),
    /// Takes a token back.
    RevokeToken {
        /// What it is called.
        id: String,
    },
    /// Lets somebody log in.
    AddUser(NewUser),
    /// Gives somebody another password, and logs them out everywhere.
    ChangePassword {
        /// Whom.
        name: String,
        /// Argon2id's digest of it.
        password: String,
    },
    /// Lets somebody log in no more.
    DisableUser {
        /// Whom.
        name: String,
    },
    /// Gives out a code that lets somebody choose a name and a password.
    IssueCode {
        /// SHA-256 of it.
        hash: Digest,
        /// What they may do then.
        role: Role,
        /// Good until then.
        expires: Moment,
    },
    /// Lets somebody log in who has such a code.
    UseCode {
        /// SHA-256 of it.
        hash: Digest,
        /// The name they have chosen.
        name: String,
        /// Argon2id's digest of the password they have chosen.
        password: String,
    },
    /// Lets everybody submit in a stream without a token, by the routes at the root.
    OpenDoor {
        /// Which one; the only one.
        stream: StreamId,
    },
    /// Lets nobody do so any more.
    CloseDoor {
        /// In which one.
        stream: StreamId,
    },
}

/// A token that is to be given out.
#[derive(Debug, Clone)]
pub struct NewToken {
    /// SHA-256 of the secret.
    pub hash: Digest,
    /// Whom it lets in.
    pub owner: Actor,
    /// What they may touch.
    pub scope: Scope,
    /// What it is for.
    pub label: String,
    /// Good until then.
    pub expires: Option<Moment>,
}

/// Somebody who is to log in.
#[derive(Debug, Clone)]
pub struct NewUser {
    /// What they log in as, and are called in the records.
    pub name: String,
    /// What they may do.
    pub role: Role,
    /// What they may touch.
    pub scope: Scope,
    /// Argon2id's digest of the password.
    pub password: String,
}

impl NewToken {
    /// For somebody, for everything their role may, for ever.
    #[must_use]
    pub fn of(secret: &Secret, owner: Actor) -> Self {
        Self { hash: secret.hash(), owner, scope: Scope::Everything, label: String::new(), expires: None }
    }

    /// The row it becomes.
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
