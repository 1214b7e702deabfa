//! Credentials in memory.

use std::collections::{BTreeMap, HashMap};

use assize_kernel::{Digest, Moment};

use super::MemoryLedger;
use crate::{
    AccessChange, AccessToken, CredentialStore, InvitationCode, LedgerError, UserAccount, UserSession,
};

/// The credential tables.
#[derive(Default)]
pub(super) struct AccessTables {
    tokens: HashMap<Digest, AccessToken>,
    ids: BTreeMap<String, Digest>,
    users: BTreeMap<String, UserAccount>,
    codes: HashMap<Digest, InvitationCode>,
    sessions: HashMap<Digest, UserSession>,
}

impl AccessTables {
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

    /// All credentials, as changes that would add them.
    pub(super) fn all(&self) -> Vec<AccessChange> {
        let tokens = self.tokens.values().cloned().map(AccessChange::Token);
        let users = self.users.values().cloned().map(AccessChange::User);
        let codes = self.codes.values().cloned().map(AccessChange::Code);
        tokens.chain(users).chain(codes).collect()
    }
}

impl CredentialStore for MemoryLedger {
    fn token(&self, hash: &Digest) -> Result<Option<AccessToken>, LedgerError> {
        Ok(self.shared.read().access.tokens.get(hash).cloned())
    }

    fn token_called(&self, id: &str) -> Result<Option<AccessToken>, LedgerError> {
        let state = self.shared.read();
        let hash = state.access.ids.get(id);
        Ok(hash.and_then(|hash| state.access.tokens.get(hash)).cloned())
    }

    fn tokens(&self, after: &str, limit: u64) -> Result<Vec<AccessToken>, LedgerError> {
        let state = self.shared.read();
        let beyond = (std::ops::Bound::Excluded(after), std::ops::Bound::Unbounded);
        let hashes = state.access.ids.range::<str, _>(beyond).map(|(_, hash)| hash);
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        Ok(hashes.filter_map(|hash| state.access.tokens.get(hash)).take(limit).cloned().collect())
    }

    fn has_tokens(&self) -> Result<bool, LedgerError> {
        Ok(!self.shared.read().access.tokens.is_empty())
    }

    fn user(&self, name: &str) -> Result<Option<UserAccount>, LedgerError> {
        Ok(self.shared.read().access.users.get(name).cloned())
    }

    fn users(&self) -> Result<Vec<UserAccount>, LedgerError> {
        Ok(self.shared.read().access.users.values().cloned().collect())
    }

    fn code(&self, hash: &Digest) -> Result<Option<InvitationCode>, LedgerError> {
        Ok(self.shared.read().access.codes.get(hash).cloned())
    }

    fn session(&self, hash: &Digest) -> Result<Option<UserSession>, LedgerError> {
        Ok(self.shared.read().access.sessions.get(hash).cloned())
    }

    fn keep_session(&self, session: &UserSession, new: bool) -> Result<(), LedgerError> {
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
