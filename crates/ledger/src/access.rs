//! Who may come in: tokens, people, their sessions and codes, beside the ledger and never in it.

use std::fmt;

use assize_kernel::{Digest, Moment};

use crate::LedgerError;

/// What a store knows of those who may come in. Expiry is for the caller to judge.
pub trait Credentials {
    /// What is known of a token.
    ///
    /// # Errors
    /// When the store cannot be reached.
    fn token(&self, hash: &Digest) -> Result<Option<Token>, LedgerError>;

    /// The token that is called so.
    ///
    /// # Errors
    /// When the store cannot be reached.
    fn token_called(&self, id: &str) -> Result<Option<Token>, LedgerError>;

    /// So many tokens whose ids come after this one, in order.
    ///
    /// # Errors
    /// When the store cannot be reached.
    fn tokens(&self, after: &str, limit: u64) -> Result<Vec<Token>, LedgerError>;

    /// Whether anybody has ever been given a token.
    ///
    /// # Errors
    /// When the store cannot be reached.
    fn has_tokens(&self) -> Result<bool, LedgerError>;

    /// Somebody with a password.
    ///
    /// # Errors
    /// When the store cannot be reached.
    fn user(&self, name: &str) -> Result<Option<User>, LedgerError>;

    /// Everybody with a password, by name.
    ///
    /// # Errors
    /// When the store cannot be reached.
    fn users(&self) -> Result<Vec<User>, LedgerError>;

    /// A code that lets somebody choose a password.
    ///
    /// # Errors
    /// When the store cannot be reached.
    fn code(&self, hash: &Digest) -> Result<Option<Code>, LedgerError>;

    /// A session.
    ///
    /// # Errors
    /// When the store cannot be reached.
    fn session(&self, hash: &Digest) -> Result<Option<Session>, LedgerError>;

    /// Begins a session, or keeps one going: the same one as before with other times. One that has ended in the
    /// meantime stays ended.
    ///
    /// # Errors
    /// When the store cannot be reached.
    fn keep_session(&self, session: &Session, new: bool) -> Result<(), LedgerError>;

    /// Ends a session.
    ///
    /// # Errors
    /// When the store cannot be reached.
    fn end_session(&self, hash: &Digest) -> Result<(), LedgerError>;

    /// Forgets sessions that ended by themselves before this moment.
    ///
    /// # Errors
    /// When the store cannot be reached.
    fn forget_sessions(&self, before: Moment) -> Result<(), LedgerError>;
}

/// A change of who may come in, made with the record that tells of it or not at all. Each row takes the place of
/// the one before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AccessChange {
    /// A token given out or taken back.
    Token(Token),
    /// Somebody added, with another password, or disabled.
    User(User),
    /// A code given out or used.
    Code(Code),
    /// Everybody who is logged in under this name is so no longer.
    EndSessions(String),
}

/// A secret that lets somebody in; only its digest is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// SHA-256 of the secret.
    pub hash: Digest,
    /// Who it lets in, as `role:name`.
    pub actor: String,
    /// What they may touch: a court, or a stream; empty for everything their role may.
    pub scope: String,
    /// What it is for, in the words of whoever gave it out.
    pub label: String,
    /// Given out then.
    pub issued: Moment,
    /// By whom, as `role:name`; empty when that was not noted.
    pub issued_by: String,
    /// Good until then.
    pub expires: Option<Moment>,
    /// Taken back then.
    pub revoked: Option<Moment>,
}

/// Somebody who logs in with a password.
#[derive(Clone, PartialEq, Eq)]
pub struct User {
    /// What they log in as.
    pub name: String,
    /// What they may do.
    pub role: String,
    /// What they may touch, as a token's.
    pub scope: String,
    /// Argon2id's digest of the password, with its salt and parameters.
    pub password: String,
    /// Added then.
    pub created: Moment,
    /// Not let in any more since then.
    pub disabled: Option<Moment>,
}

/// Somebody is logged in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// SHA-256 of the secret in the cookie.
    pub hash: Digest,
    /// Who it is.
    pub name: String,
    /// Logged in then.
    pub created: Moment,
    /// Last seen about then.
    pub seen: Moment,
    /// Good until then.
    pub expires: Moment,
}

/// A secret that lets somebody choose a name and a password, once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Code {
    /// SHA-256 of the secret.
    pub hash: Digest,
    /// What they may do then.
    pub role: String,
    /// What they may touch, as a token's.
    pub scope: String,
    /// Good until then.
    pub expires: Moment,
    /// Used then.
    pub used: Option<Moment>,
}

impl AccessChange {
    /// Whether somebody may have been let in before this and may not be any more.
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

impl Token {
    /// What it is called: it can be named without being known.
    #[must_use]
    pub fn id(&self) -> String {
        self.hash.to_string().chars().take(12).collect()
    }
}

impl fmt::Debug for User {
    /// Without the password's digest, which belongs in no log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, role, scope, created, disabled, .. } = self;
        write!(f, "User({role}:{name}, `{scope}`, created {created:?}, disabled {disabled:?})")
    }
}
