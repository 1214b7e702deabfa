//! Delivery of verdicts from a bench to the streams that asked for them: a run, a turn of a session, a log.
//!
//! The bench keeps a verdict until it is delivered, so the process may stop at any point: the idempotency key
//! prevents a second delivery, and a refusal of the destination is recorded on the bench.

use std::ops::ControlFlow;

use assize_kernel::{
    Actor, AnyCommand, BenchCommand, BenchEvent, Digest, JudgedSubmission, Role, StreamId, Undelivered,
};
use assize_ledger::{Depth, Ledger, LedgerError, Scan, ScopedKey};

use super::job::{Ended, JobContext, event_at};
use super::streams::bench_of;
use crate::{ClerkError, Petition, RequestKey};

/// The actor that delivers verdicts.
const BENCH: &str = "bench";

/// The bodies of all records of these kinds in a stream, in order.
///
/// # Errors
/// The ledger cannot be read.
pub fn records_of_kinds(
    ledger: &dyn Ledger,
    stream: &StreamId,
    kinds: &[&str],
) -> Result<Vec<String>, LedgerError> {
    let mut bodies = Vec::new();
    if kinds.is_empty() {
        return Ok(bodies);
    }
    ledger.scan(Scan::stream(stream.as_str(), 0, Depth::Facts), &mut |record| {
        if kinds.contains(&record.kind) {
            bodies.push(record.body.to_owned());
        }
        ControlFlow::Continue(())
    })?;
    Ok(bodies)
}

/// A command for the stream that asked for a verdict.
struct Delivery {
    to: StreamId,
    command: AnyCommand,
    /// Unique for the verdict, so that it is delivered once.
    key: String,
}

impl JobContext {
    /// Delivers the verdict on a submission.
    pub(super) async fn deliver(&self, stream: StreamId, id: u64, undelivered: Undelivered) -> Ended {
        match self.try_deliver(&stream, id, undelivered).await {
            Ok(()) => Ended::Done,
            Err(error) => Ended::Failed(error.to_string()),
        }
    }

    async fn try_deliver(
        &self,
        stream: &StreamId,
        id: u64,
        undelivered: Undelivered,
    ) -> Result<(), ClerkError> {
        let problem = match self.prepare(stream, id, undelivered).await? {
            Ok(delivery) => self.submit(delivery).await?,
            Err(problem) => Some(problem),
        };
        let command = BenchCommand::Deliver { id, problem };
        let petition = Petition::new(stream.clone(), Box::new(command), bench(), self.clerk.now());
        match self.clerk.submit(petition).await {
            // A refusal means that another process has delivered the verdict.
            Ok(_) | Err(ClerkError::Refused(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// The delivery as the court wants it, or the reason why there is none.
    async fn prepare(
        &self,
        stream: &StreamId,
        id: u64,
        undelivered: Undelivered,
    ) -> Result<Result<Delivery, String>, ClerkError> {
        let Undelivered { destination, judged } = undelivered;
        let event = self.ask(move |context| event_at(&*context.ledger, judged)).await?;
        let Some(BenchEvent::SubmissionJudged { document, remarks, .. }) = event else {
            return Err(ClerkError::Broken(format!("record {judged} is no verdict of a bench")));
        };
        let Ok(to) = destination.stream.parse::<StreamId>() else {
            return Ok(Err(format!("`{}` is no stream", destination.stream)));
        };
        let Some(bench) = bench_of(&self.assessing, stream).filter(|bench| bench.face.court() == to.court())
        else {
            return Ok(Err(format!("nothing can be brought to the court `{}`", to.court())));
        };
        let kinds = bench.face.delivery_records();
        let scanned = to.clone();
        let records = self.ask(move |context| records_of_kinds(&*context.ledger, &scanned, kinds)).await?;
        let submission =
            JudgedSubmission { id, destination: &destination, document: &document, remarks: &remarks };
        let command = bench.face.deliver(&submission, &records);
        Ok(command.map(|command| Delivery { to, command, key: format!("{stream} {id}") }))
    }

    /// Submits the command to its stream; returns the refusal, if there is one.
    async fn submit(&self, delivery: Delivery) -> Result<Option<String>, ClerkError> {
        let Delivery { to, command, key } = delivery;
        let request = Digest::of(key.as_bytes());
        let key = ScopedKey { scope: format!("{} deliver", bench()), key };
        let petition = Petition::new(to, command, bench(), self.clerk.now());
        match self.clerk.submit(Petition { key: Some(RequestKey { key, request }), ..petition }).await {
            Ok(_) => Ok(None),
            Err(ClerkError::Refused(refusal)) => Ok(Some(refusal.to_string())),
            Err(error) => Err(error),
        }
    }
}

fn bench() -> Actor {
    Actor::new(Role::System, BENCH)
}
