//! Proof added later and reviews of proofs: the log is judged again and the difference is recorded.

use assize_kernel::{Decision, Digest, Rulebook, SmolStr};

use super::{HunterContext, QuestRuling};
use crate::quest::events::{QuestEvent, Rejudged};
use crate::quest::judging::{LogClaim, judge};
use crate::quest::log::{Log, Proof};
use crate::quest::refusals::QuestRefusal;
use crate::quest::rules::QuestRules;
use crate::quest::state::{Hunter, RejudgeableLog};
use crate::quest::verdict::Status;

impl HunterContext<'_> {
    /// A flagged log without proof.
    pub(super) fn waiting_for_proof(&self, quest: &SmolStr) -> Result<&RejudgeableLog, QuestRefusal> {
        let hunter = self.hunter;
        let flagged =
            hunter.logs.get(quest).is_some_and(|entry| entry.status == Status::Flagged && !entry.removed);
        let kept = hunter.kept.get(quest).filter(|kept| flagged && kept.log.proof.is_none());
        kept.map(|kept| &**kept).ok_or_else(|| QuestRefusal::NotWaitingForProof(quest.clone()))
    }

    /// A log whose proof waits for a judge's review.
    pub(super) fn waiting_for_review(&self, quest: &SmolStr) -> Result<&RejudgeableLog, QuestRefusal> {
        let waiting = self.hunter.kept.get(quest).filter(|kept| kept.proof_since.is_some());
        waiting.map(|kept| &**kept).ok_or_else(|| QuestRefusal::NoProofToReview(quest.clone()))
    }

    pub(super) fn add_proof(self, quest: &SmolStr, proof: &Proof) -> QuestRuling {
        let hunter = self.hunter;
        let digest = proof.sha256.ok_or(QuestRefusal::ProofUnnamed)?;
        let kept = self.waiting_for_proof(quest)?;
        if let Some(until) = kept.proof_until.filter(|until| self.context.at > *until) {
            return Err(QuestRefusal::ProofLate(until));
        }
        if let Some((quest, at)) = hunter.media.get(&digest) {
            let (hunter, quest) = (hunter.id.clone(), quest.clone());
            return Err(QuestRefusal::ProofSeen { hunter, quest, at: *at });
        }
        Ok(self.proven(quest, kept, proof)?.into())
    }

    fn proven(
        self,
        quest: &SmolStr,
        kept: &RejudgeableLog,
        proof: &Proof,
    ) -> Result<Decision<QuestEvent>, QuestRefusal> {
        let log = Log { proof: Some(proof.clone()), ..kept.log.clone() };
        let make = |outcome| QuestEvent::ProofAdded { proof: proof.clone(), outcome };
        self.rejudge(quest, kept, &log, false, self.hunter.verified_logs, make)
    }

    pub(super) fn review_proof(self, quest: &SmolStr, accepted: bool, note: Option<Digest>) -> QuestRuling {
        self.must_not_be(&[])?;
        let kept = self.waiting_for_review(quest)?;
        Ok(self.reviewed(quest, kept, accepted, note)?.into())
    }

    fn reviewed(
        self,
        quest: &SmolStr,
        kept: &RejudgeableLog,
        accepted: bool,
        note: Option<Digest>,
    ) -> Result<Decision<QuestEvent>, QuestRefusal> {
        let proof = kept.log.proof.clone().filter(|_| accepted);
        let log = Log { proof, ..kept.log.clone() };
        let verified = self.hunter.verified_logs.saturating_add(u32::from(accepted));
        let make = |outcome| QuestEvent::ProofReviewed { accepted, note, outcome };
        self.rejudge(quest, kept, &log, accepted, verified, make)
    }

    fn rejudge(
        self,
        quest: &SmolStr,
        kept: &RejudgeableLog,
        log: &Log,
        verified: bool,
        verified_logs: u32,
        make: impl FnOnce(Rejudged) -> QuestEvent,
    ) -> Result<Decision<QuestEvent>, QuestRefusal> {
        let hunter = self.hunter;
        let claim = LogClaim {
            quest_type: kept.quest_type,
            plan: &kept.plan,
            log,
            profile: kept.profile,
            exam: None,
            reading: &kept.reading,
            verified,
            own: &hunter.own,
        };
        let judgement = judge(self.book, &claim)?;
        let before = hunter.logs.get(quest).map_or(0, |entry| entry.xp);
        let difference = judgement.final_xp.cast_signed() - before.cast_signed();
        let tally = hunter.reports.tally(self.book.rules.reports.weighted);
        let outcome = Rejudged {
            hunter: hunter.id.clone(),
            quest: quest.clone(),
            status: judgement.status,
            verification: judgement.verification,
            xp: judgement.final_xp,
            xp_difference: difference,
            stats: judgement.stats,
            level: self.level(difference),
            hunter_status: self.status(tally, hunter.ruled_corrupted, verified_logs),
        };
        Ok(Decision::judged(make(outcome), &judgement.verdict))
    }
}

/// Judges a recorded proof or review again.
pub(super) fn again(
    book: &Rulebook<QuestRules>,
    hunter: &Hunter,
    event: &QuestEvent,
) -> Option<Decision<QuestEvent>> {
    let actor = assize_kernel::Actor::clock();
    let at = assize_kernel::Moment::default();
    let bench = HunterContext {
        book,
        hunter,
        context: assize_kernel::CommandContext { at, actor: &actor, position: 0 },
    };
    match event {
        QuestEvent::ProofAdded { proof, outcome } => {
            bench.proven(&outcome.quest, hunter.kept.get(&outcome.quest)?, proof).ok()
        }
        QuestEvent::ProofReviewed { accepted, note, outcome } => {
            bench.reviewed(&outcome.quest, hunter.kept.get(&outcome.quest)?, *accepted, *note).ok()
        }
        _ => None,
    }
}
