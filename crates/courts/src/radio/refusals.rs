//! Refusals of the radio court.

use assize_kernel::{BadName, Refusal, RefusalKind, SmolStr};

use super::document::LONGEST;
use super::scenario::SCENARIOS;

/// Why a command was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RadioRefusal {
    /// The class is open already.
    #[error("the class is open already")]
    AlreadyOpen,
    /// There is no such class.
    #[error("there is no such class")]
    NotOpen,
    /// A name cannot be used.
    #[error("{0}")]
    NameInvalid(String),
    /// There is no such session.
    #[error("there is no session `{0}`")]
    SessionUnknown(SmolStr),
    /// The session exists already.
    #[error("there is a session `{0}` already")]
    SessionExists(SmolStr),
    /// The session is over.
    #[error("the session is over: {0}")]
    SessionOver(&'static str),
    /// It is another student's session.
    #[error("this session is another student's")]
    SessionForeign,
    /// The idle limit has not passed.
    #[error("the session is not idle")]
    NotIdle,
    /// There is no such turn.
    #[error("there is no turn {0} in this session")]
    TurnUnknown(u32),
    /// An instructor has overruled the turn; a bench cannot.
    #[error("an instructor has overruled this turn, and no assessor speaks after that")]
    TurnOverruled,
    /// The reason is empty.
    #[error("reason: must say why the verdict is overruled")]
    ReasonMissing,
    /// There is no such scenario.
    #[error("there is no scenario `{0}`; there is {known}", known = SCENARIOS.map(|(name, _)| name).join(", "))]
    ScenarioUnknown(String),
    /// The scenario is invalid.
    #[error("{0}")]
    ScenarioInvalid(String),
    /// There is no such phase.
    #[error("there is no phase `{phase}`; there is {known}")]
    PhaseUnknown {
        /// The requested phase.
        phase: String,
        /// The phases of the scenario.
        known: String,
    },
    /// The transmission is too long.
    #[error("{field}: must be at most {LONGEST} bytes, is {bytes}")]
    CallTooLong {
        /// Name of the field.
        field: String,
        /// Length in bytes.
        bytes: usize,
    },
    /// The findings break the rules of the rubric.
    #[error("findings: {0}")]
    FindingsInvalid(String),
    /// The document cannot be parsed.
    #[error("{0}")]
    DocumentMalformed(String),
}

impl RadioRefusal {
    /// The stable code and the kind.
    const fn class(&self) -> (&'static str, RefusalKind) {
        use RefusalKind::{Conflict, Forbidden, Late, Malformed, Unknown};
        match self {
            Self::AlreadyOpen => ("radio.class.already_open", Conflict),
            Self::NotOpen => ("radio.class.unknown", Unknown),
            Self::NameInvalid(_) => ("radio.name.invalid", Malformed),
            Self::SessionUnknown(_) => ("radio.session.unknown", Unknown),
            Self::SessionExists(_) => ("radio.session.exists", Conflict),
            Self::SessionOver(_) => ("radio.session.over", Late),
            Self::SessionForeign => ("radio.session.foreign", Forbidden),
            Self::NotIdle => ("radio.session.not_idle", Conflict),
            Self::TurnUnknown(_) => ("radio.turn.unknown", Unknown),
            Self::TurnOverruled => ("radio.turn.overruled", Conflict),
            Self::ReasonMissing => ("radio.reason.missing", Malformed),
            Self::ScenarioUnknown(_) => ("radio.scenario.unknown", Unknown),
            Self::ScenarioInvalid(_) => ("radio.scenario.invalid", Malformed),
            Self::PhaseUnknown { .. } => ("radio.phase.unknown", Unknown),
            Self::CallTooLong { .. } => ("radio.call.too_long", Malformed),
            Self::FindingsInvalid(_) => ("radio.findings.invalid", Malformed),
            Self::DocumentMalformed(_) => ("radio.document.malformed", Malformed),
        }
    }
}

impl From<RadioRefusal> for Refusal {
    fn from(refusal: RadioRefusal) -> Self {
        let (code, kind) = refusal.class();
        Self::new(code, kind, refusal.to_string())
    }
}

impl From<BadName> for RadioRefusal {
    fn from(bad: BadName) -> Self {
        Self::NameInvalid(bad.to_string())
    }
}
