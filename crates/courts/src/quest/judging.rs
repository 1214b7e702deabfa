//! Judging: turns a plan, a log and a profile into a verdict with its derivation.

use assize_kernel::{Rulebook, Steps, Verdict, floor, round, step};

use super::exam::{self, ExamFailure, ExamTerms};
use super::integrity::{self, LogIntegrity, ProofLevel};
use super::log::{Log, Plan, Proof};
use super::modifiers::{self, WeighedLog};
use super::profile::{Profile, QuestType};
use super::reading::{Reading, SignKind};
use super::reasons;
use super::refusals::QuestRefusal;
use super::rules::{Exercise, LimitFlag, QuestRules};
use super::verdict::{JudgeVerdict, StatUpdates, Status, VerificationStatus};
use super::work::LoggedWork;

/// The input of a verdict.
pub(super) struct LogClaim<'a> {
    pub(super) quest_type: QuestType,
    pub(super) plan: &'a Plan,
    pub(super) log: &'a Log,
    pub(super) profile: Profile,
    /// For exams only.
    pub(super) exam: Option<ExamTerms<'a>>,
    pub(super) reading: &'a Reading,
    /// Whether a judge has verified the proof.
    pub(super) verified: bool,
    /// The hunter's custom exercises.
    pub(super) own: &'a [Exercise],
}

/// A verdict and the parts of it that the event records.
pub(super) struct QuestJudgement<'a> {
    pub(super) status: Status,
    pub(super) final_xp: u64,
    pub(super) stats: StatUpdates,
    pub(super) verification: VerificationStatus,
    pub(super) verdict: Verdict<JudgeVerdict<'a>, Steps>,
}

impl LogClaim<'_> {
    pub(super) const fn proof(&self) -> Option<&Proof> {
        self.log.proof.as_ref()
    }

    fn proven(&self) -> ProofLevel {
        match self.proof() {
            None => ProofLevel::No,
            Some(_) if self.verified => ProofLevel::Verified,
            Some(_) => ProofLevel::Claimed,
        }
    }
}

/// Judges a claim.
///
/// # Errors
/// When the plan or the log cannot be read.
pub(super) fn judge<'a>(
    book: &'a Rulebook<QuestRules>,
    claim: &LogClaim<'_>,
) -> Result<QuestJudgement<'a>, QuestRefusal> {
    let rules = &book.rules;
    let work = LoggedWork::read(rules, claim.own, claim.plan, claim.log)?;
    let proven = claim.proven();
    let integrity = integrity::weigh(rules, &work, claim.log.duration_seconds, claim.profile.rank, proven);
    let exam = claim.exam.as_ref();
    let checked = exam.map(|exam| exam.check(rules, claim.own, &work, claim.proof(), &integrity));
    let status = status(rules, &integrity, checked);
    let share = match status {
        Status::Rejected => 0.0,
        Status::Flagged => rules.integrity.flagged_share,
        Status::Approved | Status::PendingVerification => 1.0,
    };
    let mut steps = Steps::with_room(19);
    add_integrity(rules, &integrity, status, share, &mut steps);
    let weighed = modifiers::weigh(rules, claim, &work, share, &mut steps);
    let final_xp = final_xp(&weighed, &mut steps);
    let stats = modifiers::stats(rules, &work, share, &mut steps);
    let verification = verification(status, proven);
    let detail = JudgeVerdict {
        status,
        base_xp: weighed.base,
        multipliers: weighed.multipliers,
        final_xp,
        integrity_score: integrity.score,
        safety_score: safety_score(rules, claim, &weighed),
        cheat_probability: round(1.0 - integrity.before_proof, 6),
        proof_required: claim.exam.is_some() || integrity.has(LimitFlag::RequiresProof),
        proof_provided: claim.proof().is_some(),
        verification_status: verification,
        system_message: system_message(rules, &integrity, &weighed, status, checked),
        stat_updates: stats,
        exam_result: exam.zip(checked).map(|(exam, checked)| exam::result(rules, exam.to_rank, checked)),
    };
    let verdict = Verdict {
        court: "quest".into(),
        rulebook: book.reference.clone(),
        assessor: claim.reading.reader(),
        outcome: status.as_str().into(),
        points: final_xp,
        reasons: reasons::of(rules, claim, &integrity, &weighed, status, checked),
        derivation: steps,
        detail,
    };
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "whole, not negative and bounded"
    )]
    let final_xp = final_xp as u64;
    Ok(QuestJudgement { status, final_xp, stats, verification, verdict })
}

