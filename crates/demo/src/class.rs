//! Simulated radio class: students of different skill fly scenarios; one stops answering, one is dangerous.

use assize_kernel::{Actor, Millis, Role, StreamId};
use serde_json::{Value, json};

use super::calls::{CALLS, RadioExchange};
use super::dice::SeededRng;
use super::{DemoPlan, DemoStep, JUDGE};

/// Students, with the per-mille probabilities of a right and of a dangerous call.
const STUDENTS: [(&str, u64, u64); 8] = [
    (STUDENT, 800, 40),
    ("bessie", 900, 10),
    ("charles", 650, 150),
    ("dieter", 750, 80),
    ("eiko", 950, 5),
    ("farid", 700, 60),
    ("greta", 600, 250),
    ("hugo", 500, 100),
];
/// The visitors' student; takes part only in the first lessons.
pub(super) const STUDENT: &str = "amelia";
/// Stops answering in the first round.
const SILENT: &str = "hugo";
/// Milliseconds between two calls; well within a session's timeout.
const THINKING: std::ops::Range<u64> = 6_000..24_000;
/// Number of dangerous calls in a row that ends a session.
const DANGEROUS: u32 = 3;

/// The first lessons: every student flies once per round.
pub(super) fn lessons(stream: StreamId, seed: u64, rounds: u64) -> DemoPlan {
    let opening = DemoStep {
        after: Millis(0),
        actor: Actor::new(Role::Judge, JUDGE),
        command: json!({ "OpenClass": { "name": "The morning class" } }),
    };
    let mut steps = vec![opening];
    for round in 1..=rounds {
        let begin = i64::try_from(round - 1).unwrap_or_default() * 86_400_000;
        steps.extend(flown(seed, round, begin, &STUDENTS));
    }
    let last = steps.iter().map(|step| step.after).max().unwrap_or_default();
    steps.push(overruling(Millis(last.0 + 600_000)));
    steps.sort_by_key(|step| step.after);
    DemoPlan { stream, steps }
}

/// A further round of all students except the visitors' one.
pub(super) fn round(stream: StreamId, seed: u64, number: u64) -> DemoPlan {
    let mut steps = flown(seed, number, 0, STUDENTS.get(1..).unwrap_or_default());
    steps.sort_by_key(|step| step.after);
    DemoPlan { stream, steps }
}

/// One session per student, started one after the other and overlapping.
fn flown(seed: u64, round: u64, begin: i64, students: &[(&'static str, u64, u64)]) -> Vec<DemoStep> {
    let mut rng = SeededRng::new(seed ^ round.wrapping_mul(0x00c1_a55e));
    let mut steps = Vec::new();
    let mut at = begin + 1_000;
    for (index, (student, right, dangerous)) in students.iter().enumerate() {
        let turn = (round + index as u64) % CALLS.len() as u64;
        let scenario = usize::try_from(turn).ok().and_then(|turn| CALLS.get(turn));
        let Some((scenario, exchanges)) = scenario else { continue };
        let silent = round == 1 && *student == SILENT;
        let exchanges = if silent { exchanges.get(..1).unwrap_or_default() } else { exchanges };
        let flight = SessionScript { student, round, scenario, skill: (*right, *dangerous) };
        steps.extend(flight.steps(exchanges, at, &mut rng.fork()));
        at += i64::try_from(rng.within(8_000..20_000)).unwrap_or_default();
    }
    steps
}

/// Generator of one student's session.
struct SessionScript<'a> {
    student: &'a str,
    round: u64,
    scenario: &'a str,
    skill: (u64, u64),
}

impl SessionScript<'_> {
    fn steps(&self, exchanges: &[RadioExchange], begin: i64, rng: &mut SeededRng) -> Vec<DemoStep> {
        let difficulty = rng.one_of(&["student", "student", "solo", "exam"]);
        let student = self.student;
        let session = format!("{student}-{}", self.round);
        let open = json!({ "OpenSession": {
            "session": session, "student": student, "scenario": self.scenario, "difficulty": difficulty,
        } });
        let mut steps = vec![self.step(begin, open)];
        let mut at = begin;
        for exchange in exchanges {
            let mut failures = 0;
            loop {
                at += i64::try_from(rng.within(THINKING)).unwrap_or_default();
                let (text, dangerous) = self.said(exchange, rng);
                let said = json!({ "Transmit": { "session": session, "student": student, "text": text } });
                steps.push(self.step(at, said));
                failures += u32::from(dangerous);
                if failures >= DANGEROUS {
                    return steps;
                }
                if !dangerous {
                    break;
                }
            }
        }
        steps
    }

    fn said(&self, exchange: &RadioExchange, rng: &mut SeededRng) -> (&'static str, bool) {
        let (right, dangerous) = self.skill;
        match exchange.dangerous {
            Some(text) if rng.chance(dangerous) => (text, true),
            _ if rng.chance(right) => (exchange.right, false),
            _ => (exchange.lapse, false),
        }
    }

    fn step(&self, at: i64, command: Value) -> DemoStep {
        DemoStep { after: Millis(at), actor: Actor::new(Role::Participant, self.student), command }
    }
}

/// The instructor overrules a turn.
fn overruling(after: Millis) -> DemoStep {
    let component = json!({
        "code": "OM_READBACK", "category": "Omissions", "severity": "info", "weight": 1.0, "score": 1.0, "delta": 1,
        "detail": "everything that matters was there",
    });
    let command = json!({ "OverruleTurn": {
        "session": "charles-1", "turn": 1, "reason": "I was listening in: it was all said, only quickly",
        "findings": { "by": "person", "components": [component] },
    } });
    DemoStep { after, actor: Actor::new(Role::Judge, JUDGE), command }
}
