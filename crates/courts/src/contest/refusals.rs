//! Refusals of the contest court: each with its stable code and message.

use assize_kernel::{BadName, Millis, Refusal, RefusalKind, SmolStr};

use super::fields::FieldError;
use super::import::ImportFault;
use super::task::{TaskFault, TaskType};

/// Why a command or a document was refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ContestRefusal {
    /// The contest was opened before.
    #[error("the contest is already open")]
    AlreadyOpen,
    /// The contest has not been opened.
    #[error("the contest is not open")]
    NotOpen,
    /// An invalid name.
    #[error("{0}")]
    NameInvalid(String),
    /// No such team.
    #[error("there is no team `{0}`")]
    TeamUnknown(SmolStr),
    /// The name is taken.
    #[error("there is a team `{0}` already")]
    TeamExists(SmolStr),
    /// The limit for self-registration is reached.
    #[error("there are {0} teams, and no more may come by themselves; an organiser registers them")]
    TeamsFull(usize),
    /// No task was named, and none or several accept answers.
    #[error("{0}")]
    TaskUnclear(String),
    /// No such task.
    #[error("there is no task `{0}`")]
    TaskUnknown(SmolStr),
    /// The name is taken.
    #[error("there is a task `{0}` already")]
    TaskExists(SmolStr),
    /// The task is invalid.
    #[error("{}: {}", .0.field, .0.problem)]
    TaskInvalid(TaskFault),
    /// The import has at least one error.
    #[error("nothing was imported: {}", summary(.0))]
    ImportInvalid(Vec<ImportFault>),
    /// The task is already running.
    #[error("task `{0}` is running")]
    TaskRunning(SmolStr),
    /// The boards are frozen.
    #[error("the boards are frozen already")]
    BoardsFrozen,
    /// The boards are not frozen.
    #[error("the boards are not frozen")]
    BoardsNotFrozen,
    /// Every team has been revealed.
    #[error("every team has been revealed")]
    NobodyToReveal,
    /// The adjusted closing time is in the past.
    #[error("task `{0}` would have closed already; stop it to end it now")]
    TaskOver(SmolStr),
    /// The task is not running.
    #[error("task `{0}` is not running")]
    TaskNotRunning(SmolStr),
    /// The task had not been started when the answer was received.
    #[error("task `{0}` has not been started")]
    TaskNotStarted(SmolStr),
    /// The answer was too late.
    #[error("received {} s after the start; answers were taken until {} s", .elapsed.as_seconds(), .open_for.as_seconds())]
    TimeLimitExceeded {
        /// Time from the start to the receipt.
        elapsed: Millis,
        /// The time limit.
        limit: Millis,
        /// How long answers were accepted: the limit and its buffer, or until a stop.
        open_for: Millis,
    },
    /// The team has completed the task.
    #[error("the team has completed the task with {score} points")]
    AlreadyCompleted {
        /// The team's score.
        score: f64,
        /// Time from the start to completion.
        completed_at: Millis,
    },
    /// The answer does not parse.
    #[error("{problem}; expected {}", .task_type.form())]
    AnswerMalformed {
        /// The type of the task.
        task_type: TaskType,
        /// What does not parse, and where.
        problem: String,
    },
    /// The queue has no answer for this judge.
    #[error("no answer waits for a judge")]
    QueueEmpty,
    /// No such answer in the queue.
    #[error("no answer `{0}` waits for a judge")]
    AnswerUnknown(u64),
    /// The answer, or an equal one, was decided in the meantime.
    #[error("answer `{0}` has been decided")]
    AnswerDecided(u64),
    /// The judge does not hold the answer, or no longer.
    #[error("you do not hold answer `{0}`; take it first")]
    AnswerNotHeld(u64),
    /// The judgement is invalid for this answer.
    #[error("{0}")]
    JudgementInvalid(String),
    /// The document does not parse.
    #[error("{0}")]
    DocumentMalformed(String),
    /// The team has not completed the task.
    #[error("the team `{0}` has not completed the task: the answer waits")]
    NotCompleted(SmolStr),
    /// The amendment does not parse.
    #[error("the amendment cannot be read: {0}")]
    AmendmentMalformed(String),
}

