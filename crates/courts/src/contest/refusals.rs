//! Why a contest does not take something up: each refusal with its stable code and its words.

use assize_kernel::{BadName, Millis, Refusal, RefusalKind, SmolStr};

use super::fields::NotAField;
use super::import::ImportFault;
use super::task::{TaskFault, TaskType};

/// Why a command or a document was not taken up.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ContestRefusal {
    /// It was opened before.
    #[error("the contest is already open")]
    AlreadyOpen,
    /// Nothing can happen yet.
    #[error("the contest is not open")]
    NotOpen,
    /// A name that cannot be one.
    #[error("{0}")]
    NameInvalid(String),
    /// No such team.
    #[error("there is no team `{0}`")]
    TeamUnknown(SmolStr),
    /// The name is taken.
    #[error("there is a team `{0}` already")]
    TeamExists(SmolStr),
    /// So many teams have come that no more may come by themselves.
    #[error("there are {0} teams, and no more may come by themselves; an organiser registers them")]
    TeamsFull(usize),
    /// No task was named, and there is not just one that takes answers.
    #[error("{0}")]
    TaskUnclear(String),
    /// No such task.
    #[error("there is no task `{0}`")]
    TaskUnknown(SmolStr),
    /// The name is taken.
    #[error("there is a task `{0}` already")]
    TaskExists(SmolStr),
    /// The task makes no sense.
    #[error("{}: {}", .0.field, .0.problem)]
    TaskInvalid(TaskFault),
    /// Tasks that cannot be imported: at least one thing is wrong.
    #[error("nothing was imported: {}", summary(.0))]
    ImportInvalid(Vec<ImportFault>),
    /// It runs already.
    #[error("task `{0}` is running")]
    TaskRunning(SmolStr),
    /// The boards are frozen.
    #[error("the boards are frozen already")]
    BoardsFrozen,
    /// They are not.
    #[error("the boards are not frozen")]
    BoardsNotFrozen,
    /// Every team has been revealed.
    #[error("every team has been revealed")]
    NobodyToReveal,
    /// It would have closed before now.
    #[error("task `{0}` would have closed already; stop it to end it now")]
    TaskOver(SmolStr),
    /// It does not run.
    #[error("task `{0}` is not running")]
    TaskNotRunning(SmolStr),
    /// It had not been started when the answer came.
    #[error("task `{0}` has not been started")]
    TaskNotStarted(SmolStr),
    /// The answer came too late.
    #[error("received {} s after the start; answers were taken until {} s", .elapsed.as_seconds(), .open_for.as_seconds())]
    TimeLimitExceeded {
        /// How long after the start it came.
        elapsed: Millis,
        /// The time limit.
        limit: Millis,
        /// How long answers were taken: the limit and its buffer, or until a stop.
        open_for: Millis,
    },
    /// The team is done with the task.
    #[error("the team has completed the task with {score} points")]
    AlreadyCompleted {
        /// Its standing score.
        score: f64,
        /// How long after the start it was done.
        completed_at: Millis,
    },
    /// The answer cannot be read.
    #[error("{problem}; expected {}", .task_type.form())]
    AnswerMalformed {
        /// What the task asks for.
        task_type: TaskType,
        /// What cannot be read, and where.
        problem: String,
    },
    /// No answer waits for this judge.
    #[error("no answer waits for a judge")]
    QueueEmpty,
    /// No such answer waits.
    #[error("no answer `{0}` waits for a judge")]
    AnswerUnknown(u64),
    /// Somebody was faster, or an equal answer was decided.
    #[error("answer `{0}` has been decided")]
    AnswerDecided(u64),
    /// Not this judge's, or not any more.
    #[error("you do not hold answer `{0}`; take it first")]
    AnswerNotHeld(u64),
    /// Nobody can say that of an answer.
    #[error("{0}")]
    JudgementInvalid(String),
    /// The document cannot be read.
    #[error("{0}")]
    DocumentMalformed(String),
    /// The team is not done with the task.
    #[error("the team `{0}` has not completed the task: the answer waits")]
    NotCompleted(SmolStr),
    /// The correction cannot be read.
    #[error("the amendment cannot be read: {0}")]
    AmendmentMalformed(String),
}

impl ContestRefusal {
    /// The stable code and the kind.
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

/// The first of several mistakes, and how many more there are.
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

impl From<NotAField> for ContestRefusal {
    fn from(wrong: NotAField) -> Self {
        Self::DocumentMalformed(wrong.to_string())
    }
}
