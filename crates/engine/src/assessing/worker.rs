//! The background worker of assessments: starts jobs for waiting submissions and delivers verdicts, oldest
//! first.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use assize_assessors::Model;
use assize_kernel::{Begun, BenchState, StreamId, Undelivered};
use assize_ledger::Ledger;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

use super::Assessing;
use super::job::{Ended, JobContext};
use super::streams::bench_streams;
use crate::{Clerk, ClerkError, Courts, Shutdown};

/// Polling interval for submissions that other processes received.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Interval at which the bench streams are listed again.
const LIST_EVERY: Duration = Duration::from_secs(30);
/// Back-off of an unavailable model, doubled after each failure up to the longest.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(120);
/// Number of concurrent deliveries.
const BROUGHT_AT_ONCE: usize = 8;
/// Key of deliveries in `busy` and `away`. Not the name of a model, because names have no blanks.
const BRINGING: &str = "the bench";
/// Shutdown timeout; unfinished requests are dropped and asked again later.
const STOPPING: Duration = Duration::from_secs(2);
const DAY_MS: i64 = 86_400_000;

/// The task of the worker, which runs until shutdown.
pub struct AssessingTask {
    task: tokio::task::JoinHandle<()>,
}

struct Worker {
    context: JobContext,
    closing: Shutdown,
    /// Whether no other process serves this ledger, so that leases found at the start are stale.
    alone: bool,
    streams: Vec<StreamId>,
    listed: Option<Instant>,
    running: JoinSet<(String, u64, Ended)>,
    /// Submissions with a running job, by model.
    busy: BTreeMap<String, Vec<u64>>,
    away: BTreeMap<String, Away>,
}

/// Back-off of an unavailable model.
struct Away {
    until: Instant,
    pause: Duration,
}

impl AssessingTask {
    /// Starts the worker; needs a runtime. Without models it only delivers verdicts.
    #[must_use]
    pub fn start(
        assessing: Assessing,
        closing: Shutdown,
        courts: Arc<Courts>,
        ledger: Arc<dyn Ledger>,
        clerk: Clerk,
        alone: bool,
    ) -> Self {
        let worker = Worker {
            context: JobContext { assessing, courts, ledger, clerk },
            closing,
            alone,
            streams: Vec::new(),
            listed: None,
            running: JoinSet::new(),
            busy: BTreeMap::new(),
            away: BTreeMap::new(),
        };
        Self { task: tokio::spawn(worker.run()) }
    }

    /// Waits for the worker to end after the shutdown has begun.
    pub async fn finish(self) {
        if timeout(STOPPING, self.task).await.is_err() {
            tracing::warn!("the assessment worker did not stop in time; its jobs are repeated later");
        }
    }
}

impl Worker {
    async fn run(mut self) {
        if self.alone
            && let Err(error) = self.take_back().await
        {
            tracing::warn!(%error, "failed to release stale leases; they expire by themselves");
        }
        while !self.closing.has_begun() {
            if let Err(error) = self.round().await {
                tracing::warn!(%error, "failed to look for waiting submissions");
            }
            let (assessing, closing) = (self.context.assessing.clone(), self.closing.clone());
            tokio::select! {
                () = assessing.called() => {}
                Some(ended) = self.running.join_next(), if !self.running.is_empty() => self.settle(ended),
                () = sleep(LOOK_EVERY) => {}
                () = closing.begun() => {}
            }
        }
        // The leases of aborted jobs expire.
        self.running.shutdown().await;
    }

    /// Releases the leases of models that a previous process left behind.
    async fn take_back(&mut self) -> Result<(), ClerkError> {
        self.list().await?;
        for stream in self.streams.clone() {
            let look = |state: &BenchState| state.begun.clone();
            for Begun { id, assessor, .. } in self.context.clerk.inspect(stream.clone(), look).await? {
                if let Some(model) = self.context.assessing.models().get(&assessor) {
                    self.context.give_back(&stream, id, model).await?;
                }
            }
        }
        Ok(())
    }

    async fn round(&mut self) -> Result<(), ClerkError> {
        self.list().await?;
        self.bring().await?;
        let today = self.context.clerk.now().as_millis().div_euclid(DAY_MS);
        let models: Vec<Arc<Model>> = self.context.assessing.models().all().cloned().collect();
        for model in models {
            model.budget().renew(today);
            if self.is_away(model.name()) {
                continue;
            }
            for (id, stream) in self.next(&model).await? {
                self.send(stream, id, model.clone());
            }
        }
        Ok(())
    }

