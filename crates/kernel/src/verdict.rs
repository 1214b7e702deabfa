//! Verdicts: what was decided, why, and how every number was computed.

mod json;
mod steps;
mod text;

use std::borrow::Cow;

use serde::{Deserialize, Serialize, Serializer};

use crate::json_writer::EXACT;
use crate::rulebook::RulebookRef;

pub use json::{Derivation, Detail};
pub use steps::Steps;
pub use text::VerdictText;

/// The result of judging, with everything needed to defend it. `D` is the court's own detail, `S` its
/// derivation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(bound = "D: utoipa::ToSchema"))]
pub struct Verdict<D = serde_json::Value, S = Vec<Term>> {
    /// The court that judged.
    pub court: Cow<'static, str>,
    /// The rulebook that it judged by.
    pub rulebook: RulebookRef,
    /// The source of the findings that the court computed with.
    pub assessor: Assessor,
    /// The outcome in one word.
    pub outcome: Cow<'static, str>,
    /// The points.
    pub points: f64,
    /// The reasons, the most important first.
    pub reasons: Vec<Reason>,
    /// The steps of the arithmetic, in order.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<Term>))]
    pub derivation: S,
    /// The court's own detail.
    pub detail: D,
}

/// The source of findings: a reader inside the court, a model or a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Assessor {
    /// The name.
    pub name: Cow<'static, str>,
    /// The version.
    pub version: Cow<'static, str>,
}

/// One reason for a verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Reason {
    /// Stable and dotted, for programs: `contest.answer.wrong_video`.
    #[cfg_attr(
        feature = "openapi",
        schema(pattern = "^[a-z_]+([.][a-z_]+)+$", examples("contest.answer.wrong_video"))
    )]
    pub code: Cow<'static, str>,
    /// The weight of the reason.
    pub severity: Severity,
    /// A message for people.
    pub message: String,
    /// The words that it rests on.
    pub evidence: Vec<Evidence>,
}

/// The weight of a reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Nothing was lost because of it.
    Info,
    /// A minor mistake.
    Minor,
    /// It changed the result.
    Major,
    /// It decided the result.
    Critical,
}

/// Quoted words that support a reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Evidence {
    /// The text that contains them: `answer`, `pilot`, `article`.
    pub source: Cow<'static, str>,
    /// The words.
    pub text: String,
    /// Start and end as byte offsets, when they were read from a longer text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<u64>, min_items = 2, max_items = 2))]
    pub span: Option<(usize, usize)>,
}

/// One step of a derivation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Term {
    /// The name of the result.
    pub term: Cow<'static, str>,
    /// The formula.
    pub formula: Cow<'static, str>,
    /// The inputs, in the order of the formula.
    #[cfg_attr(feature = "openapi", schema(value_type = BTreeMap<String, Input>))]
    pub inputs: Inputs,
    /// The value.
    #[serde(serialize_with = "plain_number")]
    pub value: f64,
}

/// The named inputs of a formula, in order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Inputs(pub Vec<(Cow<'static, str>, Input)>);

/// One input of a formula.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = TermInput))]
#[serde(untagged)]
pub enum Input {
    /// A number.
    Number(#[serde(serialize_with = "plain_number")] f64),
    /// A text, such as the type of a task.
    Text(Cow<'static, str>),
}

impl Term {
    /// A step; `inputs` are in the order of the formula.
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
    /// A reason without evidence.
    pub fn new(code: &'static str, severity: Severity, message: impl Into<String>) -> Self {
        Self { code: code.into(), severity, message: message.into(), evidence: Vec::new() }
    }

    /// Adds quoted words as evidence.
    #[must_use]
    pub fn showing(mut self, source: &'static str, text: impl Into<String>) -> Self {
        self.evidence.push(Evidence { source: source.into(), text: text.into(), span: None });
        self
    }
}

impl Severity {
    /// The name in JSON.
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

/// Writes an integer without `.0`.
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
