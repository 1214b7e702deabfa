//! The hub: subscribers, their topics, and how they are admitted and disconnected.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

use assize_kernel::{BoardName, Digest, StreamId};
use assize_ledger::Ledger;
use bytes::Bytes;
use tokio::sync::Semaphore;

use super::disconnect::Disconnect;
use super::event_id::EventId;
use super::mailbox::Mailbox;
use super::rendered_event::{RenderedEvent, first_page, id_line};
use super::subscriptions::Subscriptions;
use super::topic::{Topic, Visibility};
use crate::{BoardView, Clock, Courts, Views};

/// Number of subscribers that may catch up from the ledger at once.
const CATCHING_UP: usize = 4;

/// All subscribers of this process.
pub struct Hub {
    pub(super) streams: Subscriptions<StreamId>,
    pub(super) boards: Subscriptions<BoardName>,
    subscribers: Mutex<SubscriberTable>,
    /// Number of subscribers, readable without the lock.
    subscriber_count: AtomicUsize,
    pub(super) source: EventSource,
    pub(super) catching_up: Semaphore,
}

/// Where events are read from.
pub(super) struct EventSource {
    pub(super) courts: Arc<Courts>,
    pub(super) ledger: Arc<dyn Ledger>,
    pub(super) views: Arc<RwLock<Views>>,
    pub(super) clock: Clock,
}

#[derive(Default)]
struct SubscriberTable {
    closed: bool,
    next: u64,
    /// By subscriber id: the digest of the token and the mailbox.
    present: HashMap<u64, (Option<Digest>, Arc<Mailbox>)>,
}

/// A request to subscribe.
pub struct SubscribeRequest {
    /// Digest of the client's token, to disconnect it when the token is revoked.
    pub token: Option<Digest>,
    /// Cuts the client's connection when it does not read any more.
    pub disconnect: Option<Disconnect>,
    /// The topics, each at most once, with what the client may see of it.
    pub topics: Vec<(Topic, Visibility)>,
}

/// Why a subscription was refused.
#[derive(Debug, PartialEq, Eq)]
pub enum SubscribeError {
    /// The limit of subscribers is reached.
    TooMany,
    /// The server is shutting down.
    Closing,
}

/// A subscriber; dropping it unsubscribes from all topics.
pub struct Subscriber {
    pub(super) hub: Arc<Hub>,
    pub(super) mailbox: Arc<Mailbox>,
    pub(super) topics: Vec<(Topic, Visibility)>,
    id: u64,
    registered: bool,
}

/// Stands in for the token digest of subscribers with a login session of this user.
pub fn login_key(name: &str) -> Digest {
    Digest::of_parts(&[b"login ", name.as_bytes()])
}

impl Hub {
    pub(crate) fn new(
        courts: Arc<Courts>,
        ledger: Arc<dyn Ledger>,
        views: Arc<RwLock<Views>>,
        clock: Clock,
    ) -> Arc<Self> {
        Arc::new(Self {
            streams: Subscriptions::default(),
            boards: Subscriptions::default(),
            subscribers: Mutex::default(),
            subscriber_count: AtomicUsize::new(0),
            source: EventSource { courts, ledger, views, clock },
            catching_up: Semaphore::new(CATCHING_UP),
        })
    }

    /// Number of subscribers.
    #[must_use]
    pub fn subscriber_count(&self) -> usize {
        self.subscriber_count.load(Ordering::Relaxed)
    }

    /// Closes all event streams and refuses new subscriptions: the server is shutting down.
    pub fn close(&self) {
        self.subscribers().closed = true;
        self.disconnect_all();
    }

    /// Disconnects the subscribers of a revoked token.
    pub fn disconnect_token(&self, token: &Digest) {
        let subscribers = self.subscribers();
        let affected = subscribers.present.values().filter(|(own, _)| own.as_ref() == Some(token));
        affected.for_each(|(_, mailbox)| mailbox.close());
    }

    /// Disconnects the subscribers of the revoked token with this id.
    pub(super) fn disconnect_token_id(&self, id: &str) {
        let subscribers = self.subscribers();
        let has_id = |token: &Digest| token.to_string().starts_with(id);
        let affected = subscribers.present.values().filter(|(token, _)| token.as_ref().is_some_and(has_id));
        affected.for_each(|(_, mailbox)| mailbox.close());
    }

