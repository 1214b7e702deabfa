//! What is wanted of a radio class and what happens in it: commands and events.

use assize_kernel::{Event, RulebookRef, SmolStr};
use serde::{Deserialize, Serialize};

use super::judging::Findings;
use super::rules::Difficulty;
use super::scenario::Chart;

/// What somebody wants to happen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum RadioCommand {
    /// Opens a class under the rulebook at hand.
    OpenClass {
        /// What people call it.
        name: String,
    },
    /// Begins a run of a scenario.
    OpenSession {
        /// Its name in addresses.
        session: SmolStr,
        /// Who flies it.
        student: SmolStr,
        /// The name of a scenario that ships, or the text of one.
        scenario: String,
        /// How strict it is.
        #[serde(default)]
        difficulty: Difficulty,
    },
    /// The student speaks.
    Transmit {
        /// In which session.
        session: SmolStr,
        /// Who speaks.
        student: SmolStr,
        /// What was said, as a transcript.
        text: String,
        /// How sure the recogniser was.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        confidence: Option<f64>,
        /// What somebody else observed, instead of the grader.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        findings: Option<Findings>,
    },
    /// Ends a session in which nobody answers: the clock's command.
    EndIdleSession {
        /// Which one.
        session: SmolStr,
        /// How many turns it had.
        turns: u32,
    },
    /// An instructor sees a turn otherwise.
    OverruleTurn {
        /// In which session.
        session: SmolStr,
        /// Which one, from 1.
        turn: u32,
        /// What the instructor observed.
        findings: Findings,
        /// Why.
        reason: String,
    },
}

/// What has happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum RadioEvent {
    /// The class is open.
    ClassOpened {
        /// What people call it.
        name: String,
        /// What it is judged by.
        rulebook: RulebookRef,
    },
    /// A run of a scenario has begun.
    SessionOpened {
        /// Its name in addresses.
        session: SmolStr,
        /// Who flies it.
        student: SmolStr,
        /// What happens in it, expected replies included.
        chart: Chart,
        /// How strict it is.
        difficulty: Difficulty,
        /// So long without an answer, it is over.
        idle_ms: i64,
    },
    /// The student spoke, and was judged.
    TurnJudged {
        /// In which session.
        session: SmolStr,
        /// Who spoke.
        student: SmolStr,
        /// Counted from 1.
        turn: u32,
        /// In which phase.
        phase: SmolStr,
        /// What was said.
        text: String,
        /// How sure the recogniser was.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        confidence: Option<f64>,
        /// What somebody else observed, instead of the grader.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        findings: Option<Findings>,
        /// What came of it.
        score: TurnScore,
        /// The phase that follows; the same when it must be said again, none when the scenario has ended.
        next: Option<SmolStr>,
    },
    /// A session has ended.
    SessionEnded {
        /// Which one.
        session: SmolStr,
        /// Whose.
        student: SmolStr,
        /// How.
        outcome: SessionOutcome,
    },
    /// An instructor saw a turn otherwise.
    TurnOverruled {
        /// In which session.
        session: SmolStr,
        /// Whose.
        student: SmolStr,
        /// Which one, from 1.
        turn: u32,
        /// What the instructor observed.
        findings: Findings,
        /// Why.
        reason: String,
        /// Who.
        by: String,
        /// What counts now.
        score: TurnScore,
    },
}

/// What came of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "they say what they are")]
pub struct TurnScore {
    pub normalized: f64,
    pub score_delta: f64,
    pub safety_flag: bool,
    pub blocked: bool,
    pub phrase_accuracy: Option<f64>,
    pub ordering: Option<f64>,
    pub omissions: Option<f64>,
    pub safety: Option<f64>,
}

/// How a session ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionOutcome {
    /// The scenario's end was reached.
    Completed,
    /// Nobody answered.
    Timeout,
    /// Too many safety-critical failures without an accepted turn between them.
    SafetyBlock,
}

impl SessionOutcome {
    /// The word on the wire.
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
