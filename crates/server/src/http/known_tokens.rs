//! Tokens that have been seen, so that not every request has to ask the store.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use assize_kernel::Digest;

use super::caller::Admitted;

/// Tokens that are good, as long as nobody has lost anything.
#[derive(Default)]
pub(super) struct KnownTokens(RwLock<Seen>);

#[derive(Default)]
struct Seen {
    /// What [`crate::Clerk::losses`] said when the first of these was read.
    losses: u64,
    tokens: HashMap<Digest, Admitted>,
}

impl KnownTokens {
    /// Whom a token lets in, when that is known and nothing has been taken away since.
    pub(super) fn get(&self, hash: &Digest, losses: u64) -> Option<Admitted> {
        let seen = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if seen.losses == losses { seen.tokens.get(hash).cloned() } else { None }
    }

    /// Remembers a token that was read after `losses`.
    pub(super) fn remember(&self, hash: Digest, admitted: &Admitted, losses: u64) {
        let mut seen = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if seen.losses < losses {
            *seen = Seen { losses, tokens: HashMap::new() };
        }
        if seen.losses == losses {
            seen.tokens.insert(hash, admitted.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use assize_kernel::{Actor, Role};

    use super::*;
    use crate::Scope;

    #[test]
    fn a_loss_makes_everything_be_read_again() {
        let tokens = KnownTokens::default();
        let (hash, actor) = (Digest::of(b"one"), Actor::new(Role::Admin, "anna"));
        let admitted = Admitted { actor, scope: Scope::Everything, expires: None, login: None };
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
