//! What is wanted of a contest and what happens in it: commands and events.

use assize_kernel::{Digest, Event, Moment, RulebookRef, SmolStr, to_json};
use serde::{Deserialize, Serialize};

use super::fingerprint::Fingerprint;
use super::hint::Hint;
pub use super::outcome::Outcome;
use super::people::Decided;
use super::submission::SubmittedAnswer;
use super::task::{Points, TaskSpec, TaskType};
use super::written;

/// What somebody wants to happen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum ContestCommand {
    /// Opens the contest under the rulebook at hand.
    OpenContest {
        /// What people call it.
        name: String,
    },
    /// Lets a team take part.
    RegisterTeam {
        /// Its name in addresses and on boards.
        team: SmolStr,
        /// What people call it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// The digest of how to reach it: personal text that is kept outside the chain.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        contact: Option<Digest>,
    },
    /// Adds a task with its ground truth; without boundaries, people judge the answers.
    AddTask {
        /// Its name in addresses and on boards.
        task: SmolStr,
        /// What kind of question it asks.
        #[serde(rename = "type")]
        task_type: TaskType,
        /// The scene it is from, as its authors call it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        scene_id: Option<String>,
        /// The video the answer is in; needed where there are boundaries.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        video_id: Option<String>,
        /// The boundaries.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        points: Option<Points>,
        /// The answer text of a QA task.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        answer: Option<String>,
        /// How long it runs, when the rulebook's time does not suit it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time_limit_seconds: Option<f64>,
        /// What is shown of it while it runs, and when.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        hints: Vec<Hint>,
        /// Whether it only tries out the connections, and scores nothing.
        #[serde(default, skip_serializing_if = "is_false")]
        rehearsal: bool,
    },
    /// Adds tasks with their ground truth: all of them or none.
    ImportTasks {
        /// As CSV, with a header.
        csv: String,
    },
    /// Starts a task; once a round has closed, a new round.
    StartTask {
        /// Which one.
        task: SmolStr,
        /// How long this round runs; else what the task says, else what the rulebook says.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time_limit_seconds: Option<f64>,
        /// How long answers are taken after that; else what the rulebook says.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        buffer_seconds: Option<f64>,
        /// How long from now it begins; at once otherwise.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        countdown_seconds: Option<f64>,
    },
    /// Moves the closing of a running task; what answers earn stays as it was.
    AdjustTask {
        /// Which one.
        task: SmolStr,
        /// By how much later, or earlier when it is negative.
        by_seconds: f64,
    },
    /// Says whether one task follows the other by itself.
    SetProgramme {
        /// The pause between the end of a task and the start of the next; none when people start them.
        pause_seconds: Option<f64>,
    },
    /// Keeps the public boards as they are from now on.
    FreezeBoards {},
    /// Shows the public everything again.
    UnfreezeBoards {},
    /// Shows the public how the next team really stands, the last one first.
    RevealTeam {},
    /// Shows a hint whose time has come: the clock's command.
    ShowHint {
        /// Of which task.
        task: SmolStr,
        /// Of which round of it.
        round: u32,
        /// Which one, from 0.
        hint: usize,
    },
    /// Ends a running task before its time.
    StopTask {
        /// Which one.
        task: SmolStr,
    },
    /// Ends a task whose time is up: the clock's command.
    CloseTask {
        /// Which one.
        task: SmolStr,
        /// Which round of it.
        round: u32,
    },
    /// Submits an answer.
    SubmitAnswer {
        /// To which task.
        task: SmolStr,
        /// For which team.
        team: SmolStr,
        /// The answers of the first answer set.
        answers: Vec<SubmittedAnswer>,
    },
    /// Submits an answer where everybody may take part: a team that is not known is registered with it.
    SubmitOpenly {
        /// To which task; to the one that runs otherwise.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        task: Option<SmolStr>,
        /// For which team.
        team: SmolStr,
        /// The answers of the first answer set.
        answers: Vec<SubmittedAnswer>,
    },
    /// Takes every round off the boards, so that all tasks are as if they had not been started.
    ResetTasks {},
    /// Takes the next answer that waits for a judge: nobody else gets it for a while. Who holds one gets it again.
    TakeAnswer {},
    /// Holds an answer for longer.
    RenewAnswer {
        /// Its number.
        answer: u64,
    },
    /// Gives an answer back undecided, so that another judge gets it.
    GiveBackAnswer {
        /// Its number.
        answer: u64,
    },
    /// Says how right an answer is.
    DecideAnswer {
        /// Its number.
        answer: u64,
        /// How right it is.
        outcome: Outcome,
        /// Why; the team reads it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
}

