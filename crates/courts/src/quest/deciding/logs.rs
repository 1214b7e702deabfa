//! Submission of logs: one verdict for each quest.

use assize_kernel::{Decision, Millis, Rulebook, SmolStr};

use super::{HunterContext, QuestRuling};
use crate::quest::events::{LogJudged, QuestEvent};
use crate::quest::exam::ExamTerms;
use crate::quest::judging::{LogClaim, judge};
use crate::quest::messages::Submission;
use crate::quest::profile::{Profile, QuestType, Rank};
use crate::quest::refusals::QuestRefusal;
use crate::quest::rules::QuestRules;
use crate::quest::state::{Hunter, OpenQuest};
use crate::quest::verdict::Status;

const HOUR: f64 = 3600.0;

impl HunterContext<'_> {
    pub(super) fn submit_log(self, submission: &Submission) -> QuestRuling {
        let HunterContext { book, hunter, context } = self;
        let open = open_quest(hunter, &submission.quest)?;
        if submission.private && open.quest_type == QuestType::RankUp {
            return Err(QuestRefusal::PrivateExam);
        }
        if let Some(proof) = &submission.log.proof {
            let digest = proof.sha256.ok_or(QuestRefusal::ProofUnnamed)?;
            if let Some((quest, at)) = hunter.media.get(&digest) {
                let (hunter, quest) = (hunter.id.clone(), quest.clone());
                return Err(QuestRefusal::ProofSeen { hunter, quest, at: *at });
            }
        }
        let is_exam = open.quest_type == QuestType::RankUp;
        let elapsed_ms = is_exam.then(|| (context.at - open.given_at).0);
        let mut judged = judged(book, hunter, open, submission, elapsed_ms)?;
        if let QuestEvent::LogJudged(log) = &mut judged.event {
            let times = &book.rules.times;
            let flagged = log.status == Status::Flagged;
            let passed = log.status == Status::PendingVerification;
            let proof_until = context.at + Millis::from_seconds(times.proof_days * 24.0 * HOUR);
            let grant_at = context.at + Millis::from_seconds(times.exam_review_hours * HOUR);
            log.proof_until = flagged.then_some(proof_until);
            log.grant_at = passed.then_some(grant_at);
        }
        Ok(judged.into())
    }
}

/// Judges a recorded log again with its recorded times.
pub(super) fn again(
    book: &Rulebook<QuestRules>,
    hunter: &Hunter,
    recorded: &LogJudged,
) -> Option<Decision<QuestEvent>> {
    let open = hunter.open.get(&recorded.submission.quest)?;
    let mut judged = judged(book, hunter, open, &recorded.submission, recorded.elapsed_ms).ok()?;
    if let QuestEvent::LogJudged(log) = &mut judged.event {
        log.proof_until = recorded.proof_until.filter(|_| log.status == Status::Flagged);
        let passed = log.status == Status::PendingVerification;
        // For an exam that is passed only now, the review period begins with its submission.
        let submitted = recorded.elapsed_ms.map(|elapsed| open.given_at + Millis(elapsed));
        let wait = Millis::from_seconds(book.rules.times.exam_review_hours * HOUR);
        let grant_at = recorded.grant_at.or_else(|| Some(submitted? + wait));
        log.grant_at = grant_at.filter(|_| passed);
    }
    Some(judged)
}

/// Why a recorded log would not have been judged on this state.
pub(super) fn refusal(
    book: &Rulebook<QuestRules>,
    hunter: &Hunter,
    recorded: &LogJudged,
) -> Option<QuestRefusal> {
    let open = match open_quest(hunter, &recorded.submission.quest) {
        Ok(open) => open,
        Err(refusal) => return Some(refusal),
    };
    judged(book, hunter, open, &recorded.submission, recorded.elapsed_ms).err()
}

fn judged(
    book: &Rulebook<QuestRules>,
    hunter: &Hunter,
    open: &OpenQuest,
    submission: &Submission,
    elapsed_ms: Option<i64>,
) -> Result<Decision<QuestEvent>, QuestRefusal> {
    let rules = &book.rules;
    let streak_days = hunter.streak.before(submission.day, open.quest_type);
    let profile =
        Profile { class: hunter.class, rank: hunter.rank, hunter_status: hunter.status, streak_days };
    let claim = LogClaim {
        quest_type: open.quest_type,
        plan: &open.plan,
        log: &submission.log,
        profile,
        exam: elapsed_ms.and_then(|elapsed| terms(rules, hunter.rank, elapsed)),
        reading: &submission.reading,
        verified: false,
        own: &hunter.own,
    };
    let judgement = judge(book, &claim)?;
    let paid = if judgement.status == Status::PendingVerification { 0 } else { judgement.final_xp };
    let level = rules.level(hunter.xp.saturating_add(paid));
    let event = LogJudged {
        hunter: hunter.id.clone(),
        submission: submission.clone(),
        quest_type: open.quest_type,
        elapsed_ms,
        streak_days,
        status: judgement.status,
        verification: judgement.verification,
        xp: judgement.final_xp,
        stats: judgement.stats,
        level,
        proof_until: None,
        grant_at: None,
        offers: offered(rules, hunter, level),
    };
    Ok(Decision::judged(QuestEvent::LogJudged(event), &judgement.verdict))
}

/// The rank of the exam that this level newly unlocks.
fn offered(rules: &QuestRules, hunter: &Hunter, level: u32) -> Option<Rank> {
    let exam = rules.exams.iter().find(|exam| exam.from_rank == hunter.rank)?;
    (hunter.level < exam.level && exam.level <= level).then_some(exam.to_rank)
}

pub(super) fn terms(rules: &QuestRules, rank: Rank, elapsed_ms: i64) -> Option<ExamTerms<'_>> {
    let exam = rules.exams.iter().find(|exam| exam.from_rank == rank)?;
    Some(ExamTerms::of(exam, Millis(elapsed_ms).as_seconds() / HOUR))
}

fn open_quest<'a>(hunter: &'a Hunter, quest: &SmolStr) -> Result<&'a OpenQuest, QuestRefusal> {
    if let Some(open) = hunter.open.get(quest) {
        return Ok(open);
    }
    if hunter.logs.contains_key(quest) {
        return Err(QuestRefusal::QuestJudged(quest.clone()));
    }
    match hunter.expired.get(quest) {
        Some(at) => Err(QuestRefusal::QuestExpired { quest: quest.clone(), at: *at }),
        None => Err(QuestRefusal::QuestUnknown(quest.clone())),
    }
}
