//! Taking what has happened into a hunter's state.

use std::collections::BTreeMap;

use assize_kernel::{Moment, SmolStr, Stamp, round};

use super::super::events::{LogJudged, QuestEvent, Rejudged};
use super::super::log::Proof;
use super::super::profile::{HunterStatus, QuestType, Rank};
use super::super::verdict::{StatUpdates, Status, VerificationStatus};
use super::{
    Exam, Filed, Hunter, Kept, LogEntry, Media, OpenQuest, Pending, QuestState, Report, ReportStanding,
    ReportWords, Reports, Stats, Streak,
};
use crate::quest::profile::Profile;
use crate::quest::words::{ReportReading, Taken, WordsReading};

pub(crate) fn evolve(state: &mut QuestState, event: &QuestEvent, stamp: Stamp) {
    match event {
        QuestEvent::HunterRegistered { rulebook, .. } => {
            state.rulebook = Some(rulebook.clone());
            state.hunter = registered(event).map(Box::new);
        }
        QuestEvent::MediaClaimed { hunter, quest, rulebook } => {
            let (hunter, quest) = (hunter.clone(), quest.clone());
            state.rulebook = Some(rulebook.clone());
            state.media = Some(Media { hunter, quest, at: stamp.at, position: stamp.position });
        }
        _ => {
            if let Some(hunter) = &mut state.hunter {
                hunter.take(event, stamp);
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
        stats: Stats::default(),
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
        reports: Reports::default(),
        offered: None,
        exam: None,
        filed: Filed::default(),
    })
}

impl Hunter {
    fn take(&mut self, event: &QuestEvent, stamp: Stamp) {
        match event {
            QuestEvent::HunterRegistered { .. } | QuestEvent::MediaClaimed { .. } => {}
            QuestEvent::ClassChanged { class, .. } => self.class = *class,
            QuestEvent::ZoneChanged { zone } => self.zone = zone.clone(),
            QuestEvent::ExerciseAdded { exercise } => self.own.push(exercise.clone()),
            QuestEvent::QuestAssigned { quest, quest_type, plan, expires_at, .. } => {
                self.give(quest, *quest_type, plan.clone(), stamp.at, *expires_at);
            }
            QuestEvent::QuestExpired { quest, exam, .. } => {
                if let Some(open) = self.open.remove(quest) {
                    self.expired.insert(quest.clone(), open.expires_at);
                }
                if *exam {
                    self.exam = None;
                }
            }
            QuestEvent::LogJudged(judged) => self.add_log(judged, stamp),
            QuestEvent::ProofAdded { proof, outcome } => self.add_proof(proof, outcome, stamp),
            QuestEvent::ProofReviewed { accepted, outcome, .. } => {
                self.review_proof(*accepted, outcome, stamp)
            }
            QuestEvent::WordsRead(read) => self.take_words(&read.words, stamp),
            QuestEvent::ReportFiled { hunter, quest, .. } => {
                self.filed.add(hunter, quest, stamp.at, stamp.position);
            }
            QuestEvent::ReportReceived { .. }
            | QuestEvent::ReportDecided { .. }
            | QuestEvent::ReportRead { .. } => self.take_report(event, stamp),
            QuestEvent::ReportNoted { hunter, quest, confirmed } => {
                self.filed.note(hunter, quest, *confirmed)
            }
            QuestEvent::StatusRuled { corrupted, status, .. } => {
                self.ruled_corrupted = *corrupted;
                self.queued_since = None;
                self.set_status(*status, stamp.at);
            }
            QuestEvent::ExamAccepted { .. }
            | QuestEvent::ExamGranted { .. }
            | QuestEvent::ExamRefused { .. } => {
                self.examine(event, stamp);
            }
        }
    }

    fn give(&mut self, quest: &SmolStr, quest_type: QuestType, plan: super::Plan, at: Moment, until: Moment) {
        let open = OpenQuest { quest_type, plan, given_at: at, expires_at: until };
        self.open.insert(quest.clone(), open);
    }

    /// While an exam waits, it is granted no earlier than what has just changed.
    fn set_status(&mut self, status: HunterStatus, now: Moment) {
        self.status = status;
        if let Some(pending) = self.exam.as_mut().and_then(|exam| exam.pending.as_mut()) {
            pending.grant_at = pending.grant_at.max(now);
        }
    }

    fn add_log(&mut self, judged: &LogJudged, stamp: Stamp) {
        let LogJudged { submission, quest_type, status, verification, xp, stats, .. } = judged;
        let quest = &submission.quest;
        self.offered = judged.offers.or(self.offered);
        let plan = self.open.remove(quest).map(|open| open.plan);
        let proof = submission.log.proof.as_ref();
        let (private, has_proof) = (submission.private, proof.is_some());
        let (class, rank, hunter_status) = (self.class, self.rank, self.status);
        let profile = Profile { class, rank, hunter_status, streak_days: judged.streak_days };
        self.logs.insert(
            quest.clone(),
            LogEntry {
                at: stamp.at,
                position: stamp.position,
                last_position: stamp.position,
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
            self.media.insert(digest, (quest.clone(), stamp.at));
        }
        if *status != Status::Rejected {
            self.streak.count(submission.day, *quest_type);
        }
        if *quest_type == QuestType::RankUp {
            return self.sit_exam(judged, stamp.at);
        }
        self.pay(0, *xp, StatUpdates::default(), *stats, judged.level);
        self.forget_old(stamp.at);
        if let Some(plan) = plan.filter(|_| has_proof || *status == Status::Flagged) {
            self.keep(judged, plan, profile, stamp.at);
        }
    }

    /// A passed exam is paid when it is granted; a failed one leaves nothing behind but its log.
    fn sit_exam(&mut self, judged: &LogJudged, now: Moment) {
        match (judged.grant_at, &mut self.exam) {
            (Some(grant_at), Some(exam)) => exam.pending = Some(Pending { since: now, grant_at }),
            _ => self.exam = None,
        }
    }

    fn keep(&mut self, judged: &LogJudged, plan: super::Plan, profile: Profile, now: Moment) {
        let LogJudged { submission, quest_type, .. } = judged;
        let log = submission.log.clone();
        let proof_since = log.proof.as_ref().map(|_| now);
        let reading = submission.reading.clone();
        let proof_until = judged.proof_until;
        let kept = Kept { quest_type: *quest_type, plan, log, reading, profile, proof_since, proof_until };
        self.kept.insert(submission.quest.clone(), Box::new(kept));
    }

    /// Flagged logs whose time for proof is over need not be judged again.
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

    fn add_proof(&mut self, proof: &Proof, outcome: &Rejudged, stamp: Stamp) {
        if let Some(digest) = proof.sha256 {
            self.media.insert(digest, (outcome.quest.clone(), stamp.at));
        }
        if let Some(kept) = self.kept.get_mut(&outcome.quest) {
            kept.log.proof = Some(proof.clone());
            kept.proof_since = Some(stamp.at);
        }
        if let Some(entry) = self.logs.get_mut(&outcome.quest) {
            entry.proof = true;
        }
        self.rejudge(outcome, stamp);
    }

    fn review_proof(&mut self, accepted: bool, outcome: &Rejudged, stamp: Stamp) {
        self.kept.remove(&outcome.quest);
        if accepted {
            self.verified_logs = self.verified_logs.saturating_add(1);
        } else if let Some(entry) = self.logs.get_mut(&outcome.quest) {
            entry.proof = false;
        }
        self.rejudge(outcome, stamp);
        self.set_status(outcome.hunter_status, stamp.at);
    }

    /// Nothing is paid by it; whatever is judged later is judged with these words.
    fn take_words(&mut self, words: &WordsReading, stamp: Stamp) {
        let WordsReading { quest, reading, assessment, .. } = words;
        if let Some(kept) = self.kept.get_mut(quest) {
            kept.reading = reading.clone();
        }
        if let Some(entry) = self.logs.get_mut(quest) {
            entry.words = Some(Box::new(Taken::of(reading, *assessment, stamp.position)));
            entry.last_position = stamp.position;
        }
    }

    fn rejudge(&mut self, outcome: &Rejudged, stamp: Stamp) {
        let Some(entry) = self.logs.get_mut(&outcome.quest) else { return };
        let (xp, stats) = (entry.xp, entry.stats);
        entry.xp = outcome.xp;
        entry.stats = outcome.stats;
        entry.status = outcome.status;
        entry.verification = outcome.verification;
        entry.last_position = stamp.position;
        self.pay(xp, outcome.xp, stats, outcome.stats, outcome.level);
    }

    fn take_report(&mut self, event: &QuestEvent, stamp: Stamp) {
        match event {
            QuestEvent::ReportReceived { reporter, quest, reason, weight, note, status, queued, .. } => {
                let standing = ReportStanding::Waiting;
                let report = Report {
                    at: stamp.at,
                    reason: reason.clone(),
                    weight: *weight,
                    note: *note,
                    standing,
                    words: None,
                };
                self.reports.0.insert((quest.clone(), reporter.clone()), report);
                self.queue(*queued, stamp.at);
                self.set_status(*status, stamp.at);
            }
            QuestEvent::ReportRead { words, .. } => {
                let ReportReading { quest, reporter, reading, assessment } = words;
                if let Some(report) = self.reports.0.get_mut(&(quest.clone(), reporter.clone())) {
                    let taken = Taken::of(reading, *assessment, stamp.position);
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
                self.queue(*queued, stamp.at);
                self.set_status(*status, stamp.at);
            }
            _ => {}
        }
    }

    fn queue(&mut self, queued: bool, now: Moment) {
        self.queued_since = if queued { self.queued_since.or(Some(now)) } else { None };
    }

    /// Takes a log out: it stays in the history and counts for nothing.
    fn remove(&mut self, quest: &SmolStr, level: u32) {
        self.kept.remove(quest);
        let Some(entry) = self.logs.get_mut(quest) else { return };
        entry.removed = true;
        let paid = entry.status != Status::PendingVerification;
        let (xp, stats) = (std::mem::take(&mut entry.xp), std::mem::take(&mut entry.stats));
        entry.verification = VerificationStatus::Rejected;
        if paid {
            self.pay(xp, 0, stats, StatUpdates::default(), level);
        }
    }

    fn examine(&mut self, event: &QuestEvent, stamp: Stamp) {
        match event {
            QuestEvent::ExamAccepted {
                quest, to_rank, exam_type, plan, hand_sign, drawn_sign, due, ..
            } => {
                self.give(quest, QuestType::RankUp, plan.clone(), stamp.at, *due);
                self.exam = Some(Exam {
                    quest: quest.clone(),
                    to_rank: *to_rank,
                    exam_type: *exam_type,
                    hand_sign: hand_sign.clone(),
                    drawn_sign: drawn_sign.clone(),
                    accepted_at: stamp.at,
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
                entry.last_position = stamp.position;
                let (xp, stats) = (entry.xp, entry.stats);
                self.pay(0, xp, StatUpdates::default(), stats, *level);
            }
            QuestEvent::ExamRefused { quest, .. } => {
                self.exam = None;
                let Some(entry) = self.logs.get_mut(quest) else { return };
                (entry.status, entry.xp) = (Status::Rejected, 0);
                entry.stats = StatUpdates::default();
                entry.verification = VerificationStatus::Rejected;
                entry.last_position = stamp.position;
            }
            _ => {}
        }
    }
}

impl Stats {
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
