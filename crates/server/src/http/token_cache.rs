//! Cache of valid tokens, so that not every request has to read the store.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use assize_kernel::Digest;

use super::caller::AccessGrant;

/// The token cache; emptied after a revocation.
#[derive(Default)]
pub(crate) struct TokenCache(RwLock<CachedTokens>);

#[derive(Default)]
struct CachedTokens {
    /// The value of [`assize_engine::Clerk::revocations`] when the first of these tokens was read.
    revocations: u64,
    tokens: HashMap<Digest, AccessGrant>,
}

impl TokenCache {
    /// The identity of a cached token, if nothing was revoked since it was read.
    pub(crate) fn get(&self, hash: &Digest, revocations: u64) -> Option<AccessGrant> {
        let seen = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if seen.revocations == revocations { seen.tokens.get(hash).cloned() } else { None }
    }

    /// Caches a token that was read when the revocation count was `revocations`.
    pub(crate) fn remember(&self, hash: Digest, admitted: &AccessGrant, revocations: u64) {
        let mut seen = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if seen.revocations < revocations {
            *seen = CachedTokens { revocations, tokens: HashMap::new() };
        }
        if seen.revocations == revocations {
            seen.tokens.insert(hash, admitted.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use assize_kernel::{Actor, Role};

    use super::*;
    use assize_engine::Scope;

    #[test]
    fn a_loss_makes_everything_be_read_again() {
        let tokens = TokenCache::default();
        let hash = Digest::of(b"one");
        let actor = Actor::new(Role::Admin, "anna");
        let admitted = AccessGrant { actor, scope: Scope::Everything, expires: None, login: None };
        tokens.remember(hash, &admitted, 0);
        assert!(tokens.get(&hash, 0).is_some());
        assert!(tokens.get(&hash, 1).is_none());
        tokens.remember(hash, &admitted, 1);
        assert!(tokens.get(&hash, 1).is_some());
        let late = Digest::of(b"two");
        tokens.remember(late, &admitted, 0);
        assert!(tokens.get(&late, 1).is_none(), "what was read before the loss is not remembered after it");
    }
}
