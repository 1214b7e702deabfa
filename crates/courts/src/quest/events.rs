//! Events of the quest court. Each is self-contained enough for a notice.

use assize_kernel::{Digest, Event, Moment, RulebookRef, SmolStr};
use serde::{Deserialize, Serialize};

use super::log::{Plan, Proof};
use super::messages::Submission;
use super::profile::{Class, HunterStatus, QuestType, Rank};
use super::rules::{ExamType, Exercise};
use super::verdict::{LogAction, StatUpdates, Status, VerificationStatus};
use super::words::{ReportReading, WordsReading};

/// An event in the stream of a hunter or of media.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum QuestEvent {
    /// A hunter was registered.
    HunterRegistered {
        /// The hunter's name in URLs and on boards.
        hunter: SmolStr,
        /// The hunter's class.
        class: Class,
        /// The time zone their days are counted in.
        zone: SmolStr,
        /// The digest of the display name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<Digest>,
        /// The rulebook the hunter is judged by.
        rulebook: RulebookRef,
    },
    /// The hunter's class changed.
    ClassChanged {
        /// The former class.
        from: Class,
        /// The new class.
        class: Class,
    },
    /// The hunter's time zone changed.
    ZoneChanged {
        /// The new time zone.
        zone: SmolStr,
    },
    /// The hunter added a custom exercise.
    ExerciseAdded {
        /// The exercise.
        exercise: Exercise,
    },
    /// A quest was assigned to the hunter.
    QuestAssigned {
        /// The hunter.
        hunter: SmolStr,
        /// The name of the quest.
        quest: SmolStr,
        /// What it is for.
        quest_type: QuestType,
        /// The plan of the quest.
        plan: Plan,
        /// When the quest expires.
        expires_at: Moment,
    },
    /// A quest expired.
    QuestExpired {
        /// The hunter.
        hunter: SmolStr,
        /// The quest.
        quest: SmolStr,
        /// Whether the quest was an exam.
        exam: bool,
    },
    /// A log was judged.
    LogJudged(LogJudged),
    /// Proof was added to a flagged log, which was judged again.
    ProofAdded {
        /// The proof.
        proof: Proof,
        /// The new result.
        #[serde(flatten)]
        outcome: Rejudged,
    },
    /// A judge reviewed a proof, and the log was judged again.
    ProofReviewed {
        /// Whether it shows what was logged.
        accepted: bool,
        /// The digest of the judge's note.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<Digest>,
        /// The new result.
        #[serde(flatten)]
        outcome: Rejudged,
    },
    /// An external assessor read the feedback of a log, which was judged again with that reading.
    WordsRead(WordsRead),
    /// This hunter filed a report.
    ReportFiled {
        /// The reported hunter.
        hunter: SmolStr,
        /// The quest of the reported log.
        quest: SmolStr,
        /// Why.
        reason: SmolStr,
        /// The reporter's weight.
        weight: f64,
    },
    /// This hunter was reported.
    ReportReceived {
        /// The reported hunter.
        hunter: SmolStr,
        /// The reporter.
        reporter: SmolStr,
        /// The quest of the reported log.
        quest: SmolStr,
        /// Why.
        reason: SmolStr,
        /// The reporter's weight.
        weight: f64,
        /// The digest of the reporter's text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<Digest>,
        /// The effect on the log.
        log_action: LogAction,
        /// The message to the reported hunter.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        notification: Option<String>,
        /// The hunter's status after the report.
        status: HunterStatus,
        /// Whether the status waits for a judge.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        queued: bool,
    },
    /// An external assessor read the text of a report.
    ReportRead {
        /// The reported hunter.
        hunter: SmolStr,
        /// The reading and its assessor.
        #[serde(flatten)]
        words: ReportReading,
    },
    /// A judge decided a report.
    ReportDecided {
        /// The reported hunter.
        hunter: SmolStr,
        /// The reporter.
        reporter: SmolStr,
        /// The quest of the reported log.
        quest: SmolStr,
        /// Whether the judge confirmed the report.
        confirmed: bool,
        /// Whether the log was removed.
        removed: bool,
        /// The change of the hunter's XP.
        xp_difference: i64,
        /// The hunter's level after the decision.
        level: u32,
        /// The digest of the judge's note.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<Digest>,
        /// The hunter's status after the decision.
        status: HunterStatus,
        /// Whether the status still waits for a judge.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        queued: bool,
    },
    /// A judge decided a report that this hunter had filed.
    ReportNoted {
        /// The reported hunter.
        hunter: SmolStr,
        /// The quest of the reported log.
        quest: SmolStr,
        /// Whether the judge confirmed the report.
        confirmed: bool,
    },
    /// A judge ruled on a hunter's status.
    StatusRuled {
        /// The hunter.
        hunter: SmolStr,
        /// Whether the judge ruled the hunter Corrupted.
        corrupted: bool,
        /// The digest of the judge's note.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<Digest>,
        /// The hunter's status after the ruling.
        status: HunterStatus,
    },
    /// The hunter accepted an exam.
    ExamAccepted {
        /// The hunter.
        hunter: SmolStr,
        /// Its quest.
        quest: SmolStr,
        /// The rank of the exam.
        to_rank: Rank,
        /// The type of the exam.
        exam_type: ExamType,
        /// The plan of the exam.
        plan: Plan,
        /// The sign of the exam.
        hand_sign: SmolStr,
        /// The sign that was drawn for this attempt.
        drawn_sign: SmolStr,
        /// To be submitted until then.
        due: Moment,
    },
    /// An exam was granted.
    ExamGranted {
        /// The hunter.
        hunter: SmolStr,
        /// Its quest.
        quest: SmolStr,
        /// The former rank.
        from_rank: Rank,
        /// The new rank.
        rank: Rank,
        /// The XP of the exam.
        xp: u64,
        /// The hunter's level after the exam.
        level: u32,
        /// The rank of the next exam, when the level already unlocks it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        offers: Option<Rank>,
        /// Whether a judge granted the exam; otherwise the clock did.
        by_judge: bool,
        /// The digest of the judge's note.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<Digest>,
    },
    /// A judge refused an exam.
    ExamRefused {
        /// The hunter.
        hunter: SmolStr,
        /// Its quest.
        quest: SmolStr,
        /// The rank of the exam.
        to_rank: Rank,
        /// The digest of the judge's note.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<Digest>,
    },
    /// A picture or video was claimed as proof.
    MediaClaimed {
        /// The hunter who claims it.
        hunter: SmolStr,
        /// The quest it proves.
        quest: SmolStr,
        /// The rulebook of the claim.
        rulebook: RulebookRef,
    },
}

