//! The views: boards, streams, deadlines and revisions, shared with readers.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::OnceLock;

use assize_kernel::{
    Board, BoardName, Digest, Moment, PlacedChange, RecordRef, RecordRevised, Standing, StandingChange,
    StreamId,
};
use bytes::Bytes;
use serde::{Deserialize, Serialize};

/// A fold over the whole ledger, updated with every batch and saved as a snapshot.
#[derive(Debug, Default, PartialEq)]
pub struct Views {
    /// Folded up to this position.
    pub(super) position: u64,
    /// A hash map, because every change looks up its board; sorted only for the snapshot.
    boards: HashMap<BoardName, BoardView>,
    /// Every stream, with the position of its first record.
    streams: BTreeMap<StreamId, u64>,
    /// Hash of the first record; identifies the ledger.
    chain: Option<Digest>,
    /// End of the chain at which another history than the applied one was last found.
    fork: Option<Digest>,
    deadlines: Deadlines,
    /// Position of a revised record to the position of its latest revision.
    revised: BTreeMap<u64, u64>,
}

/// A board with the position of its last change.
#[derive(Debug, Default)]
pub struct BoardView {
    board: Board,
    changed: u64,
    /// Cache of the rendered public page, cleared by every change.
    shown: OnceLock<Bytes>,
}

/// The deadlines of streams, earliest first.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Deadlines {
    order: BTreeSet<(Moment, StreamId)>,
    of: BTreeMap<StreamId, Moment>,
}

impl Views {
    /// A board by its name.
    #[must_use]
    pub fn board(&self, name: &str) -> Option<&Board> {
        self.board_view(name).map(|view| &view.board)
    }

    /// A board by its name, with its last change.
    #[must_use]
    pub fn board_view(&self, name: &str) -> Option<&BoardView> {
        self.boards.get(&BoardName::from(name))
    }

    /// A board as the public sees it: a copy, while the boards are frozen.
    #[must_use]
    pub fn public_board(&self, name: &BoardName) -> Option<&BoardView> {
        if self.is_frozen(name) { self.boards.get(&name.public_copy()) } else { self.boards.get(name) }
    }

    /// Whether the public sees a copy of a board.
    pub fn is_frozen(&self, name: &BoardName) -> bool {
        self.boards.get(&name.whole().public_copy()).is_some_and(|copy| !copy.board.is_empty())
    }

    /// The streams of a court in the order of their names, each with the position of its first record.
    pub fn streams<'a>(&'a self, court: &'a str) -> impl Iterator<Item = (&'a StreamId, u64)> {
        let all = self.streams.iter().skip_while(move |(stream, _)| stream.court() < court);
        all.take_while(move |(stream, _)| stream.court() == court).map(|(stream, first)| (stream, *first))
    }

    /// A board by its parsed name.
    pub fn board_named(&self, name: &BoardName) -> Option<&Board> {
        self.boards.get(name).map(|view| &view.board)
    }

    /// The ledger position these views have reached.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Identifies the ledger: the hash of its first record.
    #[must_use]
    pub const fn chain(&self) -> Option<Digest> {
        self.chain
    }

    /// Identifies the history of the ledger: none until it was found to differ from the applied one. Positions
    /// of different histories are not comparable.
    #[must_use]
    pub const fn fork(&self) -> Option<Digest> {
        self.fork
    }

    /// Notes that another history was found, which ends with the record of this hash.
    pub(super) fn begin_fork(&mut self, head: Digest) {
        self.fork = Some(head);
    }

    /// Applies changes to the boards and empties `changes`.
    pub(super) fn apply(&mut self, changes: &mut Vec<PlacedChange>) {
        for PlacedChange { position, change } in changes.drain(..) {
            let StandingChange { board, participant, standing } = change;
            let view = self.boards.entry(board).or_default();
            if view.board.set(&participant, standing) || view.changed == 0 {
                view.changed = position;
                view.shown = OnceLock::new();
            }
        }
    }

    /// Adds a stream with the position of its first record.
    pub(super) fn begin_stream(&mut self, stream: StreamId, position: u64) {
        self.streams.insert(stream, position);
    }

    /// Notes that `record` revises an earlier one.
    pub(super) fn revise(&mut self, record: &RecordRef<'_>) {
        match RecordRevised::read(record) {
            Ok(revised) => drop(self.revised.insert(revised.position, record.position)),
            Err(error) => tracing::error!(%error, "failed to read a revision"),
        }
    }

    /// Position of the record that revises the one at `position`, if it was revised.
    #[must_use]
    pub fn revised_at(&self, position: u64) -> Option<u64> {
        self.revised.get(&position).copied()
    }

    /// Sets the hash of the first record.
    pub(super) fn begin_chain(&mut self, hash: Digest) {
        self.chain = Some(hash);
    }

    pub(super) fn set_deadline(&mut self, stream: &StreamId, at: Option<Moment>) {
        self.deadlines.set(stream, at);
    }

    /// The earliest deadline.
    pub(super) fn next_deadline(&self) -> Option<Moment> {
        self.deadlines.order.first().map(|(at, _)| *at)
    }

    /// Up to `most` streams whose deadline is not after `now`, earliest first.
    pub(super) fn due(&self, now: Moment, most: usize) -> Vec<StreamId> {
        self.deadlines
            .order
            .iter()
            .take_while(|(at, _)| *at <= now)
            .take(most)
            .map(|(_, stream)| stream.clone())
            .collect()
    }

    pub(super) fn to_snapshot(&self) -> String {
        let boards = self.boards.iter().map(|(name, view)| (name.to_string(), view.saved())).collect();
        let streams = self.streams.clone();
        let deadlines =
            self.deadlines.of.iter().map(|(stream, at)| (stream.clone(), at.as_millis())).collect();
        let revised = self.revised.clone();
        let Self { chain, fork, .. } = *self;
        assize_kernel::to_json(&Saved { boards, streams, chain, fork, deadlines, revised })
    }

    pub(super) fn from_snapshot(position: u64, body: &str) -> Result<Self, serde_json::Error> {
        let saved: Saved<'_> = serde_json::from_str(body)?;
        let mut views = Self {
            position,
            streams: saved.streams,
            chain: saved.chain,
            fork: saved.fork,
            revised: saved.revised,
            ..Self::default()
        };
        for (name, (changed, participants)) in saved.boards {
            let view = views.boards.entry(BoardName::from(name.as_str())).or_default();
            view.changed = changed;
            for (participant, standing) in participants {
                view.board.set(participant, standing);
            }
        }
        for (stream, at) in saved.deadlines {
            views.deadlines.set(&stream, Some(Moment::from_millis(at)));
        }
        Ok(views)
    }
}

