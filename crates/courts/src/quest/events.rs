//! Events of the quest court. Each is self-contained enough for a notice.

use assize_kernel::{Digest, Event, Moment, RulebookRef, SmolStr};
use serde::{Deserialize, Serialize};

use super::log::{Plan, Proof};
use super::messages::Submission;
use super::profile::{Class, HunterStatus, QuestType, Rank};
use super::rules::{ExamType, Exercise};
use super::verdict::{LogAction, StatUpdates, Status, VerificationStatus};
use super::words::{ReportReading, WordsReading};

/// What has happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum QuestEvent {
    /// A hunter has begun.
    HunterRegistered {
        /// Their name in addresses and on boards.
        hunter: SmolStr,
        /// How they fight.
        class: Class,
        /// The time zone their days are counted in.
        zone: SmolStr,
        /// The digest of what people call them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<Digest>,
        /// What they are judged by.
        rulebook: RulebookRef,
    },
    /// They fight in another way.
    ClassChanged {
        /// Before.
        from: Class,
        /// From now on.
        class: Class,
    },
    /// Their days are counted elsewhere.
    ZoneChanged {
        /// From now on.
        zone: SmolStr,
    },
    /// They have an exercise of their own.
    ExerciseAdded {
        /// What is known of it.
        exercise: Exercise,
    },
    /// They have a quest.
    QuestAssigned {
        /// Whose it is.
        hunter: SmolStr,
        /// Its name.
        quest: SmolStr,
        /// What it is for.
        quest_type: QuestType,
        /// What is to be done.
        plan: Plan,
        /// Until when.
        expires_at: Moment,
    },
    /// The time of a quest is over.
    QuestExpired {
        /// Whose it was.
        hunter: SmolStr,
        /// Which one.
        quest: SmolStr,
        /// Whether it was an exam.
        exam: bool,
    },
    /// A log was judged.
    LogJudged(LogJudged),
    /// A flagged log has proof now, and was judged again.
    ProofAdded {
        /// What there is to show.
        proof: Proof,
        /// What came of it.
        #[serde(flatten)]
        outcome: Rejudged,
    },
    /// A judge has looked at a proof, and the log was judged again.
    ProofReviewed {
        /// Whether it shows what was logged.
        accepted: bool,
        /// The digest of what they wrote.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<Digest>,
        /// What came of it.
        #[serde(flatten)]
        outcome: Rejudged,
    },
    /// Somebody else has read what was written beside a log, which was judged again with that.
    WordsRead(WordsRead),
    /// This hunter has reported somebody.
    ReportFiled {
        /// Whom.
        hunter: SmolStr,
        /// Which log.
        quest: SmolStr,
        /// Why.
        reason: SmolStr,
        /// What that weighs.
        weight: f64,
    },
    /// This hunter was reported.
    ReportReceived {
        /// Who is reported.
        hunter: SmolStr,
        /// By whom.
        reporter: SmolStr,
        /// Which log.
        quest: SmolStr,
        /// Why.
        reason: SmolStr,
        /// What the reporter weighs.
        weight: f64,
        /// The digest of what they wrote.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<Digest>,
        /// What becomes of the log.
        log_action: LogAction,
        /// What the hunter is told.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        notification: Option<String>,
        /// What they are now.
        status: HunterStatus,
        /// Whether a judge must look at their status.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        queued: bool,
    },
    /// Somebody else has read a report's text.
    ReportRead {
        /// Who is reported.
        hunter: SmolStr,
        /// What was read, by whom.
        #[serde(flatten)]
        words: ReportReading,
    },
    /// A judge has decided about a report.
    ReportDecided {
        /// Who was reported.
        hunter: SmolStr,
        /// By whom.
        reporter: SmolStr,
        /// Which log.
        quest: SmolStr,
        /// Whether it was right.
        confirmed: bool,
        /// Whether the log was taken out.
        removed: bool,
        /// What that takes from them.
        xp_difference: i64,
        /// Their level now.
        level: u32,
        /// The digest of what the judge wrote.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<Digest>,
        /// What they are now.
        status: HunterStatus,
        /// Whether a judge must still look at their status.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        queued: bool,
    },
    /// A report that this hunter had filed was decided.
    ReportNoted {
        /// About whom.
        hunter: SmolStr,
        /// Which log.
        quest: SmolStr,
        /// Whether it was right.
        confirmed: bool,
    },
    /// A judge has ruled about a hunter's status.
    StatusRuled {
        /// Whose.
        hunter: SmolStr,
        /// Whether they are Corrupted by the judge's word.
        corrupted: bool,
        /// The digest of what the judge wrote.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<Digest>,
        /// What they are now.
        status: HunterStatus,
    },
    /// An exam was accepted.
    ExamAccepted {
        /// By whom.
        hunter: SmolStr,
        /// Its quest.
        quest: SmolStr,
        /// For which rank.
        to_rank: Rank,
        /// What it is about.
        exam_type: ExamType,
        /// What is to be done.
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
        /// To whom.
        hunter: SmolStr,
        /// Its quest.
        quest: SmolStr,
        /// What they were.
        from_rank: Rank,
        /// What they are now.
        rank: Rank,
        /// What it pays.
        xp: u64,
        /// Their level now.
        level: u32,
        /// The rank whose exam is offered from now on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        offers: Option<Rank>,
        /// Whether a judge has said so, and not the clock.
        by_judge: bool,
        /// The digest of what the judge wrote.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<Digest>,
    },
    /// A judge has said no to an exam.
    ExamRefused {
        /// To whom.
        hunter: SmolStr,
        /// Its quest.
        quest: SmolStr,
        /// For which rank.
        to_rank: Rank,
        /// The digest of what the judge wrote.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<Digest>,
    },
    /// A picture or a video is somebody's proof.
    MediaClaimed {
        /// Whose.
        hunter: SmolStr,
        /// For which quest.
        quest: SmolStr,
        /// What it was claimed under.
        rulebook: RulebookRef,
    },
}

