//! Subscriptions by topic: a topic without subscribers costs one look-up.

use std::borrow::Borrow;
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::ops::Bound;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use bytes::Bytes;

use super::event_id::EventId;
use super::mailbox::Mailbox;
use super::rendered_event::RenderedEvent;
use super::topic::Visibility;

/// How many subscribers get an event before the lock is released, so that others can subscribe and
/// unsubscribe.
const SUBSCRIBERS_PER_LOCK: usize = 256;

/// The subscribers of every topic of one kind. Asking whether a topic has any never waits for a broadcast.
pub(super) struct Subscriptions<K>(RwLock<HashMap<K, TopicEntry>>);

/// A topic with its number of subscribers, including those that are being added.
struct TopicEntry {
    count: usize,
    subscribers: Arc<TopicSubscribers>,
}

/// The subscribers of one topic.
#[derive(Default)]
pub(super) struct TopicSubscribers {
    subscriptions: Mutex<BTreeMap<u64, Subscription>>,
    /// Cache of a board's first page and the id it shows: many clients that connect together ask for the same.
    first_page: Mutex<Option<(EventId, Bytes)>>,
}

struct Subscription {
    mailbox: Arc<Mailbox>,
    visibility: Visibility,
}

impl<K> Default for Subscriptions<K> {
    fn default() -> Self {
        Self(RwLock::default())
    }
}

impl<K: Hash + Eq + Clone> Subscriptions<K> {
    pub(super) fn subscribe(
        &self,
        topic: &K,
        subscriber: u64,
        mailbox: Arc<Mailbox>,
        visibility: Visibility,
    ) {
        let mut entries = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let entry = entries
            .entry(topic.clone())
            .or_insert_with(|| TopicEntry { count: 0, subscribers: Arc::default() });
        entry.count += 1;
        let subscribers = entry.subscribers.clone();
        drop(entries);
        subscribers.lock().insert(subscriber, Subscription { mailbox, visibility });
    }

    pub(super) fn unsubscribe(&self, topic: &K, subscriber: u64) {
        let Some(subscribers) = self.subscribers(topic) else { return };
        if subscribers.lock().remove(&subscriber).is_none() {
            return;
        }
        let mut entries = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = entries.get_mut(topic) {
            entry.count -= 1;
            if entry.count == 0 {
                entries.remove(topic);
            }
        }
    }

    /// The subscribers of a topic; none when there are none.
    pub(super) fn subscribers<Q: Hash + Eq + ?Sized>(&self, topic: &Q) -> Option<Arc<TopicSubscribers>>
    where
        K: Borrow<Q>,
    {
        let entries = self.0.read().unwrap_or_else(PoisonError::into_inner);
        entries.get(topic).map(|entry| entry.subscribers.clone())
    }

    /// Whether a topic has subscribers.
    pub(super) fn has_subscribers<Q: Hash + Eq + ?Sized>(&self, topic: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.read().unwrap_or_else(PoisonError::into_inner).contains_key(topic)
    }
}

impl TopicSubscribers {
    /// Puts an event into the mailboxes of all subscribers that may see it. A client that subscribes
    /// meanwhile may get it too.
    pub(super) fn send(&self, event: &Arc<RenderedEvent>) {
        let mut after = Bound::Unbounded;
        loop {
            let subscriptions = self.lock();
            let mut sent = 0;
            for (id, subscription) in
                subscriptions.range((after, Bound::Unbounded)).take(SUBSCRIBERS_PER_LOCK)
            {
                let visibility = &subscription.visibility;
                if visibility.sees(&event.audience) && !(event.of_copy && *visibility == Visibility::All) {
                    subscription.mailbox.put(event);
                }
                after = Bound::Excluded(*id);
                sent += 1;
            }
            if sent < SUBSCRIBERS_PER_LOCK {
                return;
            }
        }
    }

    /// The first page of a board as of `id`, rendered by `make` when it is not cached.
    pub(super) fn first_page(&self, id: EventId, make: impl FnOnce() -> Bytes) -> Bytes {
        let mut page = self.first_page.lock().unwrap_or_else(PoisonError::into_inner);
        match &*page {
            Some((of, text)) if *of == id => text.clone(),
            _ => page.insert((id, make())).1.clone(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, Subscription>> {
        self.subscriptions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
