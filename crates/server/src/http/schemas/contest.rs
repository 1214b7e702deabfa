//! OpenAPI schemas of contest JSON without a type of its own: submissions, ground truth and recorded events.
#![allow(dead_code, reason = "only described here, parsed and written by the court")]

use assize_courts::contest::{SubmittedAnswer, TaskSpec, TaskType};
use assize_kernel::{Digest, RulebookRef};
use utoipa::ToSchema;

use super::{Id, TextOrNumber};

/// Boundaries, start and end of each event: `4890-5000-5001-5020`, with commas, or as a list.
#[derive(ToSchema)]
#[serde(untagged)]
#[schema(as = Points)]
pub(crate) enum PointsSchema {
    Text(String),
    List(Boundaries),
}

/// Start and end of each event in turn.
#[derive(ToSchema)]
#[schema(min_items = 2, max_items = 1000)]
pub(crate) struct Boundaries(Vec<Boundary>);

/// A position in a video.
#[derive(ToSchema)]
#[schema(minimum = 0, maximum = 9_007_199_254_740_991_i64)]
pub(crate) struct Boundary(u64);

/// The body of a submission: answer sets, of which the first is read, or a bare text. Unknown fields are
/// ignored.
#[derive(ToSchema)]
#[schema(as = Submission)]
pub(crate) struct SubmissionSchema {
    /// The team, if the token does not belong to one.
    team_id: Option<TextOrNumber>,
    /// Ignored: the path names the task.
    question_id: Option<TextOrNumber>,
    #[serde(rename = "answerSets")]
    answer_sets: Option<Vec<AnswerSet>>,
    /// The whole answer, if there are no answer sets.
    text: Option<String>,
}

/// Answers that belong together.
#[derive(ToSchema)]
pub(crate) struct AnswerSet {
    answers: Option<Vec<SubmittedAnswer>>,
}

/// The `detail` of a contest verdict.
#[derive(ToSchema)]
pub(crate) struct ContestDetail {
    /// Present if the answer was compared with a ground truth.
    #[schema(required = false, nullable = false)]
    matched_events: u64,
    /// Present if the answer was compared with a ground truth.
    #[schema(required = false, nullable = false)]
    total_events: u64,
    wrong_attempts: u32,
    /// Seconds from the start of the round to the receipt; absent for a wrong answer under timed scoring,
    /// unless a person judged it.
    #[schema(required = false, nullable = false)]
    elapsed_time: f64,
    /// The share of the time limit that was left, from 1 to 0; present if the answer scored under timed
    /// scoring.
    #[schema(required = false, nullable = false)]
    time_factor: f64,
    /// The score of each event; present if distance scoring compared the answer with a ground truth.
    #[schema(required = false, nullable = false)]
    event_scores: Vec<f64>,
    /// A message for the team; present if the answer was wrong, unless distance scoring compared it with a
    /// ground truth.
    #[schema(required = false, nullable = false)]
    message: String,
}

/// An event recorded by a request of an organiser or a judge, as stored in the ledger.
#[derive(ToSchema)]
#[schema(as = ContestEvent)]
pub(crate) enum ContestEventSchema {
    ContestOpened {
        name: String,
        rulebook: RulebookRef,
    },
    TeamRegistered {
        team: Id,
        #[schema(required = false, nullable = false)]
        name: String,
        /// The digest of the contact details.
        #[schema(required = false, nullable = false)]
        contact: Digest,
    },
    TaskAdded {
        task: Id,
        spec: TaskSpec,
    },
    TaskStarted {
        task: Id,
        round: u32,
        time_limit_ms: i64,
        buffer_ms: i64,
        repeat_ms: i64,
        #[schema(required = false)]
        countdown_ms: i64,
    },
    TaskAdjusted {
        task: Id,
        round: u32,
        by_ms: i64,
    },
    ProgrammeSet {
        #[schema(required = true)]
        pause_ms: Option<i64>,
    },
    TaskStopped {
        task: Id,
        round: u32,
    },
    BoardsFrozen {},
    BoardsUnfrozen {},
    TeamRevealed {
        team: Id,
    },
    AnswerGivenBack {
        task: Id,
        round: u32,
        answer: u64,
    },
}

/// A task, an answer to it, the time it took and the number of earlier wrong attempts.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ContestDocument {
    task: DocumentTask,
    submission: SubmissionSchema,
    #[schema(minimum = 0, maximum = 1_209_600)]
    elapsed_seconds: f64,
    #[schema(minimum = 0, maximum = 1_000_000)]
    wrong_attempts: u32,
}

/// A task with its ground truth; a time limit of zero or less means none.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DocumentTask {
    r#type: TaskType,
    #[schema(min_length = 1, max_length = 200)]
    video_id: String,
    points: PointsSchema,
    answer: Option<String>,
    #[schema(minimum = -604_800, maximum = 604_800)]
    time_limit: Option<f64>,
}
