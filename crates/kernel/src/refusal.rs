//! A refusal: something was not taken up. It is nobody's verdict and costs nobody anything.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

/// Why a command was not taken up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// Stable and dotted, for programs: `contest.task.closed`.
    pub code: Cow<'static, str>,
    /// Which kind of no it is.
    pub kind: RefusalKind,
    /// For people; says what would have been right.
    pub message: String,
    /// Facts beside the message, for programs.
    #[serde(default, skip_serializing_if = "serde_json::Map::is_empty")]
    pub detail: serde_json::Map<String, serde_json::Value>,
}

/// The kinds of refusal; each becomes one HTTP status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusalKind {
    /// It cannot be read.
    Malformed,
    /// This actor may not do it.
    Forbidden,
    /// What it names does not exist.
    Unknown,
    /// The state of things speaks against it.
    Conflict,
    /// It came too late.
    Late,
}

impl Refusal {
    /// A refusal without further facts.
    pub fn new(code: &'static str, kind: RefusalKind, message: impl Into<String>) -> Self {
        Self { code: code.into(), kind, message: message.into(), detail: serde_json::Map::new() }
    }

    /// The same with a fact beside the message.
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
