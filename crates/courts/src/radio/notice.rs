//! What is told while a session runs: these types have no place for what the student should have said.

use assize_kernel::{Audience, Notice, SmolStr, Stamp, to_json};
use serde::Serialize;

use super::messages::{RadioEvent, TurnScore};

#[derive(Serialize)]
#[serde(tag = "kind")]
enum Told<'a> {
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

/// What may be told of an event: a student's sessions are nobody else's business.
pub(super) fn of(event: &RadioEvent, _stamp: Stamp) -> Option<Notice> {
    let (audience, told) = match event {
        RadioEvent::ClassOpened { name, .. } => (Audience::Everyone, Told::ClassOpened { name }),
        RadioEvent::SessionOpened { session, student, chart, .. } => {
            let scenario = &chart.reference.name;
            (Audience::Participant(student.clone()), Told::SessionOpened { session, student, scenario })
        }
        RadioEvent::TurnJudged { session, student, turn, phase, score, .. } => {
            let turn = *turn;
            (
                Audience::Participant(student.clone()),
                Told::TurnJudged { session, student, turn, phase, score },
            )
        }
        RadioEvent::SessionEnded { session, student, outcome } => {
            let outcome = outcome.as_str();
            (Audience::Participant(student.clone()), Told::SessionEnded { session, student, outcome })
        }
        RadioEvent::TurnOverruled { session, student, turn, reason, score, .. } => {
            let turn = *turn;
            (
                Audience::Participant(student.clone()),
                Told::TurnOverruled { session, student, turn, reason, score },
            )
        }
    };
    Some(Notice { audience, data: to_json(&told) })
}
