//! The outcome of an answer.

use serde::{Deserialize, Serialize};

/// The outcome of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Outcome))]
#[serde(rename_all = "lowercase")]
pub enum AnswerOutcome {
    /// Everything matched.
    Full,
    /// Enough matched for partial credit.
    Partial,
    /// A wrong attempt.
    Incorrect,
    /// Undecidable: neither right nor a wrong attempt.
    Undecided,
}

impl AnswerOutcome {
    const ALL: [Self; 4] = [Self::Full, Self::Partial, Self::Incorrect, Self::Undecided];

    /// The serialised name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Partial => "partial",
            Self::Incorrect => "incorrect",
            Self::Undecided => "undecided",
        }
    }

    /// Whether the outcome may earn points.
    #[must_use]
    pub const fn is_right(self) -> bool {
        matches!(self, Self::Full | Self::Partial)
    }

    /// Parses the serialised name.
    pub(super) fn read(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.as_str() == word)
    }
}
