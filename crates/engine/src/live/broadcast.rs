//! The broadcaster: a thread that renders each event once and sends it to all subscribers that may see it.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use assize_kernel::{Audience, BoardName, Digest, SmolStr};

use super::Hub;
use super::event_id::EventId;
use super::feed::Committed;
use super::rendered_event::{MAX_ROWS, RenderedEvent};

/// Least time between two events of the same board.
const BOARD_INTERVAL: Duration = Duration::from_millis(50);

/// Sends what arrives over the feed.
pub(crate) struct Broadcaster {
    hub: Arc<Hub>,
    feed: Receiver<Committed>,
    /// Everything up to this position has been sent.
    position: u64,
    /// The history that the events belong to.
    fork: Option<Digest>,
    boards: HashMap<BoardName, BoardChanges>,
}

/// Changes of a board since it was last sent.
#[derive(Default)]
struct BoardChanges {
    participants: BTreeSet<SmolStr>,
    more: bool,
    /// When it may be sent; `None` when nothing has changed.
    due: Option<Instant>,
    sent_at: Option<Instant>,
}

impl Broadcaster {
    /// Starts the thread. When all senders of the feed are gone, it closes all event streams and ends.
    pub(crate) fn start(hub: Arc<Hub>, feed: Receiver<Committed>) -> std::io::Result<JoinHandle<()>> {
        let fork = hub.views().fork();
        let broadcaster = Self { hub, feed, position: 0, fork, boards: HashMap::new() };
        std::thread::Builder::new().name("broadcaster".into()).spawn(move || broadcaster.work())
    }

    fn work(mut self) {
        while let Ok(committed) = self.wait() {
            let now = Instant::now();
            committed.into_iter().for_each(|committed| self.send(committed, now));
            self.send_boards(now);
        }
        self.hub.close();
    }

    /// Waits for a committed batch, or until the next board may be sent (`None`).
    fn wait(&self) -> Result<Option<Committed>, RecvTimeoutError> {
        let due = self.boards.values().filter_map(|changes| changes.due).min();
        let Some(due) = due else {
            return self.feed.recv().map(Some).map_err(|_| RecvTimeoutError::Disconnected);
        };
        match self.feed.recv_timeout(due.saturating_duration_since(Instant::now())) {
            Ok(committed) => Ok(Some(committed)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(disconnected) => Err(disconnected),
        }
    }

    fn send(&mut self, committed: Committed, now: Instant) {
        let Committed { position, records, moved, reset } = committed;
        if reset {
            return self.reset(position);
        }
        for record in records {
            let Some(subscribers) = self.hub.streams.subscribers(&record.draft.stream) else { continue };
            if let Some(event) = RenderedEvent::of(&self.hub.source.courts, &record.view(), self.fork) {
                subscribers.send(&Arc::new(event));
            }
        }
        self.position = position;
        for (board, participant) in moved {
            self.boards.entry(board).or_default().note(participant, now);
        }
    }

    /// Goes on with another history, from `position`.
    fn reset(&mut self, position: u64) {
        self.position = position;
        self.fork = self.hub.views().fork();
        self.boards.clear();
        self.hub.reset_all(&Arc::new(RenderedEvent::reset(EventId::new(position, self.fork))));
    }

    /// Sends the changes of boards that are due.
    fn send_boards(&mut self, now: Instant) {
        for (name, changes) in &mut self.boards {
            if changes.due.is_some_and(|due| due <= now) {
                send_board(&self.hub, EventId::new(self.position, self.fork), name, changes);
                changes.sent_at = Some(now);
            }
        }
        self.boards.retain(|_, changes| {
            changes.due.is_some() || changes.sent_at.is_some_and(|sent_at| now < sent_at + BOARD_INTERVAL)
        });
    }
}

fn send_board(hub: &Hub, id: EventId, name: &BoardName, changes: &mut BoardChanges) {
    let participants = std::mem::take(&mut changes.participants);
    let more = std::mem::take(&mut changes.more);
    changes.due = None;
    let copied = name.copied();
    let shown = copied.as_ref().unwrap_or(name);
    let Some(subscribers) = hub.boards.subscribers(shown) else { return };
    let participants: Vec<SmolStr> = participants.into_iter().collect();
    let views = hub.views();
    let Some(board) = views.board_named(name) else { return };
    let frozen = views.is_frozen(shown);
    let mut event = if copied.is_some() && !frozen {
        // The freeze has ended: the public sees the board itself again.
        RenderedEvent::page(id, shown, views.board_named(shown), views.position())
    } else {
        RenderedEvent::moved(id, shown, board, views.position(), &participants, more)
    };
    drop(views);
    event.of_copy = copied.is_some();
    if frozen && copied.is_none() {
        event.audience = Audience::Judges;
    }
    subscribers.send(&Arc::new(event));
}

impl BoardChanges {
    fn note(&mut self, participant: SmolStr, now: Instant) {
        self.due.get_or_insert(self.sent_at.map_or(now, |sent_at| now.max(sent_at + BOARD_INTERVAL)));
        if self.participants.len() < MAX_ROWS || self.participants.contains(&participant) {
            self.participants.insert(participant);
        } else {
            self.more = true;
        }
    }
}