impl ContestRefusal {
    /// The stable code and the kind of the refusal.
    const fn class(&self) -> (&'static str, RefusalKind) {
        use RefusalKind::{Conflict, Forbidden, Late, Malformed, Unknown};
        match self {
            Self::AlreadyOpen => ("contest.already_open", Conflict),
            Self::NotOpen => ("contest.not_open", Unknown),
            Self::NameInvalid(_) => ("contest.name.invalid", Malformed),
            Self::TeamUnknown(_) => ("contest.team.unknown", Unknown),
            Self::TeamExists(_) => ("contest.team.exists", Conflict),
            Self::TeamsFull(_) => ("contest.teams.full", Forbidden),
            Self::TaskUnclear(_) => ("contest.task.unclear", Malformed),
            Self::TaskUnknown(_) => ("contest.task.unknown", Unknown),
            Self::TaskExists(_) => ("contest.task.exists", Conflict),
            Self::TaskInvalid(_) => ("contest.task.invalid", Malformed),
            Self::ImportInvalid(_) => ("contest.import.invalid", Malformed),
            Self::TaskRunning(_) => ("contest.task.running", Conflict),
            Self::BoardsFrozen => ("contest.boards.frozen", Conflict),
            Self::BoardsNotFrozen => ("contest.boards.not_frozen", Conflict),
            Self::NobodyToReveal => ("contest.boards.all_revealed", Conflict),
            Self::TaskOver(_) => ("contest.task.over", Conflict),
            Self::TaskNotRunning(_) => ("contest.task.not_running", Conflict),
            Self::TaskNotStarted(_) => ("contest.task.not_started", Conflict),
            Self::TimeLimitExceeded { .. } => ("contest.task.time_limit_exceeded", Late),
            Self::AlreadyCompleted { .. } => ("contest.task.already_completed", Conflict),
            Self::AnswerMalformed { .. } => ("contest.answer.malformed", Malformed),
            Self::QueueEmpty => ("contest.queue.empty", Unknown),
            Self::AnswerUnknown(_) => ("contest.answer.unknown", Unknown),
            Self::AnswerDecided(_) => ("contest.answer.decided", Conflict),
            Self::AnswerNotHeld(_) => ("contest.answer.not_held", Conflict),
            Self::JudgementInvalid(_) => ("contest.judgement.invalid", Malformed),
            Self::DocumentMalformed(_) => ("contest.document.malformed", Malformed),
            Self::NotCompleted(_) => ("contest.task.not_completed", Conflict),
            Self::AmendmentMalformed(_) => ("contest.amendment.malformed", Malformed),
        }
    }
}

/// The first error and the number of further ones.
fn summary(faults: &[ImportFault]) -> String {
    let first = faults.first().map(ImportFault::to_string).unwrap_or_default();
    match faults.len() {
        0 | 1 => first,
        2 => format!("{first}, and 1 more mistake"),
        count => format!("{first}, and {} more mistakes", count - 1),
    }
}

impl From<ContestRefusal> for Refusal {
    fn from(refusal: ContestRefusal) -> Self {
        let (code, kind) = refusal.class();
        let said = Self::new(code, kind, refusal.to_string());
        match refusal {
            ContestRefusal::TimeLimitExceeded { elapsed, limit, open_for } => said
                .with("elapsed_time", elapsed.as_seconds())
                .with("time_limit", limit.as_seconds())
                .with("open_for", open_for.as_seconds()),
            ContestRefusal::AlreadyCompleted { score, completed_at } => {
                said.with("score", score).with("completed_at", completed_at.as_seconds())
            }
            ContestRefusal::AnswerMalformed { task_type, .. } => said.with("expected", task_type.form()),
            ContestRefusal::ImportInvalid(faults) => {
                said.with("errors", serde_json::to_value(faults).unwrap_or_default())
            }
            _ => said,
        }
    }
}

impl From<BadName> for ContestRefusal {
    fn from(bad: BadName) -> Self {
        Self::NameInvalid(bad.to_string())
    }
}

impl From<TaskFault> for ContestRefusal {
    fn from(fault: TaskFault) -> Self {
        Self::TaskInvalid(fault)
    }
}

impl From<FieldError> for ContestRefusal {
    fn from(wrong: FieldError) -> Self {
        Self::DocumentMalformed(wrong.to_string())
    }
}
