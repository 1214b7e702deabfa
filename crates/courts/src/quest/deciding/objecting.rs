//! What of a recorded history would not have been taken up, where the rulebook is another one.

use assize_kernel::{Actor, Moment, Occasion, Rulebook, SmolStr};

use super::{Bench, logs};
use crate::quest::events::QuestEvent;
use crate::quest::refusals::QuestRefusal;
use crate::quest::rules::QuestRules;
use crate::quest::state::Hunter;

/// Why an event would not have happened on this state; none when it would have.
pub(in crate::quest) fn objection(
    book: &Rulebook<QuestRules>,
    hunter: &Hunter,
    event: &QuestEvent,
) -> Option<QuestRefusal> {
    let (actor, at) = (Actor::clock(), Moment::default());
    let bench = Bench { book, hunter, occasion: Occasion { at, actor: &actor } };
    match event {
        QuestEvent::LogJudged(judged) => logs::refusal(book, hunter, judged),
        QuestEvent::ProofAdded { outcome, .. } => bench.waiting_for_proof(&outcome.quest).err(),
        QuestEvent::ProofReviewed { outcome, .. } => bench.waiting_for_review(&outcome.quest).err(),
        QuestEvent::WordsRead(read) => bench.standing_log(&read.words.quest).err(),
        QuestEvent::ReportRead { words, .. } => bench.waiting_report((&words.reporter, &words.quest)).err(),
        QuestEvent::ReportReceived { quest, .. } => bench.seen_log(quest).err(),
        QuestEvent::ReportDecided { reporter, quest, .. } => bench.waiting_report((reporter, quest)).err(),
        QuestEvent::ExamAccepted { quest, .. } => bench.accept_exam(quest, 0).err(),
        QuestEvent::ExamGranted { quest, .. } | QuestEvent::ExamRefused { quest, .. } => {
            bench.waiting_exam(quest).err()
        }
        QuestEvent::QuestExpired { quest, .. } => bench.open_to_expire(quest),
        _ => None,
    }
}

impl Bench<'_> {
    fn open_to_expire(&self, quest: &SmolStr) -> Option<QuestRefusal> {
        let open = self.hunter.open.contains_key(quest);
        (!open).then(|| QuestRefusal::QuestUnknown(quest.clone()))
    }
}
