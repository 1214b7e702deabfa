//! Re-judging a hunter's history under another rulebook: the opening event and the participant of an event.

use assize_kernel::{RulebookRef, SmolStr};

use super::events::QuestEvent;

/// Rewrites the opening event to name another rulebook; recorded times stay as they were.
pub(super) fn under(event: &QuestEvent, rulebook: &RulebookRef) -> Option<QuestEvent> {
    let mut event = event.clone();
    match &mut event {
        QuestEvent::HunterRegistered { rulebook: named, .. }
        | QuestEvent::MediaClaimed { rulebook: named, .. } => named.clone_from(rulebook),
        _ => return None,
    }
    Some(event)
}

/// The hunter whose log, exam or standing the event concerns.
pub(super) const fn participant(event: &QuestEvent) -> Option<&SmolStr> {
    match event {
        QuestEvent::LogJudged(judged) => Some(&judged.hunter),
        QuestEvent::WordsRead(read) => Some(&read.hunter),
        QuestEvent::ProofAdded { outcome, .. } | QuestEvent::ProofReviewed { outcome, .. } => {
            Some(&outcome.hunter)
        }
        QuestEvent::ReportReceived { hunter, .. }
        | QuestEvent::ReportDecided { hunter, .. }
        | QuestEvent::StatusRuled { hunter, .. }
        | QuestEvent::ExamGranted { hunter, .. }
        | QuestEvent::ExamRefused { hunter, .. } => Some(hunter),
        _ => None,
    }
}
