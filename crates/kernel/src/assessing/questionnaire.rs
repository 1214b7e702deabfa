//! What is asked about a submission: items with the answers they may have.

use serde::Serialize;
use serde_json::{Map, Value, json};

/// Everything that is asked about one submission, and the texts it is about.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Questionnaire {
    /// What people wrote: data, whatever it says.
    pub sources: Vec<Source>,
    /// In order; each is answered.
    pub items: Vec<Item>,
}

/// A text that the items are about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Source {
    /// What it is called.
    pub name: &'static str,
    /// As it was written.
    pub text: String,
}

/// One thing that is asked.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Item {
    /// Unique in the questionnaire: its kind and a number.
    pub id: String,
    /// What kind of question it is.
    pub kind: &'static str,
    /// What it is about, such as the words of a claim.
    pub about: String,
    /// Which answers there are.
    pub choice: Choice,
    /// The text in which words that bear the answer out must stand; none when no words are wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<&'static str>,
}

/// Which answers an item may have.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// One of these.
    Label(&'static Scale),
    /// A number in these bounds.
    Number {
        /// At least.
        least: f64,
        /// At most.
        most: f64,
    },
}

/// Labels to choose among.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Scale {
    /// In order, the best first, where they have one.
    pub labels: &'static [&'static str],
    /// Whether neighbours are nearer to each other than others.
    pub ordered: bool,
    /// Those that need words to bear them out.
    #[serde(skip)]
    pub quoted: &'static [&'static str],
    /// What a label becomes when the words given for it are not in the text.
    #[serde(skip)]
    pub lowered: &'static [(&'static str, &'static str)],
}

impl Questionnaire {
    /// The JSON Schema of an answer: every item once, nothing else.
    #[must_use]
    pub fn schema(&self) -> Value {
        let properties: Map<String, Value> =
            self.items.iter().map(|item| (item.id.clone(), item.schema())).collect();
        object(properties)
    }

    /// The text of this name; empty when there is none.
    #[must_use]
    pub fn source(&self, name: &str) -> &str {
        self.sources.iter().find(|source| source.name == name).map_or("", |source| &source.text)
    }
}

impl Item {
    /// The words come first: whoever answers looks before it decides.
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
    /// The place of a label, from the best.
    #[must_use]
    pub fn place(&self, label: &str) -> Option<usize> {
        self.labels.iter().position(|known| *known == label)
    }

    /// What becomes of a label whose words are not in the text.
    pub(super) fn lower(&self, label: &'static str) -> &'static str {
        self.lowered.iter().find(|(from, _)| *from == label).map_or(label, |(_, to)| to)
    }
}

/// An object that has all of these and nothing else, as the strict mode of endpoints wants it.
fn object(properties: Map<String, Value>) -> Value {
    let required: Vec<&String> = properties.keys().collect();
    json!({ "type": "object", "required": required, "additionalProperties": false, "properties": properties })
}
