//! Credentials: tokens, users, sessions and invitation codes, in tables beside the records and never in them.

use std::fmt;

use assize_kernel::{Digest, Moment};

use crate::LedgerError;

/// Storage of credentials. The caller checks whether one has expired or been revoked.
pub trait CredentialStore {
    /// A token by the digest of its secret.
    fn token(&self, hash: &Digest) -> Result<Option<AccessToken>, LedgerError>;

    /// A token by its id.
    fn token_called(&self, id: &str) -> Result<Option<AccessToken>, LedgerError>;

    /// A page of tokens with ids after this one, in order of id.
    fn tokens(&self, after: &str, limit: u64) -> Result<Vec<AccessToken>, LedgerError>;

    /// Whether a token has ever been issued.
    fn has_tokens(&self) -> Result<bool, LedgerError>;

    /// A user by name.
    fn user(&self, name: &str) -> Result<Option<UserAccount>, LedgerError>;

    /// All users, in order of name.
    fn users(&self) -> Result<Vec<UserAccount>, LedgerError>;

    /// An invitation code by its digest.
    fn code(&self, hash: &Digest) -> Result<Option<InvitationCode>, LedgerError>;

    /// A session by the digest of its secret.
    fn session(&self, hash: &Digest) -> Result<Option<UserSession>, LedgerError>;

    /// Saves a new session, or renews an existing one with other times. A session that has ended in the
    /// meantime stays ended.
    fn keep_session(&self, session: &UserSession, new: bool) -> Result<(), LedgerError>;

    /// Ends a session.
    fn end_session(&self, hash: &Digest) -> Result<(), LedgerError>;

    /// Deletes sessions that expired before this moment.
    fn forget_sessions(&self, before: Moment) -> Result<(), LedgerError>;
}

/// A change of credentials, in one transaction with the record of it. Each row replaces the previous one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AccessChange {
    /// A token is issued or revoked.
    Token(AccessToken),
    /// A user is added, disabled, or has another password.
    User(UserAccount),
    /// An invitation code is issued or used.
    Code(InvitationCode),
    /// All sessions of the user with this name end.
    EndSessions(String),
}

/// A bearer token; only the digest of its secret is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessToken {
    /// SHA-256 of the secret.
    pub hash: Digest,
    /// The actor it authenticates, as `role:name`.
    pub actor: String,
    /// The court or stream it is limited to; empty for everything the role permits.
    pub scope: String,
    /// Its purpose, in the words of its issuer.
    pub label: String,
    /// When it was issued.
    pub issued: Moment,
    /// Its issuer, as `role:name`; empty when unknown.
    pub issued_by: String,
    /// When it expires.
    pub expires: Option<Moment>,
    /// When it was revoked.
    pub revoked: Option<Moment>,
}

/// A user who logs in with a password.
#[derive(Clone, PartialEq, Eq)]
pub struct UserAccount {
    /// The login name.
    pub name: String,
    /// The role.
    pub role: String,
    /// The scope, as of a token.
    pub scope: String,
    /// The Argon2id hash of the password, with its salt and parameters.
    pub password: String,
    /// When the user was added.
    pub created: Moment,
    /// When the user was disabled.
    pub disabled: Option<Moment>,
}

/// A login session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserSession {
    /// SHA-256 of the secret in the cookie.
    pub hash: Digest,
    /// The name of the user.
    pub name: String,
    /// When the user logged in.
    pub created: Moment,
    /// When the session was last used, approximately.
    pub seen: Moment,
    /// When it expires.
    pub expires: Moment,
}

/// A one-time code with which a new user chooses a name and a password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvitationCode {
    /// SHA-256 of the secret.
    pub hash: Digest,
    /// The role of the new user.
    pub role: String,
    /// The scope, as of a token.
    pub scope: String,
    /// When it expires.
    pub expires: Moment,
    /// When it was used.
    pub used: Option<Moment>,
}

impl AccessChange {
    /// Whether this revokes access.
    #[must_use]
    pub fn takes_away(&self) -> bool {
        match self {
            Self::Token(token) => token.revoked.is_some(),
            Self::User(user) => user.disabled.is_some(),
            Self::Code(_) => false,
            Self::EndSessions(_) => true,
        }
    }
}

impl AccessToken {
    /// Its id: the beginning of the digest, which does not reveal the secret.
    #[must_use]
    pub fn id(&self) -> String {
        self.hash.to_string().chars().take(12).collect()
    }
}

impl fmt::Debug for UserAccount {
    /// Without the password hash, which must not appear in a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, role, scope, created, disabled, .. } = self;
        write!(f, "User({role}:{name}, `{scope}`, created {created:?}, disabled {disabled:?})")
    }
}
