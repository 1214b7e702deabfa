//! A class of students who fly scenarios: some well, some with lapses, one falls silent, one is dangerous.

use assize_kernel::{Actor, Millis, Role, StreamId};
use serde_json::{Value, json};

use super::calls::{CALLS, Exchange};
use super::dice::Dice;
use super::{JUDGE, Plan, Step};

/// Who flies, and how often in a thousand a call comes out right, and how often dangerous.
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
/// The one whom visitors may be: others go on, this one waits for them.
pub(super) const STUDENT: &str = "amelia";
/// Falls silent in the first round.
const SILENT: &str = "hugo";
/// How long a student thinks before speaking: well within what a session allows.
const THINKING: std::ops::Range<u64> = 6_000..24_000;
/// So many dangerous calls in a row end a session.
const DANGEROUS: u32 = 3;

/// The first lessons: everybody flies once in each round.
pub(super) fn lessons(stream: StreamId, seed: u64, rounds: u64) -> Plan {
    let opening = Step {
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
    Plan { stream, steps }
}

/// A further round of those whom nobody else is.
pub(super) fn round(stream: StreamId, seed: u64, number: u64) -> Plan {
    let mut steps = flown(seed, number, 0, STUDENTS.get(1..).unwrap_or_default());
    steps.sort_by_key(|step| step.after);
    Plan { stream, steps }
}

/// One session of each, one after the other and overlapping.
fn flown(seed: u64, round: u64, begin: i64, students: &[(&'static str, u64, u64)]) -> Vec<Step> {
    let mut dice = Dice::new(seed ^ round.wrapping_mul(0x00c1_a55e));
    let mut steps = Vec::new();
    let mut at = begin + 1_000;
    for (index, (student, right, dangerous)) in students.iter().enumerate() {
        let turn = (round + index as u64) % CALLS.len() as u64;
        let scenario = usize::try_from(turn).ok().and_then(|turn| CALLS.get(turn));
        let Some((scenario, exchanges)) = scenario else { continue };
        let silent = round == 1 && *student == SILENT;
        let exchanges = if silent { exchanges.get(..1).unwrap_or_default() } else { exchanges };
        let flight = Flight { student, round, scenario, skill: (*right, *dangerous) };
        steps.extend(flight.steps(exchanges, at, &mut dice.fork()));
        at += i64::try_from(dice.within(8_000..20_000)).unwrap_or_default();
    }
    steps
}

/// A session in the making.
struct Flight<'a> {
    student: &'a str,
    round: u64,
    scenario: &'a str,
    skill: (u64, u64),
}

impl Flight<'_> {
    fn steps(&self, exchanges: &[Exchange], begin: i64, dice: &mut Dice) -> Vec<Step> {
        let difficulty = dice.one_of(&["student", "student", "solo", "exam"]);
        let (session, student) = (format!("{}-{}", self.student, self.round), self.student);
        let open = json!({ "OpenSession": {
            "session": session, "student": student, "scenario": self.scenario, "difficulty": difficulty,
        } });
        let mut steps = vec![self.step(begin, open)];
        let mut at = begin;
        for exchange in exchanges {
            let mut failures = 0;
            loop {
                at += i64::try_from(dice.within(THINKING)).unwrap_or_default();
                let (text, dangerous) = self.said(exchange, dice);
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

    fn said(&self, exchange: &Exchange, dice: &mut Dice) -> (&'static str, bool) {
        let (right, dangerous) = self.skill;
        match exchange.dangerous {
            Some(text) if dice.chance(dangerous) => (text, true),
            _ if dice.chance(right) => (exchange.right, false),
            _ => (exchange.lapse, false),
        }
    }

    fn step(&self, at: i64, command: Value) -> Step {
        Step { after: Millis(at), actor: Actor::new(Role::Participant, self.student), command }
    }
}

/// The instructor sees a turn otherwise.
fn overruling(after: Millis) -> Step {
    let component = json!({
        "code": "OM_READBACK", "category": "Omissions", "severity": "info", "weight": 1.0, "score": 1.0, "delta": 1,
        "detail": "everything that matters was there",
    });
    let command = json!({ "OverruleTurn": {
        "session": "charles-1", "turn": 1, "reason": "I was listening in: it was all said, only quickly",
        "findings": { "by": "person", "components": [component] },
    } });
    Step { after, actor: Actor::new(Role::Judge, JUDGE), command }
}