    /// Starts deliveries of verdicts, oldest first.
    async fn bring(&mut self) -> Result<(), ClerkError> {
        if self.is_away(BRINGING) {
            return Ok(());
        }
        for stream in self.streams.clone() {
            let busy = self.busy.get(BRINGING).cloned().unwrap_or_default();
            let room = BROUGHT_AT_ONCE.saturating_sub(busy.len());
            let look = move |state: &BenchState| {
                let next = state.undelivered.iter().filter(|(id, _)| !busy.contains(id)).take(room);
                next.map(|(id, undelivered)| (*id, undelivered.clone())).collect::<Vec<(u64, Undelivered)>>()
            };
            for (id, undelivered) in self.context.clerk.inspect(stream.clone(), look).await? {
                self.busy.entry(BRINGING.to_owned()).or_default().push(id);
                let (context, stream) = (self.context.clone(), stream.clone());
                let work = async move { context.deliver(stream, id, undelivered).await };
                self.running.spawn(async move { (BRINGING.to_owned(), id, work.await) });
            }
        }
        Ok(())
    }

    /// Whether a model, or [`BRINGING`], is in back-off.
    fn is_away(&self, name: &str) -> bool {
        self.away.get(name).is_some_and(|away| Instant::now() < away.until)
    }

    /// The oldest submissions of all courts, as many as the model's concurrency allows.
    async fn next(&self, model: &Model) -> Result<Vec<(u64, StreamId)>, ClerkError> {
        let busy = self.busy.get(model.name()).cloned().unwrap_or_default();
        // After a failure, one request at a time probes whether the model is available again.
        let places = if self.away.contains_key(model.name()) { 1 } else { model.settings().concurrency };
        let room = places.saturating_sub(busy.len());
        let mut waiting = Vec::new();
        if room == 0 {
            return Ok(waiting);
        }
        for stream in &self.streams {
            let (name, busy) = (model.name().to_owned(), busy.clone());
            let look = move |state: &BenchState| {
                let next = state.next_for(&name).map(|(id, _)| id).filter(|id| !busy.contains(id));
                next.take(room).collect::<Vec<u64>>()
            };
            let found = self.context.clerk.inspect(stream.clone(), look).await?;
            waiting.extend(found.into_iter().map(|id| (id, stream.clone())));
        }
        waiting.sort_by_key(|(id, _)| *id);
        waiting.truncate(room);
        Ok(waiting)
    }

    fn send(&mut self, stream: StreamId, id: u64, model: Arc<Model>) {
        self.busy.entry(model.name().to_owned()).or_default().push(id);
        let (context, name) = (self.context.clone(), model.name().to_owned());
        self.running.spawn(async move { (name, id, context.run(stream, id, model).await) });
    }

    fn settle(&mut self, ended: Result<(String, u64, Ended), tokio::task::JoinError>) {
        let (name, id, ended) = match ended {
            Ok(ended) => ended,
            Err(error) => {
                // The job of the panic is unknown, so all are forgotten; leases prevent duplicate work.
                tracing::error!(%error, "an assessment job panicked");
                self.busy.clear();
                return;
            }
        };
        if let Some(busy) = self.busy.get_mut(&name) {
            busy.retain(|other| *other != id);
        }
        match ended {
            Ended::Done => drop(self.away.remove(&name)),
            Ended::Away(problem) | Ended::Failed(problem) => {
                let pause =
                    self.away.get(&name).map_or(FIRST_PAUSE, |away| (away.pause * 2).min(LONGEST_PAUSE));
                tracing::warn!(
                    assessor = name,
                    problem,
                    ?pause,
                    "back-off after a failure; submissions wait"
                );
                self.away.insert(name, Away { until: Instant::now() + pause, pause });
            }
        }
    }

    /// Lists the bench streams at intervals, because other processes may record new rulebooks.
    async fn list(&mut self) -> Result<(), ClerkError> {
        if self.listed.is_some_and(|listed| listed.elapsed() < LIST_EVERY) {
            return Ok(());
        }
        let all = self.context.ask(|context| {
            let benches = context.assessing.benches();
            let streams = benches.map(|bench| bench_streams(&*bench.face, &context.courts, &*context.ledger));
            streams.collect::<Result<Vec<_>, _>>()
        });
        self.streams = all.await?.into_iter().flatten().collect();
        self.listed = Some(Instant::now());
        Ok(())
    }
}
