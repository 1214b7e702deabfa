//! Webhooks: whoever an admin names is told what happens, signed, at least once and in order.

mod addresses;
mod courier;
mod delivery;
mod entry;
mod office;
mod schedule;
mod sender;
mod signing;
mod worker;

use std::sync::Arc;
use std::time::Duration;

use assize_kernel::Digest;
use assize_ledger::{Ledger, Secret, WebhookChange};

pub(crate) use addresses::{UrlError, read_url};
use courier::Courier;
pub(crate) use courier::Outcome;
pub(crate) use delivery::{delivery_at, delivery_id, trial};
pub(crate) use entry::{Asker, Entered};
pub(crate) use office::Office;
use schedule::Pace;
use sender::Changed;
pub use sender::Sender;

use crate::{Clerk, ClerkError, Closing, Courts};

/// The most webhooks there may be.
pub(crate) const MOST_WEBHOOKS: u64 = 100;

/// How webhooks are sent.
#[derive(Debug, Clone, Copy)]
pub struct HookSettings {
    /// Whether they may go into private networks.
    pub allow_private: bool,
    /// How long a second of the schedule takes.
    pub second: Duration,
}

/// Webhooks could not be set up.
#[derive(Debug, thiserror::Error)]
#[error("webhooks cannot be sent: {0}")]
pub(crate) struct HookError(String);

/// Webhooks of a process; cheap to clone.
#[derive(Clone)]
pub struct Hooks {
    pub(crate) office: Arc<Office>,
    changed: Arc<Changed>,
}

impl Default for HookSettings {
    fn default() -> Self {
        Self { allow_private: false, second: Duration::from_secs(1) }
    }
}

impl Hooks {
    /// Nothing is sent until [`Hooks::start`].
    #[must_use]
    pub fn new(
        courts: Arc<Courts>,
        ledger: Arc<dyn Ledger>,
        clerk: Clerk,
        closing: Closing,
        settings: HookSettings,
    ) -> Self {
        let (courier, pace) = (Courier::new(settings.allow_private), Pace::new(settings.second));
        // Without random bytes there are no batches either, and nothing is delivered.
        let name = format!("{}-{}", std::process::id(), Digest(random().unwrap_or_default()).short());
        let office = Office { ledger, courts, courier, clerk, pace, closing, name };
        Self { office: Arc::new(office), changed: Arc::default() }
    }

    /// Starts delivering; to be called within a runtime.
    #[must_use]
    pub fn start(&self) -> Sender {
        Sender::start(Arc::clone(&self.office), Arc::clone(&self.changed))
    }

    /// Does what an admin has decided, and records it in their name.
    pub(crate) async fn change(&self, change: WebhookChange, asker: Asker) -> Result<Entered, ClerkError> {
        let office = Arc::clone(&self.office);
        let done = tokio::task::spawn_blocking(move || office.enter(change, &asker)).await;
        let entered = done.unwrap_or_else(|error| Err(ClerkError::Broken(error.to_string())))?;
        self.changed.note(entered.webhook.clone());
        Ok(entered)
    }
}

/// A new id and the secret that deliveries will be signed with.
pub(crate) fn new_identity() -> Result<(String, Secret), HookError> {
    let id = format!("wh_{}", Digest(random()?).to_string().chars().take(16).collect::<String>());
    Ok((id, Secret(format!("whsec_{}", Digest(random()?)))))
}

/// Random bytes.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], HookError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| HookError(format!("no random bytes: {error}")))?;
    Ok(bytes)
}
