//! What may be shown of a class and its sessions: these types have no place for what the student should say.

use assize_kernel::{Millis, Moment, RulebookRef, SmolStr};
use serde::Serialize;

use super::messages::{SessionOutcome, TurnScore};
use super::rules::Difficulty;
use super::scenario::Scenario;
use super::state::{RadioState, Session, Turn};

/// A class, with its sessions in short.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClassView {
    /// What people call it.
    pub name: String,
    /// What it is judged by.
    pub rulebook: Option<RulebookRef>,
    /// Its sessions, by name.
    pub sessions: Vec<SessionSummary>,
}

/// A session in short.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SessionSummary {
    /// Its name in addresses.
    pub session: SmolStr,
    /// Who flies it.
    pub student: SmolStr,
    /// Which scenario.
    pub scenario: SmolStr,
    /// How strict it is.
    pub difficulty: Difficulty,
    /// When it began.
    pub opened_at: Moment,
    /// How it ended; none while it runs.
    pub outcome: Option<SessionOutcome>,
    /// How many turns it has.
    pub turns: usize,
    /// What the accepted turns add up to.
    pub score_total: f64,
    /// Over the accepted turns.
    pub average_normalized: Option<f64>,
    /// Blocked turns before accepted ones.
    pub retries: u32,
    /// From beginning to end, in seconds.
    pub total_time: Option<f64>,
}

/// A session as its student sees it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SessionView {
    /// In short.
    #[serde(flatten)]
    pub summary: SessionSummary,
    /// What the scenario is about.
    pub title: String,
    /// Where it happens.
    pub airfield: String,
    /// Which runway is in use.
    pub runway: String,
    /// What the weather is.
    pub weather: String,
    /// The student's callsign.
    pub callsign: String,
    /// What the student flies.
    pub aircraft: String,
    /// Which phase it is in; none when it is over.
    pub phase: Option<SmolStr>,
    /// What the controller says now.
    pub controller: Option<String>,
    /// What the student is told now.
    pub cue: Option<String>,
    /// When it ends by itself.
    pub idle_at: Option<Moment>,
    /// What was said so far.
    pub line: Vec<TurnView>,
}

/// A turn as its student sees it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TurnView {
    /// Counted from 1.
    pub turn: usize,
    /// In which phase.
    pub phase: SmolStr,
    /// What the controller had said.
    pub controller: Option<String>,
    /// What the student had been told.
    pub cue: Option<String>,
    /// What was said.
    pub text: String,
    /// When.
    pub at: Moment,
    /// Where its verdict stands in the ledger.
    pub position: u64,
    /// What came of it at first.
    pub score: TurnScore,
    /// What counts instead, where an instructor saw it otherwise.
    pub overruled: Option<OverruledView>,
}

/// How an instructor saw a turn.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OverruledView {
    /// What counts now.
    pub score: TurnScore,
    /// Why.
    pub reason: String,
    /// Where its verdict stands in the ledger.
    pub position: u64,
}

impl RadioState {
    /// What people call the class; empty before it is open.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is judged by; none before it is open.
    #[must_use]
    pub const fn rulebook(&self) -> Option<&RulebookRef> {
        self.rulebook.as_ref()
    }

    /// A session, expected replies included: for instructors only.
    #[must_use]
    pub fn session(&self, name: &str) -> Option<&Session> {
        self.sessions.get(name)
    }

    /// The sessions, by name, expected replies included: for instructors only.
    pub fn sessions(&self) -> impl Iterator<Item = (&str, &Session)> {
        self.sessions.iter().map(|(name, session)| (name.as_str(), session))
    }

    /// The class, with all sessions or those of one student.
    #[must_use]
    pub fn view(&self, student: Option<&str>) -> ClassView {
        let shown = self
            .sessions
            .iter()
            .filter(|(_, session)| student.is_none_or(|student| session.student == student));
        ClassView {
            name: self.name.clone(),
            rulebook: self.rulebook.clone(),
            sessions: shown.map(|(name, session)| session.summary(name)).collect(),
        }
    }

    /// A session as its student sees it.
    #[must_use]
    pub fn session_view(&self, name: &str) -> Option<SessionView> {
        let (name, session) = self.sessions.get_key_value(name)?;
        Some(session.view(name))
    }
}

impl Session {
    /// The session in short.
    #[must_use]
    pub fn summary(&self, name: &SmolStr) -> SessionSummary {
        SessionSummary {
            session: name.clone(),
            student: self.student.clone(),
            scenario: self.chart.reference.name.clone(),
            difficulty: self.difficulty,
            opened_at: self.opened_at,
            outcome: self.ended.map(|(outcome, _)| outcome),
            turns: self.turns.len(),
            score_total: self.score_total(),
            average_normalized: self.average_normalized(),
            retries: self.retries(),
            total_time: self.total_time().map(Millis::as_seconds),
        }
    }

    fn view(&self, name: &SmolStr) -> SessionView {
        let Scenario { title, airfield, runway, weather, callsign, aircraft, .. } =
            self.chart.scenario.clone();
        let now = self.current().filter(|_| self.ended.is_none());
        SessionView {
            summary: self.summary(name),
            title,
            airfield,
            runway,
            weather,
            callsign,
            aircraft,
            phase: now.map(|phase| phase.name.clone()),
            controller: now.and_then(|phase| phase.controller.clone()),
            cue: now.and_then(|phase| phase.cue.clone()),
            idle_at: self.idle_at(),
            line: self
                .turns
                .iter()
                .enumerate()
                .map(|(index, turn)| self.turn_view(index + 1, turn))
                .collect(),
        }
    }

    fn turn_view(&self, number: usize, turn: &Turn) -> TurnView {
        let phase = self.chart.scenario.phase(&turn.phase);
        TurnView {
            turn: number,
            phase: turn.phase.clone(),
            controller: phase.and_then(|phase| phase.controller.clone()),
            cue: phase.and_then(|phase| phase.cue.clone()),
            text: turn.text.clone(),
            at: turn.at,
            position: turn.position,
            score: turn.score,
            overruled: turn.overruled.as_ref().map(|overruled| OverruledView {
                score: overruled.score,
                reason: overruled.reason.clone(),
                position: overruled.position,
            }),
        }
    }
}
