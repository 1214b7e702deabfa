//! Applies events to the state of a hunter.

use std::collections::BTreeMap;

use assize_kernel::{Moment, RecordedAt, SmolStr, round};

use super::super::events::{LogJudged, QuestEvent, Rejudged};
use super::super::log::Proof;
use super::super::profile::{HunterStatus, QuestType, Rank};
use super::super::verdict::{StatUpdates, Status, VerificationStatus};
use super::{
    ClaimedMedia, ExamAttempt, FiledReports, Hunter, HunterReports, HunterStats, LogEntry, LogReport,
    OpenQuest, PendingExam, QuestState, RejudgeableLog, ReportStanding, ReportWords, Streak,
};
use crate::quest::profile::Profile;
use crate::quest::words::{ReadingPriority, ReportReading, WordsReading};

pub(crate) fn evolve(state: &mut QuestState, event: &QuestEvent, recorded_at: RecordedAt) {
    match event {
        QuestEvent::HunterRegistered { rulebook, .. } => {
            state.rulebook = Some(rulebook.clone());
            state.hunter = registered(event).map(Box::new);
        }
        QuestEvent::MediaClaimed { hunter, quest, rulebook } => {
            let (hunter, quest) = (hunter.clone(), quest.clone());
            state.rulebook = Some(rulebook.clone());
            state.media =
                Some(ClaimedMedia { hunter, quest, at: recorded_at.at, position: recorded_at.position });
        }
        _ => {
            if let Some(hunter) = &mut state.hunter {
                hunter.take(event, recorded_at);
            }
        }
    }
}

fn registered(event: &QuestEvent) -> Option<Hunter> {
    let QuestEvent::HunterRegistered { hunter, class, zone, name, .. } = event else { return None };
    Some(Hunter {
        id: hunter.clone(),
        name: *name,
        class: *class,
        zone: zone.clone(),
        rank: Rank::E,
        status: HunterStatus::Normal,
        xp: 0,
        level: 1,
        stats: HunterStats::default(),
        streak: Streak::default(),
        own: Vec::new(),
        open: BTreeMap::new(),
        expired: BTreeMap::new(),
        logs: BTreeMap::new(),
        kept: BTreeMap::new(),
        media: BTreeMap::new(),
        verified_logs: 0,
        ruled_corrupted: false,
        queued_since: None,
        reports: HunterReports::default(),
        offered: None,
        exam: None,
        filed: FiledReports::default(),
    })
}

impl Hunter {
    fn take(&mut self, event: &QuestEvent, recorded_at: RecordedAt) {
        match event {
            QuestEvent::HunterRegistered { .. } | QuestEvent::MediaClaimed { .. } => {}
            QuestEvent::ClassChanged { class, .. } => self.class = *class,
            QuestEvent::ZoneChanged { zone } => self.zone = zone.clone(),
            QuestEvent::ExerciseAdded { exercise } => self.own.push(exercise.clone()),
            QuestEvent::QuestAssigned { quest, quest_type, plan, expires_at, .. } => {
                self.give(quest, *quest_type, plan.clone(), recorded_at.at, *expires_at);
            }
            QuestEvent::QuestExpired { quest, exam, .. } => {
                if let Some(open) = self.open.remove(quest) {
                    self.expired.insert(quest.clone(), open.expires_at);
                }
                if *exam {
                    self.exam = None;
                }
            }
            QuestEvent::LogJudged(judged) => self.add_log(judged, recorded_at),
            QuestEvent::ProofAdded { proof, outcome } => self.add_proof(proof, outcome, recorded_at),
            QuestEvent::ProofReviewed { accepted, outcome, .. } => {
                self.review_proof(*accepted, outcome, recorded_at)
            }
            QuestEvent::WordsRead(read) => self.take_words(&read.words, recorded_at),
            QuestEvent::ReportFiled { hunter, quest, .. } => {
                self.filed.add(hunter, quest, recorded_at.at, recorded_at.position);
            }
            QuestEvent::ReportReceived { .. }
            | QuestEvent::ReportDecided { .. }
            | QuestEvent::ReportRead { .. } => self.take_report(event, recorded_at),
            QuestEvent::ReportNoted { hunter, quest, confirmed } => {
                self.filed.note(hunter, quest, *confirmed)
            }
            QuestEvent::StatusRuled { corrupted, status, .. } => {
                self.ruled_corrupted = *corrupted;
                self.queued_since = None;
                self.set_status(*status, recorded_at.at);
            }
            QuestEvent::ExamAccepted { .. }
            | QuestEvent::ExamGranted { .. }
            | QuestEvent::ExamRefused { .. } => {
                self.examine(event, recorded_at);
            }
        }
    }

    fn give(&mut self, quest: &SmolStr, quest_type: QuestType, plan: super::Plan, at: Moment, until: Moment) {
        let open = OpenQuest { quest_type, plan, given_at: at, expires_at: until };
        self.open.insert(quest.clone(), open);
    }

