//! The models of the settings file, and asking one of them on the command line.

use std::path::Path;
use std::sync::Arc;

use assize_assessors::{Assessment, Model, Models, Neighbours, Trouble};
use assize_kernel::{AnyRulebook, Unheard, Usage};
use assize_server::Assessing;
use tokio::runtime::Runtime;

use crate::output::{Failure, counted, note};
use crate::settings::SettingsFile;

/// The models of the settings file; none when there is no such file.
pub(crate) fn models(config: Option<&Path>) -> Result<Models, Failure> {
    let settings = SettingsFile::find(config)?.map(SettingsFile::into_assessors).unwrap_or_default();
    let variable = |name: &str| std::env::var(name).ok();
    Models::new(settings, &variable).map_err(|error| Failure::Use(error.to_string()))
}

/// Those whom a server tells what was assessed; needs a runtime.
pub(crate) fn neighbours(config: Option<&Path>) -> Result<Neighbours, Failure> {
    let settings = SettingsFile::find(config)?.map(SettingsFile::into_neighbours).unwrap_or_default();
    let variable = |name: &str| std::env::var(name).ok();
    Neighbours::start(&settings, &variable).map_err(|error| Failure::Use(error.to_string()))
}

/// A model by its name.
pub(crate) fn model(models: &Models, name: &str) -> Result<Arc<Model>, Failure> {
    models.get(name).cloned().ok_or_else(|| {
        let known: Vec<&str> = models.all().map(|model| model.name()).collect();
        let there = match known.as_slice() {
            [] => "the settings file has no [assessors.NAME]".to_owned(),
            known => format!("there is {}", known.join(", ")),
        };
        Failure::Use(format!("there is no assessor `{name}`; {there}"))
    })
}

/// How answers came out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub(crate) struct Outcomes {
    /// Could be used as they came.
    pub(crate) valid: u64,
    /// Could be used when they were asked for again.
    pub(crate) repaired: u64,
    /// Could not be used: the court's own reading took over.
    pub(crate) replaced: u64,
}

impl Outcomes {
    pub(crate) fn count(&mut self, assessment: &Assessment) {
        match &assessment.answer {
            Ok(_) if assessment.repaired => self.repaired += 1,
            Ok(_) => self.valid += 1,
            Err(_) => self.replaced += 1,
        }
    }
}

/// A model that is asked about documents, one after the other.
pub(crate) struct Asked {
    runtime: Runtime,
    assessing: Assessing,
    model: Arc<Model>,
    outcomes: Outcomes,
}

impl Asked {
    pub(crate) fn new(config: Option<&Path>, name: &str) -> Result<Self, Failure> {
        let models = models(config)?;
        let model = model(&models, name)?;
        let outcomes = Outcomes::default();
        Ok(Self {
            runtime: Runtime::new()?,
            assessing: Assessing::new(models, Neighbours::default()),
            model,
            outcomes,
        })
    }

    /// The verdict on a document by what the model found in it.
    pub(crate) fn judge(
        &mut self,
        court: &str,
        book: &AnyRulebook,
        document: &str,
    ) -> Result<String, Unheard> {
        let asking = self.assessing.judge(court, book, document, &self.model);
        let (concluded, assessment) = self.runtime.block_on(asking)?;
        self.outcomes.count(&assessment);
        if let Err(Trouble::Away(problem) | Trouble::Budget(problem)) = &assessment.answer {
            note(format_args!("assize: `{}`: {problem}", self.model.name()));
        }
        Ok(concluded.verdict)
    }

    /// Says what it took.
    pub(crate) fn tell(&self) {
        let Outcomes { valid, repaired, replaced } = self.outcomes;
        let Usage { calls, tokens_in, tokens_out, cost } = self.model.budget().spent().total;
        let calls = counted(calls.into(), "call");
        note(format_args!(
            "`{}`: {valid} valid, {repaired} repaired, {replaced} replaced by the court's own reading; {calls}, \
             {tokens_in} + {tokens_out} tokens, cost {cost:.4}",
            self.model.name()
        ));
    }
}
