//! Amendments: a class under another rulebook, and the participant a verdict is about.

use assize_kernel::{RulebookRef, SmolStr};

use super::messages::RadioEvent;

/// The opening event under another rulebook. The course of a session does not change: each turn is judged
/// again in its recorded phase.
pub(super) fn under(event: &RadioEvent, rulebook: &RulebookRef) -> Option<RadioEvent> {
    let RadioEvent::ClassOpened { name, .. } = event else { return None };
    Some(RadioEvent::ClassOpened { name: name.clone(), rulebook: rulebook.clone() })
}

/// The student whose turn was judged.
pub(super) const fn participant(event: &RadioEvent) -> Option<&SmolStr> {
    match event {
        RadioEvent::TurnJudged { student, .. } | RadioEvent::TurnOverruled { student, .. } => Some(student),
        _ => None,
    }
}
