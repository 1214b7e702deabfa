//! Public views of a class and its sessions. These types have no field for the expected replies.

#[cfg(feature = "openapi")]
use assize_kernel::openapi::Id;
use assize_kernel::{Millis, Moment, RulebookRef, SmolStr};
use serde::Serialize;

use super::messages::{SessionOutcome, TurnScore};
use super::rules::SessionDifficulty;
use super::scenario::Scenario;
use super::state::{ClassSession, RadioState, SessionTurn};

/// A class with session summaries.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RadioClass))]
pub struct ClassView {
    /// Display name.
    pub name: String,
    /// Rulebook of the class.
    #[cfg_attr(feature = "openapi", schema(value_type = RulebookRef))]
    pub rulebook: Option<RulebookRef>,
    /// The sessions, ordered by id.
    pub sessions: Vec<SessionSummary>,
}

/// Summary of a session.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RadioSessionSummary))]
pub struct SessionSummary {
    /// Session id, as used in URLs.
    #[cfg_attr(feature = "openapi", schema(value_type = Id))]
    pub session: SmolStr,
    /// The student of the session.
    #[cfg_attr(feature = "openapi", schema(value_type = Id))]
    pub student: SmolStr,
    /// Name of the scenario.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub scenario: SmolStr,
    /// Difficulty; selects the table of deltas.
    pub difficulty: SessionDifficulty,
    /// Start time.
    pub opened_at: Moment,
    /// Outcome; none while the session runs.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub outcome: Option<SessionOutcome>,
    /// Number of turns.
    pub turns: usize,
    /// Sum of the score deltas of accepted turns.
    pub score_total: f64,
    /// Mean normalized score of accepted turns.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub average_normalized: Option<f64>,
    /// Blocked turns that were followed by an accepted one.
    pub retries: u32,
    /// Time from start to end, in seconds.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub total_time: Option<f64>,
}

/// A session as shown to its student.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RadioSession))]
pub struct SessionView {
    /// The summary.
    #[serde(flatten)]
    #[cfg_attr(feature = "openapi", schema(schema_with = <SessionSummary as utoipa::PartialSchema>::schema))]
    pub summary: SessionSummary,
    /// Title of the scenario.
    pub title: String,
    /// Airfield.
    pub airfield: String,
    /// Runway in use.
    pub runway: String,
    /// Weather.
    pub weather: String,
    /// Callsign of the student.
    pub callsign: String,
    /// Aircraft type.
    pub aircraft: String,
    /// Current phase; none when the session has ended.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, required))]
    pub phase: Option<SmolStr>,
    /// Transmission of the controller in the current phase.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub controller: Option<String>,
    /// Cue of the current phase.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub cue: Option<String>,
    /// Time at which the session times out.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub idle_at: Option<Moment>,
    /// The turns so far.
    pub line: Vec<TurnView>,
}

/// A turn as shown to its student.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RadioTurn))]
pub struct TurnView {
    /// Turn number, counted from 1.
    #[cfg_attr(feature = "openapi", schema(minimum = 1))]
    pub turn: usize,
    /// Phase of the scenario.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub phase: SmolStr,
    /// Transmission of the controller that was answered.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub controller: Option<String>,
    /// Cue that was answered.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub cue: Option<String>,
    /// Transcript of the transmission.
    pub text: String,
    /// Time of the transmission.
    pub at: Moment,
    /// Ledger position of the verdict.
    #[cfg_attr(feature = "openapi", schema(minimum = 1))]
    pub position: u64,
    /// Score of the original verdict.
    pub score: TurnScore,
    /// Set once the turn has been overruled.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub overruled: Option<OverruledView>,
}

/// An overruled turn: the new score and the reason for it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = OverruledTurn))]
pub struct OverruledView {
    /// The score that counts now.
    pub score: TurnScore,
    /// The stated reason.
    pub reason: String,
    /// Ledger position of the verdict.
    #[cfg_attr(feature = "openapi", schema(minimum = 1))]
    pub position: u64,
}

impl RadioState {
    /// Display name of the class; empty before it is open.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Rulebook of the class; none before it is open.
    #[must_use]
    pub const fn rulebook(&self) -> Option<&RulebookRef> {
        self.rulebook.as_ref()
    }

    /// A session, including the expected replies: for instructors only.
    #[must_use]
    pub fn session(&self, name: &str) -> Option<&ClassSession> {
        self.sessions.get(name)
    }

    /// The sessions by id, including the expected replies: for instructors only.
    pub fn sessions(&self) -> impl Iterator<Item = (&str, &ClassSession)> {
        self.sessions.iter().map(|(name, session)| (name.as_str(), session))
    }

    /// View of the class with all sessions, or those of one student.
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

    /// A session as shown to its student.
    #[must_use]
    pub fn session_view(&self, name: &str) -> Option<SessionView> {
        let (name, session) = self.sessions.get_key_value(name)?;
        Some(session.view(name))
    }
}

impl ClassSession {
    /// Summary of the session.
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

    fn turn_view(&self, number: usize, turn: &SessionTurn) -> TurnView {
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
