//! A verdict: what was decided, why, and how every number in it came to be.

mod json;
mod steps;

use std::borrow::Cow;

use serde::{Deserialize, Serialize, Serializer};

use crate::json_writer::EXACT;
use crate::rulebook::RulebookRef;

pub use json::{Derivation, Detail};
pub use steps::Steps;

/// What a court found, with everything needed to defend it. `D` is the court's own structure, `S` its arithmetic.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict<D = serde_json::Value, S = Vec<Term>> {
    /// The court that judged.
    pub court: Cow<'static, str>,
    /// The parameters it judged by.
    pub rulebook: RulebookRef,
    /// Who observed what the court computed with.
    pub assessor: Assessor,
    /// The result in one word.
    pub outcome: Cow<'static, str>,
    /// The result as a number.
    pub points: f64,
    /// Why, in order of weight.
    pub reasons: Vec<Reason>,
    /// How the numbers came to be, in the order of the arithmetic.
    pub derivation: S,
    /// The court's own structure.
    pub detail: D,
}

/// Who observed: a reader inside the court, a model or a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assessor {
    /// Which one.
    pub name: Cow<'static, str>,
    /// Which edition of it.
    pub version: Cow<'static, str>,
}

/// One reason for a verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reason {
    /// Stable and dotted, for programs: `contest.answer.wrong_video`.
    pub code: Cow<'static, str>,
    /// How much it weighs.
    pub severity: Severity,
    /// For people.
    pub message: String,
    /// What it rests on.
    pub evidence: Vec<Evidence>,
}

/// How much a reason weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Nothing was lost by it.
    Info,
    /// A small lapse.
    Minor,
    /// It changed the result.
    Major,
    /// It decided the result.
    Critical,
}

/// Words that a reason rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Which text they stand in: `answer`, `pilot`, `article`.
    pub source: Cow<'static, str>,
    /// The words.
    pub text: String,
    /// Where they stand, as byte offsets, when they were read from a longer text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<(usize, usize)>,
}

/// One step of the arithmetic.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Term {
    /// What is computed.
    pub term: Cow<'static, str>,
    /// By which formula.
    pub formula: Cow<'static, str>,
    /// From what, in the order the formula names them.
    pub inputs: Inputs,
    /// The result.
    #[serde(serialize_with = "plain_number")]
    pub value: f64,
}

/// Named inputs of a formula, in order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Inputs(pub Vec<(Cow<'static, str>, Input)>);

/// One input of a formula.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Input {
    /// A number.
    Number(#[serde(serialize_with = "plain_number")] f64),
    /// A word, such as the type of a task.
    Text(Cow<'static, str>),
}

impl Term {
    /// A step with its inputs in the order the formula names them.
    pub fn new(
        term: &'static str,
        formula: &'static str,
        inputs: impl IntoIterator<Item = (&'static str, Input)>,
        value: f64,
    ) -> Self {
        let inputs = inputs.into_iter().map(|(name, input)| (Cow::Borrowed(name), input)).collect();
        Self { term: term.into(), formula: formula.into(), inputs: Inputs(inputs), value }
    }
}

impl Reason {
    /// A reason that rests on nothing but its own words.
    pub fn new(code: &'static str, severity: Severity, message: impl Into<String>) -> Self {
        Self { code: code.into(), severity, message: message.into(), evidence: Vec::new() }
    }

    /// The same with words it rests on.
    #[must_use]
    pub fn showing(mut self, source: &'static str, text: impl Into<String>) -> Self {
        self.evidence.push(Evidence { source: source.into(), text: text.into(), span: None });
        self
    }
}

impl Severity {
    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Minor => "minor",
            Self::Major => "major",
            Self::Critical => "critical",
        }
    }
}

impl From<f64> for Input {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<u32> for Input {
    fn from(number: u32) -> Self {
        Self::Number(f64::from(number))
    }
}

impl From<&'static str> for Input {
    fn from(text: &'static str) -> Self {
        Self::Text(text.into())
    }
}

impl Serialize for Inputs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, input)| (name, input)))
    }
}

impl<'de> Deserialize<'de> for Inputs {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> serde::de::Visitor<'de> for InOrder {
            type Value = Inputs;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a map of named inputs")
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Inputs, A::Error> {
                let mut inputs = Vec::new();
                while let Some((name, input)) = map.next_entry::<String, Input>()? {
                    inputs.push((name.into(), input));
                }
                Ok(Inputs(inputs))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

/// Writes a whole number without `.0`: counts are counts.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature serde asks for")]
fn plain_number<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if number.fract() == 0.0 && number.abs() < EXACT {
        #[allow(clippy::cast_possible_truncation, reason = "whole and below 2^53")]
        let whole = *number as i64;
        serializer.serialize_i64(whole)
    } else {
        serializer.serialize_f64(*number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_keep_their_order_and_counts_stay_whole() {
        let term = Term::new(
            "share",
            "matched ÷ boundaries",
            [("matched", 3_u32.into()), ("boundaries", 4_u32.into()), ("task", "TR".into())],
            0.75,
        );
        let text = serde_json::to_string(&term).unwrap();
        assert_eq!(
            text,
            r#"{"term":"share","formula":"matched ÷ boundaries","inputs":{"matched":3,"boundaries":4,"task":"TR"},"value":0.75}"#
        );
        assert_eq!(serde_json::from_str::<Term>(&text).unwrap(), term);
    }
}