/// The snapshot of the views. Names never need escaping, so they can be borrowed.
#[derive(Serialize, Deserialize)]
struct Saved<'a> {
    #[serde(borrow)]
    boards: BTreeMap<String, SavedBoard<'a>>,
    streams: BTreeMap<StreamId, u64>,
    chain: Option<Digest>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fork: Option<Digest>,
    deadlines: BTreeMap<StreamId, i64>,
    #[serde(default)]
    revised: BTreeMap<u64, u64>,
}

/// The position of the last change, and the participants in the order of their first appearance.
type SavedBoard<'a> = (u64, Vec<(&'a str, Option<Standing>)>);

impl BoardView {
    /// The board itself.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Position of the record that last changed it; the same in every process.
    #[must_use]
    pub const fn changed(&self) -> u64 {
        self.changed
    }

    /// The rendered public page; `show` renders it once after every change.
    pub fn shown(&self, show: impl FnOnce(&Self) -> Bytes) -> Bytes {
        self.shown.get_or_init(|| show(self)).clone()
    }

    fn saved(&self) -> SavedBoard<'_> {
        (self.changed, self.board.participants().collect())
    }
}

impl PartialEq for BoardView {
    fn eq(&self, other: &Self) -> bool {
        self.changed == other.changed && self.board == other.board
    }
}

impl Deadlines {
    fn set(&mut self, stream: &StreamId, at: Option<Moment>) {
        let before = match at {
            Some(at) => self.of.insert(stream.clone(), at),
            None => self.of.remove(stream),
        };
        if before == at {
            return;
        }
        if let Some(before) = before {
            self.order.remove(&(before, stream.clone()));
        }
        if let Some(at) = at {
            self.order.insert((at, stream.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(position: u64, participant: &str, standing: Option<Standing>) -> PlacedChange {
        let change =
            StandingChange { board: "contest/spring".into(), participant: participant.into(), standing };
        PlacedChange { position, change }
    }

    #[test]
    fn views_survive_their_snapshot() {
        let mut views = Views { position: 9, ..Views::default() };
        let standing = Some(Standing { points: 97.5, ties: [0, 15_000] });
        views.apply(&mut vec![
            moved(3, "left", standing),
            moved(5, "team_01", standing),
            moved(6, "left", None),
            moved(7, "team_01", standing),
        ]);
        views.begin_stream("contest/spring".parse().unwrap(), 1);
        views.begin_chain(Digest::of(b"first"));
        views.begin_fork(Digest::of(b"other"));
        views.set_deadline(&"contest/spring".parse().unwrap(), Some(Moment::from_millis(4)));
        let restored = Views::from_snapshot(9, &views.to_snapshot()).unwrap();
        assert_eq!(restored, views);
        assert_eq!(restored.board("contest/spring").unwrap().rank("team_01"), Some(1));
        assert_eq!(restored.board_view("contest/spring").unwrap().changed(), 6, "the last one moved nobody");
        assert_eq!(restored.streams("contest").count(), 1);
        assert_eq!(restored.due(Moment::from_millis(4), 9).len(), 1);
        assert_eq!(restored.due(Moment::from_millis(3), 9).len(), 0);
    }

    #[test]
    fn what_is_shown_of_a_board_is_made_once_after_every_change() {
        let mut views = Views::default();
        let standing = |points| Some(Standing { points, ties: [0, 0] });
        let mut made = 0;
        for (position, points) in [(1, 1.0), (2, 1.0), (3, 2.0)] {
            views.apply(&mut vec![moved(position, "ants", standing(points))]);
            let view = views.board_view("contest/spring").unwrap();
            let mut show = || {
                view.shown(|_| {
                    made += 1;
                    Bytes::from(made.to_string())
                })
            };
            assert_eq!(show(), show());
        }
        assert_eq!(made, 2, "the second change moved nobody");
    }

    #[test]
    fn a_deadline_that_moves_is_there_once() {
        let mut views = Views::default();
        let stream = "contest/spring".parse().unwrap();
        views.set_deadline(&stream, Some(Moment::from_millis(4)));
        views.set_deadline(&stream, Some(Moment::from_millis(2)));
        assert_eq!(views.next_deadline(), Some(Moment::from_millis(2)));
        assert_eq!(views.due(Moment::from_millis(9), 9), std::slice::from_ref(&stream));
        views.set_deadline(&stream, None);
        assert_eq!(views.next_deadline(), None);
    }
}