/// A log was judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogJudged {
    /// Whose it is.
    pub hunter: SmolStr,
    /// As it was submitted.
    pub submission: Submission,
    /// What the quest was for.
    pub quest_type: QuestType,
    /// How long after accepting, for an exam.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elapsed_ms: Option<i64>,
    /// How many days there were before it.
    pub streak_days: u32,
    /// What came of it.
    pub status: Status,
    /// How far it has been looked at.
    pub verification: VerificationStatus,
    /// What it pays.
    pub xp: u64,
    /// What it adds to their stats.
    pub stats: StatUpdates,
    /// Their level after it.
    pub level: u32,
    /// Until when proof may be added, when it is flagged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof_until: Option<Moment>,
    /// When it is granted if nobody objects, when it is an exam that was passed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grant_at: Option<Moment>,
    /// The rank whose exam is offered from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offers: Option<Rank>,
}

/// Somebody else has read what was written beside a log. Nothing of it is paid.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WordsRead {
    /// Whose log.
    pub hunter: SmolStr,
    /// What was read, by whom.
    #[serde(flatten)]
    pub words: WordsReading,
    /// What it makes of the safety score.
    pub safety_score: f64,
    /// Whether somebody should look.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub review: bool,
}

/// What judging again has changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rejudged {
    /// Whose log.
    pub hunter: SmolStr,
    /// Of which quest.
    pub quest: SmolStr,
    /// What came of it.
    pub status: Status,
    /// How far it has been looked at.
    pub verification: VerificationStatus,
    /// What it pays now.
    pub xp: u64,
    /// What that is more, or less.
    pub xp_difference: i64,
    /// What it adds to their stats now.
    pub stats: StatUpdates,
    /// Their level after it.
    pub level: u32,
    /// What they are now.
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
