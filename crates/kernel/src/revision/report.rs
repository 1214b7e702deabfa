//! The report of a revision: changed verdicts and changed ranks.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::rulebook::RulebookRef;
use crate::{Moment, SmolStr, StreamId};

/// The effect of a revision, proposed or adopted.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RevisionReport {
    /// The stream.
    pub stream: StreamId,
    /// The last record of the stream that was read.
    pub position: u64,
    /// The current rulebook.
    pub rulebook_before: Option<RulebookRef>,
    /// The rulebook after the revision.
    pub rulebook_after: Option<RulebookRef>,
    /// The number of verdicts in the stream.
    pub verdicts: u64,
    /// The number of records that would change, verdicts and corrected events.
    pub revised: usize,
    /// The verdicts that would change, in order.
    pub changed: Vec<ChangedVerdict>,
    /// The boards on which ranks or points would change.
    pub boards: Vec<BoardMoves>,
}

/// A verdict that a revision changes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChangedVerdict {
    /// The position of its record.
    pub position: u64,
    /// When its command was received.
    pub at: Moment,
    /// The participant that it concerns.
    pub participant: Option<SmolStr>,
    /// The current verdict.
    pub before: Judged,
    /// The revised verdict.
    pub after: Judged,
}

/// A summary of a verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// The outcome; `refused` when the event would be refused and does not count.
    pub outcome: Cow<'static, str>,
    /// The points.
    pub points: f64,
    /// The code of the refusal.
    #[serde(default)]
    pub refusal: Option<Cow<'static, str>>,
}

/// The changes on one board.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BoardMoves {
    /// The board's name.
    pub board: String,
    /// Participants whose place changes, by their new rank.
    pub moves: Vec<Move>,
}

/// A participant whose place changes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Move {
    /// The participant.
    pub participant: SmolStr,
    /// The current place; none when not on the board.
    pub before: Option<Place>,
    /// The place after the revision.
    pub after: Option<Place>,
}

/// A place on a board.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Place {
    /// The rank: 1, 2, 2, 4.
    pub rank: usize,
    /// The points.
    pub points: f64,
}

impl Judged {
    /// Parses the summary of a verdict; none when it is malformed.
    pub(super) fn read(verdict: &str) -> Option<Self> {
        serde_json::from_str(verdict).ok()
    }

    /// The summary of an event that would be refused with this code.
    pub(super) const fn refused(code: Cow<'static, str>) -> Self {
        Self { outcome: Cow::Borrowed("refused"), points: 0.0, refusal: Some(code) }
    }
}
