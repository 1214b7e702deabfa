//! Views of a hunter: profile, history and current exam. These types have no field for a reporter.

#[cfg(feature = "openapi")]
use assize_kernel::openapi::Id;
use assize_kernel::{Moment, RulebookRef, SmolStr};
use serde::Serialize;

use super::day::Day;
use super::log::Plan;
use super::profile::{Class, HunterStatus, QuestType, Rank};
use super::reading::Reading;
use super::rules::ExamType;
use super::state::{ExamAttempt, Hunter, LogEntry, QuestState, ReportStanding};
use super::verdict::{Status, VerificationStatus};

/// A hunter as everybody may see them.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HunterView {
    /// The hunter's name in URLs and on boards.
    #[cfg_attr(feature = "openapi", schema(value_type = Id))]
    pub hunter: SmolStr,
    /// The hunter's class.
    pub class: Class,
    /// The hunter's rank.
    pub rank: Rank,
    /// The level.
    pub level: u32,
    /// The total XP.
    pub xp: u64,
    /// The hunter's status.
    pub status: HunterStatus,
    /// The badge of the status.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub badge: Option<&'static str>,
    /// Days in a row, as of today.
    pub streak_days: u32,
    /// The longest streak, in days.
    pub longest_streak_days: u32,
    /// The stats.
    pub stats: StatsView,
    /// Logs whose proof a judge has verified.
    pub verified_logs: u32,
    /// How many logs everybody may see.
    #[cfg_attr(feature = "openapi", schema(value_type = u64))]
    pub logs: usize,
    /// The time zone their days are counted in.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub zone: SmolStr,
    /// The rank whose exam is offered.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub exam_offered: Option<Rank>,
    /// The exam in progress.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub exam: Option<ExamView>,
    /// The rulebook the hunter is judged by.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub rulebook: Option<RulebookRef>,
}

/// What a hunter has trained.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = HunterStats))]
pub struct StatsView {
    /// Strength.
    pub strength: f64,
    /// Agility.
    pub agility: f64,
    /// Stamina.
    pub stamina: f64,
}

/// An exam and its clock.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = HunterExam))]
pub struct ExamView {
    /// Its quest.
    #[cfg_attr(feature = "openapi", schema(value_type = Id))]
    pub quest: SmolStr,
    /// The rank of the exam.
    pub to_rank: Rank,
    /// The type of the exam.
    #[cfg_attr(feature = "openapi", schema(ignore))]
    pub exam_type: ExamType,
    /// The sign of the exam.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub hand_sign: SmolStr,
    /// The sign that was drawn for this attempt.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub drawn_sign: SmolStr,
    /// When the exam was accepted.
    pub accepted_at: Moment,
    /// To be submitted until then.
    pub due: Moment,
    /// Whether it was submitted and passed.
    pub pending: bool,
    /// When the clock grants the exam; `None` before submission and while a report holds it back.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub grant_at: Option<Moment>,
}

/// A quest that waits for a log.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Quest))]
pub struct QuestView {
    /// The name of the quest.
    #[cfg_attr(feature = "openapi", schema(value_type = Id))]
    pub quest: SmolStr,
    /// What it is for.
    pub quest_type: QuestType,
    /// The plan.
    pub plan: Plan,
    /// When the quest was assigned.
    pub given_at: Moment,
    /// When the quest expires.
    pub expires_at: Moment,
}

/// One line of a match history.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = LogLine))]
pub struct LogView {
    /// The quest of the log.
    #[cfg_attr(feature = "openapi", schema(value_type = Id))]
    pub quest: SmolStr,
    /// The type of the quest.
    pub quest_type: QuestType,
    /// When it was received.
    pub at: Moment,
    /// Where its first verdict stands in the ledger.
    pub position: u64,
    /// And the last.
    pub last_position: u64,
    /// The status of the log.
    pub status: Status,
    /// The verification status of the log.
    pub verification_status: VerificationStatus,
    /// `verified`, `proof-backed`, `flagged`, `removed` or `unverified`.
    pub badge: &'static str,
    /// The XP of the log.
    pub xp: u64,
    /// Whether nobody else may see it.
    pub private: bool,
    /// All reports about the log.
    pub reports: Vec<ReportView>,
}

/// A report without who made it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = ReportLine))]
pub struct ReportView {
    /// When the report was received.
    pub at: Moment,
    /// Why.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub reason: SmolStr,
    /// `waiting`, `confirmed` or `dismissed`.
    pub standing: &'static str,
}

impl QuestState {
    /// The public view of the hunter; `today` is the current day in the hunter's time zone.
    #[must_use]
    pub fn hunter_view(&self, today: Day) -> Option<HunterView> {
        let hunter = self.hunter()?;
        let shown = hunter.logs.values().filter(|entry| !entry.private).count();
        Some(HunterView {
            hunter: hunter.id.clone(),
            class: hunter.class,
            rank: hunter.rank,
            level: hunter.level,
            xp: hunter.xp,
            status: hunter.status,
            badge: badge(hunter.status),
            streak_days: hunter.streak.before(today, QuestType::Daily),
            longest_streak_days: hunter.streak.longest,
            stats: hunter.stats_view(),
            verified_logs: hunter.verified_logs,
            logs: shown,
            zone: hunter.zone.clone(),
            exam_offered: hunter.offered.filter(|_| hunter.exam.is_none()),
            exam: hunter.exam.as_ref().map(|exam| hunter.exam_view(exam)),
            rulebook: self.rulebook.clone(),
        })
    }
}

