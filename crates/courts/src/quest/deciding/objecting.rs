//! Finds the recorded events that would have been refused under another rulebook.

use assize_kernel::{Actor, CommandContext, Moment, Rulebook, SmolStr};

use super::{HunterContext, logs};
use crate::quest::events::QuestEvent;
use crate::quest::refusals::QuestRefusal;
use crate::quest::rules::QuestRules;
use crate::quest::state::Hunter;

/// The refusal an event would have met on this state; `None` if it would have been decided again.
pub(in crate::quest) fn objection(
    book: &Rulebook<QuestRules>,
    hunter: &Hunter,
    event: &QuestEvent,
) -> Option<QuestRefusal> {
    let actor = Actor::clock();
    let at = Moment::default();
    let bench = HunterContext { book, hunter, context: CommandContext { at, actor: &actor, position: 0 } };
    match event {
        QuestEvent::LogJudged(judged) => logs::refusal(book, hunter, judged),
        QuestEvent::ProofAdded { outcome, .. } => bench.waiting_for_proof(&outcome.quest).err(),
        QuestEvent::ProofReviewed { outcome, .. } => bench.waiting_for_review(&outcome.quest).err(),
        QuestEvent::WordsRead(read) => bench.standing_log(&read.words.quest).err(),
        QuestEvent::ReportRead { words, .. } => bench.waiting_report(&words.reporter, &words.quest).err(),
        QuestEvent::ReportReceived { quest, .. } => bench.seen_log(quest).err(),
        QuestEvent::ReportDecided { reporter, quest, .. } => bench.waiting_report(reporter, quest).err(),
        QuestEvent::ExamAccepted { quest, .. } => bench.accept_exam(quest, 0).err(),
        QuestEvent::ExamGranted { quest, .. } | QuestEvent::ExamRefused { quest, .. } => {
            bench.waiting_exam(quest).err()
        }
        QuestEvent::QuestExpired { quest, .. } => bench.open_to_expire(quest),
        _ => None,
    }
}

impl HunterContext<'_> {
    fn open_to_expire(&self, quest: &SmolStr) -> Option<QuestRefusal> {
        let open = self.hunter.open.contains_key(quest);
        (!open).then(|| QuestRefusal::QuestUnknown(quest.clone()))
    }
}
