//! What has come of a radio class so far: its sessions, their turns and what they add up to.

use std::collections::BTreeMap;

use assize_kernel::{Millis, Moment, RulebookRef, SmolStr, Stamp, round, to_json};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::messages::{RadioEvent, SessionOutcome, TurnScore};
use super::rules::Difficulty;
use super::scenario::{Chart, Phase, shipped_scenario};

/// A radio class.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RadioState {
    pub(super) name: String,
    pub(super) rulebook: Option<RulebookRef>,
    pub(super) sessions: BTreeMap<SmolStr, Session>,
}

/// One run of a scenario.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// Who flies it.
    pub student: SmolStr,
    /// What happens in it, expected replies included: for instructors only.
    pub chart: Chart,
    /// How strict it is.
    pub difficulty: Difficulty,
    /// The phase it is in; none when the scenario has ended.
    pub phase: Option<SmolStr>,
    /// When it began.
    pub opened_at: Moment,
    /// When the controller last spoke.
    pub heard_at: Moment,
    /// So long after that without an answer, it is over.
    pub idle: Millis,
    /// What was said, and what came of it.
    pub turns: Vec<Turn>,
    /// Safety-critical failures since the last accepted turn.
    pub failures: u32,
    /// How and when it ended.
    pub ended: Option<(SessionOutcome, Moment)>,
}

/// One transmission of the student.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// In which phase.
    pub phase: SmolStr,
    /// What was said.
    pub text: String,
    /// When.
    pub at: Moment,
    /// Where its verdict stands in the ledger.
    pub position: u64,
    /// What came of it at first.
    pub score: TurnScore,
    /// What counts instead.
    pub overruled: Option<Overruled>,
}

/// How an instructor saw a turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Overruled {
    /// What counts now.
    pub score: TurnScore,
    /// Why.
    pub reason: String,
    /// Who.
    pub by: String,
    /// Where this stands in the ledger.
    pub position: u64,
}

impl Overruled {
    /// Whether it came from the bench, and not from an instructor's own hand.
    pub(super) fn is_by_bench(&self) -> bool {
        self.by.starts_with("system:")
    }
}

impl Session {
    /// A turn as a document to be assessed; none when its phase is of a scenario that does not ship and has no
    /// controller.
    #[must_use]
    pub fn document(&self, turn: u32) -> Option<String> {
        let turn = self.turns.get(usize::try_from(turn).ok()?.checked_sub(1)?)?;
        let Chart { reference, scenario } = &self.chart;
        let shipped = shipped_scenario(&reference.name).filter(|chart| chart.reference == *reference);
        let (pilot, difficulty) = (&turn.text, self.difficulty);
        let document = match (shipped, scenario.phase(&turn.phase)?.controller.as_ref()) {
            (Some(_), _) => json!({
                "scenario": reference.name, "phase": turn.phase, "pilot": pilot, "difficulty": difficulty,
            }),
            (None, controller) => {
                json!({ "controller": controller?, "pilot": pilot, "difficulty": difficulty })
            }
        };
        Some(to_json(&document))
    }
}

impl Turn {
    /// What counts.
    #[must_use]
    pub fn counts(&self) -> &TurnScore {
        self.overruled.as_ref().map_or(&self.score, |overruled| &overruled.score)
    }
}

impl Session {
    /// The phase it is in.
    #[must_use]
    pub fn current(&self) -> Option<&Phase> {
        self.chart.scenario.phase(self.phase.as_ref()?)
    }

    /// When it ends by itself.
    pub(super) fn idle_at(&self) -> Option<Moment> {
        self.ended.is_none().then(|| self.heard_at + self.idle)
    }

    fn accepted(&self) -> impl Iterator<Item = &TurnScore> {
        self.turns.iter().map(Turn::counts).filter(|score| !score.blocked)
    }

    /// `score_total`: what the accepted turns add up to.
    #[must_use]
    pub fn score_total(&self) -> f64 {
        self.accepted().map(|score| score.score_delta).sum::<f64>() + 0.0
    }

    /// `average_normalized`: over the accepted turns; none without any.
    #[must_use]
    pub fn average_normalized(&self) -> Option<f64> {
        let (mut sum, mut count) = (0.0, 0_u32);
        for score in self.accepted() {
            sum += score.normalized;
            count += 1;
        }
        (count > 0).then(|| round(sum / f64::from(count), 4))
    }

    /// `retries`: blocked turns that came before an accepted one.
    #[must_use]
    pub fn retries(&self) -> u32 {
        let (mut retries, mut blocked) = (0, 0);
        for turn in &self.turns {
            if turn.counts().blocked {
                blocked += 1;
            } else {
                retries += blocked;
                blocked = 0;
            }
        }
        retries
    }

    /// `total_time`: from its beginning to its end; none before that.
    #[must_use]
    pub fn total_time(&self) -> Option<Millis> {
        self.ended.map(|(_, at)| at - self.opened_at)
    }
}

pub(super) fn evolve(state: &mut RadioState, event: &RadioEvent, stamp: Stamp) {
    match event {
        RadioEvent::ClassOpened { name, rulebook } => {
            state.name.clone_from(name);
            state.rulebook = Some(rulebook.clone());
        }
        RadioEvent::SessionOpened { session, student, chart, difficulty, idle_ms } => {
            let opened = Session {
                student: student.clone(),
                chart: chart.clone(),
                difficulty: *difficulty,
                phase: chart.scenario.phases.first().map(|phase| phase.name.clone()),
                opened_at: stamp.at,
                heard_at: stamp.at,
                idle: Millis(*idle_ms),
                turns: Vec::new(),
                failures: 0,
                ended: None,
            };
            state.sessions.insert(session.clone(), opened);
        }
        RadioEvent::TurnJudged { session, phase, text, score, next, .. } => {
            let Some(session) = state.sessions.get_mut(session) else { return };
            session.turns.push(Turn {
                phase: phase.clone(),
                text: text.clone(),
                at: stamp.at,
                position: stamp.position,
                score: *score,
                overruled: None,
            });
            session.failures = failures(session.failures, score);
            session.phase.clone_from(next);
            session.heard_at = session.heard_at.max(stamp.at);
        }
        RadioEvent::SessionEnded { session, outcome, .. } => {
            if let Some(session) = state.sessions.get_mut(session) {
                session.ended = Some((*outcome, stamp.at));
            }
        }
        RadioEvent::TurnOverruled { session, turn, score, reason, by, .. } => {
            let position = stamp.position;
            let overruled = Overruled { score: *score, reason: reason.clone(), by: by.clone(), position };
            if let Some(turn) = state.sessions.get_mut(session).and_then(|session| turn_of(session, *turn)) {
                turn.overruled = Some(overruled);
            }
        }
    }
}

/// An accepted turn starts the count anew; a blocked one counts when safety was at stake.
pub(super) const fn failures(before: u32, score: &TurnScore) -> u32 {
    match (score.blocked, score.safety_flag) {
        (false, _) => 0,
        (true, true) => before + 1,
        (true, false) => before,
    }
}

fn turn_of(session: &mut Session, turn: u32) -> Option<&mut Turn> {
    let index = usize::try_from(turn).ok()?.checked_sub(1)?;
    session.turns.get_mut(index)
}
