//! Notices of the radio court. These types have no field for the expected replies.

use assize_kernel::{Audience, Notice, RecordedAt, SmolStr, to_json};
use serde::Serialize;

use super::messages::{RadioEvent, TurnScore};

#[derive(Serialize)]
#[serde(tag = "kind")]
enum RadioNotice<'a> {
    ClassOpened {
        name: &'a str,
    },
    SessionOpened {
        session: &'a SmolStr,
        student: &'a SmolStr,
        scenario: &'a SmolStr,
    },
    TurnJudged {
        session: &'a SmolStr,
        student: &'a SmolStr,
        turn: u32,
        phase: &'a SmolStr,
        score: &'a TurnScore,
    },
    SessionEnded {
        session: &'a SmolStr,
        student: &'a SmolStr,
        outcome: &'static str,
    },
    TurnOverruled {
        session: &'a SmolStr,
        student: &'a SmolStr,
        turn: u32,
        reason: &'a str,
        score: &'a TurnScore,
    },
}

/// The notice of an event; notices about a session go to its student only.
pub(super) fn of(event: &RadioEvent, _stamp: RecordedAt) -> Option<Notice> {
    let (audience, told) = match event {
        RadioEvent::ClassOpened { name, .. } => (Audience::Everyone, RadioNotice::ClassOpened { name }),
        RadioEvent::SessionOpened { session, student, chart, .. } => {
            let scenario = &chart.reference.name;
            (
                Audience::Participant(student.clone()),
                RadioNotice::SessionOpened { session, student, scenario },
            )
        }
        RadioEvent::TurnJudged { session, student, turn, phase, score, .. } => {
            let turn = *turn;
            (
                Audience::Participant(student.clone()),
                RadioNotice::TurnJudged { session, student, turn, phase, score },
            )
        }
        RadioEvent::SessionEnded { session, student, outcome } => {
            let outcome = outcome.as_str();
            (Audience::Participant(student.clone()), RadioNotice::SessionEnded { session, student, outcome })
        }
        RadioEvent::TurnOverruled { session, student, turn, reason, score, .. } => {
            let turn = *turn;
            (
                Audience::Participant(student.clone()),
                RadioNotice::TurnOverruled { session, student, turn, reason, score },
            )
        }
    };
    Some(Notice { audience, data: to_json(&told) })
}
