//! Asking language models for findings: any endpoint that speaks OpenAI's chat protocol.
//!
//! A model is never believed. It is asked the court's questions with a schema for the answer, and what comes back is
//! read as if there had been no schema; an answer that cannot be read is asked for once more, with what is wrong with
//! it. Whatever it takes is counted, and stops at the limits that were set.

mod budget;
mod chat;
mod client;
mod model;
mod settings;
mod trace;

pub use budget::{Budget, Spent};
pub use model::{Assessment, Model, Trouble};
pub use settings::{Limits, ModelSettings, SettingsError, Structure, read_settings};
pub use trace::{Called, Neighbour, NeighbourSettings, Neighbours, Traced};

use std::collections::BTreeMap;
use std::sync::Arc;

/// The models that can be asked, by their names here.
#[derive(Clone, Default)]
pub struct Models {
    models: BTreeMap<String, Arc<Model>>,
}

impl Models {
    /// Those of the settings; nothing is contacted.
    ///
    /// # Errors
    /// When a key is missing in the environment, or cannot be one.
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

    /// All of them, by name.
    pub fn all(&self) -> impl Iterator<Item = &Arc<Model>> {
        self.models.values()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.models.is_empty()
    }
}
