//! The feed: hands committed records to the broadcaster if they have subscribers, and never blocks the clerk.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};

use assize_kernel::{BoardName, PlacedChange, Record, RecordRef, SmolStr};

use super::Hub;
use super::hub::login_key;
use crate::access::kinds::{self, Loser};

/// Capacity of the channel to the broadcaster, in batches.
const BATCHES: usize = 256;
/// Largest number of records handed over at once; beyond it, subscribers are disconnected and catch up.
const RECORDS: usize = 10_000;

/// The records and board changes of a commit that have subscribers.
#[derive(Default, Clone)]
pub(crate) struct Committed {
    /// Position of the ledger including this commit.
    pub(super) position: u64,
    pub(super) records: Vec<Arc<Record>>,
    pub(super) moved: Vec<(BoardName, SmolStr)>,
    /// The ledger has another history: what was sent before is void.
    pub(super) reset: bool,
}

/// Collects committed records and hands them to the broadcaster.
///
/// Runs under the write lock of the views, so that no client reads their position between the check for
/// subscribers and the hand-over: a client that subscribed before is sent the events, one that subscribes
/// later reads them from disk.
#[derive(Clone)]
pub(crate) struct Feed {
    hub: Arc<Hub>,
    sender: SyncSender<Committed>,
    pending: Committed,
    overflow: bool,
}

/// A feed and the receiver for the broadcaster.
pub(crate) fn feed(hub: Arc<Hub>) -> (Feed, Receiver<Committed>) {
    let (sender, receiver) = sync_channel(BATCHES);
    (Feed { hub, sender, pending: Committed::default(), overflow: false }, receiver)
}

impl Feed {
    /// Collects records that this process committed.
    pub(crate) fn written(&mut self, records: &[Arc<Record>], changes: &[PlacedChange]) {
        if self.hub.subscriber_count() == 0 {
            return;
        }
        let subscribed =
            records.iter().filter(|record| self.hub.streams.has_subscribers(&record.draft.stream));
        self.pending.records.extend(subscribed.cloned());
        self.note_changes(changes);
    }

    /// Collects a record that another process committed.
    pub(crate) fn followed(&mut self, record: &RecordRef<'_>, changes: &[PlacedChange]) {
        if self.hub.subscriber_count() == 0 || self.overflow {
            return;
        }
        if self.hub.streams.has_subscribers(record.stream) {
            self.pending.records.extend(record.to_record().map(Arc::new));
        }
        self.note_changes(changes);
        if self.pending.records.len() > RECORDS || self.pending.moved.len() > RECORDS {
            self.overflow = true;
        }
    }

    /// Disconnects the subscribers of a token or login that another process revoked.
    pub(crate) fn access_changed(&self, record: &RecordRef<'_>) {
        match kinds::loser(record.kind, record.body) {
            Some(Loser::Token(id)) => self.hub.disconnect_token_id(&id),
            Some(Loser::Login(name)) => self.hub.disconnect_token(&login_key(&name)),
            None => {}
        }
    }

    /// Hands over the collected records; `position` is the new position of the views. Back-pressure: when the
    /// channel is full or there are too many records, all subscribers are disconnected and catch up from the
    /// ledger.
    pub(crate) fn send(&mut self, position: u64) {
        let committed = Committed { position, ..std::mem::take(&mut self.pending) };
        let overflow = std::mem::take(&mut self.overflow);
        if committed.records.is_empty() && committed.moved.is_empty() {
            return;
        }
        if overflow || matches!(self.sender.try_send(committed), Err(TrySendError::Full(_))) {
            tracing::warn!(position, "the broadcaster cannot keep up; all subscribers are disconnected");
            self.hub.disconnect_all();
        }
    }

    /// Tells all subscribers to load everything again: the views were rebuilt from another history, up to
    /// `position`.
    pub(crate) fn reset(&mut self, position: u64) {
        self.overflow = false;
        self.pending = Committed::default();
        if self.sender.try_send(Committed { position, reset: true, ..Committed::default() }).is_err() {
            // Their ids are of another history, so they are told when they reconnect.
            self.hub.disconnect_all();
        }
    }

    fn note_changes(&mut self, changes: &[PlacedChange]) {
        let changes = changes.iter().map(|placed| &placed.change);
        let subscribed = changes.filter(|change| match change.board.copied() {
            Some(original) => self.hub.boards.has_subscribers(&original),
            None => self.hub.boards.has_subscribers(&change.board),
        });
        self.pending
            .moved
            .extend(subscribed.map(|change| (change.board.clone(), change.participant.clone())));
    }
}
