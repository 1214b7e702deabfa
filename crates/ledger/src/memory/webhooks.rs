//! Webhooks in memory.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use assize_kernel::Moment;

use crate::{
    DeadLetter, LedgerError, MemoryLedger, Webhook, WebhookChange, WebhookLease, WebhookProgress,
    WebhookStore,
};

/// All webhooks and dead letters.
#[derive(Default)]
pub(crate) struct Webhooks {
    all: Mutex<WebhookTables>,
}

#[derive(Default)]
struct WebhookTables {
    webhooks: Vec<HeldWebhook>,
    dead: BTreeMap<(String, u64), DeadLetter>,
}

struct HeldWebhook {
    webhook: Webhook,
    holder: Option<String>,
    until: Moment,
}

impl Webhooks {
    /// Applies a change by an admin.
    pub(crate) fn change(&self, change: &WebhookChange) {
        let mut tables = self.tables();
        match change {
            WebhookChange::Add(webhook) => {
                let webhook = Webhook { dead: 0, ..(**webhook).clone() };
                tables.webhooks.push(HeldWebhook { webhook, holder: None, until: Moment::default() });
            }
            WebhookChange::Pause(id) => {
                tables.find(id).into_iter().for_each(|held| {
                    held.webhook.paused = true;
                    held.holder = None;
                });
            }
            WebhookChange::Resume(id) => {
                tables.find(id).into_iter().for_each(|held| {
                    held.webhook.paused = false;
                    held.holder = None;
                    held.webhook.progress.attempts = 0;
                    held.webhook.progress.due = Moment::default();
                });
            }
            WebhookChange::Remove(id) => {
                tables.webhooks.retain(|held| held.webhook.id != *id);
                tables.dead.retain(|(webhook, _), _| webhook != id);
            }
        }
    }

    fn tables(&self) -> MutexGuard<'_, WebhookTables> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl WebhookTables {
    fn find(&mut self, id: &str) -> Option<&mut HeldWebhook> {
        self.webhooks.iter_mut().find(|held| held.webhook.id == id)
    }

    fn shown(&self, webhook: &Webhook) -> Webhook {
        let dead = self.dead.keys().filter(|(id, _)| *id == webhook.id).count() as u64;
        Webhook { dead, ..webhook.clone() }
    }

    fn webhook(&self, id: &str) -> Option<Webhook> {
        let found = self.webhooks.iter().find(|held| held.webhook.id == id)?;
        Some(self.shown(&found.webhook))
    }

    fn bury(&mut self, dead: &DeadLetter) {
        if self.find(&dead.webhook).is_some() {
            self.dead.insert((dead.webhook.clone(), dead.position), dead.clone());
        }
    }
}

impl WebhookStore for MemoryLedger {
    fn webhooks(&self, offset: u64, limit: u64) -> Result<Vec<Webhook>, LedgerError> {
        let tables = self.webhooks().tables();
        let page = tables.webhooks.iter().skip(whole(offset)).take(whole(limit));
        Ok(page.map(|held| tables.shown(&held.webhook)).collect())
    }

    fn webhook(&self, id: &str) -> Result<Option<Webhook>, LedgerError> {
        Ok(self.webhooks().tables().webhook(id))
    }

    fn hold_webhook(&self, id: &str, hold: &WebhookLease) -> Result<Option<Webhook>, LedgerError> {
        let mut tables = self.webhooks().tables();
        let Some(held) = tables.find(id).filter(|held| !held.webhook.paused) else { return Ok(None) };
        if held.holder.as_ref().is_some_and(|holder| *holder != hold.holder && held.until >= hold.now) {
            return Ok(None);
        }
        held.holder = Some(hold.holder.clone());
        held.until = hold.now + hold.lease;
        Ok(tables.webhook(id))
    }

    fn advance_webhook(
        &self,
        id: &str,
        holder: &str,
        progress: &WebhookProgress,
        dead: Option<&DeadLetter>,
    ) -> Result<bool, LedgerError> {
        let mut tables = self.webhooks().tables();
        let held = tables.find(id).filter(|held| held.holder.as_deref() == Some(holder));
        let Some(held) = held else { return Ok(false) };
        held.webhook.progress = progress.clone();
        dead.into_iter().for_each(|dead| tables.bury(dead));
        Ok(true)
    }

    fn release_webhook(&self, id: &str, holder: &str) -> Result<(), LedgerError> {
        let mut tables = self.webhooks().tables();
        let held = tables.find(id).filter(|held| held.holder.as_deref() == Some(holder));
        held.into_iter().for_each(|held| held.holder = None);
        Ok(())
    }

    fn dead_letters(&self, webhook: &str, offset: u64, limit: u64) -> Result<Vec<DeadLetter>, LedgerError> {
        let tables = self.webhooks().tables();
        let theirs = tables.dead.values().filter(|dead| dead.webhook == webhook);
        Ok(theirs.skip(whole(offset)).take(whole(limit)).cloned().collect())
    }

    fn dead_letter(&self, webhook: &str, position: u64) -> Result<Option<DeadLetter>, LedgerError> {
        Ok(self.webhooks().tables().dead.get(&(webhook.to_owned(), position)).cloned())
    }

    fn bury_letter(&self, dead: &DeadLetter) -> Result<(), LedgerError> {
        self.webhooks().tables().bury(dead);
        Ok(())
    }

    fn raise_letter(&self, webhook: &str, position: u64) -> Result<(), LedgerError> {
        self.webhooks().tables().dead.remove(&(webhook.to_owned(), position));
        Ok(())
    }
}

fn whole(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