fn status(rules: &QuestRules, integrity: &LogIntegrity<'_>, exam: Option<Result<(), ExamFailure>>) -> Status {
    match exam {
        Some(Ok(())) => Status::PendingVerification,
        Some(Err(_)) => Status::Rejected,
        None if integrity.score < rules.integrity.rejected_below => Status::Rejected,
        None if integrity.score < rules.integrity.flagged_below => Status::Flagged,
        None => Status::Approved,
    }
}

const fn verification(status: Status, proven: ProofLevel) -> VerificationStatus {
    match (status, proven) {
        (Status::Rejected, _) => VerificationStatus::Rejected,
        (Status::Approved, ProofLevel::Verified) => VerificationStatus::Verified,
        (Status::Approved, _) => VerificationStatus::AutoApproved,
        (Status::Flagged | Status::PendingVerification, _) => VerificationStatus::Pending,
    }
}

/// The safety score. A reading of the feedback may only lower it.
fn safety_score(rules: &QuestRules, claim: &LogClaim<'_>, weighed: &WeighedLog) -> f64 {
    let mut score: f64 = if weighed.dangers.is_empty() { 1.0 } else { rules.safety.score };
    if claim.reading.has(SignKind::Pain) {
        score = score.min(rules.safety.pain_score);
    }
    if claim.reading.has(SignKind::Injury) {
        score = score.min(rules.safety.injury_score);
    }
    score
}

/// The message to the hunter; the first match decides.
fn system_message<'a>(
    rules: &'a QuestRules,
    integrity: &LogIntegrity<'_>,
    weighed: &WeighedLog,
    status: Status,
    exam: Option<Result<(), ExamFailure>>,
) -> &'a str {
    let words = &rules.messages;
    match (exam, status) {
        (Some(Ok(())), _) => &words.promotion_pending,
        (Some(Err(ExamFailure::NoProof)), _) => &words.promotion_without_proof,
        _ if integrity.score < rules.integrity.rejected_below => &words.cheating,
        (Some(Err(failed)), _) => failed.reason(rules),
        _ if !weighed.dangers.is_empty() => &words.unsafe_,
        (None, Status::Flagged) => &words.flagged,
        _ => &words.good,
    }
}

fn add_integrity(
    rules: &QuestRules,
    found: &LogIntegrity<'_>,
    status: Status,
    share: f64,
    steps: &mut Steps,
) {
    let completion = round(found.completion(), 6);
    step!(
        steps,
        "time_needed",
        "the least that repetitions, distances and claimed seconds take, exercise by exercise",
        { "repetitions": round(found.repetitions, 3), "seconds_per_rep": rules.integrity.seconds_per_rep },
        found.time_needed
    );
    step!(
        steps,
        "completion",
        "done ÷ planned exercises",
        { "done": found.completed, "planned": found.planned },
        completion
    );
    step!(
        steps,
        "score_before_proof",
        "1; × factor when completion is low; at most 0.6 when flagged; 0 when impossible",
        {
            "time_needed": found.time_needed,
            "duration": found.duration,
            "completion": completion,
            "limits": found.worst_flag().map_or("none", LimitFlag::as_str),
        },
        found.before_proof
    );
    step!(
        steps,
        "integrity_score",
        "score_before_proof + lift, at most 1",
        { "score_before_proof": found.before_proof, "lift": found.lift },
        found.score
    );
    step!(
        steps,
        "integrity",
        "0 when rejected, a share when flagged, else 1",
        { "integrity_score": found.score, "status": status.as_str() },
        share
    );
}

fn final_xp(weighed: &WeighedLog, steps: &mut Steps) -> f64 {
    let WeighedLog { base, volume_bonus, multipliers, .. } = weighed;
    let final_xp = floor((base + volume_bonus) * multipliers.product());
    step!(
        steps,
        "final_xp",
        "(base_xp + volume_bonus) × integrity × effort × synergy × safety × streak × hunter_status × proof_bonus, floored",
        {
            "base_xp": *base,
            "volume_bonus": round(*volume_bonus, 6),
            "integrity": multipliers.integrity,
            "effort": multipliers.effort,
            "synergy": multipliers.synergy,
            "safety": multipliers.safety,
            "streak": multipliers.streak,
            "hunter_status": multipliers.hunter_status,
            "proof_bonus": multipliers.proof_bonus,
        },
        final_xp
    );
    final_xp
}
