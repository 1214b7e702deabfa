//! The models of the settings file, and judging with one on the command line.

use std::path::Path;
use std::sync::Arc;

use assize_assessors::{Assessment, Model, ModelError, Models, TraceExporter};
use assize_engine::Assessing;
use assize_kernel::{AnyRulebook, DecideError, Usage};
use tokio::runtime::Runtime;

use crate::output::{Failure, counted, note};
use crate::settings::SettingsFile;

/// The models of the settings file; none when there is no such file.
pub(crate) fn models(config: Option<&Path>) -> Result<Models, Failure> {
    let settings = SettingsFile::find(config)?.map(SettingsFile::into_assessors).unwrap_or_default();
    let variable = |name: &str| std::env::var(name).ok();
    Models::new(settings, &variable).map_err(|error| Failure::Use(error.to_string()))
}

/// Starts the trace exporter of the settings file; needs a runtime.
pub(crate) fn trace_exporter(config: Option<&Path>) -> Result<TraceExporter, Failure> {
    let settings = SettingsFile::find(config)?.map(SettingsFile::into_trace_exporters).unwrap_or_default();
    let variable = |name: &str| std::env::var(name).ok();
    TraceExporter::start(&settings, &variable).map_err(|error| Failure::Use(error.to_string()))
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

/// The validity of answers, counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub(crate) struct Outcomes {
    /// Valid at once.
    pub(crate) valid: u64,
    /// Valid after a repair.
    pub(crate) repaired: u64,
    /// Unusable: the court's own reading was used instead.
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

/// Judges documents by a model, one after the other.
pub(crate) struct ModelJudge {
    runtime: Runtime,
    assessing: Assessing,
    model: Arc<Model>,
    outcomes: Outcomes,
}

impl ModelJudge {
    pub(crate) fn new(config: Option<&Path>, name: &str) -> Result<Self, Failure> {
        let models = models(config)?;
        let model = model(&models, name)?;
        let outcomes = Outcomes::default();
        Ok(Self {
            runtime: Runtime::new()?,
            assessing: Assessing::new(models, TraceExporter::default()),
            model,
            outcomes,
        })
    }

    /// The verdict on a document by the findings of the model.
    pub(crate) fn judge(
        &mut self,
        court: &str,
        book: &AnyRulebook,
        document: &str,
    ) -> Result<String, DecideError> {
        let asking = self.assessing.judge(court, book, document, &self.model);
        let (concluded, assessment) = self.runtime.block_on(asking)?;
        self.outcomes.count(&assessment);
        if let Err(ModelError::Away(problem) | ModelError::Budget(problem)) = &assessment.answer {
            note(format_args!("assize: `{}`: {problem}", self.model.name()));
        }
        Ok(concluded.verdict.into_string())
    }

    /// Prints the outcomes, token usage and cost.
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
