//! The state of a stream of the quest court: a hunter, or a picture or video used as proof.

mod evolving;
mod reports;
mod streak;

use std::collections::BTreeMap;

use assize_kernel::{Digest, Moment, RulebookRef, SmolStr};
use serde::{Deserialize, Serialize};

use super::log::{Log, Plan};
use super::profile::{Class, HunterStatus, Profile, QuestType, Rank};
use super::reading::Reading;
use super::rules::{ExamType, Exercise};
use super::verdict::{StatUpdates, Status, VerificationStatus};
use super::words::ReadingPriority;
pub(super) use evolving::evolve;
pub(super) use reports::{FiledReports, HunterReports, LogReport, ReportStanding, ReportWords};
pub(super) use streak::Streak;

/// The state of a stream of this court.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct QuestState {
    pub(super) rulebook: Option<RulebookRef>,
    pub(super) hunter: Option<Box<Hunter>>,
    pub(super) media: Option<ClaimedMedia>,
}

/// Whose proof a picture or a video is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ClaimedMedia {
    pub(super) hunter: SmolStr,
    pub(super) quest: SmolStr,
    pub(super) at: Moment,
    pub(super) position: u64,
}

/// A hunter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hunter {
    pub(super) id: SmolStr,
    pub(super) name: Option<Digest>,
    pub(super) class: Class,
    pub(super) zone: SmolStr,
    pub(super) rank: Rank,
    pub(super) status: HunterStatus,
    pub(super) xp: u64,
    pub(super) level: u32,
    pub(super) stats: HunterStats,
    pub(super) streak: Streak,
    /// Exercises of their own.
    pub(super) own: Vec<Exercise>,
    /// Quests that wait for a log.
    pub(super) open: BTreeMap<SmolStr, OpenQuest>,
    /// Quests whose time was over, and when.
    pub(super) expired: BTreeMap<SmolStr, Moment>,
    /// Quests that were judged.
    pub(super) logs: BTreeMap<SmolStr, LogEntry>,
    /// What of these may be judged again: flagged logs, and proofs that wait for a judge.
    pub(super) kept: BTreeMap<SmolStr, Box<RejudgeableLog>>,
    /// The media they have used.
    pub(super) media: BTreeMap<Digest, (SmolStr, Moment)>,
    /// Logs whose proof a judge has verified.
    pub(super) verified_logs: u32,
    /// Whether a judge has said that they are Corrupted.
    pub(super) ruled_corrupted: bool,
    /// Since when a judge should look at their status.
    pub(super) queued_since: Option<Moment>,
    pub(super) reports: HunterReports,
    /// The rank whose exam is offered, whether or not it is under way.
    pub(super) offered: Option<Rank>,
    pub(super) exam: Option<ExamAttempt>,
    /// What they have reported.
    pub(super) filed: FiledReports,
}

/// Tenths, so that adding and taking away leaves no trace.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct HunterStats {
    pub(super) strength: i64,
    pub(super) agility: i64,
    pub(super) stamina: i64,
}

/// A quest that waits for a log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct OpenQuest {
    pub(super) quest_type: QuestType,
    pub(super) plan: Plan,
    pub(super) given_at: Moment,
    pub(super) expires_at: Moment,
}

/// A log that was judged: what a match history shows of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct LogEntry {
    pub(super) at: Moment,
    /// Where its first verdict stands in the ledger, and its last.
    pub(super) position: u64,
    pub(super) last_position: u64,
    pub(super) xp: u64,
    pub(super) quest_type: QuestType,
    pub(super) status: Status,
    pub(super) verification: VerificationStatus,
    pub(super) stats: StatUpdates,
    pub(super) proof: bool,
    pub(super) private: bool,
    pub(super) removed: bool,
    /// The hunter as it was judged against them.
    pub(super) profile: Profile,
    /// Whose reading of the words counts; none when it is the word list's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) words: Option<Box<ReadingPriority>>,
}

/// What a log was judged by, for as long as it may be judged again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct RejudgeableLog {
    pub(super) quest_type: QuestType,
    pub(super) plan: Plan,
    pub(super) log: Log,
    pub(super) reading: Reading,
    pub(super) profile: Profile,
    /// When the proof came in that waits for a judge; none when there is none.
    pub(super) proof_since: Option<Moment>,
    /// Until when proof may be added.
    pub(super) proof_until: Option<Moment>,
}

/// The exam that is under way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct ExamAttempt {
    pub(super) quest: SmolStr,
    pub(super) to_rank: Rank,
    pub(super) exam_type: ExamType,
    pub(super) hand_sign: SmolStr,
    pub(super) drawn_sign: SmolStr,
    pub(super) accepted_at: Moment,
    pub(super) due: Moment,
    /// None until it was submitted and passed.
    pub(super) pending: Option<PendingExam>,
}

/// An exam that was passed and waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PendingExam {
    pub(super) since: Moment,
    /// When it is granted by itself, unless somebody has reported it.
    pub(super) grant_at: Moment,
}

impl QuestState {
    /// The rulebook the stream was begun with; none before that.
    #[must_use]
    pub fn rulebook(&self) -> Option<&RulebookRef> {
        self.rulebook.as_ref()
    }

    /// The hunter, when this is a hunter's stream.
    #[must_use]
    pub fn hunter(&self) -> Option<&Hunter> {
        self.hunter.as_deref()
    }
}

impl Hunter {
    /// The exam that is passed, not objected to and only has to wait.
    pub(super) fn exam_to_grant(&self) -> Option<(&ExamAttempt, Moment)> {
        let exam = self.exam.as_ref()?;
        let pending = exam.pending?;
        let held = self.reports.hold(&exam.quest) || self.status == HunterStatus::Corrupted;
        (!held).then_some((exam, pending.grant_at))
    }

    /// The digest of what people call them.
    #[must_use]
    pub const fn name(&self) -> Option<Digest> {
        self.name
    }

    /// The time zone their days are counted in.
    #[must_use]
    pub fn zone(&self) -> &str {
        &self.zone
    }
}
