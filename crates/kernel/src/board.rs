//! Boards: who stands where, with equal ranks, at a cost that hardly grows with the number of participants.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use indexset::BTreeSet;
use serde::{Deserialize, Serialize};

/// What a participant has to show: more points first, then the smaller tie-breakers.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Standing {
    /// More is better.
    pub points: f64,
    /// Smaller is better, the first one first.
    pub ties: [i64; 2],
}

/// A participant's place on a board has changed.
#[derive(Debug, Clone, PartialEq)]
pub struct StandingChange {
    /// Which board.
    pub board: String,
    /// Who.
    pub participant: String,
    /// What they have to show now; none takes them off the board.
    pub standing: Option<Standing>,
}

/// One line of a board.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// 1, 2, 2, 4: equal standings share a rank.
    pub rank: usize,
    /// Who.
    pub participant: Arc<str>,
    /// What they have to show.
    #[serde(flatten)]
    pub standing: Standing,
}

/// A ranked set of participants.
#[derive(Debug, Clone, Default)]
pub struct Board {
    order: BTreeSet<Place>,
    /// In the order of first appearance, which also orders equals.
    participants: Vec<(Arc<str>, Option<Standing>)>,
    slots: HashMap<Arc<str>, u32>,
}

/// What the order is kept by: 32 bytes, no text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    standing: Standing,
    slot: u32,
}

impl Board {
    /// Gives a participant a new standing, or takes them off the board.
    pub fn set(&mut self, participant: &str, standing: Option<Standing>) {
        let slot = self.slot(participant);
        let Some((_, current)) = self.participants.get_mut(slot as usize) else { return };
        let before = std::mem::replace(current, standing);
        if before == standing {
            return;
        }
        if let Some(standing) = before {
            self.order.remove(&Place { standing, slot });
        }
        if let Some(standing) = standing {
            self.order.insert(Place { standing, slot });
        }
    }

    /// How many participants are on the board.
    #[must_use]
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether nobody is on the board.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// A participant's line.
    #[must_use]
    pub fn row(&self, participant: &str) -> Option<Row> {
        let (name, standing) = self.participants.get(*self.slots.get(participant)? as usize)?;
        let standing = (*standing)?;
        Some(Row { rank: self.rank_of(standing), participant: name.clone(), standing })
    }

    /// A participant's rank.
    #[must_use]
    pub fn rank(&self, participant: &str) -> Option<usize> {
        let (_, standing) = self.participants.get(*self.slots.get(participant)? as usize)?;
        standing.map(|standing| self.rank_of(standing))
    }

    /// `limit` lines from the top, after the first `offset`.
    pub fn rows(&self, offset: usize, limit: usize) -> impl Iterator<Item = Row> + '_ {
        let end = offset.saturating_add(limit).min(self.len());
        let mut last: Option<(Standing, usize)> = None;
        (offset..end).filter_map(move |index| {
            let place = self.order.get_index(index)?;
            let rank = match last {
                Some((standing, rank)) if standing == place.standing => rank,
                _ => self.rank_of(place.standing),
            };
            last = Some((place.standing, rank));
            let (participant, _) = self.participants.get(place.slot as usize)?;
            Some(Row { rank, participant: participant.clone(), standing: place.standing })
        })
    }

    /// Everybody ever seen, in order of first appearance; [`Board::set`] in this order makes an equal board.
    pub fn participants(&self) -> impl Iterator<Item = (&str, Option<Standing>)> {
        self.participants.iter().map(|(name, standing)| (name.as_ref(), *standing))
    }

    /// One more than the number of those who stand strictly better.
    fn rank_of(&self, standing: Standing) -> usize {
        self.order.rank(&Place { standing, slot: 0 }) + 1
    }

    fn slot(&mut self, participant: &str) -> u32 {
        if let Some(slot) = self.slots.get(participant) {
            return *slot;
        }
        #[allow(
            clippy::cast_possible_truncation,
            reason = "four thousand million participants do not fit in memory"
        )]
        let slot = self.participants.len() as u32;
        let name: Arc<str> = participant.into();
        self.participants.push((name.clone(), None));
        self.slots.insert(name, slot);
        slot
    }
}

impl PartialEq for Board {
    fn eq(&self, other: &Self) -> bool {
        self.participants == other.participants
    }
}

impl Eq for Standing {}

impl Ord for Standing {
    fn cmp(&self, other: &Self) -> Ordering {
        other.points.total_cmp(&self.points).then_with(|| self.ties.cmp(&other.ties))
    }
}

impl PartialOrd for Standing {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn standing(points: f64, time: i64) -> Option<Standing> {
        Some(Standing { points, ties: [time, 0] })
    }

    fn lines(board: &Board) -> Vec<(usize, String)> {
        board.rows(0, usize::MAX).map(|row| (row.rank, row.participant.to_string())).collect()
    }

    #[test]
    fn equal_on_everything_is_an_equal_rank_and_the_next_one_is_skipped() {
        let mut board = Board::default();
        board.set("late", standing(75.0, 40));
        board.set("second", standing(85.0, 20));
        board.set("first", standing(97.5, 90));
        board.set("also second", standing(85.0, 20));
        let expected = [(1, "first"), (2, "second"), (2, "also second"), (4, "late")];
        assert_eq!(lines(&board), expected.map(|(rank, name)| (rank, name.to_owned())));
        assert_eq!(board.rank("also second"), Some(2));
        assert_eq!(board.rank("nobody"), None);
    }

    #[test]
    fn who_is_taken_off_leaves_no_gap() {
        let mut board = Board::default();
        board.set("a", standing(3.0, 0));
        board.set("b", standing(2.0, 0));
        board.set("a", None);
        assert_eq!(lines(&board), [(1, "b".to_owned())]);
        assert_eq!(board.row("a"), None);
    }

    #[test]
    fn a_page_from_the_middle_has_the_ranks_of_the_whole() {
        let mut board = Board::default();
        for name in ["a", "b", "c", "d"] {
            board.set(name, standing(1.0, 0));
        }
        let page: Vec<usize> = board.rows(2, 10).map(|row| row.rank).collect();
        assert_eq!(page, [1, 1]);
    }

    proptest! {
        #[test]
        fn any_history_ranks_like_sorting_does(
            history in prop::collection::vec((0..40_u8, prop::option::of((0..6_u8, 0..4_i64))), 0..400)
        ) {
            let mut board = Board::default();
            let mut plain = std::collections::BTreeMap::new();
            for (who, what) in history {
                let what = what.map(|(points, time)| Standing { points: f64::from(points), ties: [time, 0] });
                board.set(&who.to_string(), what);
                plain.insert(who, what);
            }
            let standing: Vec<(u8, Standing)> = plain.iter().filter_map(|(who, what)| Some((*who, (*what)?))).collect();
            prop_assert_eq!(board.len(), standing.len());
            for (who, own) in &standing {
                let better = standing.iter().filter(|(_, other)| other < own).count();
                prop_assert_eq!(board.rank(&who.to_string()), Some(better + 1));
            }
            for row in board.rows(0, usize::MAX) {
                prop_assert_eq!(board.rank(&row.participant), Some(row.rank));
            }
        }
    }
}
