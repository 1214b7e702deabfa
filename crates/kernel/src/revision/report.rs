//! What a revision would change: verdicts, and who moves where.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::rulebook::RulebookRef;
use crate::{Moment, SmolStr, StreamId};

/// What a revision would change, or has changed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RevisionReport {
    /// Which history.
    pub stream: StreamId,
    /// The last record of it that was looked at.
    pub position: u64,
    /// What it is judged by so far.
    pub rulebook_before: Option<RulebookRef>,
    /// What it would be judged by.
    pub rulebook_after: Option<RulebookRef>,
    /// How many verdicts there are.
    pub verdicts: u64,
    /// How many records would say something else, verdicts and what was corrected.
    pub revised: usize,
    /// Those that would come out otherwise, in order.
    pub changed: Vec<ChangedVerdict>,
    /// The boards on which somebody would move.
    pub boards: Vec<BoardMoves>,
}

/// A verdict that would come out otherwise.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChangedVerdict {
    /// The record it stands in.
    pub position: u64,
    /// When that was received.
    pub at: Moment,
    /// Whom it is about.
    pub participant: Option<SmolStr>,
    /// As it stands.
    pub before: Judged,
    /// As it would be.
    pub after: Judged,
}

/// A verdict in short.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// The result in one word; `refused` when it would not have been taken up, and counts nothing.
    pub outcome: Cow<'static, str>,
    /// The result as a number.
    pub points: f64,
    /// Why it would not have been taken up.
    #[serde(default)]
    pub refusal: Option<Cow<'static, str>>,
}

/// Who would move on a board.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BoardMoves {
    /// Which one.
    pub board: String,
    /// Those who would stand elsewhere, the best of them first.
    pub moves: Vec<Move>,
}

/// Somebody who would stand elsewhere.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Move {
    /// Who.
    pub participant: SmolStr,
    /// Where they stand; none when they are not on the board.
    pub before: Option<Place>,
    /// Where they would stand.
    pub after: Option<Place>,
}

/// A place on a board.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Place {
    /// 1, 2, 2, 4.
    pub rank: usize,
    /// What they have to show.
    pub points: f64,
}

impl Judged {
    /// A verdict in short; none when it cannot be read.
    pub(super) fn read(verdict: &str) -> Option<Self> {
        serde_json::from_str(verdict).ok()
    }

    /// It would not have been taken up, because of this.
    pub(super) const fn refused(code: Cow<'static, str>) -> Self {
        Self { outcome: Cow::Borrowed("refused"), points: 0.0, refusal: Some(code) }
    }
}