    /// A pending exam is granted no earlier than the last status change.
    fn set_status(&mut self, status: HunterStatus, now: Moment) {
        self.status = status;
        if let Some(pending) = self.exam.as_mut().and_then(|exam| exam.pending.as_mut()) {
            pending.grant_at = pending.grant_at.max(now);
        }
    }

    fn add_log(&mut self, judged: &LogJudged, recorded_at: RecordedAt) {
        let LogJudged { submission, quest_type, status, verification, xp, stats, .. } = judged;
        let quest = &submission.quest;
        self.offered = judged.offers.or(self.offered);
        let plan = self.open.remove(quest).map(|open| open.plan);
        let proof = submission.log.proof.as_ref();
        let private = submission.private;
        let has_proof = proof.is_some();
        let (class, rank, hunter_status) = (self.class, self.rank, self.status);
        let profile = Profile { class, rank, hunter_status, streak_days: judged.streak_days };
        self.logs.insert(
            quest.clone(),
            LogEntry {
                at: recorded_at.at,
                position: recorded_at.position,
                last_position: recorded_at.position,
                xp: *xp,
                quest_type: *quest_type,
                status: *status,
                verification: *verification,
                stats: *stats,
                proof: has_proof,
                private,
                removed: false,
                profile,
                words: None,
            },
        );
        if let Some(digest) = proof.and_then(|proof| proof.sha256) {
            self.media.insert(digest, (quest.clone(), recorded_at.at));
        }
        if *status != Status::Rejected {
            self.streak.count(submission.day, *quest_type);
        }
        if *quest_type == QuestType::RankUp {
            return self.sit_exam(judged, recorded_at.at);
        }
        self.pay(0, *xp, StatUpdates::default(), *stats, judged.level);
        self.forget_old(recorded_at.at);
        if let Some(plan) = plan.filter(|_| has_proof || *status == Status::Flagged) {
            self.keep(judged, plan, profile, recorded_at.at);
        }
    }

    /// A passed exam is paid when it is granted; a failed one leaves only its log.
    fn sit_exam(&mut self, judged: &LogJudged, now: Moment) {
        match (judged.grant_at, &mut self.exam) {
            (Some(grant_at), Some(exam)) => exam.pending = Some(PendingExam { since: now, grant_at }),
            _ => self.exam = None,
        }
    }

    fn keep(&mut self, judged: &LogJudged, plan: super::Plan, profile: Profile, now: Moment) {
        let LogJudged { submission, quest_type, .. } = judged;
        let log = submission.log.clone();
        let proof_since = log.proof.as_ref().map(|_| now);
        let reading = submission.reading.clone();
        let proof_until = judged.proof_until;
        let kept =
            RejudgeableLog { quest_type: *quest_type, plan, log, reading, profile, proof_since, proof_until };
        self.kept.insert(submission.quest.clone(), Box::new(kept));
    }

    /// Drops flagged logs whose deadline for proof has passed; they cannot be judged again.
    fn forget_old(&mut self, now: Moment) {
        self.kept.retain(|_, kept| {
            kept.proof_since.is_some() || kept.proof_until.is_some_and(|until| until >= now)
        });
    }

    fn pay(&mut self, before: u64, after: u64, old: StatUpdates, new: StatUpdates, level: u32) {
        self.xp = self.xp.saturating_sub(before).saturating_add(after);
        self.stats.take(old);
        self.stats.add(new);
        self.level = level;
    }

    fn add_proof(&mut self, proof: &Proof, outcome: &Rejudged, recorded_at: RecordedAt) {
        if let Some(digest) = proof.sha256 {
            self.media.insert(digest, (outcome.quest.clone(), recorded_at.at));
        }
        if let Some(kept) = self.kept.get_mut(&outcome.quest) {
            kept.log.proof = Some(proof.clone());
            kept.proof_since = Some(recorded_at.at);
        }
        if let Some(entry) = self.logs.get_mut(&outcome.quest) {
            entry.proof = true;
        }
        self.rejudge(outcome, recorded_at);
    }

    fn review_proof(&mut self, accepted: bool, outcome: &Rejudged, recorded_at: RecordedAt) {
        self.kept.remove(&outcome.quest);
        if accepted {
            self.verified_logs = self.verified_logs.saturating_add(1);
        } else if let Some(entry) = self.logs.get_mut(&outcome.quest) {
            entry.proof = false;
        }
        self.rejudge(outcome, recorded_at);
        self.set_status(outcome.hunter_status, recorded_at.at);
    }

    /// Takes a reading into the state. It pays nothing; later judgements of the log use it.
    fn take_words(&mut self, words: &WordsReading, recorded_at: RecordedAt) {
        let WordsReading { quest, reading, assessment, .. } = words;
        if let Some(kept) = self.kept.get_mut(quest) {
            kept.reading = reading.clone();
        }
        if let Some(entry) = self.logs.get_mut(quest) {
            entry.words = Some(Box::new(ReadingPriority::of(reading, *assessment, recorded_at.position)));
            entry.last_position = recorded_at.position;
        }
    }

