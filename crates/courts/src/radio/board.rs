//! Board of a radio class: the sum over each student's sessions, ranked by points, then by fewer retries.

use assize_kernel::{BoardName, SmolStr, Standing, StandingChange, StreamId};

use super::messages::RadioEvent;
use super::state::{ClassSession, RadioState};

/// Appends the standings changed by an event to `changes`; `state` already includes the event.
pub(super) fn standings(
    stream: &StreamId,
    state: &RadioState,
    event: &RadioEvent,
    changes: &mut Vec<StandingChange>,
) {
    let student = match event {
        RadioEvent::SessionOpened { student, .. }
        | RadioEvent::TurnJudged { student, .. }
        | RadioEvent::TurnOverruled { student, .. } => student,
        RadioEvent::ClassOpened { .. } | RadioEvent::SessionEnded { .. } => return,
    };
    changes.push(StandingChange {
        board: BoardName::of(stream),
        participant: student.clone(),
        standing: Some(standing(state, student)),
    });
}

fn standing(state: &RadioState, student: &SmolStr) -> Standing {
    let own = || state.sessions.values().filter(|session| session.student == *student);
    let points = own().map(ClassSession::score_total).sum::<f64>() + 0.0;
    let retries: u32 = own().map(ClassSession::retries).sum();
    Standing { points, ties: [i64::from(retries), 0] }
}
