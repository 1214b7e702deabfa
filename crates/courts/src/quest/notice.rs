//! Live notices of the quest court. They never name a reporter and never contain private data.

use assize_kernel::{Audience, Moment, Notice, RecordedAt, SmolStr, to_json};
use serde::Serialize;

use super::events::{LogJudged, QuestEvent, Rejudged};
use super::profile::{Class, HunterStatus, QuestType, Rank};
use super::verdict::{LogAction, Status, VerificationStatus};

#[derive(Serialize)]
#[serde(tag = "kind")]
enum QuestNotice<'a> {
    HunterRegistered {
        hunter: &'a SmolStr,
        class: Class,
    },
    ClassChanged {
        class: Class,
    },
    QuestAssigned {
        hunter: &'a SmolStr,
        quest: &'a SmolStr,
        quest_type: QuestType,
        expires_at: Moment,
    },
    QuestExpired {
        hunter: &'a SmolStr,
        quest: &'a SmolStr,
        exam: bool,
    },
    LogJudged {
        hunter: &'a SmolStr,
        quest: &'a SmolStr,
        quest_type: QuestType,
        status: Status,
        verification_status: VerificationStatus,
        xp: u64,
        level: u32,
        exam_offered: Option<Rank>,
    },
    ProofAdded {
        #[serde(flatten)]
        outcome: &'a Rejudged,
    },
    ProofReviewed {
        accepted: bool,
        #[serde(flatten)]
        outcome: &'a Rejudged,
    },
    WordsRead {
        hunter: &'a SmolStr,
        quest: &'a SmolStr,
        safety_score: f64,
        review: bool,
    },
    ReportReceived {
        hunter: &'a SmolStr,
        quest: &'a SmolStr,
        reason: &'a SmolStr,
        log_action: LogAction,
        notification: Option<&'a str>,
        status: HunterStatus,
    },
    ReportDecided {
        hunter: &'a SmolStr,
        quest: &'a SmolStr,
        confirmed: bool,
        removed: bool,
        xp_difference: i64,
        status: HunterStatus,
    },
    StatusRuled {
        hunter: &'a SmolStr,
        status: HunterStatus,
    },
    ExamAccepted {
        hunter: &'a SmolStr,
        quest: &'a SmolStr,
        to_rank: Rank,
        due: Moment,
    },
    ExamGranted {
        hunter: &'a SmolStr,
        quest: &'a SmolStr,
        rank: Rank,
        xp: u64,
        level: u32,
    },
    ExamRefused {
        hunter: &'a SmolStr,
        quest: &'a SmolStr,
        to_rank: Rank,
    },
}

pub(super) fn of(event: &QuestEvent, _: RecordedAt) -> Option<Notice> {
    let (told, audience) = match event {
        QuestEvent::HunterRegistered { hunter, class, .. } => {
            (QuestNotice::HunterRegistered { hunter, class: *class }, Audience::Everyone)
        }
        QuestEvent::ClassChanged { class, .. } => {
            (QuestNotice::ClassChanged { class: *class }, Audience::Everyone)
        }
        QuestEvent::QuestAssigned { hunter, quest, quest_type, expires_at, .. } => {
            let (quest_type, expires_at) = (*quest_type, *expires_at);
            (QuestNotice::QuestAssigned { hunter, quest, quest_type, expires_at }, only(hunter))
        }
        QuestEvent::QuestExpired { hunter, quest, exam } => {
            (QuestNotice::QuestExpired { hunter, quest, exam: *exam }, only(hunter))
        }
        QuestEvent::LogJudged(judged) => judged_log(judged),
        QuestEvent::ProofAdded { outcome, .. } => {
            (QuestNotice::ProofAdded { outcome }, only(&outcome.hunter))
        }
        QuestEvent::ProofReviewed { accepted, outcome, .. } => {
            (QuestNotice::ProofReviewed { accepted: *accepted, outcome }, only(&outcome.hunter))
        }
        QuestEvent::WordsRead(read) => {
            let (hunter, quest) = (&read.hunter, &read.words.quest);
            let (safety_score, review) = (read.safety_score, read.review);
            (QuestNotice::WordsRead { hunter, quest, safety_score, review }, only(hunter))
        }
        QuestEvent::ReportReceived { .. } | QuestEvent::ReportDecided { .. } => report(event)?,
        QuestEvent::StatusRuled { hunter, status, .. } => {
            (QuestNotice::StatusRuled { hunter, status: *status }, only(hunter))
        }
        QuestEvent::ExamAccepted { hunter, quest, to_rank, due, .. } => {
            (QuestNotice::ExamAccepted { hunter, quest, to_rank: *to_rank, due: *due }, only(hunter))
        }
        QuestEvent::ExamGranted { hunter, quest, rank, xp, level, .. } => {
            let (rank, xp, level) = (*rank, *xp, *level);
            (QuestNotice::ExamGranted { hunter, quest, rank, xp, level }, Audience::Everyone)
        }
        QuestEvent::ExamRefused { hunter, quest, to_rank, .. } => {
            (QuestNotice::ExamRefused { hunter, quest, to_rank: *to_rank }, only(hunter))
        }
        QuestEvent::ZoneChanged { .. }
        | QuestEvent::ExerciseAdded { .. }
        | QuestEvent::ReportFiled { .. }
        | QuestEvent::ReportRead { .. }
        | QuestEvent::ReportNoted { .. }
        | QuestEvent::MediaClaimed { .. } => return None,
    };
    Some(Notice { audience, data: to_json(&told) })
}

fn judged_log(judged: &LogJudged) -> (QuestNotice<'_>, Audience) {
    let LogJudged { hunter, submission, quest_type, status, verification, xp, level, offers, .. } = judged;
    let told = QuestNotice::LogJudged {
        hunter,
        quest: &submission.quest,
        quest_type: *quest_type,
        status: *status,
        verification_status: *verification,
        xp: *xp,
        level: *level,
        exam_offered: *offers,
    };
    (told, if submission.private { only(hunter) } else { Audience::Everyone })
}

fn report(event: &QuestEvent) -> Option<(QuestNotice<'_>, Audience)> {
    match event {
        QuestEvent::ReportReceived { hunter, quest, reason, log_action, notification, status, .. } => {
            let (log_action, notification, status) = (*log_action, notification.as_deref(), *status);
            let told =
                QuestNotice::ReportReceived { hunter, quest, reason, log_action, notification, status };
            Some((told, only(hunter)))
        }
        QuestEvent::ReportDecided { hunter, quest, confirmed, removed, xp_difference, status, .. } => {
            let (confirmed, removed, xp_difference, status) = (*confirmed, *removed, *xp_difference, *status);
            let told =
                QuestNotice::ReportDecided { hunter, quest, confirmed, removed, xp_difference, status };
            Some((told, only(hunter)))
        }
        _ => None,
    }
}

fn only(hunter: &SmolStr) -> Audience {
    Audience::Participant(hunter.clone())
}
