//! The crier: a thread that renders what has happened, once, and tells all who listen.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use assize_kernel::{Audience, BoardName, SmolStr};

use super::Hub;
use super::said::{LINES, Said};
use super::wire::News;

/// How often a board is told at most.
const PACE: Duration = Duration::from_millis(50);

/// Tells what comes over the wire.
pub(crate) struct Crier {
    hub: Arc<Hub>,
    news: Receiver<News>,
    /// Everything up to here has been told.
    position: u64,
    boards: HashMap<BoardName, Moved>,
}

/// What has changed on a board since it was last told.
#[derive(Default)]
struct Moved {
    who: BTreeSet<SmolStr>,
    more: bool,
    /// When it may be told; none when there is nothing to tell.
    due: Option<Instant>,
    told: Option<Instant>,
}

impl Crier {
    /// Starts the thread; it ends, and every stream of events with it, when the other ends of the wire are gone.
    pub(crate) fn start(hub: Arc<Hub>, news: Receiver<News>) -> std::io::Result<JoinHandle<()>> {
        let crier = Self { hub, news, position: 0, boards: HashMap::new() };
        std::thread::Builder::new().name("crier".into()).spawn(move || crier.work())
    }

    fn work(mut self) {
        while let Ok(news) = self.wait() {
            let now = Instant::now();
            news.into_iter().for_each(|news| self.tell(news, now));
            self.tell_boards(now);
        }
        self.hub.close();
    }

    /// Waits for news, or until a board may be told again.
    fn wait(&self) -> Result<Option<News>, RecvTimeoutError> {
        let due = self.boards.values().filter_map(|moved| moved.due).min();
        let Some(due) = due else {
            return self.news.recv().map(Some).map_err(|_| RecvTimeoutError::Disconnected);
        };
        match self.news.recv_timeout(due.saturating_duration_since(Instant::now())) {
            Ok(news) => Ok(Some(news)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(gone) => Err(gone),
        }
    }

    fn tell(&mut self, News { position, records, moved }: News, now: Instant) {
        for record in records {
            let Some(seats) = self.hub.streams.seats(&record.draft.stream) else { continue };
            if let Some(said) = Said::of(&self.hub.source.courts, &record.view()) {
                seats.tell(&Arc::new(said));
            }
        }
        self.position = position;
        for (board, participant) in moved {
            self.boards.entry(board).or_default().note(participant, now);
        }
    }

    /// Tells what has changed on boards that were not told just now.
    fn tell_boards(&mut self, now: Instant) {
        for (name, moved) in &mut self.boards {
            if moved.due.is_some_and(|due| due <= now) {
                tell_board(&self.hub, self.position, name, moved);
                moved.told = Some(now);
            }
        }
        self.boards
            .retain(|_, moved| moved.due.is_some() || moved.told.is_some_and(|told| now < told + PACE));
    }
}

fn tell_board(hub: &Hub, position: u64, name: &BoardName, moved: &mut Moved) {
    let (who, more) = (std::mem::take(&mut moved.who), std::mem::take(&mut moved.more));
    moved.due = None;
    let copied = name.copied();
    let shown = copied.as_ref().unwrap_or(name);
    let Some(seats) = hub.boards.seats(shown) else { return };
    let who: Vec<SmolStr> = who.into_iter().collect();
    let views = hub.views();
    let Some(board) = views.board_named(name) else { return };
    let frozen = views.is_frozen(shown);
    let mut said = if copied.is_some() && !frozen {
        // The public sees the board itself again.
        Said::page(position, shown, views.board_named(shown), views.position())
    } else {
        Said::moved(position, shown, (board, views.position()), (&who, more))
    };
    drop(views);
    said.of_copy = copied.is_some();
    if frozen && copied.is_none() {
        said.audience = Audience::Judges;
    }
    seats.tell(&Arc::new(said));
}

impl Moved {
    fn note(&mut self, participant: SmolStr, now: Instant) {
        self.due.get_or_insert(self.told.map_or(now, |told| now.max(told + PACE)));
        if self.who.len() < LINES || self.who.contains(&participant) {
            self.who.insert(participant);
        } else {
            self.more = true;
        }
    }
}
