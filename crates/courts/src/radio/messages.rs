//! Commands and events of a radio class.

use assize_kernel::{Event, RulebookRef, SmolStr};
use serde::{Deserialize, Serialize};

use super::judging::RadioFindings;
use super::rules::SessionDifficulty;
use super::scenario::ScenarioChart;

/// Commands of the radio court.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum RadioCommand {
    /// Opens a class under the current rulebook.
    OpenClass {
        /// Display name.
        name: String,
    },
    /// Starts a run of a scenario.
    OpenSession {
        /// Session id, as used in URLs.
        session: SmolStr,
        /// The student of the session.
        student: SmolStr,
        /// Name of a shipped scenario, or the TOML text of one.
        scenario: String,
        /// Difficulty; selects the table of deltas.
        #[serde(default)]
        difficulty: SessionDifficulty,
    },
    /// A transmission by the student.
    Transmit {
        /// Session id.
        session: SmolStr,
        /// The student transmitting.
        student: SmolStr,
        /// Transcript of the transmission.
        text: String,
        /// Confidence of the speech recogniser.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        confidence: Option<f64>,
        /// Findings of an external assessor, used instead of the grader.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        findings: Option<RadioFindings>,
    },
    /// Ends an idle session; issued by the clock.
    EndIdleSession {
        /// Session id.
        session: SmolStr,
        /// Number of turns at the time the deadline was set.
        turns: u32,
    },
    /// An instructor overrules the verdict on a turn.
    OverruleTurn {
        /// Session id.
        session: SmolStr,
        /// Turn number, counted from 1.
        turn: u32,
        /// Findings of the instructor.
        findings: RadioFindings,
        /// The stated reason.
        reason: String,
    },
}

/// Events of the radio court.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum RadioEvent {
    /// A class was opened.
    ClassOpened {
        /// Display name.
        name: String,
        /// Rulebook of the class.
        rulebook: RulebookRef,
    },
    /// A session was opened.
    SessionOpened {
        /// Session id, as used in URLs.
        session: SmolStr,
        /// The student of the session.
        student: SmolStr,
        /// The scenario, including the expected replies.
        chart: ScenarioChart,
        /// Difficulty; selects the table of deltas.
        difficulty: SessionDifficulty,
        /// The session times out after this many milliseconds without a transmission.
        idle_ms: i64,
    },
    /// A transmission was judged.
    TurnJudged {
        /// Session id.
        session: SmolStr,
        /// The student transmitting.
        student: SmolStr,
        /// Turn number, counted from 1.
        turn: u32,
        /// Phase of the scenario.
        phase: SmolStr,
        /// Transcript of the transmission.
        text: String,
        /// Confidence of the speech recogniser.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        confidence: Option<f64>,
        /// Findings of an external assessor, used instead of the grader.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        findings: Option<RadioFindings>,
        /// Score of the turn.
        score: TurnScore,
        /// The next phase: the same one when the call must be repeated, none at the end of the scenario.
        next: Option<SmolStr>,
    },
    /// A session has ended.
    SessionEnded {
        /// Session id.
        session: SmolStr,
        /// The student of the session.
        student: SmolStr,
        /// How the session ended.
        outcome: SessionOutcome,
    },
    /// The verdict on a turn was overruled.
    TurnOverruled {
        /// Session id.
        session: SmolStr,
        /// The student of the session.
        student: SmolStr,
        /// Turn number, counted from 1.
        turn: u32,
        /// Findings of the instructor.
        findings: RadioFindings,
        /// The stated reason.
        reason: String,
        /// The actor that overruled the turn.
        by: String,
        /// The score that counts now.
        score: TurnScore,
    },
}

/// Score of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub struct TurnScore {
    pub normalized: f64,
    pub score_delta: f64,
    pub safety_flag: bool,
    pub blocked: bool,
    #[cfg_attr(feature = "openapi", schema(required))]
    pub phrase_accuracy: Option<f64>,
    #[cfg_attr(feature = "openapi", schema(required))]
    pub ordering: Option<f64>,
    #[cfg_attr(feature = "openapi", schema(required))]
    pub omissions: Option<f64>,
    #[cfg_attr(feature = "openapi", schema(required))]
    pub safety: Option<f64>,
}

/// How a session ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum SessionOutcome {
    /// The last phase of the scenario was accepted.
    Completed,
    /// No transmission within the idle limit.
    Timeout,
    /// Too many safety-critical failures without an accepted turn between them.
    SafetyBlock,
}

impl SessionOutcome {
    /// The name used in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Timeout => "timeout",
            Self::SafetyBlock => "safety_block",
        }
    }
}

impl Event for RadioEvent {
    fn kind(&self) -> &'static str {
        match self {
            Self::ClassOpened { .. } => "ClassOpened",
            Self::SessionOpened { .. } => "SessionOpened",
            Self::TurnJudged { .. } => "TurnJudged",
            Self::SessionEnded { .. } => "SessionEnded",
            Self::TurnOverruled { .. } => "TurnOverruled",
        }
    }
}
