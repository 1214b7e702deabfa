//! OpenAPI schemas of revisions: the kernel itself does not depend on utoipa.

use utoipa::ToSchema;

use super::{AnyObject, Id, MomentSchema, RulebookRef};

/// What a revision would change.
#[derive(ToSchema)]
#[schema(as = RevisionReport)]
pub(crate) struct RevisionReportSchema {
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
    changed: Vec<ChangedVerdictSchema>,
    /// The boards on which somebody would move.
    boards: Vec<BoardMovesSchema>,
}

/// A verdict that would come out otherwise.
#[derive(ToSchema)]
#[schema(as = ChangedVerdict)]
pub(crate) struct ChangedVerdictSchema {
    /// The record it stands in.
    #[schema(minimum = 1)]
    position: u64,
    /// When that was received.
    at: MomentSchema,
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
#[schema(as = BoardMoves)]
pub(crate) struct BoardMovesSchema {
    board: String,
    /// Those who would stand elsewhere, the best of them first.
    moves: Vec<MoveSchema>,
}

/// Somebody who would stand elsewhere.
#[derive(ToSchema)]
#[schema(as = Move)]
pub(crate) struct MoveSchema {
    participant: Id,
    /// Null when they are not on the board.
    #[schema(required = true)]
    before: Option<PlaceSchema>,
    /// Null when they would not be on the board.
    #[schema(required = true)]
    after: Option<PlaceSchema>,
}

/// A place on a board.
#[derive(ToSchema)]
#[schema(as = Place)]
pub(crate) struct PlaceSchema {
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
