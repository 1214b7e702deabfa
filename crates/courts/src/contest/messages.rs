//! Commands and events of the contest court.

use assize_kernel::{Digest, Event, Moment, RulebookRef, SmolStr, to_json};
use serde::{Deserialize, Serialize};

use super::fingerprint::AnswerFingerprint;
use super::hint::TaskHint;
use super::json;
pub use super::outcome::AnswerOutcome;
use super::people::JudgeDecision;
use super::submission::SubmittedAnswer;
use super::task::{TaskPoints, TaskSpec, TaskType};

/// A command to a contest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum ContestCommand {
    /// Opens the contest under the current rulebook.
    OpenContest {
        /// The display name.
        name: String,
    },
    /// Registers a team.
    RegisterTeam {
        /// The name in URLs and on boards.
        team: SmolStr,
        /// The display name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// The digest of the contact details, which are personal data kept outside the chain.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        contact: Option<Digest>,
    },
    /// Adds a task with its ground truth; without boundaries, people judge the answers.
    AddTask {
        /// The name in URLs and on boards.
        task: SmolStr,
        /// The type of the task.
        #[serde(rename = "type")]
        task_type: TaskType,
        /// The authors' name of the scene.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        scene_id: Option<String>,
        /// The video that contains the answer; required with boundaries.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        video_id: Option<String>,
        /// The boundaries.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        points: Option<TaskPoints>,
        /// The answer text of a QA task.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        answer: Option<String>,
        /// The time limit, if it differs from the rulebook's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time_limit_seconds: Option<f64>,
        /// The hints that are shown while it runs.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        hints: Vec<TaskHint>,
        /// Whether the task is a rehearsal, which scores nothing.
        #[serde(default, skip_serializing_if = "is_false")]
        rehearsal: bool,
    },
    /// Adds tasks with their ground truth: all of them or none.
    ImportTasks {
        /// The tasks as CSV with a header.
        csv: String,
    },
    /// Starts a task, or a new round of it after the last one has closed.
    StartTask {
        /// The task.
        task: SmolStr,
        /// The time limit of this round; defaults to the task's, then to the rulebook's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time_limit_seconds: Option<f64>,
        /// How long after the time limit answers are accepted; defaults to the rulebook's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        buffer_seconds: Option<f64>,
        /// The countdown before the start; none by default.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        countdown_seconds: Option<f64>,
    },
    /// Moves the closing time of a running task; the scoring of answers does not change.
    AdjustTask {
        /// The task.
        task: SmolStr,
        /// The adjustment; negative means earlier.
        by_seconds: f64,
    },
    /// Sets whether tasks start one after the other automatically.
    SetProgramme {
        /// The pause between the end of a task and the start of the next; `None` to start tasks by hand.
        pause_seconds: Option<f64>,
    },
    /// Freezes the public boards.
    FreezeBoards {},
    /// Unfreezes the public boards.
    UnfreezeBoards {},
    /// Reveals the actual standing of the next team, the lowest first.
    RevealTeam {},
    /// Shows a hint that is due. Sent by the clock.
    ShowHint {
        /// The task.
        task: SmolStr,
        /// The round.
        round: u32,
        /// The index of the hint, from 0.
        hint: usize,
    },
    /// Stops a running task early.
    StopTask {
        /// The task.
        task: SmolStr,
    },
    /// Closes a task whose time is up. Sent by the clock.
    CloseTask {
        /// The task.
        task: SmolStr,
        /// The round.
        round: u32,
    },
    /// Submits an answer.
    SubmitAnswer {
        /// The task.
        task: SmolStr,
        /// The team.
        team: SmolStr,
        /// The answers of the first answer set.
        answers: Vec<SubmittedAnswer>,
    },
    /// Submits an answer in open mode: an unknown team is registered with it.
    SubmitOpenly {
        /// The task; defaults to the only running one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        task: Option<SmolStr>,
        /// The team.
        team: SmolStr,
        /// The answers of the first answer set.
        answers: Vec<SubmittedAnswer>,
    },
    /// Takes every round off the boards, as if no task had been started.
    ResetTasks {},
    /// Leases the next waiting answer to the judge; a judge who already holds one gets that again.
    TakeAnswer {},
    /// Renews the lease on an answer.
    RenewAnswer {
        /// The number of the answer.
        answer: u64,
    },
    /// Gives an answer back undecided, for another judge.
    GiveBackAnswer {
        /// The number of the answer.
        answer: u64,
    },
    /// Decides an answer.
    DecideAnswer {
        /// The number of the answer.
        answer: u64,
        /// The outcome.
        outcome: AnswerOutcome,
        /// The judge's note to the team.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
}

