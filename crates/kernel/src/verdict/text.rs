//! A verdict as JSON, with its outcome at hand.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

/// The JSON of a verdict. It dereferences to the text, and two are equal when their texts are.
#[derive(Debug, Clone)]
pub struct VerdictText {
    json: String,
    outcome: Option<Cow<'static, str>>,
}

impl VerdictText {
    pub(super) const fn new(json: String, outcome: Cow<'static, str>) -> Self {
        Self { json, outcome: Some(outcome) }
    }

    /// The outcome; none when the text was read from a store and not just judged.
    #[must_use]
    pub fn outcome(&self) -> Option<&str> {
        self.outcome.as_deref()
    }

    /// The text alone.
    #[must_use]
    pub fn into_string(self) -> String {
        self.json
    }

    /// The same outcome with another text.
    pub(crate) fn with_text(self, json: String) -> Self {
        Self { json, ..self }
    }
}

impl Deref for VerdictText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.json
    }
}

impl fmt::Display for VerdictText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.json)
    }
}

impl From<String> for VerdictText {
    fn from(json: String) -> Self {
        Self { json, outcome: None }
    }
}

impl From<&str> for VerdictText {
    fn from(json: &str) -> Self {
        json.to_owned().into()
    }
}

impl PartialEq for VerdictText {
    fn eq(&self, other: &Self) -> bool {
        self.json == other.json
    }
}

impl Eq for VerdictText {}
