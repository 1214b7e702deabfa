//! Boards: ranked participants with shared ranks, updated in logarithmic time.

mod order;
mod run;

use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::StreamId;
use order::Order;

/// A participant's result: more points are better, then smaller tie-breakers.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Standing {
    /// More is better.
    pub points: f64,
    /// Smaller is better; the first one is compared first.
    #[cfg_attr(feature = "openapi", schema(min_items = 2, max_items = 2))]
    pub ties: [i64; 2],
}

/// The name of a board: that of a stream, or of a part such as one task. Written `contest/spring/task-1`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoardName {
    base: SmolStr,
    part: SmolStr,
}

/// The suffix of the public copy of a board; no valid name ends with it.
const COPY: &str = "~frozen";

/// A change of a participant's standing on a board.
#[derive(Debug, Clone, PartialEq)]
pub struct StandingChange {
    /// The board.
    pub board: BoardName,
    /// The participant.
    pub participant: SmolStr,
    /// The new standing; none removes the participant from the board.
    pub standing: Option<Standing>,
}

/// A change with the record that caused it.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedChange {
    /// The position of the record.
    pub position: u64,
    /// The change.
    pub change: StandingChange,
}

/// One row of a board.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Row {
    /// The rank: 1, 2, 2, 4. Equal standings share a rank.
    #[cfg_attr(feature = "openapi", schema(value_type = u64, minimum = 1))]
    pub rank: usize,
    /// The participant.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::openapi::Id))]
    pub participant: SmolStr,
    /// The participant's standing.
    #[serde(flatten)]
    #[cfg_attr(feature = "openapi", schema(schema_with = <Standing as utoipa::PartialSchema>::schema))]
    pub standing: Standing,
}

/// A ranked set of participants.
#[derive(Debug, Clone, Default)]
pub struct Board {
    order: Order<Place>,
    /// Only looked up, never iterated: its order is not deterministic.
    people: HashMap<SmolStr, Person>,
    /// Participants in the order of first appearance, which also orders equal standings.
    names: Vec<SmolStr>,
}

#[derive(Debug, Clone, Copy)]
struct Person {
    slot: u32,
    standing: Option<Standing>,
}

/// The sort key: a standing as unsigned integers, smaller is better, so that comparing needs no branches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Place {
    points: u64,
    ties: [u64; 2],
    slot: u32,
}

impl Place {
    const SIGN: u64 = 1 << 63;

    fn new(standing: Standing, slot: u32) -> Self {
        let bits = standing.points.to_bits();
        // Ascending like the numbers; the caller inverts it.
        let ascending = if bits & Self::SIGN == 0 { bits ^ Self::SIGN } else { !bits };
        let ties = standing.ties.map(|tie| tie.cast_unsigned() ^ Self::SIGN);
        Self { points: !ascending, ties, slot }
    }

    fn standing(&self) -> Standing {
        let ascending = !self.points;
        let bits = if ascending & Self::SIGN == 0 { !ascending } else { ascending ^ Self::SIGN };
        let ties = self.ties.map(|tie| (tie ^ Self::SIGN).cast_signed());
        Standing { points: f64::from_bits(bits), ties }
    }

    fn wide(&self) -> (u128, u128) {
        let join = |high: u64, low: u64| u128::from(high) << 64 | u128::from(low);
        (join(self.points, self.ties[0]), join(self.ties[1], u64::from(self.slot)))
    }
}

impl Ord for Place {
    fn cmp(&self, other: &Self) -> Ordering {
        self.wide().cmp(&other.wide())
    }
}

impl PartialOrd for Place {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }

    fn lt(&self, other: &Self) -> bool {
        let (own, theirs) = (self.wide(), other.wide());
        (own.0 < theirs.0) | ((own.0 == theirs.0) & (own.1 < theirs.1))
    }
}

impl Board {
    /// Sets a participant's standing, or removes them from the board. Returns whether the board has changed.
    pub fn set(&mut self, participant: &str, standing: Option<Standing>) -> bool {
        let Some(person) = self.people.get_mut(participant) else {
            self.add(participant, standing);
            return standing.is_some();
        };
        let Person { slot, standing: before } = std::mem::replace(person, Person { standing, ..*person });
        if before == standing {
            return false;
        }
        if let Some(standing) = before {
            self.order.remove(&Place::new(standing, slot));
        }
        if let Some(standing) = standing {
            self.order.insert(Place::new(standing, slot));
        }
        true
    }

