//! How right an answer was, in one word.

use serde::{Deserialize, Serialize};

/// How right an answer was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Everything matched.
    Full,
    /// Enough of it matched.
    Partial,
    /// A wrong attempt.
    Incorrect,
    /// Nobody could decide it: neither right nor a wrong attempt.
    Undecided,
}

impl Outcome {
    const ALL: [Self; 4] = [Self::Full, Self::Partial, Self::Incorrect, Self::Undecided];

    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Partial => "partial",
            Self::Incorrect => "incorrect",
            Self::Undecided => "undecided",
        }
    }

    /// Whether it may earn points.
    #[must_use]
    pub const fn is_right(self) -> bool {
        matches!(self, Self::Full | Self::Partial)
    }

    /// From the word on the wire.
    pub(super) fn read(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.as_str() == word)
    }
}
