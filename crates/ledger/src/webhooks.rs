//! Webhooks, in tables beside the records: subscriptions, delivery progress and dead letters.

use std::fmt;

use assize_kernel::{Millis, Moment};

use crate::LedgerError;

/// Storage of webhooks.
///
/// Admins change webhooks by a [`WebhookChange`] in a batch; only the holder of the lease writes its
/// progress.
pub trait WebhookStore: Send + Sync {
    /// Webhooks in the order in which they were added.
    fn webhooks(&self, offset: u64, limit: u64) -> Result<Vec<Webhook>, LedgerError>;

    /// A webhook by its id.
    fn webhook(&self, id: &str) -> Result<Option<Webhook>, LedgerError>;

    /// Acquires or renews the lease on a webhook; none when it is paused, removed, or held by another
    /// process.
    fn hold_webhook(&self, id: &str, hold: &WebhookLease) -> Result<Option<Webhook>, LedgerError>;

    /// Saves the progress of a webhook, with a dead letter if a delivery was given up. Writes nothing and
    /// returns false when `holder` no longer holds the lease.
    fn advance_webhook(
        &self,
        id: &str,
        holder: &str,
        progress: &WebhookProgress,
        dead: Option<&DeadLetter>,
    ) -> Result<bool, LedgerError>;

    /// Releases the lease, so that another process need not wait until it expires.
    fn release_webhook(&self, id: &str, holder: &str) -> Result<(), LedgerError>;

    /// The dead letters of a webhook, in order of position.
    fn dead_letters(&self, webhook: &str, offset: u64, limit: u64) -> Result<Vec<DeadLetter>, LedgerError>;

    /// The dead letter of one position.
    fn dead_letter(&self, webhook: &str, position: u64) -> Result<Option<DeadLetter>, LedgerError>;

    /// Saves a dead letter in place of the one of the same position, unless the webhook has been removed.
    fn bury_letter(&self, dead: &DeadLetter) -> Result<(), LedgerError>;

    /// Deletes a dead letter that has been delivered after all.
    fn raise_letter(&self, webhook: &str, position: u64) -> Result<(), LedgerError>;
}

/// A subscription to events by HTTP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    /// Its id.
    pub id: String,
    /// The URL that deliveries are posted to.
    pub url: String,
    /// Streams, or courts for all of their streams.
    pub topics: Vec<String>,
    /// A label for people.
    pub label: Option<String>,
    /// The key that deliveries are signed with.
    pub secret: WebhookSecret,
    /// When it was added.
    pub added: Moment,
    /// Whether deliveries wait until an admin resumes it.
    pub paused: bool,
    /// How far deliveries have come.
    pub progress: WebhookProgress,
    /// The number of its dead letters; counted by the store.
    pub dead: u64,
}

/// A signing secret, stored in plain text because signing needs it. Its `Debug` output is redacted.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookSecret(pub String);

/// The delivery progress of a webhook.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WebhookProgress {
    /// Every record up to this position is delivered, given up, or not subscribed to.
    pub position: u64,
    /// Failed attempts of the next delivery.
    pub attempts: u32,
    /// The time of the next attempt.
    pub due: Moment,
    /// When a delivery last succeeded.
    pub last_success: Option<Moment>,
    /// When and why a delivery last failed.
    pub last_error: Option<(Moment, String)>,
}

/// A delivery that was given up. Its content follows from the record at its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadLetter {
    /// The id of the webhook.
    pub webhook: String,
    /// The position of the record to be delivered.
    pub position: u64,
    /// The number of attempts.
    pub attempts: u32,
    /// The time of the last attempt.
    pub at: Moment,
    /// The error of the last attempt.
    pub error: String,
}

/// A lease on a webhook: only its holder delivers.
#[derive(Debug, Clone)]
pub struct WebhookLease {
    /// The process that delivers.
    pub holder: String,
    /// The time of that process; ignored by a store with a shared clock.
    pub now: Moment,
    /// How long the lease lasts unless it is renewed.
    pub lease: Millis,
}

/// A change of a webhook by an admin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WebhookChange {
    /// Adds a webhook.
    Add(Box<Webhook>),
    /// Pauses it and ends the lease.
    Pause(String),
    /// Resumes it at once.
    Resume(String),
    /// Removes it, with its secret and its dead letters.
    Remove(String),
}

impl WebhookProgress {
    /// The initial progress of a webhook that delivers everything after this position.
    #[must_use]
    pub fn after(position: u64) -> Self {
        Self { position, ..Self::default() }
    }

    /// Records a successful delivery.
    pub fn succeeded(&mut self, position: u64, at: Moment) {
        self.move_to(position);
        self.last_success = Some(at);
    }

    /// Records a failed attempt; returns the number of attempts.
    pub fn failed(&mut self, at: Moment, error: &str) -> u32 {
        self.attempts = self.attempts.saturating_add(1);
        self.last_error = Some((at, error.to_owned()));
        self.attempts
    }

    /// Moves on to the delivery after this position, which is due at once.
    fn move_to(&mut self, position: u64) {
        self.position = position;
        self.attempts = 0;
        self.due = Moment::default();
    }

    /// Records that a delivery is given up.
    pub fn given_up(&mut self, position: u64, at: Moment, error: &str) {
        self.move_to(position);
        self.last_error = Some((at, error.to_owned()));
    }
}

impl fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WebhookSecret(…)")
    }
}
