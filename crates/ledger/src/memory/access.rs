//! Who may come in, in memory.

use std::collections::{BTreeMap, HashMap};

use assize_kernel::{Digest, Moment};

use super::MemoryLedger;
use crate::{AccessChange, Code, Credentials, LedgerError, Session, Token, User};

/// Everybody who may come in.
#[derive(Default)]
pub(super) struct Access {
    tokens: HashMap<Digest, Token>,
    ids: BTreeMap<String, Digest>,
    users: BTreeMap<String, User>,
    codes: HashMap<Digest, Code>,
    sessions: HashMap<Digest, Session>,
}

impl Access {
    pub(super) fn change(&mut self, change: AccessChange) {
        match change {
            AccessChange::Token(token) => {
                self.ids.insert(token.id(), token.hash);
                self.tokens.insert(token.hash, token);
            }
            AccessChange::User(user) => drop(self.users.insert(user.name.clone(), user)),
            AccessChange::Code(code) => drop(self.codes.insert(code.hash, code)),
            AccessChange::EndSessions(name) => self.sessions.retain(|_, session| session.name != name),
        }
    }

    /// Everybody who may come in, as changes that lead there.
    pub(super) fn all(&self) -> Vec<AccessChange> {
        let tokens = self.tokens.values().cloned().map(AccessChange::Token);
        let users = self.users.values().cloned().map(AccessChange::User);
        let codes = self.codes.values().cloned().map(AccessChange::Code);
        tokens.chain(users).chain(codes).collect()
    }
}

impl Credentials for MemoryLedger {
    fn token(&self, hash: &Digest) -> Result<Option<Token>, LedgerError> {
        Ok(self.shared.read().access.tokens.get(hash).cloned())
    }

    fn token_called(&self, id: &str) -> Result<Option<Token>, LedgerError> {
        let state = self.shared.read();
        let hash = state.access.ids.get(id);
        Ok(hash.and_then(|hash| state.access.tokens.get(hash)).cloned())
    }

    fn tokens(&self, after: &str, limit: u64) -> Result<Vec<Token>, LedgerError> {
        let state = self.shared.read();
        let beyond = (std::ops::Bound::Excluded(after), std::ops::Bound::Unbounded);
        let hashes = state.access.ids.range::<str, _>(beyond).map(|(_, hash)| hash);
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        Ok(hashes.filter_map(|hash| state.access.tokens.get(hash)).take(limit).cloned().collect())
    }

    fn has_tokens(&self) -> Result<bool, LedgerError> {
        Ok(!self.shared.read().access.tokens.is_empty())
    }

    fn user(&self, name: &str) -> Result<Option<User>, LedgerError> {
        Ok(self.shared.read().access.users.get(name).cloned())
    }

    fn users(&self) -> Result<Vec<User>, LedgerError> {
        Ok(self.shared.read().access.users.values().cloned().collect())
    }

    fn code(&self, hash: &Digest) -> Result<Option<Code>, LedgerError> {
        Ok(self.shared.read().access.codes.get(hash).cloned())
    }

    fn session(&self, hash: &Digest) -> Result<Option<Session>, LedgerError> {
        Ok(self.shared.read().access.sessions.get(hash).cloned())
    }

    fn keep_session(&self, session: &Session, new: bool) -> Result<(), LedgerError> {
        let sessions = &mut self.shared.write().access.sessions;
        if new || sessions.contains_key(&session.hash) {
            sessions.insert(session.hash, session.clone());
        }
        Ok(())
    }

    fn end_session(&self, hash: &Digest) -> Result<(), LedgerError> {
        self.shared.write().access.sessions.remove(hash);
        Ok(())
    }

    fn forget_sessions(&self, before: Moment) -> Result<(), LedgerError> {
        self.shared.write().access.sessions.retain(|_, session| session.expires >= before);
        Ok(())
    }
}