impl QuestState {
    /// The hunter, quest and time of the claim, in a media stream.
    #[must_use]
    pub fn claimed(&self) -> Option<(SmolStr, SmolStr, Moment)> {
        self.media.as_ref().map(|media| (media.hunter.clone(), media.quest.clone(), media.at))
    }
}

impl Hunter {
    /// The hunter's name in URLs and on boards.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The total XP.
    #[must_use]
    pub const fn xp(&self) -> u64 {
        self.xp
    }

    /// The hunter's status.
    #[must_use]
    pub const fn status(&self) -> HunterStatus {
        self.status
    }

    /// The hunter's rank.
    #[must_use]
    pub const fn rank(&self) -> Rank {
        self.rank
    }

    /// The quests that wait for a log, the most urgent first.
    #[must_use]
    pub fn open_quests(&self) -> Vec<QuestView> {
        let open = self.open.iter().map(|(quest, open)| QuestView {
            quest: quest.clone(),
            quest_type: open.quest_type,
            plan: open.plan.clone(),
            given_at: open.given_at,
            expires_at: open.expires_at,
        });
        let mut open: Vec<QuestView> = open.collect();
        open.sort_by_key(|quest| quest.expires_at);
        open
    }

    /// The match history, latest first; `with_private` includes private logs.
    #[must_use]
    pub fn history(&self, with_private: bool) -> Vec<LogView> {
        let shown = self.logs.iter().filter(|(_, entry)| with_private || !entry.private);
        let mut shown: Vec<LogView> = shown.map(|(quest, entry)| self.log_view(quest, entry)).collect();
        shown.sort_by_key(|log| std::cmp::Reverse(log.position));
        shown
    }

    /// One line of it.
    #[must_use]
    pub fn log(&self, quest: &str) -> Option<LogView> {
        self.logs.get_key_value(quest).map(|(quest, entry)| self.log_view(quest, entry))
    }

    /// A report: its reason, the digest of its text, and an external assessor's reading of it.
    #[must_use]
    pub fn report(
        &self,
        quest: &str,
        reporter: &str,
    ) -> Option<(SmolStr, Option<assize_kernel::Digest>, Option<Reading>)> {
        let (_, report) = self.reports.of(quest).find(|(by, _)| *by == reporter)?;
        let reading = report.words.as_ref().map(|words| words.reading.clone());
        Some((report.reason.clone(), report.note, reading))
    }

    /// The quest that a picture or video proves, if this hunter used it.
    #[must_use]
    pub fn media_of(&self, digest: &assize_kernel::Digest) -> Option<&str> {
        self.media.get(digest).map(|(quest, _)| quest.as_str())
    }

    /// The digests of all media the hunter used as proof.
    #[must_use]
    pub fn media(&self) -> Vec<assize_kernel::Digest> {
        self.media.keys().copied().collect()
    }

    /// The digest of a log's proof.
    #[must_use]
    pub fn proof_of(&self, quest: &str) -> Option<assize_kernel::Digest> {
        self.media.iter().find(|(_, (of, _))| of == quest).map(|(digest, _)| *digest)
    }

    fn log_view(&self, quest: &SmolStr, entry: &LogEntry) -> LogView {
        let reports = self.reports.of(quest).map(|(_, report)| ReportView {
            at: report.at,
            reason: report.reason.clone(),
            standing: match report.standing {
                ReportStanding::Waiting => "waiting",
                ReportStanding::Confirmed => "confirmed",
                ReportStanding::Dismissed => "dismissed",
            },
        });
        LogView {
            quest: quest.clone(),
            quest_type: entry.quest_type,
            at: entry.at,
            position: entry.position,
            last_position: entry.last_position,
            status: entry.status,
            verification_status: entry.verification,
            badge: log_badge(entry),
            xp: entry.xp,
            private: entry.private,
            reports: reports.collect(),
        }
    }

    fn exam_view(&self, exam: &ExamAttempt) -> ExamView {
        ExamView {
            quest: exam.quest.clone(),
            to_rank: exam.to_rank,
            exam_type: exam.exam_type,
            hand_sign: exam.hand_sign.clone(),
            drawn_sign: exam.drawn_sign.clone(),
            accepted_at: exam.accepted_at,
            due: exam.due,
            pending: exam.pending.is_some(),
            grant_at: self.exam_to_grant().map(|(_, at)| at),
        }
    }

    fn stats_view(&self) -> StatsView {
        #[allow(clippy::cast_precision_loss, reason = "small")]
        let number = |tenths: i64| tenths as f64 / 10.0;
        let stats = self.stats;
        StatsView {
            strength: number(stats.strength),
            agility: number(stats.agility),
            stamina: number(stats.stamina),
        }
    }
}

const fn badge(status: HunterStatus) -> Option<&'static str> {
    match status {
        HunterStatus::Normal => None,
        HunterStatus::Verified => Some("verified"),
        HunterStatus::Flagged => Some("yellow"),
        HunterStatus::Corrupted => Some("red"),
    }
}

fn log_badge(entry: &LogEntry) -> &'static str {
    match entry.status {
        _ if entry.removed => "removed",
        Status::Flagged => "flagged",
        _ if entry.verification == VerificationStatus::Verified => "verified",
        _ if entry.proof => "proof-backed",
        _ => "unverified",
    }
}
