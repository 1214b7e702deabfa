//! Webhooks: signed HTTP deliveries of notices, in order and at least once.

mod addresses;
mod client;
mod context;
mod delivery;
mod entry;
mod schedule;
mod sender;
mod signing;
mod worker;

use std::sync::Arc;
use std::time::Duration;

use assize_kernel::Digest;
use assize_ledger::{Ledger, WebhookChange, WebhookSecret};

pub use addresses::{UrlError, read_url};
pub use client::Outcome;
use client::WebhookClient;
pub use context::DeliveryContext;
pub use delivery::{delivery_at, delivery_id, trial};
pub use entry::{Asker, Entered};
use schedule::Pace;
use sender::Changed;
pub use sender::Sender;

use crate::{Clerk, ClerkError, Courts, Shutdown};

/// Largest number of webhooks.
pub const MOST_WEBHOOKS: u64 = 100;

/// Settings of webhooks.
#[derive(Debug, Clone, Copy)]
pub struct WebhookSettings {
    /// Whether deliveries to private networks are allowed.
    pub allow_private: bool,
    /// Duration of a second of the retry schedule; shorter in tests.
    pub second: Duration,
}

/// The system's random generator failed.
#[derive(Debug, thiserror::Error)]
#[error("webhooks cannot be sent: {0}")]
pub struct HookError(String);

/// The webhooks of a process; cheap to clone.
#[derive(Clone)]
pub struct Webhooks {
    /// The context of deliveries.
    pub context: Arc<DeliveryContext>,
    changed: Arc<Changed>,
}

impl Default for WebhookSettings {
    fn default() -> Self {
        Self { allow_private: false, second: Duration::from_secs(1) }
    }
}

impl Webhooks {
    /// Sends nothing until [`Webhooks::start`].
    #[must_use]
    pub fn new(
        courts: Arc<Courts>,
        ledger: Arc<dyn Ledger>,
        clerk: Clerk,
        closing: Shutdown,
        settings: WebhookSettings,
    ) -> Self {
        let (client, pace) = (WebhookClient::new(settings.allow_private), Pace::new(settings.second));
        // Without random bytes no batch can be written either, so nothing is delivered.
        let name = format!("{}-{}", std::process::id(), Digest(random().unwrap_or_default()).short());
        let context = DeliveryContext { ledger, courts, client, clerk, pace, closing, name };
        Self { context: Arc::new(context), changed: Arc::default() }
    }

    /// Starts the deliveries; needs a runtime.
    #[must_use]
    pub fn start(&self) -> Sender {
        Sender::start(Arc::clone(&self.context), Arc::clone(&self.changed))
    }

    /// Applies and records a change by an admin.
    pub async fn change(&self, change: WebhookChange, asker: Asker) -> Result<Entered, ClerkError> {
        let context = Arc::clone(&self.context);
        let done = tokio::task::spawn_blocking(move || context.enter(change, &asker)).await;
        let entered = done.unwrap_or_else(|error| Err(ClerkError::Broken(error.to_string())))?;
        self.changed.note(entered.webhook.clone());
        Ok(entered)
    }
}

/// A new webhook id and signing secret.
pub fn new_identity() -> Result<(String, WebhookSecret), HookError> {
    let id = format!("wh_{}", Digest(random()?).to_string().chars().take(16).collect::<String>());
    Ok((id, WebhookSecret(format!("whsec_{}", Digest(random()?)))))
}

/// Random bytes.
pub fn random<const N: usize>() -> Result<[u8; N], HookError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| HookError(format!("no random bytes: {error}")))?;
    Ok(bytes)
}
