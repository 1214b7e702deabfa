//! The questions about a submission, each with its possible answers.

use serde::Serialize;
use serde_json::{Map, Value, json};

/// All questions about one submission, and the texts they refer to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Questionnaire {
    /// Submitted texts: always data, never instructions.
    pub sources: Vec<Source>,
    /// The questions in order; each must be answered.
    pub items: Vec<Item>,
}

/// A text that the items refer to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Source {
    /// Its name.
    pub name: &'static str,
    /// The text as submitted.
    pub text: String,
}

/// One question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Item {
    /// Unique in the questionnaire: the kind and a number.
    pub id: String,
    /// The kind of question.
    pub kind: &'static str,
    /// The subject, such as the words of a claim.
    pub about: String,
    /// The possible answers.
    pub choice: Choice,
    /// The text that must contain the supporting quotation; none when no quotation is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<&'static str>,
}

/// The possible answers to an item.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// One label of a scale.
    Label(&'static Scale),
    /// A number within bounds.
    Number {
        /// The minimum.
        least: f64,
        /// The maximum.
        most: f64,
    },
}

/// The labels of an item.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Scale {
    /// The labels, the best first where they are ordered.
    pub labels: &'static [&'static str],
    /// Whether the labels are ordered, so that neighbours disagree less.
    pub ordered: bool,
    /// The labels that need a supporting quotation.
    #[serde(skip)]
    pub quoted: &'static [&'static str],
    /// The label that replaces one whose quotation is not in the text.
    #[serde(skip)]
    pub lowered: &'static [(&'static str, &'static str)],
}

impl Questionnaire {
    /// The JSON Schema of an answer: every item once, and nothing else.
    #[must_use]
    pub fn schema(&self) -> Value {
        let properties: Map<String, Value> =
            self.items.iter().map(|item| (item.id.clone(), item.schema())).collect();
        object(properties)
    }

    /// The text with this name; empty when there is none.
    #[must_use]
    pub fn source(&self, name: &str) -> &str {
        self.sources.iter().find(|source| source.name == name).map_or("", |source| &source.text)
    }
}

impl Item {
    /// The quotation precedes the label, so a model looks for evidence before it decides.
    fn schema(&self) -> Value {
        let mut properties = Map::new();
        if self.source.is_some() {
            properties.insert("quote".into(), json!({ "type": "string" }));
        }
        match self.choice {
            Choice::Label(scale) => {
                properties.insert("label".into(), json!({ "type": "string", "enum": scale.labels }));
            }
            Choice::Number { .. } => {
                properties.insert("number".into(), json!({ "type": "number" }));
            }
        }
        object(properties)
    }
}

impl Scale {
    /// The index of a label, from the best.
    #[must_use]
    pub fn place(&self, label: &str) -> Option<usize> {
        self.labels.iter().position(|known| *known == label)
    }

    /// The label that replaces one whose quotation is not in the text.
    pub(super) fn lower(&self, label: &'static str) -> &'static str {
        self.lowered.iter().find(|(from, _)| *from == label).map_or(label, |(_, to)| to)
    }
}

/// An object schema with exactly these properties, as the strict mode of model endpoints requires.
fn object(properties: Map<String, Value>) -> Value {
    let required: Vec<&String> = properties.keys().collect();
    json!({ "type": "object", "required": required, "additionalProperties": false, "properties": properties })
}
