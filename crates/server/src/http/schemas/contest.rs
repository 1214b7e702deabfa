//! OpenAPI schemas of the contest court's types: the court itself does not depend on utoipa.

use utoipa::ToSchema;

use super::{DigestSchema, Id, MomentSchema, RulebookRef};

/// A contest as everybody may see it, with the server's time beside it so that clocks can be drawn.
#[derive(ToSchema)]
#[schema(as = Contest)]
pub(crate) struct ContestNowSchema {
    now: MomentSchema,
    /// What people call it.
    name: String,
    /// What it is judged by.
    #[schema(required = true)]
    rulebook: Option<RulebookRef>,
    /// The teams, by id.
    teams: Vec<TeamViewSchema>,
    /// The tasks, in the order of the programme.
    tasks: Vec<TaskViewSchema>,
    /// The pause after which the next task starts by itself; null when people start them.
    #[schema(required = true)]
    pause_seconds: Option<f64>,
    /// Whether the public boards stay as they are.
    frozen: bool,
}

/// A team as everybody may see it.
#[derive(ToSchema)]
#[schema(as = TeamSeen)]
pub(crate) struct TeamViewSchema {
    team: Id,
    /// What people call it.
    #[schema(required = true)]
    name: Option<String>,
}

/// A task as everybody may see it.
#[derive(ToSchema)]
#[schema(as = TaskSeen)]
pub(crate) struct TaskViewSchema {
    task: Id,
    r#type: TaskTypeSchema,
    /// How long it runs, when the rulebook's time does not suit it.
    #[schema(required = true)]
    time_limit_seconds: Option<f64>,
    /// Whether it only tries out the connections, and scores nothing.
    rehearsal: bool,
    /// Whether there is no ground truth, so that people judge the answers.
    judged_by_people: bool,
    /// Null before the first start.
    #[schema(required = true)]
    round: Option<RoundViewSchema>,
}

/// Something that helps to find the answer.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Hint)]
pub(crate) struct HintSchema {
    /// How long after the start it is shown.
    #[schema(minimum = 0, maximum = 604_800)]
    at_seconds: f64,
    kind: HintKindSchema,
    /// The text, or where the picture or the video is.
    #[schema(min_length = 1, max_length = 4000)]
    content: String,
}

/// What a hint is.
#[derive(ToSchema)]
#[schema(as = HintKind, rename_all = "lowercase")]
pub(crate) enum HintKindSchema {
    Text,
    Image,
    Video,
}

/// The timing and the counts of a round.
#[derive(ToSchema)]
#[schema(as = RoundSeen)]
pub(crate) struct RoundViewSchema {
    /// Counted from 1.
    #[schema(minimum = 1)]
    round: u32,
    /// Whether nothing has ended it yet.
    running: bool,
    started_at: MomentSchema,
    time_limit_seconds: f64,
    /// How long answers are taken after that.
    buffer_seconds: f64,
    /// The last moment at which an answer is taken, unless it is stopped before.
    closes_at: MomentSchema,
    /// When it was stopped or its time was up.
    #[schema(required = true)]
    closed_at: Option<MomentSchema>,
    /// The hints that have been shown.
    hints: Vec<HintSchema>,
    teams_submitted: u64,
    /// Null while the boards are frozen.
    #[schema(required = true)]
    teams_completed: Option<u64>,
    /// How many answers wait for a judge; null while the boards are frozen.
    #[schema(required = true)]
    waiting: Option<u64>,
    /// Null while the boards are frozen.
    #[schema(required = true)]
    submissions: Option<u64>,
}

/// `KIS` (known-item search), `QA` (question) or `TR` (frames of several events).
#[derive(ToSchema)]
#[schema(as = TaskType, rename_all = "UPPERCASE")]
pub(crate) enum TaskTypeSchema {
    Kis,
    Qa,
    Tr,
}

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

/// A place in a video.
#[derive(ToSchema)]
#[schema(minimum = 0, maximum = 9_007_199_254_740_991_i64)]
pub(crate) struct Boundary(u64);

/// What a team's tool sends: answer sets, of which the first is read, or a bare text. Fields that are not known are
/// ignored.
#[derive(ToSchema)]
#[schema(as = Submission)]
pub(crate) struct SubmissionSchema {
    /// For whom, with a token that is no team's.
    team_id: Option<TextOrNumber>,
    /// Not read: the task is in the address.
    question_id: Option<TextOrNumber>,
    #[serde(rename = "answerSets")]
    answer_sets: Option<Vec<AnswerSet>>,
    /// The whole answer, where there are no answer sets.
    text: Option<String>,
}

/// Answers that belong together.
#[derive(ToSchema)]
pub(crate) struct AnswerSet {
    answers: Option<Vec<SubmittedAnswerSchema>>,
}

/// One answer.
#[derive(ToSchema)]
#[schema(as = SubmittedAnswer, rename_all = "camelCase")]
pub(crate) struct SubmittedAnswerSchema {
    /// The whole answer of a QA or TR task.
    text: Option<String>,
    /// The video of a KIS answer.
    media_item_name: Option<String>,
    /// The moment of a KIS answer.
    start: Option<TextOrNumber>,
    /// The end of a KIS answer, when it is another moment.
    end: Option<TextOrNumber>,
}

/// A text or a number.
#[derive(ToSchema)]
#[serde(untagged)]
pub(crate) enum TextOrNumber {
    Text(String),
    Number(f64),
}

/// What the contest's verdict says beside points and reasons.
#[derive(ToSchema)]
pub(crate) struct ContestDetail {
    /// Where answers are compared with a ground truth.
    #[schema(required = false, nullable = false)]
    matched_events: u64,
    /// Where answers are compared with a ground truth.
    #[schema(required = false, nullable = false)]
    total_events: u64,
    wrong_attempts: u32,
    /// In seconds, when it scored or a person judged it.
    #[schema(required = false, nullable = false)]
    elapsed_time: f64,
    /// When it scored.
    #[schema(required = false, nullable = false)]
    time_factor: f64,
    /// What each event has earned, where being near earns points.
    #[schema(required = false, nullable = false)]
    event_scores: Vec<f64>,
    /// When it was wrong.
    #[schema(required = false, nullable = false)]
    message: String,
}

/// What has happened in a contest, as it stands in the ledger.
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
        /// The digest of how to reach it.
        #[schema(required = false, nullable = false)]
        contact: DigestSchema,
    },
    TaskAdded {
        task: Id,
        spec: TaskSpecSchema,
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

/// A task with its ground truth: for organisers and judges only.
#[derive(ToSchema)]
#[schema(as = TaskSpec)]
pub(crate) struct TaskSpecSchema {
    r#type: TaskTypeSchema,
    #[schema(required = false, nullable = false)]
    scene_id: String,
    #[schema(required = false, nullable = false)]
    video_id: String,
    /// Without them, people judge the answers.
    #[schema(required = false, nullable = false)]
    points: Vec<u64>,
    #[schema(required = false, nullable = false)]
    answer: String,
    #[schema(required = false, nullable = false)]
    time_limit_seconds: f64,
    #[schema(required = false)]
    hints: Vec<HintSchema>,
    #[schema(required = false)]
    rehearsal: bool,
}

/// A task, an answer to it, when it came and how many wrong ones came before it.
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

/// A task with its ground truth; a time limit of zero or less is none.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DocumentTask {
    r#type: TaskTypeSchema,
    #[schema(min_length = 1, max_length = 200)]
    video_id: String,
    points: PointsSchema,
    answer: Option<String>,
    #[schema(minimum = -604_800, maximum = 604_800)]
    time_limit: Option<f64>,
}
