//! One assessment job: asks one model about one submission and submits its report to the clerk.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use assize_assessors::{Assessment, AssessmentTrace, Model, ModelError};
use assize_kernel::{
    Actor, Answers, AnyRulebook, BenchCommand, BenchEvent, BenchState, DecideError, Digest, Millis, Personal,
    Role, StreamId, Testimony, to_json,
};
use assize_ledger::{Ledger, LedgerError, Scan};
use serde_json::{Value, json};

use super::Assessing;
use super::streams::bench_of;
use crate::clerk::RulebookIndex;
use crate::{Answer, Clerk, ClerkError, Courts, Petition};

/// Added to the longest duration of an assessment to get the lease, for reads and writes around it.
const MARGIN: Duration = Duration::from_secs(10);

/// Shared by all assessment jobs of a process.
#[derive(Clone)]
pub(super) struct JobContext {
    pub(super) assessing: Assessing,
    pub(super) courts: Arc<Courts>,
    pub(super) ledger: Arc<dyn Ledger>,
    pub(super) clerk: Clerk,
}

/// The outcome of a job.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// Finished, by this job or another process.
    Done,
    /// The model is unavailable or its budget is used up; all of its submissions wait.
    Away(String),
    /// An internal error or an error of the store; the submission waits until its lease expires.
    Failed(String),
}

/// The document of a submission.
struct Received {
    document: String,
    /// Subject under which personal texts of the submission are stored; `None` when it is not personal.
    subject: Option<String>,
}

impl JobContext {
    /// Has a model assess a submission.
    pub(super) async fn run(&self, stream: StreamId, id: u64, model: Arc<Model>) -> Ended {
        match self.go(&stream, id, &model).await {
            Ok(ended) => ended,
            Err(ClerkError::Refused(refusal)) => {
                tracing::debug!(%refusal, id, "a job ended early: the bench refused its command");
                Ended::Done
            }
            Err(error) => Ended::Failed(error.to_string()),
        }
    }

    async fn go(&self, stream: &StreamId, id: u64, model: &Arc<Model>) -> Result<Ended, ClerkError> {
        let Some(bench) = bench_of(&self.assessing, stream) else { return Ok(Ended::Done) };
        let broken = |error: DecideError| ClerkError::Broken(error.to_string());
        let prompt = bench.prompt().map_err(broken)?;
        let Some(received) = self.received(id).await? else {
            return self.withdraw(stream, id, model, "its text was erased".to_owned()).await;
        };
        let book = self.book(stream).await?;
        let asked = match bench.face.ask(&book, &received.document) {
            // The court accepted the document when it was received; this edition of the court does not.
            Err(DecideError::Refused(refusal)) => {
                return self.withdraw(stream, id, model, refusal.to_string()).await;
            }
            asked => asked.map_err(broken)?,
        };
        self.begin(stream, id, model).await?;
        let question = model.question(&prompt, &asked);
        let mut testimony = Testimony { question: Some(question), ..Testimony::of(model.assessor(&prompt)) };
        if let Some((position, answer)) = self.known(stream, question, bench.face.is_personal()).await? {
            (testimony.answer, testimony.known_from) = (Some(answer), Some(position));
            self.testify(stream, id, model, testimony, received).await?;
            return Ok(Ended::Done);
        }
        let asked_at = self.clerk.now();
        let Assessment { answer, exchanges, usage, .. } = model.assess(&prompt, &asked).await;
        let traced = self.assessing.trace_exporter().is_told().then(|| AssessmentTrace {
            court: bench.face.court(),
            submission: id,
            assessor: model.name().to_owned(),
            called: model.called(&exchanges),
            time: (asked_at.as_millis(), self.clerk.now().as_millis()),
            exchanges: if bench.face.is_personal() { Vec::new() } else { exchanges.clone() },
            usage,
            verdict: None,
        });
        (testimony.exchanges, testimony.usage) = (exchanges, usage);
        match answer {
            Ok(answer) => testimony.answer = Some(answer),
            Err(ModelError::Unusable(problem)) => testimony.problem = Some(problem),
            Err(ModelError::Away(problem) | ModelError::Budget(problem)) => {
                self.give_back(stream, id, model).await?;
                return Ok(Ended::Away(problem));
            }
        }
        // Erased while the model was asked: the exchanges quote the text and must not be stored.
        if received.subject.is_some() && self.received(id).await?.is_none() {
            return self.withdraw(stream, id, model, "its text was erased".to_owned()).await;
        }
        let answer = self.testify(stream, id, model, testimony, received).await?;
        if let Some(traced) = traced {
            self.assessing.trace_exporter().tell(AssessmentTrace { verdict: verdict_in(&answer), ..traced });
        }
        Ok(Ended::Done)
    }

    /// Withdraws a submission that can no longer be judged.
    async fn withdraw(
        &self,
        stream: &StreamId,
        id: u64,
        model: &Model,
        reason: String,
    ) -> Result<Ended, ClerkError> {
        self.hear(stream, model, BenchCommand::Withdraw { id, reason }, Vec::new()).await?;
        Ok(Ended::Done)
    }

    /// Releases the lease, so that the submission waits again.
    pub(super) async fn give_back(
        &self,
        stream: &StreamId,
        id: u64,
        model: &Model,
    ) -> Result<(), ClerkError> {
        let command = BenchCommand::GiveBack { id, assessor: model.name().into() };
        self.hear(stream, model, command, Vec::new()).await.map(drop)
    }