    /// The number of participants on the board.
    #[must_use]
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether the board is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A participant's row.
    #[must_use]
    pub fn row(&self, participant: &str) -> Option<Row> {
        let standing = self.people.get(participant)?.standing?;
        Some(Row { rank: self.rank_of(standing), participant: participant.into(), standing })
    }

    /// A participant's rank.
    #[must_use]
    pub fn rank(&self, participant: &str) -> Option<usize> {
        let standing = self.people.get(participant)?.standing?;
        Some(self.rank_of(standing))
    }

    /// At most `limit` rows from the top, after the first `offset`.
    pub fn rows(&self, offset: usize, limit: usize) -> impl Iterator<Item = Row> + '_ {
        let mut last: Option<(Standing, usize)> = None;
        self.order.iter_from(offset).take(limit).enumerate().filter_map(move |(index, place)| {
            let standing = place.standing();
            let rank = match last {
                Some((before, rank)) if before == standing => rank,
                None => self.rank_of(standing),
                Some(_) => offset + index + 1,
            };
            last = Some((standing, rank));
            let participant = self.names.get(place.slot as usize)?.clone();
            Some(Row { rank, participant, standing })
        })
    }

    /// Every participant ever seen, in order of first appearance; [`Board::set`] in this order makes an equal
    /// board.
    pub fn participants(&self) -> impl Iterator<Item = (&str, Option<Standing>)> {
        self.names
            .iter()
            .map(|name| (name.as_str(), self.people.get(name).and_then(|person| person.standing)))
    }

    /// One more than the number of participants with a strictly better standing.
    fn rank_of(&self, standing: Standing) -> usize {
        self.order.rank(&Place::new(standing, 0)) + 1
    }

    fn add(&mut self, participant: &str, standing: Option<Standing>) {
        #[allow(
            clippy::cast_possible_truncation,
            reason = "four thousand million participants do not fit in memory"
        )]
        let slot = self.names.len() as u32;
        let name = SmolStr::new(participant);
        self.names.push(name.clone());
        self.people.insert(name, Person { slot, standing });
        if let Some(standing) = standing {
            self.order.insert(Place::new(standing, slot));
        }
    }
}

impl BoardName {
    /// The court whose board it is.
    #[must_use]
    pub fn court(&self) -> &str {
        self.base.split('/').next().unwrap_or_default()
    }

    /// The board of a whole stream.
    #[must_use]
    pub fn of(stream: &StreamId) -> Self {
        Self { base: SmolStr::from(stream.shared()), part: SmolStr::default() }
    }

    /// The board of a part of the stream.
    #[must_use]
    pub fn part(self, part: &str) -> Self {
        Self { part: part.into(), ..self }
    }

    /// The frozen copy that the public sees instead, as long as the copy of the stream's own board is not
    /// empty.
    #[must_use]
    pub fn public_copy(&self) -> Self {
        let copy = |name: &SmolStr| SmolStr::from(format!("{name}{COPY}"));
        if self.part.is_empty() {
            return Self { base: copy(&self.base), part: SmolStr::default() };
        }
        Self { base: self.base.clone(), part: copy(&self.part) }
    }

    /// The board that this is the public copy of; none when it is not a copy.
    #[must_use]
    pub fn copied(&self) -> Option<Self> {
        if let Some(base) = self.base.strip_suffix(COPY) {
            return Some(Self { base: base.into(), part: SmolStr::default() });
        }
        let part = self.part.strip_suffix(COPY)?;
        Some(Self { base: self.base.clone(), part: part.into() })
    }

    /// The board of the whole stream.
    #[must_use]
    pub fn whole(&self) -> Self {
        Self { base: self.base.clone(), part: SmolStr::default() }
    }
}

/// Everything up to the second slash is the stream's name.
impl From<&str> for BoardName {
    fn from(name: &str) -> Self {
        let court = name.find('/').map_or(name.len(), |at| at + 1);
        let (court, rest) = name.split_at(court);
        let (of_court, part) = rest.split_once('/').unwrap_or((rest, ""));
        let base = name.get(..court.len() + of_court.len()).unwrap_or(name);
        Self { base: base.into(), part: part.into() }
    }
}

impl fmt::Display for BoardName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slash = if self.part.is_empty() { "" } else { "/" };
        write!(f, "{}{slash}{}", self.base, self.part)
    }
}

impl PartialEq for Board {
    fn eq(&self, other: &Self) -> bool {
        self.participants().eq(other.participants())
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
