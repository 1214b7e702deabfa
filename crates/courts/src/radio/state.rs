//! State of a radio class: sessions, turns and totals, folded from events.

use std::collections::BTreeMap;

use assize_kernel::{Millis, Moment, RecordedAt, RulebookRef, SmolStr, round, to_json};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::messages::{RadioEvent, SessionOutcome, TurnScore};
use super::rules::SessionDifficulty;
use super::scenario::{ScenarioChart, ScenarioPhase, shipped_scenario};

/// A radio class.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RadioState {
    pub(super) name: String,
    pub(super) rulebook: Option<RulebookRef>,
    pub(super) sessions: BTreeMap<SmolStr, ClassSession>,
}

/// One run of a scenario.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClassSession {
    /// The student of the session.
    pub student: SmolStr,
    /// The scenario, including the expected replies: for instructors only.
    pub chart: ScenarioChart,
    /// Difficulty; selects the table of deltas.
    pub difficulty: SessionDifficulty,
    /// Current phase; none when the scenario has ended.
    pub phase: Option<SmolStr>,
    /// Start time.
    pub opened_at: Moment,
    /// Time of the last transmission; the idle limit counts from here.
    pub heard_at: Moment,
    /// Idle limit.
    pub idle: Millis,
    /// The turns so far.
    pub turns: Vec<SessionTurn>,
    /// Safety-critical failures since the last accepted turn.
    pub failures: u32,
    /// Outcome and end time.
    pub ended: Option<(SessionOutcome, Moment)>,
}

/// One transmission of the student.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionTurn {
    /// Phase of the scenario.
    pub phase: SmolStr,
    /// Transcript of the transmission.
    pub text: String,
    /// Time of the transmission.
    pub at: Moment,
    /// Ledger position of the verdict.
    pub position: u64,
    /// Score of the original verdict.
    pub score: TurnScore,
    /// Set once the turn has been overruled.
    pub overruled: Option<OverruledTurn>,
}

/// An overruled turn: the new score and the reason for it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OverruledTurn {
    /// The score that counts now.
    pub score: TurnScore,
    /// The stated reason.
    pub reason: String,
    /// The actor that overruled the turn.
    pub by: String,
    /// Ledger position of the overruling verdict.
    pub position: u64,
}

impl OverruledTurn {
    /// Whether a bench overruled the turn, and not an instructor directly.
    pub(super) fn is_by_bench(&self) -> bool {
        self.by.starts_with("system:")
    }
}

impl ClassSession {
    /// A turn as a document for assessors. None when the scenario is not a shipped one and the phase has no
    /// controller.
    #[must_use]
    pub fn document(&self, turn: u32) -> Option<String> {
        let turn = self.turns.get(usize::try_from(turn).ok()?.checked_sub(1)?)?;
        let ScenarioChart { reference, scenario } = &self.chart;
        let shipped = shipped_scenario(&reference.name).filter(|chart| chart.reference == *reference);
        let pilot = &turn.text;
        let difficulty = self.difficulty;
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

impl SessionTurn {
    /// The score that counts: the overruling one, if there is one.
    #[must_use]
    pub fn counts(&self) -> &TurnScore {
        self.overruled.as_ref().map_or(&self.score, |overruled| &overruled.score)
    }
}

impl ClassSession {
    /// The current phase.
    #[must_use]
    pub fn current(&self) -> Option<&ScenarioPhase> {
        self.chart.scenario.phase(self.phase.as_ref()?)
    }

    /// Time at which the session times out.
    pub(super) fn idle_at(&self) -> Option<Moment> {
        self.ended.is_none().then(|| self.heard_at + self.idle)
    }

    fn accepted(&self) -> impl Iterator<Item = &TurnScore> {
        self.turns.iter().map(SessionTurn::counts).filter(|score| !score.blocked)
    }

    /// `score_total`: sum over the accepted turns.
    #[must_use]
    pub fn score_total(&self) -> f64 {
        self.accepted().map(|score| score.score_delta).sum::<f64>() + 0.0
    }

    /// `average_normalized`: mean over the accepted turns; none without any.
    #[must_use]
    pub fn average_normalized(&self) -> Option<f64> {
        let mut sum = 0.0;
        let mut count = 0_u32;
        for score in self.accepted() {
            sum += score.normalized;
            count += 1;
        }
        (count > 0).then(|| round(sum / f64::from(count), 4))
    }

    /// `retries`: blocked turns that were followed by an accepted one.
    #[must_use]
    pub fn retries(&self) -> u32 {
        let mut retries = 0;
        let mut blocked = 0;
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

    /// `total_time`: from start to end; none while the session runs.
    #[must_use]
    pub fn total_time(&self) -> Option<Millis> {
        self.ended.map(|(_, at)| at - self.opened_at)
    }
}

pub(super) fn evolve(state: &mut RadioState, event: &RadioEvent, recorded_at: RecordedAt) {
    match event {
        RadioEvent::ClassOpened { name, rulebook } => {
            state.name.clone_from(name);
            state.rulebook = Some(rulebook.clone());
        }
        RadioEvent::SessionOpened { session, student, chart, difficulty, idle_ms } => {
            let opened = ClassSession {
                student: student.clone(),
                chart: chart.clone(),
                difficulty: *difficulty,
                phase: chart.scenario.phases.first().map(|phase| phase.name.clone()),
                opened_at: recorded_at.at,
                heard_at: recorded_at.at,
                idle: Millis(*idle_ms),
                turns: Vec::new(),
                failures: 0,
                ended: None,
            };
            state.sessions.insert(session.clone(), opened);
        }
        RadioEvent::TurnJudged { session, phase, text, score, next, .. } => {
            let Some(session) = state.sessions.get_mut(session) else { return };
            session.turns.push(SessionTurn {
                phase: phase.clone(),
                text: text.clone(),
                at: recorded_at.at,
                position: recorded_at.position,
                score: *score,
                overruled: None,
            });
            session.failures = failures(session.failures, score);
            session.phase.clone_from(next);
            session.heard_at = session.heard_at.max(recorded_at.at);
        }
        RadioEvent::SessionEnded { session, outcome, .. } => {
            if let Some(session) = state.sessions.get_mut(session) {
                session.ended = Some((*outcome, recorded_at.at));
            }
        }
        RadioEvent::TurnOverruled { session, turn, score, reason, by, .. } => {
            let position = recorded_at.position;
            let overruled = OverruledTurn { score: *score, reason: reason.clone(), by: by.clone(), position };
            if let Some(turn) = state.sessions.get_mut(session).and_then(|session| turn_of(session, *turn)) {
                turn.overruled = Some(overruled);
            }
        }
    }
}

/// Counts consecutive safety failures: an accepted turn resets the count, a blocked turn with the safety flag
/// adds one.
pub(super) const fn failures(before: u32, score: &TurnScore) -> u32 {
    match (score.blocked, score.safety_flag) {
        (false, _) => 0,
        (true, true) => before + 1,
        (true, false) => before,
    }
}

fn turn_of(session: &mut ClassSession, turn: u32) -> Option<&mut SessionTurn> {
    let index = usize::try_from(turn).ok()?.checked_sub(1)?;
    session.turns.get_mut(index)
}
