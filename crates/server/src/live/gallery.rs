//! Where those who listen sit: by topic, so that what nobody listens to costs one look.

use std::borrow::Borrow;
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::ops::Bound;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use axum::body::Bytes;

use super::mailbox::Mailbox;
use super::said::Said;
use super::topic::Ear;

/// How many are told something before others may sit down or leave.
const AT_ONCE: usize = 256;

/// The seats of every topic of one kind. Whoever only looks whether there are any never waits for a crowd.
pub(super) struct Gallery<K>(RwLock<HashMap<K, Row>>);

/// A topic with how many listen to it, or are about to.
struct Row {
    taken: usize,
    seats: Arc<Seats>,
}

/// Those who listen to one topic.
#[derive(Default)]
pub(super) struct Seats {
    taken: Mutex<BTreeMap<u64, Seat>>,
    /// The first page of a board, kept because many who come at once ask for the same: the position it is of.
    page: Mutex<Option<(u64, Bytes)>>,
}

struct Seat {
    mailbox: Arc<Mailbox>,
    ear: Ear,
}

impl<K> Default for Gallery<K> {
    fn default() -> Self {
        Self(RwLock::default())
    }
}

impl<K: Hash + Eq + Clone> Gallery<K> {
    pub(super) fn sit(&self, topic: &K, guest: u64, mailbox: Arc<Mailbox>, ear: Ear) {
        let mut rows = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let row = rows.entry(topic.clone()).or_insert_with(|| Row { taken: 0, seats: Arc::default() });
        row.taken += 1;
        let seats = row.seats.clone();
        drop(rows);
        seats.taken().insert(guest, Seat { mailbox, ear });
    }

    pub(super) fn leave(&self, topic: &K, guest: u64) {
        let Some(seats) = self.seats(topic) else { return };
        if seats.taken().remove(&guest).is_none() {
            return;
        }
        let mut rows = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(row) = rows.get_mut(topic) {
            row.taken -= 1;
            if row.taken == 0 {
                rows.remove(topic);
            }
        }
    }

    /// Those who listen to a topic; none when nobody does.
    pub(super) fn seats<Q: Hash + Eq + ?Sized>(&self, topic: &Q) -> Option<Arc<Seats>>
    where
        K: Borrow<Q>,
    {
        let rows = self.0.read().unwrap_or_else(PoisonError::into_inner);
        rows.get(topic).map(|row| row.seats.clone())
    }

    /// Whether anybody listens to a topic.
    pub(super) fn is_taken<Q: Hash + Eq + ?Sized>(&self, topic: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.read().unwrap_or_else(PoisonError::into_inner).contains_key(topic)
    }
}

impl Seats {
    /// Puts something into the mailboxes of all who may hear it. Whoever sits down meanwhile may get it too.
    pub(super) fn tell(&self, said: &Arc<Said>) {
        let mut after = Bound::Unbounded;
        loop {
            let seats = self.taken();
            let mut told = 0;
            for (guest, seat) in seats.range((after, Bound::Unbounded)).take(AT_ONCE) {
                if seat.ear.hears(&said.audience) && !(said.of_copy && seat.ear == Ear::All) {
                    seat.mailbox.put(said);
                }
                after = Bound::Excluded(*guest);
                told += 1;
            }
            if told < AT_ONCE {
                return;
            }
        }
    }

    /// The first page as of a position, made when it is not at hand.
    pub(super) fn page(&self, position: u64, make: impl FnOnce() -> Bytes) -> Bytes {
        let mut page = self.page.lock().unwrap_or_else(PoisonError::into_inner);
        match &*page {
            Some((of, text)) if *of == position => text.clone(),
            _ => page.insert((position, make())).1.clone(),
        }
    }

    fn taken(&self) -> MutexGuard<'_, BTreeMap<u64, Seat>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