/// A log was judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogJudged {
    /// The hunter.
    pub hunter: SmolStr,
    /// The log as submitted.
    pub submission: Submission,
    /// The type of the quest.
    pub quest_type: QuestType,
    /// For an exam, the milliseconds from acceptance to submission.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elapsed_ms: Option<i64>,
    /// The streak before this log, in days.
    pub streak_days: u32,
    /// The status of the log.
    pub status: Status,
    /// The verification status of the log.
    pub verification: VerificationStatus,
    /// The XP of the log.
    pub xp: u64,
    /// The stats the log adds.
    pub stats: StatUpdates,
    /// The hunter's level after the log.
    pub level: u32,
    /// For a flagged log, the deadline for proof.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof_until: Option<Moment>,
    /// For a passed exam, when the clock grants it unless a report holds it back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grant_at: Option<Moment>,
    /// The rank of the exam that the new level unlocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offers: Option<Rank>,
}

/// An external assessor read the feedback of a log. The reading changes no XP.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WordsRead {
    /// The hunter.
    pub hunter: SmolStr,
    /// The reading and its assessor.
    #[serde(flatten)]
    pub words: WordsReading,
    /// The safety score with this reading.
    pub safety_score: f64,
    /// Whether a person should review the log.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub review: bool,
}

/// The result of judging a log again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rejudged {
    /// The hunter.
    pub hunter: SmolStr,
    /// The quest of the log.
    pub quest: SmolStr,
    /// The status of the log.
    pub status: Status,
    /// The verification status of the log.
    pub verification: VerificationStatus,
    /// The XP of the log.
    pub xp: u64,
    /// The change of XP.
    pub xp_difference: i64,
    /// The stats the log adds.
    pub stats: StatUpdates,
    /// The hunter's level.
    pub level: u32,
    /// The hunter's status.
    pub hunter_status: HunterStatus,
}

impl Event for QuestEvent {
    fn kind(&self) -> &'static str {
        match self {
            Self::HunterRegistered { .. } => "HunterRegistered",
            Self::ClassChanged { .. } => "ClassChanged",
            Self::ZoneChanged { .. } => "ZoneChanged",
            Self::ExerciseAdded { .. } => "ExerciseAdded",
            Self::QuestAssigned { .. } => "QuestAssigned",
            Self::QuestExpired { .. } => "QuestExpired",
            Self::LogJudged(_) => "LogJudged",
            Self::ProofAdded { .. } => "ProofAdded",
            Self::ProofReviewed { .. } => "ProofReviewed",
            Self::WordsRead(_) => "WordsRead",
            Self::ReportFiled { .. } => "ReportFiled",
            Self::ReportReceived { .. } => "ReportReceived",
            Self::ReportRead { .. } => "ReportRead",
            Self::ReportDecided { .. } => "ReportDecided",
            Self::ReportNoted { .. } => "ReportNoted",
            Self::StatusRuled { .. } => "StatusRuled",
            Self::ExamAccepted { .. } => "ExamAccepted",
            Self::ExamGranted { .. } => "ExamGranted",
            Self::ExamRefused { .. } => "ExamRefused",
            Self::MediaClaimed { .. } => "MediaClaimed",
        }
    }
}