/// An event of a contest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum ContestEvent {
    /// The contest was opened.
    ContestOpened {
        /// The display name.
        name: String,
        /// The rulebook.
        rulebook: RulebookRef,
    },
    /// A team was registered.
    TeamRegistered {
        /// The name in URLs and on boards.
        team: SmolStr,
        /// The display name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// The digest of the contact details.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        contact: Option<Digest>,
    },
    /// A task was added.
    TaskAdded {
        /// The name in URLs and on boards.
        task: SmolStr,
        /// The specification with the ground truth.
        spec: TaskSpec,
    },
    /// A round of a task was started.
    TaskStarted {
        /// The task.
        task: SmolStr,
        /// The number of the round, from 1.
        round: u32,
        /// The time limit.
        time_limit_ms: i64,
        /// How long after the time limit answers are accepted.
        buffer_ms: i64,
        /// The window within which an equal answer is a retry.
        repeat_ms: i64,
        /// The countdown before the start.
        #[serde(default, skip_serializing_if = "is_zero")]
        countdown_ms: i64,
    },
    /// The closing time of a round was moved.
    TaskAdjusted {
        /// The task.
        task: SmolStr,
        /// The round.
        round: u32,
        /// The adjustment; negative means earlier.
        by_ms: i64,
    },
    /// Automatic starting of tasks was set or cleared.
    ProgrammeSet {
        /// The pause between tasks; `None` to start tasks by hand.
        pause_ms: Option<i64>,
    },
    /// The public boards were frozen.
    BoardsFrozen {},
    /// The public boards were unfrozen.
    BoardsUnfrozen {},
    /// A team's actual standing was revealed.
    TeamRevealed {
        /// The team.
        team: SmolStr,
    },
    /// A hint was shown.
    HintShown {
        /// The task.
        task: SmolStr,
        /// The round.
        round: u32,
        /// The index of the hint, from 0.
        hint: usize,
        /// The hint.
        shown: TaskHint,
    },
    /// Every round was taken off the boards; the records stay.
    TasksReset {
        /// The number of tasks that had been started.
        rounds: u32,
    },
    /// A round was stopped early.
    TaskStopped {
        /// The task.
        task: SmolStr,
        /// The round.
        round: u32,
    },
    /// A round was closed because its time was up.
    TaskClosed {
        /// The task.
        task: SmolStr,
        /// The round.
        round: u32,
    },
    /// An answer was queued for a judge.
    AnswerReceived {
        /// The number of the answer in the contest, from 1.
        answer: u64,
        /// The task.
        task: SmolStr,
        /// The round.
        round: u32,
        /// The team.
        team: SmolStr,
        /// The answers as submitted.
        answers: Vec<SubmittedAnswer>,
        /// The fingerprint, for finding equal answers.
        fingerprint: AnswerFingerprint,
        /// Time from the start to the receipt.
        elapsed_ms: i64,
    },
    /// A judge took an answer or renewed the lease.
    AnswerTaken {
        /// The task.
        task: SmolStr,
        /// The round.
        round: u32,
        /// The number of the answer.
        answer: u64,
        /// The judge, as `role:name`.
        by: String,
        /// The expiry of the lease.
        until: Moment,
    },
    /// A judge gave an answer back.
    AnswerGivenBack {
        /// The task.
        task: SmolStr,
        /// The round.
        round: u32,
        /// The number of the answer.
        answer: u64,
    },
    /// An answer was set aside because an earlier one of the team completed the task.
    AnswerSetAside {
        /// The task.
        task: SmolStr,
        /// The round.
        round: u32,
        /// The team.
        team: SmolStr,
        /// The number of the answer.
        answer: u64,
    },
    /// An answer was judged.
    AnswerJudged {
        /// The task.
        task: SmolStr,
        /// The round.
        round: u32,
        /// The team.
        team: SmolStr,
        /// The answers as submitted; replay parses them again.
        answers: Vec<SubmittedAnswer>,
        /// The fingerprint, for finding equal answers.
        fingerprint: AnswerFingerprint,
        /// Time from the start to the receipt.
        elapsed_ms: i64,
        /// The number of earlier wrong attempts.
        wrong_before: u32,
        /// The outcome.
        outcome: AnswerOutcome,
        /// The points.
        points: f64,
        /// Whether it completes the task for the team.
        completes: bool,
        /// Whether the outcome is hidden from the public because the boards are frozen.
        #[serde(default, skip_serializing_if = "is_false")]
        frozen: bool,
        /// The judge's decision, if a person judged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        decided: Option<Box<JudgeDecision>>,
    },
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde requires")]
const fn is_zero(number: &i64) -> bool {
    *number == 0
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde requires")]
pub(super) const fn is_false(truth: &bool) -> bool {
    !*truth
}

impl Event for ContestEvent {
    fn kind(&self) -> &'static str {
        match self {
            Self::ContestOpened { .. } => "ContestOpened",
            Self::TeamRegistered { .. } => "TeamRegistered",
            Self::TaskAdded { .. } => "TaskAdded",
            Self::TaskStarted { .. } => "TaskStarted",
            Self::TaskAdjusted { .. } => "TaskAdjusted",
            Self::ProgrammeSet { .. } => "ProgrammeSet",
            Self::BoardsFrozen {} => "BoardsFrozen",
            Self::BoardsUnfrozen {} => "BoardsUnfrozen",
            Self::TeamRevealed { .. } => "TeamRevealed",
            Self::HintShown { .. } => "HintShown",
            Self::TasksReset { .. } => "TasksReset",
            Self::TaskStopped { .. } => "TaskStopped",
            Self::TaskClosed { .. } => "TaskClosed",
            Self::AnswerReceived { .. } => "AnswerReceived",
            Self::AnswerTaken { .. } => "AnswerTaken",
            Self::AnswerGivenBack { .. } => "AnswerGivenBack",
            Self::AnswerSetAside { .. } => "AnswerSetAside",
            Self::AnswerJudged { .. } => "AnswerJudged",
        }
    }

    /// Fast path: nearly all events of a contest are judged answers.
    fn facts(json: &str) -> Option<Self> {
        json::judged_answer(json)
    }

    fn to_json(&self) -> String {
        json::write(self).unwrap_or_else(|| to_json(self))
    }
}