/// What has happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum ContestEvent {
    /// The contest is open.
    ContestOpened {
        /// What people call it.
        name: String,
        /// What it is judged by.
        rulebook: RulebookRef,
    },
    /// A team takes part.
    TeamRegistered {
        /// Its name in addresses and on boards.
        team: SmolStr,
        /// What people call it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// The digest of how to reach it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        contact: Option<Digest>,
    },
    /// There is a task.
    TaskAdded {
        /// Its name in addresses and on boards.
        task: SmolStr,
        /// Everything about it, ground truth included.
        spec: TaskSpec,
    },
    /// A round of a task runs.
    TaskStarted {
        /// Which one.
        task: SmolStr,
        /// Counted from 1.
        round: u32,
        /// How long it runs.
        time_limit_ms: i64,
        /// How long answers are taken after that.
        buffer_ms: i64,
        /// Within this, the same answer is the same submission.
        repeat_ms: i64,
        /// How long after this it begins.
        #[serde(default, skip_serializing_if = "is_zero")]
        countdown_ms: i64,
    },
    /// A round closes earlier or later than was said.
    TaskAdjusted {
        /// Which one.
        task: SmolStr,
        /// Which round of it.
        round: u32,
        /// By how much later, or earlier when it is negative.
        by_ms: i64,
    },
    /// One task follows the other by itself, or not any more.
    ProgrammeSet {
        /// The pause between them; none when people start them.
        pause_ms: Option<i64>,
    },
    /// The public boards stay as they are.
    BoardsFrozen {},
    /// The public sees everything again.
    BoardsUnfrozen {},
    /// The public sees how a team really stands.
    TeamRevealed {
        /// Which one.
        team: SmolStr,
    },
    /// A hint was shown.
    HintShown {
        /// Of which task.
        task: SmolStr,
        /// Of which round of it.
        round: u32,
        /// Which one, from 0.
        hint: usize,
        /// The hint.
        shown: Hint,
    },
    /// Every round is off the boards; nothing of it is lost.
    TasksReset {
        /// How many tasks had been started.
        rounds: u32,
    },
    /// A round was ended before its time.
    TaskStopped {
        /// Which one.
        task: SmolStr,
        /// Which round of it.
        round: u32,
    },
    /// A round's time was up.
    TaskClosed {
        /// Which one.
        task: SmolStr,
        /// Which round of it.
        round: u32,
    },
    /// An answer waits for a judge.
    AnswerReceived {
        /// Its number, counted from 1 in the contest.
        answer: u64,
        /// To which task.
        task: SmolStr,
        /// In which round of it.
        round: u32,
        /// Of which team.
        team: SmolStr,
        /// As submitted.
        answers: Vec<SubmittedAnswer>,
        /// What an equal answer is known by.
        fingerprint: Fingerprint,
        /// How long after the start it was received.
        elapsed_ms: i64,
    },
    /// A judge holds an answer, or holds it for longer.
    AnswerTaken {
        /// To which task it is.
        task: SmolStr,
        /// In which round of it.
        round: u32,
        /// Its number.
        answer: u64,
        /// Who holds it, as `role:name`.
        by: String,
        /// Until when.
        until: Moment,
    },
    /// A judge holds an answer no longer.
    AnswerGivenBack {
        /// To which task it is.
        task: SmolStr,
        /// In which round of it.
        round: u32,
        /// Its number.
        answer: u64,
    },
    /// An answer will not be judged, because an earlier one of the team has completed the task.
    AnswerSetAside {
        /// To which task.
        task: SmolStr,
        /// In which round of it.
        round: u32,
        /// Of which team.
        team: SmolStr,
        /// Its number.
        answer: u64,
    },
    /// An answer was judged.
    AnswerJudged {
        /// To which task.
        task: SmolStr,
        /// In which round of it.
        round: u32,
        /// Of which team.
        team: SmolStr,
        /// As submitted: replay reads them again.
        answers: Vec<SubmittedAnswer>,
        /// What a repeated answer is known by.
        fingerprint: Fingerprint,
        /// How long after the start it was received.
        elapsed_ms: i64,
        /// How many wrong attempts came before it.
        wrong_before: u32,
        /// How right it was.
        outcome: Outcome,
        /// What it earned.
        points: f64,
        /// Whether the team is done with the task.
        completes: bool,
        /// Whether the public is not to know what came of it, because the boards are frozen.
        #[serde(default, skip_serializing_if = "is_false")]
        frozen: bool,
        /// What a judge has said, where people judge.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        decided: Option<Box<Decided>>,
    },
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature serde asks for")]
const fn is_zero(number: &i64) -> bool {
    *number == 0
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature serde asks for")]
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

    /// Nearly all events of a contest are answers.
    fn facts(json: &str) -> Option<Self> {
        written::judged_answer(json)
    }

    fn to_json(&self) -> String {
        written::write(self).unwrap_or_else(|| to_json(self))
    }
}
