//! Prompts for models, named, versioned and validated like rulebooks.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::questionnaire::Questionnaire;
use crate::court::to_json;
use crate::rulebook::{Fault, Rulebook, Rules};

/// A parsed prompt.
pub type Prompt = Rulebook<PromptRules>;

/// The texts of a prompt.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PromptRules {
    /// The system message: the model's role and the form of its answers.
    pub system: String,
    /// The question for each kind of item.
    pub questions: BTreeMap<String, String>,
    /// The message after an answer that could not be parsed; the mistakes are appended.
    pub repair: String,
}

impl Rules for PromptRules {
    fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        for (key, text) in [("system", &self.system), ("repair", &self.repair)] {
            if text.trim().is_empty() {
                faults.push(Fault::new(key, "must say something"));
            }
        }
        faults
    }
}

impl PromptRules {
    /// The user message as JSON: submitted texts are JSON strings, so they cannot break out into
    /// instructions.
    #[must_use]
    pub fn question(&self, asked: &Questionnaire) -> String {
        let texts: serde_json::Map<String, serde_json::Value> =
            asked.sources.iter().map(|source| (source.name.to_owned(), source.text.clone().into())).collect();
        let items: Vec<serde_json::Value> = asked
            .items
            .iter()
            .map(|item| {
                let mut told = serde_json::Map::new();
                told.insert("id".into(), item.id.clone().into());
                if !item.about.is_empty() {
                    told.insert("about".into(), item.about.clone().into());
                }
                told.insert(
                    "question".into(),
                    self.questions.get(item.kind).cloned().unwrap_or_default().into(),
                );
                match item.choice {
                    super::Choice::Label(scale) => told.insert("labels".into(), scale.labels.to_vec().into()),
                    super::Choice::Number { least, most } => {
                        told.insert("number".into(), format!("from {least} to {most}").into())
                    }
                };
                if let Some(source) = item.source {
                    told.insert("quote_from".into(), source.into());
                }
                told.into()
            })
            .collect();
        to_json(&serde_json::json!({ "texts": texts, "items": items }))
    }
}
