//! Views of a hunter: profile, history and current exam. These types have no field for a reporter.

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
pub struct HunterView {
    /// Their name in addresses and on boards.
    pub hunter: SmolStr,
    /// How they fight.
    pub class: Class,
    /// How far they have been promoted.
    pub rank: Rank,
    /// By their XP.
    pub level: u32,
    /// What they have earned.
    pub xp: u64,
    /// What others make of them.
    pub status: HunterStatus,
    /// How that is marked.
    pub badge: Option<&'static str>,
    /// Days in a row, as of today.
    pub streak_days: u32,
    /// The most there ever were.
    pub longest_streak_days: u32,
    /// What they have trained.
    pub stats: StatsView,
    /// Logs whose proof a judge has verified.
    pub verified_logs: u32,
    /// How many logs everybody may see.
    pub logs: usize,
    /// The time zone their days are counted in.
    pub zone: SmolStr,
    /// The rank whose exam is offered.
    pub exam_offered: Option<Rank>,
    /// The exam that is under way.
    pub exam: Option<ExamView>,
    /// What they are judged by.
    pub rulebook: Option<RulebookRef>,
}

/// What a hunter has trained.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
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
pub struct ExamView {
    /// Its quest.
    pub quest: SmolStr,
    /// For which rank.
    pub to_rank: Rank,
    /// What it is about.
    pub exam_type: ExamType,
    /// The sign of the exam.
    pub hand_sign: SmolStr,
    /// The sign that was drawn for this attempt.
    pub drawn_sign: SmolStr,
    /// When its clock began.
    pub accepted_at: Moment,
    /// To be submitted until then.
    pub due: Moment,
    /// Whether it was submitted and passed.
    pub pending: bool,
    /// When it is granted by itself; none while somebody objects, or before it is submitted.
    pub grant_at: Option<Moment>,
}

/// A quest that waits for a log.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QuestView {
    /// Its name.
    pub quest: SmolStr,
    /// What it is for.
    pub quest_type: QuestType,
    /// What is to be done.
    pub plan: Plan,
    /// Since when.
    pub given_at: Moment,
    /// Until when.
    pub expires_at: Moment,
}

/// One line of a match history.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LogView {
    /// The quest it is of.
    pub quest: SmolStr,
    /// What that was for.
    pub quest_type: QuestType,
    /// When it was received.
    pub at: Moment,
    /// Where its first verdict stands in the ledger.
    pub position: u64,
    /// And the last.
    pub last_position: u64,
    /// What came of it.
    pub status: Status,
    /// How far it has been looked at.
    pub verification_status: VerificationStatus,
    /// `verified`, `proof-backed`, `flagged`, `removed` or `unverified`.
    pub badge: &'static str,
    /// What it pays.
    pub xp: u64,
    /// Whether nobody else may see it.
    pub private: bool,
    /// How many reports on it stand, and what for.
    pub reports: Vec<ReportView>,
}

/// A report without who made it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReportView {
    /// When.
    pub at: Moment,
    /// Why.
    pub reason: SmolStr,
    /// `waiting`, `confirmed` or `dismissed`.
    pub standing: &'static str,
}

impl QuestState {
    /// What everybody may see of the hunter; `today` is the day it is where they are.
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
    /// Whose proof a picture or a video is, for which quest and since when, when this is such a stream.
    #[must_use]
    pub fn claimed(&self) -> Option<(SmolStr, SmolStr, Moment)> {
        self.media.as_ref().map(|media| (media.hunter.clone(), media.quest.clone(), media.at))
    }
}

impl Hunter {
    /// Their name in addresses and on boards.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What they have earned.
    #[must_use]
    pub const fn xp(&self) -> u64 {
        self.xp
    }

    /// What others make of them.
    #[must_use]
    pub const fn status(&self) -> HunterStatus {
        self.status
    }

    /// How far they have been promoted.
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

    /// The match history, the latest first; private logs only for those who may see them.
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

    /// A report: why, the digest of what was written, and what others have read in that.
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

    /// Whether a picture or a video is a proof of theirs, for which quest.
    #[must_use]
    pub fn media_of(&self, digest: &assize_kernel::Digest) -> Option<&str> {
        self.media.get(digest).map(|(quest, _)| quest.as_str())
    }

    /// Everything they have used as proof.
    #[must_use]
    pub fn media(&self) -> Vec<assize_kernel::Digest> {
        self.media.keys().copied().collect()
    }

    /// The digest of a log's proof, while a judge may look at it.
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
