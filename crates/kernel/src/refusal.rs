//! Refusals: a command was not accepted. A refusal is not a verdict and costs nobody anything.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

/// Why a command was not accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// Stable and dotted, for programs: `contest.task.closed`.
    pub code: Cow<'static, str>,
    /// The kind of refusal, which decides the HTTP status.
    pub kind: RefusalKind,
    /// A message for people; says what would have been right.
    pub message: String,
    /// Further facts for programs.
    #[serde(default, skip_serializing_if = "serde_json::Map::is_empty")]
    pub detail: serde_json::Map<String, serde_json::Value>,
}

/// The kinds of refusal; each becomes one HTTP status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusalKind {
    /// The command cannot be parsed.
    Malformed,
    /// The actor may not do this.
    Forbidden,
    /// The command names something that does not exist.
    Unknown,
    /// The current state does not allow it.
    Conflict,
    /// The command came too late.
    Late,
}

impl Refusal {
    /// A refusal without further facts.
    pub fn new(code: &'static str, kind: RefusalKind, message: impl Into<String>) -> Self {
        Self { code: code.into(), kind, message: message.into(), detail: serde_json::Map::new() }
    }

    /// Adds a fact for programs.
    #[must_use]
    pub fn with(mut self, name: &str, fact: impl Into<serde_json::Value>) -> Self {
        self.detail.insert(name.to_owned(), fact.into());
        self
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.code)
    }
}

impl std::error::Error for Refusal {}
