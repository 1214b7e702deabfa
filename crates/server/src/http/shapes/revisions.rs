//! What revisions look like on the wire, for the OpenAPI document: the kernel itself knows nothing of it.

use utoipa::ToSchema;

use super::{AnyObject, Id, Moment, RulebookRef};

/// What a revision would change.
#[derive(ToSchema)]
pub(crate) struct RevisionReport {
    #[schema(pattern = "^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$")]
    stream: String,
    /// The last record of it that was looked at.
    #[schema(minimum = 1)]
    position: u64,
    /// What it is judged by so far.
    #[schema(required = true)]
    rulebook_before: Option<RulebookRef>,
    /// What it would be judged by.
    #[schema(required = true)]
    rulebook_after: Option<RulebookRef>,
    /// How many verdicts there are.
    verdicts: u64,
    /// How many records would say something else: verdicts, and what was corrected.
    revised: u64,
    /// Those that would come out otherwise, in order.
    changed: Vec<ChangedVerdict>,
    /// The boards on which somebody would move.
    boards: Vec<BoardMoves>,
}

/// A verdict that would come out otherwise.
#[derive(ToSchema)]
pub(crate) struct ChangedVerdict {
    /// The record it stands in.
    #[schema(minimum = 1)]
    position: u64,
    /// When that was received.
    at: Moment,
    /// Whom it is about.
    #[schema(required = true)]
    participant: Option<Id>,
    before: JudgedInShort,
    after: JudgedInShort,
}

/// A verdict in short.
#[derive(ToSchema)]
pub(crate) struct JudgedInShort {
    /// The result in one word; `refused` when it would not have been taken up, and counts nothing.
    outcome: String,
    points: f64,
    /// The code of why it would not have been taken up.
    #[schema(required = true)]
    refusal: Option<String>,
}

/// Who would move on a board.
#[derive(ToSchema)]
pub(crate) struct BoardMoves {
    board: String,
    /// Those who would stand elsewhere, the best of them first.
    moves: Vec<Move>,
}

/// Somebody who would stand elsewhere.
#[derive(ToSchema)]
pub(crate) struct Move {
    participant: Id,
    /// Null when they are not on the board.
    #[schema(required = true)]
    before: Option<Place>,
    /// Null when they would not be on the board.
    #[schema(required = true)]
    after: Option<Place>,
}

/// A place on a board.
#[derive(ToSchema)]
pub(crate) struct Place {
    /// 1, 2, 2, 4.
    #[schema(minimum = 1)]
    rank: u64,
    points: f64,
}

/// A history was revised.
#[derive(ToSchema)]
pub(crate) enum HistoryRevisedEvent {
    HistoryRevised {
        reason: String,
        /// What it is judged by now, when that is another one.
        #[schema(required = false, nullable = false)]
        rulebook: Option<RulebookRef>,
        /// What was corrected, in the court's own form.
        #[schema(required = false)]
        amendments: Vec<AnyObject>,
        /// How many records say something else now.
        revised: u64,
    },
}
