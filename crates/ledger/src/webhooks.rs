//! Webhooks, kept beside the ledger: whom to tell, how far that has come, and what could not be delivered.

use std::fmt;

use assize_kernel::{Millis, Moment};

use crate::LedgerError;

/// Where a store keeps its webhooks.
///
/// What an admin decides is a [`WebhookChange`]; how far deliveries have come is for whoever holds the webhook.
pub trait WebhookStore: Send + Sync {
    /// Webhooks in the order in which they were added.
    ///
    /// # Errors
    /// When the store cannot be reached.
    fn webhooks(&self, offset: u64, limit: u64) -> Result<Vec<Webhook>, LedgerError>;

    /// A webhook by its id.
    ///
    /// # Errors
    /// When the store cannot be reached.
    fn webhook(&self, id: &str) -> Result<Option<Webhook>, LedgerError>;

    /// Takes a webhook for a while, or keeps it for longer; none when it is paused, gone, or held by another.
    ///
    /// # Errors
    /// When the store cannot be reached.
    fn hold_webhook(&self, id: &str, hold: &Hold) -> Result<Option<Webhook>, LedgerError>;

    /// Writes down how far a webhook has come, with what was given up on the way; false when it is held by
    /// another by now, and then nothing is written.
    ///
    /// # Errors
    /// When the store cannot be reached.
    fn advance_webhook(
        &self,
        id: &str,
        holder: &str,
        progress: &Progress,
        dead: Option<&DeadLetter>,
    ) -> Result<bool, LedgerError>;

    /// Gives a webhook back, so that another process need not wait until the hold is over.
    ///
    /// # Errors
    /// When the store cannot be reached.
    fn release_webhook(&self, id: &str, holder: &str) -> Result<(), LedgerError>;

    /// What could not be delivered, in order of position.
    ///
    /// # Errors
    /// When the store cannot be reached.
    fn dead_letters(&self, webhook: &str, offset: u64, limit: u64) -> Result<Vec<DeadLetter>, LedgerError>;

    /// What could not be delivered of one position.
    ///
    /// # Errors
    /// When the store cannot be reached.
    fn dead_letter(&self, webhook: &str, position: u64) -> Result<Option<DeadLetter>, LedgerError>;

    /// Keeps a dead letter instead of the one of the same position, unless the webhook is gone.
    ///
    /// # Errors
    /// When the store cannot be reached.
    fn bury_letter(&self, dead: &DeadLetter) -> Result<(), LedgerError>;

    /// Takes a dead letter off the list: it has been delivered after all.
    ///
    /// # Errors
    /// When the store cannot be reached.
    fn raise_letter(&self, webhook: &str, position: u64) -> Result<(), LedgerError>;
}

/// Somebody who wants to be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    /// Names it.
    pub id: String,
    /// Where to send.
    pub url: String,
    /// Streams, or courts for all of their streams.
    pub topics: Vec<String>,
    /// What people call it.
    pub label: Option<String>,
    /// What deliveries are signed with.
    pub secret: Secret,
    /// When it was added.
    pub added: Moment,
    /// Whether deliveries wait until somebody resumes it.
    pub paused: bool,
    /// How far it has come.
    pub progress: Progress,
    /// How many dead letters it has; counted by the store.
    pub dead: u64,
}

/// A secret that must be kept as it is, because it is signed with. Shows itself to nobody by accident.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub String);

/// How far a webhook has come.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Progress {
    /// Everything up to this position is delivered, given up, or nothing it wants to hear.
    pub position: u64,
    /// How often the next delivery has been tried in vain.
    pub attempts: u32,
    /// Not to be tried again before then.
    pub due: Moment,
    /// When a delivery last succeeded.
    pub last_success: Option<Moment>,
    /// When and why one last failed.
    pub last_error: Option<(Moment, String)>,
}

/// A delivery that was given up. What it said follows from the record at its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadLetter {
    /// Whose it was.
    pub webhook: String,
    /// The record it told of.
    pub position: u64,
    /// How often it was tried.
    pub attempts: u32,
    /// When it was last tried.
    pub at: Moment,
    /// Why that failed.
    pub error: String,
}

/// Who wants to deliver a webhook, and for how long before they must ask again.
#[derive(Debug, Clone)]
pub struct Hold {
    /// A process.
    pub holder: String,
    /// Its time. A store with a clock that several processes share goes by that one.
    pub now: Moment,
    /// For so long.
    pub lease: Millis,
}

/// What an admin has decided about a webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WebhookChange {
    /// It is there from now on.
    Add(Box<Webhook>),
    /// It waits. Whoever holds it loses it.
    Pause(String),
    /// It goes on, at once.
    Resume(String),
    /// It is gone, with its secret and its dead letters.
    Remove(String),
}

impl Progress {
    /// The beginning: tells of everything after this position.
    #[must_use]
    pub fn after(position: u64) -> Self {
        Self { position, ..Self::default() }
    }

    /// The delivery at this position has arrived.
    pub fn succeeded(&mut self, position: u64, at: Moment) {
        (self.position, self.attempts, self.due) = (position, 0, Moment::default());
        self.last_success = Some(at);
    }

    /// The next delivery has failed once more; how often by now.
    pub fn failed(&mut self, at: Moment, error: &str) -> u32 {
        self.attempts = self.attempts.saturating_add(1);
        self.last_error = Some((at, error.to_owned()));
        self.attempts
    }

    /// The delivery at this position is not tried again.
    pub fn given_up(&mut self, position: u64, at: Moment, error: &str) {
        (self.position, self.attempts, self.due) = (position, 0, Moment::default());
        self.last_error = Some((at, error.to_owned()));
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}
