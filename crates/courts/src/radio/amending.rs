//! A class under another rulebook: what opens it, and whom its verdicts are about.

use assize_kernel::{RulebookRef, SmolStr};

use super::messages::RadioEvent;

/// The opening names the rulebook. What was flown was flown: each turn is judged in the phase in which it was said.
pub(super) fn under(event: &RadioEvent, rulebook: &RulebookRef) -> Option<RadioEvent> {
    let RadioEvent::ClassOpened { name, .. } = event else { return None };
    Some(RadioEvent::ClassOpened { name: name.clone(), rulebook: rulebook.clone() })
}

/// The student whose turn it is.
pub(super) const fn participant(event: &RadioEvent) -> Option<&SmolStr> {
    match event {
        RadioEvent::TurnJudged { student, .. } | RadioEvent::TurnOverruled { student, .. } => Some(student),
        _ => None,
    }
}
