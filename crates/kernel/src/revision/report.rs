//! The report of a revision: changed verdicts and changed ranks.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

#[cfg(feature = "openapi")]
use crate::openapi::Id;
use crate::rulebook::RulebookRef;
use crate::{Moment, SmolStr, StreamId};

/// The effect of a revision, proposed or adopted.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RevisionReport {
    /// The stream.
    #[cfg_attr(feature = "openapi", schema(value_type = String, pattern = "^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$"))]
    pub stream: StreamId,
    /// The last record of the stream that was read.
    #[cfg_attr(feature = "openapi", schema(minimum = 1))]
    pub position: u64,
    /// The current rulebook.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub rulebook_before: Option<RulebookRef>,
    /// The rulebook after the revision.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub rulebook_after: Option<RulebookRef>,
    /// The number of verdicts in the stream.
    pub verdicts: u64,
    /// The number of records that would change, verdicts and corrected events.
    #[cfg_attr(feature = "openapi", schema(value_type = u64))]
    pub revised: usize,
    /// The verdicts that would change, in order.
    pub changed: Vec<ChangedVerdict>,
    /// The boards on which ranks or points would change.
    pub boards: Vec<BoardMoves>,
}

/// A verdict that a revision changes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChangedVerdict {
    /// The position of its record.
    #[cfg_attr(feature = "openapi", schema(minimum = 1))]
    pub position: u64,
    /// When its command was received.
    pub at: Moment,
    /// The participant that it concerns.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Id>, required))]
    pub participant: Option<SmolStr>,
    /// The current verdict.
    pub before: Judged,
    /// The revised verdict.
    pub after: Judged,
}

/// A summary of a verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = JudgedInShort))]
pub struct Judged {
    /// The outcome; `refused` when the event would be refused and does not count.
    pub outcome: Cow<'static, str>,
    /// The points.
    pub points: f64,
    /// The code of the refusal.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub refusal: Option<Cow<'static, str>>,
}

/// The changes on one board.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BoardMoves {
    /// The board's name.
    pub board: String,
    /// Participants whose place changes, by their new rank.
    pub moves: Vec<Move>,
}

/// A participant whose place changes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Move {
    /// The participant.
    #[cfg_attr(feature = "openapi", schema(value_type = Id))]
    pub participant: SmolStr,
    /// The current place; none when not on the board.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub before: Option<Place>,
    /// The place after the revision.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub after: Option<Place>,
}

/// A place on a board.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Place {
    /// The rank: 1, 2, 2, 4.
    #[cfg_attr(feature = "openapi", schema(value_type = u64, minimum = 1))]
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
