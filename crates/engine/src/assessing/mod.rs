//! Joins courts, models and the clerk: what is asked of whom, and what becomes of the answers.

mod delivering;
mod job;
mod streams;
mod words;
mod worker;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use assize_assessors::{Assessment, Model, Models, TraceExporter};
use assize_kernel::{AnyBench, AnyRulebook, Concluded, DecideError, Prompt, Questionnaire, Report};
use tokio::sync::Notify;

pub use job::sealed;
pub use streams::{bench_streams, stream_of};
pub use words::{Written, written};
pub use worker::AssessingTask;

/// The courts whose findings others can make, and the models that can be asked; cheap to clone.
#[derive(Clone)]
pub struct Assessing {
    shared: Arc<Shared>,
}

struct Shared {
    models: Models,
    neighbours: TraceExporter,
    benches: BTreeMap<&'static str, Bench>,
    /// Something has come in.
    call: Notify,
}

/// A court with its prompt, which is read when it is first needed.
pub struct Bench {
    /// The bench behind a trait object.
    pub face: Arc<dyn AnyBench>,
    prompt: OnceLock<Result<Arc<Prompt>, String>>,
}

impl Assessing {
    /// With these models, telling these neighbours.
    #[must_use]
    pub fn new(models: Models, neighbours: TraceExporter) -> Self {
        let bench = |face: Arc<dyn AnyBench>| (face.court(), Bench { face, prompt: OnceLock::new() });
        let benches = assize_courts::benches().into_iter().map(bench).collect();
        Self { shared: Arc::new(Shared { models, neighbours, benches, call: Notify::new() }) }
    }

    /// The models that can be asked.
    #[must_use]
    pub fn models(&self) -> &Models {
        &self.shared.models
    }

    /// Those who are told what was assessed.
    pub fn neighbours(&self) -> &TraceExporter {
        &self.shared.neighbours
    }

    /// The bench of a court; none when the court has none.
    pub fn bench(&self, court: &str) -> Option<&Bench> {
        self.shared.benches.get(court)
    }

    /// The benches of all courts that have one.
    pub fn benches(&self) -> impl Iterator<Item = &Bench> {
        self.shared.benches.values()
    }

    /// Something has come in: whoever waits for it need not wait longer.
    pub fn call(&self) {
        self.shared.call.notify_one();
    }

    pub(crate) async fn called(&self) {
        self.shared.call.notified().await;
    }

    /// Has a model look at a document and judges it by what it found, or by the court's own reading where that cannot
    /// be used: then the verdict says so. Nothing is kept.
    ///
    /// # Errors
    /// When the court has no use for a model, or does not take the document.
    pub async fn judge(
        &self,
        court: &str,
        book: &AnyRulebook,
        document: &str,
        model: &Model,
    ) -> Result<(Concluded, Assessment), DecideError> {
        let bench = self.bench(court).ok_or_else(|| no_bench(court))?;
        let prompt = bench.prompt()?;
        let asked = bench.face.ask(book, document)?;
        let assessment = model.assess(&prompt, &asked).await;
        let report = report(model, &prompt, &asked, &assessment);
        let concluded = bench.face.conclude(book, document, &[report])?;
        Ok((concluded, assessment))
    }
}

impl Bench {
    pub(crate) fn prompt(&self) -> Result<Arc<Prompt>, DecideError> {
        let read = || self.face.prompt().map(Arc::new).map_err(|error| error.to_string());
        self.prompt.get_or_init(read).clone().map_err(|error| DecideError::Broken(error.into()))
    }
}

/// What an assessment comes to.
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

fn no_bench(court: &str) -> DecideError {
    let message = format!("the court `{court}` does not ask assessors; quest, radio and summary do");
    let kind = assize_kernel::RefusalKind::Malformed;
    DecideError::Refused(assize_kernel::Refusal::new("assessment.no_bench", kind, message))
}
