//! What all that delivers works with: the ledger, the courts, the courier and the clock.

use std::sync::Arc;

use assize_kernel::{Actor, Millis, Moment, Role};
use assize_ledger::{Hold, Ledger, LedgerError, WebhookChange};

use super::courier::Courier;
use super::entry::Asker;
use super::schedule::Pace;
use crate::{Clerk, Closing, Courts};

/// Shared by all that delivers in a process.
pub(crate) struct Office {
    pub(crate) ledger: Arc<dyn Ledger>,
    pub(crate) courts: Arc<Courts>,
    pub(crate) courier: Courier,
    pub(super) clerk: Clerk,
    pub(super) pace: Pace,
    pub(super) closing: Closing,
    /// Tells this process from the others.
    pub(super) name: String,
}

impl Office {
    pub(crate) fn now(&self) -> Moment {
        self.clerk.now()
    }

    /// Asks the ledger on a thread that may wait.
    pub(super) async fn ask<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<T, LedgerError> + Send + 'static,
    ) -> Result<T, LedgerError> {
        let office = Arc::clone(self);
        let answered = tokio::task::spawn_blocking(move || work(&office)).await;
        answered.unwrap_or_else(|error| Err(LedgerError::Unavailable(error.to_string())))
    }

    pub(super) fn hold(&self) -> Hold {
        let lease = Millis(i64::try_from(self.pace.lease().as_millis()).unwrap_or(i64::MAX));
        Hold { holder: self.name.clone(), now: self.now(), lease }
    }

    /// Pauses a webhook in nobody's name but the engine's.
    pub(super) async fn pause(self: &Arc<Self>, id: &str) -> Result<(), LedgerError> {
        let asker = Asker { actor: Actor::new(Role::System, "webhooks"), key: None, origin: None };
        let change = WebhookChange::Pause(id.to_owned());
        self.ask(move |office| {
            let entered = office.enter(change, &asker);
            entered.map(drop).map_err(|error| LedgerError::Unavailable(error.to_string()))
        })
        .await
    }
}
