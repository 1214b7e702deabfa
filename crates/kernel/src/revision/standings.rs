//! The final standings of a history, and the changes from one history's standings to another's.

use std::collections::{BTreeMap, BTreeSet};

use super::report::{BoardMoves, Move, Place};
use crate::any_court::AnyStream;
use crate::board::{Board, BoardName, PlacedChange, Standing, StandingChange};
use crate::{Row, SmolStr};

/// The latest standing of every participant on every board of a history.
#[derive(Debug, Default)]
pub struct Standings {
    last: BTreeMap<(BoardName, SmolStr), Option<Standing>>,
    latest: Vec<PlacedChange>,
}

impl Standings {
    /// Takes the pending board changes of a stream.
    pub fn take(&mut self, any_stream: &mut dyn AnyStream) {
        any_stream.take_changes(&mut self.latest);
        let changes = self.latest.drain(..).map(|PlacedChange { change, .. }| change);
        self.last.extend(changes.map(|change| ((change.board, change.participant), change.standing)));
    }

    /// The changes that turn these standings into `after`.
    #[must_use]
    pub fn changes_to(&self, after: &Self) -> Vec<StandingChange> {
        let touched: BTreeSet<_> = self.last.keys().chain(after.last.keys()).collect();
        let changed = touched.into_iter().filter(|key| self.standing(key) != after.standing(key));
        let change = |key: &(BoardName, SmolStr)| StandingChange {
            board: key.0.clone(),
            participant: key.1.clone(),
            standing: after.standing(key),
        };
        changed.map(change).collect()
    }

    fn standing(&self, key: &(BoardName, SmolStr)) -> Option<Standing> {
        self.last.get(key).copied().flatten()
    }

    /// The participants whose place changes. Public copies of boards are left out.
    pub(super) fn moves_to(&self, after: &Self) -> Vec<BoardMoves> {
        let (before, after) = (self.boards(), after.boards());
        let names: BTreeSet<_> = before.keys().chain(after.keys()).collect();
        let moves = names.into_iter().filter(|name| name.copied().is_none()).map(|name| BoardMoves {
            board: name.to_string(),
            moves: moves(before.get(name), after.get(name)),
        });
        moves.filter(|board| !board.moves.is_empty()).collect()
    }

    fn boards(&self) -> BTreeMap<&BoardName, Board> {
        let mut boards: BTreeMap<&BoardName, Board> = BTreeMap::new();
        for ((name, participant), standing) in &self.last {
            boards.entry(name).or_default().set(participant, *standing);
        }
        boards
    }
}

/// The participants whose place changes, by their new rank.
fn moves(before: Option<&Board>, after: Option<&Board>) -> Vec<Move> {
    let nobody = Board::default();
    let (before, after) = (before.unwrap_or(&nobody), after.unwrap_or(&nobody));
    let off = before.rows(0, usize::MAX).map(|row| row.participant);
    let off = off.filter(|participant| after.rank(participant).is_none());
    let all = after.rows(0, usize::MAX).map(|row| row.participant).chain(off);
    let place = |row: Row| Place { rank: row.rank, points: row.standing.points };
    let moves = all.filter(|who| before.row(who) != after.row(who));
    let told = moves.map(|who| {
        let (from, to) = (before.row(&who).map(place), after.row(&who).map(place));
        Move { participant: who, before: from, after: to }
    });
    told.collect()
}