    fn rejudge(&mut self, outcome: &Rejudged, recorded_at: RecordedAt) {
        let Some(entry) = self.logs.get_mut(&outcome.quest) else { return };
        let xp = entry.xp;
        let stats = entry.stats;
        entry.xp = outcome.xp;
        entry.stats = outcome.stats;
        entry.status = outcome.status;
        entry.verification = outcome.verification;
        entry.last_position = recorded_at.position;
        self.pay(xp, outcome.xp, stats, outcome.stats, outcome.level);
    }

    fn take_report(&mut self, event: &QuestEvent, recorded_at: RecordedAt) {
        match event {
            QuestEvent::ReportReceived { reporter, quest, reason, weight, note, status, queued, .. } => {
                let standing = ReportStanding::Waiting;
                let report = LogReport {
                    at: recorded_at.at,
                    reason: reason.clone(),
                    weight: *weight,
                    note: *note,
                    standing,
                    words: None,
                };
                self.reports.0.insert((quest.clone(), reporter.clone()), report);
                self.queue(*queued, recorded_at.at);
                self.set_status(*status, recorded_at.at);
            }
            QuestEvent::ReportRead { words, .. } => {
                let ReportReading { quest, reporter, reading, assessment } = words;
                if let Some(report) = self.reports.0.get_mut(&(quest.clone(), reporter.clone())) {
                    let taken = ReadingPriority::of(reading, *assessment, recorded_at.position);
                    report.words = Some(Box::new(ReportWords { taken, reading: reading.clone() }));
                }
            }
            QuestEvent::ReportDecided {
                reporter, quest, confirmed, removed, level, status, queued, ..
            } => {
                if let Some(report) = self.reports.0.get_mut(&(quest.clone(), reporter.clone())) {
                    report.standing =
                        if *confirmed { ReportStanding::Confirmed } else { ReportStanding::Dismissed };
                }
                if *removed {
                    self.remove(quest, *level);
                }
                self.queue(*queued, recorded_at.at);
                self.set_status(*status, recorded_at.at);
            }
            _ => {}
        }
    }

    fn queue(&mut self, queued: bool, now: Moment) {
        self.queued_since = if queued { self.queued_since.or(Some(now)) } else { None };
    }

    /// Removes a log: it stays in the history but counts for nothing.
    fn remove(&mut self, quest: &SmolStr, level: u32) {
        self.kept.remove(quest);
        let Some(entry) = self.logs.get_mut(quest) else { return };
        entry.removed = true;
        let paid = entry.status != Status::PendingVerification;
        let xp = std::mem::take(&mut entry.xp);
        let stats = std::mem::take(&mut entry.stats);
        entry.verification = VerificationStatus::Rejected;
        if paid {
            self.pay(xp, 0, stats, StatUpdates::default(), level);
        }
    }

    fn examine(&mut self, event: &QuestEvent, recorded_at: RecordedAt) {
        match event {
            QuestEvent::ExamAccepted {
                quest, to_rank, exam_type, plan, hand_sign, drawn_sign, due, ..
            } => {
                self.give(quest, QuestType::RankUp, plan.clone(), recorded_at.at, *due);
                self.exam = Some(ExamAttempt {
                    quest: quest.clone(),
                    to_rank: *to_rank,
                    exam_type: *exam_type,
                    hand_sign: hand_sign.clone(),
                    drawn_sign: drawn_sign.clone(),
                    accepted_at: recorded_at.at,
                    due: *due,
                    pending: None,
                });
            }
            QuestEvent::ExamGranted { quest, rank, level, offers, by_judge, .. } => {
                self.offered = *offers;
                self.exam = None;
                self.rank = *rank;
                let Some(entry) = self.logs.get_mut(quest) else { return };
                entry.status = Status::Approved;
                entry.verification =
                    if *by_judge { VerificationStatus::Verified } else { VerificationStatus::AutoApproved };
                entry.last_position = recorded_at.position;
                let xp = entry.xp;
                let stats = entry.stats;
                self.pay(0, xp, StatUpdates::default(), stats, *level);
            }
            QuestEvent::ExamRefused { quest, .. } => {
                self.exam = None;
                let Some(entry) = self.logs.get_mut(quest) else { return };
                entry.status = Status::Rejected;
                entry.xp = 0;
                entry.stats = StatUpdates::default();
                entry.verification = VerificationStatus::Rejected;
                entry.last_position = recorded_at.position;
            }
            _ => {}
        }
    }
}

impl HunterStats {
    fn add(&mut self, update: StatUpdates) {
        self.strength += tenths(update.strength_add);
        self.agility += tenths(update.agility_add);
        self.stamina += tenths(update.stamina_add);
    }

    fn take(&mut self, update: StatUpdates) {
        self.strength -= tenths(update.strength_add);
        self.agility -= tenths(update.agility_add);
        self.stamina -= tenths(update.stamina_add);
    }
}

fn tenths(number: f64) -> i64 {
    #[allow(clippy::cast_possible_truncation, reason = "bounded by the rulebook")]
    let tenths = round(number * 10.0, 0) as i64;
    tenths
}
