//! The context of deliveries: ledger, courts, HTTP client and clock.

use std::sync::Arc;

use assize_kernel::{Actor, Millis, Moment, Role};
use assize_ledger::{Ledger, LedgerError, WebhookChange, WebhookLease};

use super::client::WebhookClient;
use super::entry::Asker;
use super::schedule::Pace;
use crate::{Clerk, Courts, Shutdown};

/// Shared by all webhook workers of a process.
pub struct DeliveryContext {
    /// The ledger that deliveries are read from.
    pub ledger: Arc<dyn Ledger>,
    /// The courts, which render notices.
    pub courts: Arc<Courts>,
    /// The HTTP client that sends deliveries.
    pub client: WebhookClient,
    pub(super) clerk: Clerk,
    pub(super) pace: Pace,
    pub(super) closing: Shutdown,
    /// Name of this process as the holder of leases.
    pub(super) name: String,
}

impl DeliveryContext {
    /// The current time.
    pub fn now(&self) -> Moment {
        self.clerk.now()
    }

    /// Accesses the ledger on a blocking thread.
    pub(super) async fn ask<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<T, LedgerError> + Send + 'static,
    ) -> Result<T, LedgerError> {
        let context = Arc::clone(self);
        let answered = tokio::task::spawn_blocking(move || work(&context)).await;
        answered.unwrap_or_else(|error| Err(LedgerError::Unavailable(error.to_string())))
    }

    pub(super) fn hold(&self) -> WebhookLease {
        let lease = Millis(i64::try_from(self.pace.lease().as_millis()).unwrap_or(i64::MAX));
        WebhookLease { holder: self.name.clone(), now: self.now(), lease }
    }

    /// Pauses a webhook; the engine is recorded as the actor.
    pub(super) async fn pause(self: &Arc<Self>, id: &str) -> Result<(), LedgerError> {
        let asker = Asker { actor: Actor::new(Role::System, "webhooks"), key: None, origin: None };
        let change = WebhookChange::Pause(id.to_owned());
        self.ask(move |context| {
            let entered = context.enter(change, &asker);
            entered.map(drop).map_err(|error| LedgerError::Unavailable(error.to_string()))
        })
        .await
    }
}
