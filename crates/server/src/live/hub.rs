//! Who is listening, to what, and how they are let in and sent away.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

use assize_kernel::{BoardName, Digest, StreamId};
use assize_ledger::Ledger;
use axum::body::Bytes;
use tokio::sync::Semaphore;

use super::gallery::Gallery;
use super::mailbox::Mailbox;
use super::said::{first_page, id_line};
use super::topic::{Ear, Topic};
use crate::serve::Line;
use crate::{BoardView, Clock, Courts, Views};

/// How many read from the ledger at once what they have missed.
const CATCHING_UP: usize = 4;

/// Everybody who listens in this process.
pub struct Hub {
    pub(super) streams: Gallery<StreamId>,
    pub(super) boards: Gallery<BoardName>,
    guests: Mutex<Guests>,
    /// The same number as there are guests, for whoever must not wait.
    listening: AtomicUsize,
    pub(super) source: Source,
    pub(super) catching_up: Semaphore,
}

/// Where what is told comes from.
pub(super) struct Source {
    pub(super) courts: Arc<Courts>,
    pub(super) ledger: Arc<dyn Ledger>,
    pub(super) views: Arc<RwLock<Views>>,
    pub(super) clock: Clock,
}

#[derive(Default)]
struct Guests {
    closed: bool,
    next: u64,
    present: HashMap<u64, (Option<Digest>, Arc<Mailbox>)>,
}

/// Somebody who wants to listen.
pub(crate) struct Admission {
    /// The digest of the token they came with, so that they go when it is taken back.
    pub(crate) token: Option<Digest>,
    /// Their connection, to be cut when they do not read any more.
    pub(crate) line: Option<Line>,
    /// What they want to hear, and how much of it they may. No topic twice.
    pub(crate) topics: Vec<(Topic, Ear)>,
}

/// Why somebody cannot listen now.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NotAdmitted {
    TooMany,
    Closing,
}

/// Somebody who listens; their seats are free again when this is dropped.
pub(crate) struct Guest {
    pub(super) hub: Arc<Hub>,
    pub(super) mailbox: Arc<Mailbox>,
    pub(super) topics: Vec<(Topic, Ear)>,
    id: u64,
    seated: bool,
}

/// What those are known by who listen because they have logged in under this name.
pub(crate) fn listener_called(name: &str) -> Digest {
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
            streams: Gallery::default(),
            boards: Gallery::default(),
            guests: Mutex::default(),
            listening: AtomicUsize::new(0),
            source: Source { courts, ledger, views, clock },
            catching_up: Semaphore::new(CATCHING_UP),
        })
    }

    /// How many are listening.
    #[must_use]
    pub fn listening(&self) -> usize {
        self.listening.load(Ordering::Relaxed)
    }

    /// Ends every stream of events, and lets nobody listen any more: the server is stopping.
    pub fn close(&self) {
        self.guests().closed = true;
        self.dismiss_all();
    }

    /// Ends the streams of whoever came with this token: it has been taken back.
    pub fn dismiss(&self, token: &Digest) {
        let guests = self.guests();
        let with_it = guests.present.values().filter(|(came_with, _)| came_with.as_ref() == Some(token));
        with_it.for_each(|(_, mailbox)| mailbox.close());
    }

    /// The same for the token that is called so.
    pub(super) fn dismiss_called(&self, id: &str) {
        let guests = self.guests();
        let called = |token: &Digest| token.to_string().starts_with(id);
        let with_it = guests.present.values().filter(|(token, _)| token.as_ref().is_some_and(called));
        with_it.for_each(|(_, mailbox)| mailbox.close());
    }

    /// Ends every stream; whoever comes back and says what they heard last is told what they missed.
    pub(super) fn dismiss_all(&self) {
        self.guests().present.values().for_each(|(_, mailbox)| mailbox.close());
    }

    /// Lets somebody in, when not `most` are there already.
    pub(crate) fn admit(self: &Arc<Self>, admission: Admission, most: usize) -> Result<Guest, NotAdmitted> {
        let Admission { token, line, topics } = admission;
        let mut guests = self.guests();
        if guests.closed {
            return Err(NotAdmitted::Closing);
        }
        if guests.present.len() >= most {
            return Err(NotAdmitted::TooMany);
        }
        guests.next += 1;
        let (id, mailbox) = (guests.next, Arc::new(Mailbox::new(line)));
        guests.present.insert(id, (token, mailbox.clone()));
        self.listening.store(guests.present.len(), Ordering::Relaxed);
        drop(guests);
        Ok(Guest { hub: self.clone(), mailbox, topics, id, seated: false })
    }

    /// Whether anybody listens to this: then it is there.
    pub(crate) fn is_heard(&self, topic: &Topic) -> bool {
        match topic {
            Topic::Stream(stream) => self.streams.is_taken(stream),
            Topic::Board(board, _) => self.boards.is_taken(board),
        }
    }

    /// How far the boards have come; everything up to there is on disk.
    pub(super) fn position(&self) -> u64 {
        self.views().position()
    }

    pub(super) fn views(&self) -> RwLockReadGuard<'_, Views> {
        self.source.views.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn guests(&self) -> MutexGuard<'_, Guests> {
        self.guests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Guest {
    /// Is told from now on what happens. Everything after the position that is returned will be in the mailbox,
    /// perhaps with some before it.
    pub(super) fn sit(&mut self) -> u64 {
        if !self.seated {
            self.seated = true;
            for (topic, ear) in &self.topics {
                let (mailbox, ear) = (self.mailbox.clone(), ear.clone());
                match topic {
                    Topic::Stream(stream) => self.hub.streams.sit(stream, self.id, mailbox, ear),
                    Topic::Board(board, _) => self.hub.boards.sit(board, self.id, mailbox, ear),
                }
            }
        }
        // Not before: what is committed between the two must be in one of them.
        self.hub.position()
    }

    pub(super) fn is_seated(&self) -> bool {
        self.seated
    }

    /// The first pages of the boards they listen to, for whoever has heard everything up to `position`.
    pub(super) fn first_pages(&self, position: u64) -> Vec<Bytes> {
        let boards = self.topics.iter().filter_map(|(topic, ear)| match topic {
            Topic::Board(board, _) => Some((board, ear)),
            Topic::Stream(_) => None,
        });
        let pages = boards.filter_map(|(name, ear)| {
            let seats = self.hub.boards.seats(name)?;
            let views = self.hub.views();
            let reached = views.position();
            let page = if *ear == Ear::All {
                first_page(name, views.board_named(name), reached)
            } else {
                let public = || views.public_board(name).map(BoardView::board);
                seats.page(reached, || first_page(name, public(), reached))
            };
            Some([id_line(position), page])
        });
        pages.flatten().collect()
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        for (topic, _) in self.topics.iter().filter(|_| self.seated) {
            match topic {
                Topic::Stream(stream) => self.hub.streams.leave(stream, self.id),
                Topic::Board(board, _) => self.hub.boards.leave(board, self.id),
            }
        }
        let mut guests = self.hub.guests();
        guests.present.remove(&self.id);
        self.hub.listening.store(guests.present.len(), Ordering::Relaxed);
    }
}