    /// Closes all event streams; clients reconnect with the position of their last event and catch up.
    pub(super) fn disconnect_all(&self) {
        self.subscribers().present.values().for_each(|(_, mailbox)| mailbox.close());
    }

    /// Tells all subscribers that the ledger has another history. Subscribers with a token are disconnected,
    /// because that history may not have their token; they are told when they reconnect.
    pub(super) fn reset_all(&self, reset: &Arc<RenderedEvent>) {
        for (token, mailbox) in self.subscribers().present.values() {
            match token {
                Some(_) => mailbox.close(),
                None => mailbox.put(reset),
            }
        }
    }

    /// Admits a subscriber unless there are `most` already.
    pub fn subscribe(
        self: &Arc<Self>,
        request: SubscribeRequest,
        most: usize,
    ) -> Result<Subscriber, SubscribeError> {
        let SubscribeRequest { token, disconnect, topics } = request;
        let mut subscribers = self.subscribers();
        if subscribers.closed {
            return Err(SubscribeError::Closing);
        }
        if subscribers.present.len() >= most {
            return Err(SubscribeError::TooMany);
        }
        subscribers.next += 1;
        let id = subscribers.next;
        let mailbox = Arc::new(Mailbox::new(disconnect));
        subscribers.present.insert(id, (token, mailbox.clone()));
        self.subscriber_count.store(subscribers.present.len(), Ordering::Relaxed);
        drop(subscribers);
        Ok(Subscriber { hub: self.clone(), mailbox, topics, id, registered: false })
    }

    /// Whether a topic has subscribers, which implies that it exists.
    pub fn has_subscribers(&self, topic: &Topic) -> bool {
        match topic {
            Topic::Stream(stream) => self.streams.has_subscribers(stream),
            Topic::Board(board, _) => self.boards.has_subscribers(board),
        }
    }

    /// Position and history of the views; everything up to it is on disk.
    pub(super) fn position(&self) -> EventId {
        let views = self.views();
        EventId::new(views.position(), views.fork())
    }

    pub(super) fn views(&self) -> RwLockReadGuard<'_, Views> {
        self.source.views.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn subscribers(&self) -> MutexGuard<'_, SubscriberTable> {
        self.subscribers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Subscriber {
    /// Subscribes to the topics. Every event after the returned position arrives in the mailbox, and possibly
    /// some before it.
    pub(super) fn register(&mut self) -> EventId {
        if !self.registered {
            self.registered = true;
            for (topic, visibility) in &self.topics {
                let mailbox = self.mailbox.clone();
                let visibility = visibility.clone();
                match topic {
                    Topic::Stream(stream) => self.hub.streams.subscribe(stream, self.id, mailbox, visibility),
                    Topic::Board(board, _) => self.hub.boards.subscribe(board, self.id, mailbox, visibility),
                }
            }
        }
        // Read after subscribing, so that no commit in between is missed.
        self.hub.position()
    }

    pub(super) fn is_registered(&self) -> bool {
        self.registered
    }

    /// The first pages of the subscribed boards, for a client that has all events up to `id`.
    pub(super) fn first_pages(&self, id: EventId) -> Vec<Bytes> {
        let boards = self.topics.iter().filter_map(|(topic, visibility)| match topic {
            Topic::Board(board, _) => Some((board, visibility)),
            Topic::Stream(_) => None,
        });
        let pages = boards.filter_map(|(name, visibility)| {
            let subscribers = self.hub.boards.subscribers(name)?;
            let views = self.hub.views();
            let reached = views.position();
            let page = if *visibility == Visibility::All {
                first_page(name, views.board_named(name), reached)
            } else {
                let public = || views.public_board(name).map(BoardView::board);
                let reached_id = EventId::new(reached, views.fork());
                subscribers.first_page(reached_id, || first_page(name, public(), reached))
            };
            Some([id_line(id), page])
        });
        pages.flatten().collect()
    }
}

impl Drop for Subscriber {
    fn drop(&mut self) {
        for (topic, _) in self.topics.iter().filter(|_| self.registered) {
            match topic {
                Topic::Stream(stream) => self.hub.streams.unsubscribe(stream, self.id),
                Topic::Board(board, _) => self.hub.boards.unsubscribe(board, self.id),
            }
        }
        let mut subscribers = self.hub.subscribers();
        subscribers.present.remove(&self.id);
        self.hub.subscriber_count.store(subscribers.present.len(), Ordering::Relaxed);
    }
}
