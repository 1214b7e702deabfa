//! Readings by external assessors: a reading of a hunter's feedback may lower the safety score and request a
//! review, a reading of a report is shown to judges. Neither changes anything else.

use assize_kernel::{Actor, CommandContext, Decision, Moment, Rulebook, Ruling, SmolStr};

use super::logs::terms;
use super::{HunterContext, QuestRuling, fact};
use crate::quest::events::{QuestEvent, WordsRead};
use crate::quest::judging::{LogClaim, QuestJudgement, judge};
use crate::quest::log::Log;
use crate::quest::reading::SignKind;
use crate::quest::refusals::QuestRefusal;
use crate::quest::rules::QuestRules;
use crate::quest::state::{Hunter, LogEntry};
use crate::quest::words::{Basis, ReadingPriority, ReportReading, WordsReading};

impl HunterContext<'_> {
    pub(super) fn read_words(self, words: &WordsReading) -> QuestRuling {
        let entry = self.standing_log(&words.quest)?;
        let taken = ReadingPriority::of(&words.reading, words.assessment, 0);
        if let Some(position) = taken.before(entry.words.as_deref(), &words.quest)? {
            return Ok(Ruling::AsBefore(position));
        }
        let judgement = self.judged(entry, words)?;
        // A reading never changes XP: if the result differs, a judge has decided the log in the meantime.
        let comes_out = (judgement.status, judgement.verification, judgement.final_xp);
        if comes_out != (entry.status, entry.verification, entry.xp) {
            return Err(QuestRefusal::LogDecided(words.quest.clone()));
        }
        Ok(self.words_read(words, judgement).into())
    }

    /// Records a reading of a report, which is shown to judges and has no other effect.
    pub(super) fn read_report(self, words: &ReportReading) -> QuestRuling {
        let ReportReading { quest, reporter, reading, assessment } = words;
        let report = self.waiting_report(reporter, quest)?;
        let earlier = report.words.as_ref().map(|words| &words.taken);
        if let Some(position) = ReadingPriority::of(reading, *assessment, 0).before(earlier, quest)? {
            return Ok(Ruling::AsBefore(position));
        }
        fact(QuestEvent::ReportRead { hunter: self.hunter.id.clone(), words: words.clone() })
    }

    /// A log that no judge has removed.
    pub(super) fn standing_log(&self, quest: &SmolStr) -> Result<&LogEntry, QuestRefusal> {
        let standing = self.hunter.logs.get(quest).filter(|entry| !entry.removed);
        standing.ok_or_else(|| QuestRefusal::LogUnknown(quest.clone()))
    }

    /// Judges the log in its current state with this reading.
    fn judged(&self, entry: &LogEntry, words: &WordsReading) -> Result<QuestJudgement<'_>, QuestRefusal> {
        let Basis { plan, log, own, elapsed_ms } = &words.basis;
        let hunter = self.hunter;
        let added = hunter.kept.get(&words.quest).and_then(|kept| kept.log.proof.clone());
        let log = Log { proof: added.or_else(|| log.proof.clone()), ..log.clone() };
        let exam = elapsed_ms.and_then(|elapsed| terms(&self.book.rules, entry.profile.rank, elapsed));
        let claim = LogClaim {
            quest_type: entry.quest_type,
            plan,
            log: &log,
            profile: entry.profile,
            exam,
            reading: &words.reading,
            verified: false,
            own: hunter.own.get(..*own).unwrap_or(&hunter.own),
        };
        judge(self.book, &claim)
    }

    fn words_read(&self, words: &WordsReading, judgement: QuestJudgement<'_>) -> Decision<QuestEvent> {
        let mut verdict = judgement.verdict;
        verdict.reasons.extend(words.remarks.iter().cloned());
        let event = WordsRead {
            hunter: self.hunter.id.clone(),
            safety_score: verdict.detail.safety_score,
            review: words.reading.has(SignKind::Injury),
            words: words.clone(),
        };
        Decision::judged(QuestEvent::WordsRead(event), &verdict)
    }
}

/// Judges a log again with its recorded reading.
pub(super) fn again(
    book: &Rulebook<QuestRules>,
    hunter: &Hunter,
    recorded: &WordsRead,
) -> Option<Decision<QuestEvent>> {
    let actor = Actor::clock();
    let bench = HunterContext {
        book,
        hunter,
        context: CommandContext { at: Moment::default(), actor: &actor, position: 0 },
    };
    let words = &recorded.words;
    let judgement = bench.judged(hunter.logs.get(&words.quest)?, words).ok()?;
    Some(bench.words_read(words, judgement))
}
