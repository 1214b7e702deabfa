//! What everybody may look at while the clerk works: the boards, and the deadlines it keeps beside them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use assize_kernel::{Board, BoardName, Moment, Standing, StandingChange, StreamId};
use serde::{Deserialize, Serialize};

/// A fold over the whole ledger, kept live and rebuilt from snapshots.
#[derive(Debug, Default, PartialEq)]
pub struct Views {
    /// Folded up to this position.
    pub(super) position: u64,
    /// Looked up for every change; put in order only to be saved.
    boards: HashMap<BoardName, Board>,
    deadlines: Deadlines,
}

/// When which stream must be looked at, earliest first.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Deadlines {
    order: BTreeSet<(Moment, StreamId)>,
    of: BTreeMap<StreamId, Moment>,
}

impl Views {
    /// A board by its name.
    #[must_use]
    pub fn board(&self, name: &str) -> Option<&Board> {
        self.boards.get(&BoardName::from(name))
    }

    /// The ledger position these views have reached.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Brings the boards up to date and empties `changes`.
    pub(super) fn apply(&mut self, changes: &mut Vec<StandingChange>) {
        for StandingChange { board, participant, standing } in changes.drain(..) {
            self.boards.entry(board).or_default().set(&participant, standing);
        }
    }

    pub(super) fn set_deadline(&mut self, stream: &StreamId, at: Option<Moment>) {
        self.deadlines.set(stream, at);
    }

    /// The earliest deadline.
    pub(super) fn next_deadline(&self) -> Option<Moment> {
        self.deadlines.order.first().map(|(at, _)| *at)
    }

    /// Streams whose deadline is not after `now`, the first so many.
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
        let boards =
            self.boards.iter().map(|(name, board)| (name.to_string(), board.participants().collect()));
        let boards = boards.collect();
        let deadlines =
            self.deadlines.of.iter().map(|(stream, at)| (stream.clone(), at.as_millis())).collect();
        assize_kernel::to_json(&Saved { boards, deadlines })
    }

    pub(super) fn from_snapshot(position: u64, body: &str) -> Result<Self, serde_json::Error> {
        let saved: Saved<'_> = serde_json::from_str(body)?;
        let mut views = Self { position, ..Self::default() };
        for (name, participants) in saved.boards {
            let board = views.boards.entry(BoardName::from(name.as_str())).or_default();
            participants.into_iter().for_each(|(participant, standing)| board.set(participant, standing));
        }
        for (stream, at) in saved.deadlines {
            views.deadlines.set(&stream, Some(Moment::from_millis(at)));
        }
        Ok(views)
    }
}

/// Views as they are kept. Names never need escaping, so they can be borrowed.
#[derive(Serialize, Deserialize)]
struct Saved<'a> {
    #[serde(borrow)]
    boards: BTreeMap<String, Vec<(&'a str, Option<Standing>)>>,
    deadlines: BTreeMap<StreamId, i64>,
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

    #[test]
    fn views_survive_their_snapshot() {
        let mut views = Views { position: 9, ..Views::default() };
        let standing = Some(Standing { points: 97.5, ties: [0, 15_000] });
        let change = |participant: &str, standing| StandingChange {
            board: "contest/spring".into(),
            participant: participant.into(),
            standing,
        };
        views.apply(&mut vec![change("left", standing), change("team_01", standing), change("left", None)]);
        views.set_deadline(&"contest/spring".parse().unwrap(), Some(Moment::from_millis(4)));
        let restored = Views::from_snapshot(9, &views.to_snapshot()).unwrap();
        assert_eq!(restored, views);
        assert_eq!(restored.board("contest/spring").unwrap().rank("team_01"), Some(1));
        assert_eq!(restored.due(Moment::from_millis(4), 9).len(), 1);
        assert_eq!(restored.due(Moment::from_millis(3), 9).len(), 0);
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
