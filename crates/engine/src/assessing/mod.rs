//! Assessments: asks models about submissions and submits their reports to the clerk.

mod delivering;
mod job;
mod streams;
mod worker;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use assize_assessors::{Assessment, Model, Models, TraceExporter};
use assize_kernel::{
    AnyBench, AnyRulebook, Concluded, DecideError, Prompt, Questionnaire, Refusal, RefusalKind, Report,
};
use tokio::sync::Notify;

pub use delivering::records_of_kinds;
pub use job::sealed;
pub use streams::{bench_streams, stream_of};
pub use worker::AssessingTask;

/// The benches of the courts and the configured models; cheap to clone.
#[derive(Clone)]
pub struct Assessing {
    shared: Arc<Shared>,
}

struct Shared {
    models: Models,
    trace_exporter: TraceExporter,
    benches: BTreeMap<&'static str, Bench>,
    /// Wakes the worker when a submission or a person's report was recorded.
    call: Notify,
}

/// The bench of a court, with its prompt parsed on first use.
pub struct Bench {
    /// The bench behind a trait object.
    pub face: Arc<dyn AnyBench>,
    prompt: OnceLock<Result<Arc<Prompt>, String>>,
}

impl Assessing {
    /// With these models, and an exporter for their traces.
    #[must_use]
    pub fn new(models: Models, trace_exporter: TraceExporter) -> Self {
        let bench = |face: Arc<dyn AnyBench>| (face.court(), Bench { face, prompt: OnceLock::new() });
        let benches = assize_courts::benches().into_iter().map(bench).collect();
        Self { shared: Arc::new(Shared { models, trace_exporter, benches, call: Notify::new() }) }
    }

    /// The configured models.
    #[must_use]
    pub fn models(&self) -> &Models {
        &self.shared.models
    }

    /// The exporter of assessment traces.
    pub fn trace_exporter(&self) -> &TraceExporter {
        &self.shared.trace_exporter
    }

    /// The bench of a court; none when the court has none.
    pub fn bench(&self, court: &str) -> Option<&Bench> {
        self.shared.benches.get(court)
    }

    /// The benches of all courts that have one.
    pub fn benches(&self) -> impl Iterator<Item = &Bench> {
        self.shared.benches.values()
    }

    /// Wakes the worker at once instead of at its next poll.
    pub fn call(&self) {
        self.shared.call.notify_one();
    }

    pub(crate) async fn called(&self) {
        self.shared.call.notified().await;
    }

    /// Judges a document by the answers of a model. When they are unusable, the court's own reading is used,
    /// and the verdict says so. Nothing is recorded.
    ///
    /// # Errors
    /// When the court has no bench, or refuses the document.
    pub async fn judge(
        &self,
        court: &str,
        book: &AnyRulebook,
        document: &str,
        model: &Model,
    ) -> Result<(Concluded, Assessment), DecideError> {
        let bench = self.bench(court).ok_or_else(|| self.no_bench(court))?;
        let prompt = bench.prompt()?;
        let asked = bench.face.ask(book, document)?;
        let assessment = model.assess(&prompt, &asked).await;
        let report = report(model, &prompt, &asked, &assessment);
        let concluded = bench.face.conclude(book, document, &[report])?;
        Ok((concluded, assessment))
    }

    fn no_bench(&self, court: &str) -> DecideError {
        let mut courts: Vec<&str> = self.shared.benches.keys().copied().collect();
        let last = courts.pop().unwrap_or("none");
        let others = courts.join(", ");
        let message = format!("the court `{court}` does not ask assessors; {others} and {last} do");
        DecideError::Refused(Refusal::new("assessment.no_bench", RefusalKind::Malformed, message))
    }
}

impl Bench {
    pub(crate) fn prompt(&self) -> Result<Arc<Prompt>, DecideError> {
        let read = || self.face.prompt().map(Arc::new).map_err(|error| error.to_string());
        self.prompt.get_or_init(read).clone().map_err(|error| DecideError::Broken(error.into()))
    }
}

/// Turns the answer of a model into its report.
fn report(model: &Model, prompt: &Prompt, asked: &Questionnaire, assessment: &Assessment) -> Report {
    let assessor = model.assessor(prompt);
    let read = match &assessment.answer {
        Ok(answer) => asked.read(answer).map_err(|problems| problems.join("; ")),
        Err(trouble) => Err(trouble.to_string()),
    };
    match read {
        Ok(read) => Report { assessor, answers: Ok(read.answers), struck: read.struck },
        Err(problem) => Report { assessor, answers: Err(problem), struck: Vec::new() },
    }
}
