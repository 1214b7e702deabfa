//! The clerk's end: what it has committed goes to the crier, if anybody listens, and never waits.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};

use assize_kernel::{BoardName, Moved, Record, RecordRef, SmolStr};

use super::Hub;
use super::hub::listener_called;
use crate::access::kinds::{self, Loser};

/// How many batches may wait for the crier.
const BATCHES: usize = 256;
/// How many records are handed over at once; of a longer absence, everybody reads from the ledger.
const RECORDS: usize = 10_000;

/// What somebody listens to, of what was committed together.
#[derive(Default, Clone)]
pub(crate) struct News {
    /// How far the ledger has come with it.
    pub(super) position: u64,
    pub(super) records: Vec<Arc<Record>>,
    pub(super) moved: Vec<(BoardName, SmolStr)>,
}

/// Collects news and hands them over.
///
/// All of this happens while the views are being changed, so that nobody reads how far they have come between the
/// look at who listens and the telling: whoever sits down before is told, whoever does after finds it on disk.
#[derive(Clone)]
pub(crate) struct Wire {
    hub: Arc<Hub>,
    out: SyncSender<News>,
    news: News,
    too_much: bool,
}

/// A wire, and the crier's end of it.
pub(crate) fn wire(hub: Arc<Hub>) -> (Wire, Receiver<News>) {
    let (out, news) = sync_channel(BATCHES);
    (Wire { hub, out, news: News::default(), too_much: false }, news)
}

impl Wire {
    /// Of this process: on disk now.
    pub(crate) fn written(&mut self, records: &[Arc<Record>], changes: &[Moved]) {
        if self.hub.listening() == 0 {
            return;
        }
        let heard = records.iter().filter(|record| self.hub.streams.is_taken(&record.draft.stream));
        self.news.records.extend(heard.cloned());
        self.note_changes(changes);
    }

    /// Of another process: read from the ledger.
    pub(crate) fn followed(&mut self, record: &RecordRef<'_>, changes: &[Moved]) {
        if self.hub.listening() == 0 || self.too_much {
            return;
        }
        if self.hub.streams.is_taken(record.stream) {
            self.news.records.extend(record.to_record().map(Arc::new));
        }
        self.note_changes(changes);
        if self.news.records.len() > RECORDS || self.news.moved.len() > RECORDS {
            self.too_much = true;
        }
    }

    /// Of another process: who was let in before and is not any more hears nothing more either.
    pub(crate) fn access_changed(&self, record: &RecordRef<'_>) {
        match kinds::loser(record.kind, record.body) {
            Some(Loser::Token(id)) => self.hub.dismiss_called(&id),
            Some(Loser::Login(name)) => self.hub.dismiss(&listener_called(&name)),
            None => {}
        }
    }

    /// Hands over what was collected: the views have come to `position` with it. When the crier cannot keep up, or
    /// there is too much, everybody is dropped, and reads from the ledger what they missed.
    pub(crate) fn send(&mut self, position: u64) {
        let news = News { position, ..std::mem::take(&mut self.news) };
        let too_much = std::mem::take(&mut self.too_much);
        if news.records.is_empty() && news.moved.is_empty() {
            return;
        }
        if too_much || matches!(self.out.try_send(news), Err(TrySendError::Full(_))) {
            tracing::warn!(position, "too much news at once: everybody who listens is sent to the ledger");
            self.hub.dismiss_all();
        }
    }

    fn note_changes(&mut self, changes: &[Moved]) {
        let changes = changes.iter().map(|moved| &moved.change);
        let heard = changes.filter(|change| match change.board.copied() {
            Some(original) => self.hub.boards.is_taken(&original),
            None => self.hub.boards.is_taken(&change.board),
        });
        self.news.moved.extend(heard.map(|change| (change.board.clone(), change.participant.clone())));
    }
}