    /// Takes a lease for the longest duration of an assessment.
    async fn begin(&self, stream: &StreamId, id: u64, model: &Model) -> Result<(), ClerkError> {
        let longest = model.settings().longest() + MARGIN;
        let until = self.clerk.now() + Millis(i64::try_from(longest.as_millis()).unwrap_or(i64::MAX));
        let command = BenchCommand::Begin { id, assessor: model.name().into(), person: false, until };
        self.hear(stream, model, command, Vec::new()).await.map(drop)
    }

    async fn testify(
        &self,
        stream: &StreamId,
        id: u64,
        model: &Model,
        mut testimony: Testimony,
        received: Received,
    ) -> Result<Answer, ClerkError> {
        let mut personal = Vec::new();
        let Received { document, subject } = received;
        if let Some(subject) = subject {
            let kept = sealed(subject, to_json(&std::mem::take(&mut testimony.exchanges)))?;
            testimony.personal = Some(kept.digest());
            personal.push(kept);
        }
        let command = BenchCommand::Report { id, document, testimony: Box::new(testimony) };
        self.hear(stream, model, command, personal).await
    }

    async fn hear(
        &self,
        stream: &StreamId,
        model: &Model,
        command: BenchCommand,
        personal: Vec<Personal>,
    ) -> Result<Answer, ClerkError> {
        let actor = Actor::new(Role::System, model.name());
        let petition = Petition::new(stream.clone(), Box::new(command), actor, self.clerk.now());
        self.clerk.submit(Petition { personal, ..petition }).await
    }

    /// The document of a submission; `None` when its personal text was erased.
    async fn received(&self, id: u64) -> Result<Option<Received>, ClerkError> {
        let found = self.ask(move |context| {
            let Some(BenchEvent::SubmissionReceived { document, personal, .. }) =
                event_at(&*context.ledger, id)?
            else {
                return Ok(None);
            };
            if let Some(document) = document {
                return Ok(Some(Received { document, subject: None }));
            }
            let kept = personal.map(|digest| context.ledger.personal(&digest)).transpose()?.flatten();
            Ok(kept.map(|kept| Received { document: kept.text, subject: Some(kept.subject) }))
        });
        Ok(found.await?)
    }

    /// The rulebook of a bench stream, shipped or recorded.
    async fn book(&self, stream: &StreamId) -> Result<AnyRulebook, ClerkError> {
        let reference =
            self.clerk.inspect(stream.clone(), |state: &BenchState| state.rulebook.clone()).await?;
        let hash = reference.ok_or_else(|| ClerkError::Broken(format!("{stream} was never opened")))?.hash;
        let shipped = bench_of(&self.assessing, stream)
            .map_or(&[][..], |bench| self.courts.rulebooks(bench.face.court()));
        if let Some(book) = shipped.iter().find(|book| book.reference.hash == hash) {
            return Ok(book.clone());
        }
        let rulebooks = self.ask(|context| RulebookIndex::load(&*context.ledger, &context.courts)).await?;
        rulebooks
            .get(&hash)
            .cloned()
            .ok_or_else(|| ClerkError::Broken(format!("the rulebook of {stream} is not there")))
    }

    /// Cache look-up: an earlier answer to the same question, with the position of its record.
    async fn known(
        &self,
        stream: &StreamId,
        question: Digest,
        personal: bool,
    ) -> Result<Option<(u64, Value)>, ClerkError> {
        // Answers about personal texts are not recorded, so they cannot be reused.
        if personal {
            return Ok(None);
        }
        let look = move |state: &BenchState| state.known_answer(&question);
        let Some(position) = self.clerk.inspect(stream.clone(), look).await? else { return Ok(None) };
        let event = self.ask(move |context| event_at(&*context.ledger, position)).await?;
        Ok(match event {
            Some(BenchEvent::FindingsReported { answers: Some(answers), .. }) => {
                Some((position, given(&answers)))
            }
            _ => None,
        })
    }

    /// Reads from the ledger on a blocking thread.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> Result<T, LedgerError> + Send + 'static,
    ) -> Result<T, LedgerError> {
        let context = self.clone();
        let answered = tokio::task::spawn_blocking(move || work(&context)).await;
        answered.unwrap_or_else(|error| Err(LedgerError::Unavailable(error.to_string())))
    }
}

/// The verdict, once all assessors have reported.
fn verdict_in(answer: &Answer) -> Option<Value> {
    serde_json::from_str(answer.records.last()?.draft.verdict.as_deref()?).ok()
}

/// The bench event at a position; `None` when the record is of another kind.
pub(super) fn event_at(ledger: &dyn Ledger, position: u64) -> Result<Option<BenchEvent>, LedgerError> {
    let mut found = None;
    ledger.scan(Scan::at(position), &mut |record| {
        found = serde_json::from_str(record.body).ok();
        ControlFlow::Break(())
    })?;
    Ok(found)
}

/// Recorded answers in the format in which a model gives them.
fn given(answers: &Answers) -> Value {
    let one = |(id, given): (&String, &assize_kernel::Given)| {
        let quote = given.quote.as_ref().map_or("", |quote| &quote.text);
        let answer = match given.number {
            Some(number) => json!({ "number": number }),
            None => json!({ "quote": quote, "label": given.label }),
        };
        (id.clone(), answer)
    };
    Value::Object(answers.0.iter().map(one).collect())
}

/// A personal text with a random salt.
pub fn sealed(subject: String, text: String) -> Result<Personal, ClerkError> {
    let mut salt = [0; 16];
    getrandom::fill(&mut salt).map_err(|error| ClerkError::Broken(format!("no random bytes: {error}")))?;
    Ok(Personal { subject, salt, text })
}
