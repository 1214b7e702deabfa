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

/// The state of a stream: a hunter or media.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct QuestState {
    pub(super) rulebook: Option<RulebookRef>,
    pub(super) hunter: Option<Box<Hunter>>,
    pub(super) media: Option<ClaimedMedia>,
}

/// The claim on a picture or video.
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
    /// Custom exercises.
    pub(super) own: Vec<Exercise>,
    /// Quests without a log.
    pub(super) open: BTreeMap<SmolStr, OpenQuest>,
    /// Expired quests, with their expiry.
    pub(super) expired: BTreeMap<SmolStr, Moment>,
    /// Judged quests.
    pub(super) logs: BTreeMap<SmolStr, LogEntry>,
    /// Logs that may be judged again: flagged ones, and those whose proof waits for review.
    pub(super) kept: BTreeMap<SmolStr, Box<RejudgeableLog>>,
    /// Media used as proof, with its quest and time.
    pub(super) media: BTreeMap<Digest, (SmolStr, Moment)>,
    /// Logs whose proof a judge has verified.
    pub(super) verified_logs: u32,
    /// Whether a judge has ruled the hunter Corrupted.
    pub(super) ruled_corrupted: bool,
    /// Since when the status has waited for a judge.
    pub(super) queued_since: Option<Moment>,
    pub(super) reports: HunterReports,
    /// The rank whose exam is offered, even if the exam is in progress.
    pub(super) offered: Option<Rank>,
    pub(super) exam: Option<ExamAttempt>,
    /// Reports filed by the hunter.
    pub(super) filed: FiledReports,
}

/// Stats in tenths, so that adding and subtracting is exact.
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

/// A judged log, as shown in the match history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct LogEntry {
    pub(super) at: Moment,
    /// The ledger positions of the first and of the last verdict.
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
    /// The hunter's profile when the log was judged.
    pub(super) profile: Profile,
    /// The priority of the recorded reading; `None` if the word list's applies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) words: Option<Box<ReadingPriority>>,
}

/// The input of a log's verdict, kept while it may be judged again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct RejudgeableLog {
    pub(super) quest_type: QuestType,
    pub(super) plan: Plan,
    pub(super) log: Log,
    pub(super) reading: Reading,
    pub(super) profile: Profile,
    /// When the proof that waits for review was submitted; `None` without one.
    pub(super) proof_since: Option<Moment>,
    /// The deadline for proof.
    pub(super) proof_until: Option<Moment>,
}

/// The exam in progress.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct ExamAttempt {
    pub(super) quest: SmolStr,
    pub(super) to_rank: Rank,
    pub(super) exam_type: ExamType,
    pub(super) hand_sign: SmolStr,
    pub(super) drawn_sign: SmolStr,
    pub(super) accepted_at: Moment,
    pub(super) due: Moment,
    /// `None` until the exam is submitted and passed.
    pub(super) pending: Option<PendingExam>,
}

/// A passed exam in its review period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PendingExam {
    pub(super) since: Moment,
    /// When the clock grants it, unless a report holds it back.
    pub(super) grant_at: Moment,
}

impl QuestState {
    /// The rulebook of the stream; `None` before its first event.
    #[must_use]
    pub fn rulebook(&self) -> Option<&RulebookRef> {
        self.rulebook.as_ref()
    }

    /// The hunter; `None` in a media stream.
    #[must_use]
    pub fn hunter(&self) -> Option<&Hunter> {
        self.hunter.as_deref()
    }
}

impl Hunter {
    /// The passed exam that no report and no status holds back, with its time.
    pub(super) fn exam_to_grant(&self) -> Option<(&ExamAttempt, Moment)> {
        let exam = self.exam.as_ref()?;
        let pending = exam.pending?;
        let held = self.reports.hold(&exam.quest) || self.status == HunterStatus::Corrupted;
        (!held).then_some((exam, pending.grant_at))
    }

    /// The digest of the display name.
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
