//! Language models as assessors, over any endpoint with OpenAI's chat completions protocol.
//!
//! A model is never trusted. It is asked the court's questions with a schema for the answer, and the answer
//! is validated as if there had been no schema; an invalid one is asked for once more, with a list of its
//! problems. All usage is counted against a budget.

mod budget;
mod chat;
mod client;
mod model;
mod settings;
mod trace;

pub use budget::{Budget, SpentBudget};
pub use model::{Assessment, Model, ModelError};
pub use settings::{AnswerFormat, BudgetLimits, ModelSettings, SettingsError, read_settings};
pub use trace::{AssessmentTrace, ModelCall, TraceExporter, TraceSettings, TraceTarget};

use std::collections::BTreeMap;
use std::sync::Arc;

/// The configured models, by name.
#[derive(Clone, Default)]
pub struct Models {
    models: BTreeMap<String, Arc<Model>>,
}

impl Models {
    /// The models of the settings; contacts no endpoint.
    ///
    /// # Errors
    /// When an API key is missing in the environment, or malformed.
    pub fn new(
        settings: BTreeMap<String, ModelSettings>,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, SettingsError> {
        let model = |(name, settings): (String, ModelSettings)| {
            let model = Model::new(name.clone(), settings, variable)?;
            Ok((name, Arc::new(model)))
        };
        Ok(Self { models: settings.into_iter().map(model).collect::<Result<_, _>>()? })
    }

    /// A model by its name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Arc<Model>> {
        self.models.get(name)
    }

    /// All models, in order of name.
    pub fn all(&self) -> impl Iterator<Item = &Arc<Model>> {
        self.models.values()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.models.is_empty()
    }
}
