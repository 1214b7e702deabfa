//! Sees to it that what waits is brought to the models that are asked, the oldest first.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use assize_assessors::Model;
use assize_kernel::{Begun, BenchState, StreamId, Undelivered};
use assize_ledger::Ledger;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

use super::Assessing;
use super::job::{DeliveryContext, Ended};
use super::streams::bench_streams;
use crate::{Clerk, ClerkError, Courts, Shutdown};

/// How often it is looked for what other processes have taken in.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How often new rulebooks are looked for.
const LIST_EVERY: Duration = Duration::from_secs(30);
/// How long a model that is away is left alone at first, and at most.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(120);
/// So many verdicts are brought to where they are wanted at once.
const BROUGHT_AT_ONCE: usize = 8;
/// What bringing verdicts is called among the jobs: no model is, because names have no blanks.
const BRINGING: &str = "the bench";
/// How long stopping may take: what is being asked then is given up, and asked again later.
const STOPPING: Duration = Duration::from_secs(2);
const DAY_MS: i64 = 86_400_000;

/// Brings submissions to models until the server closes.
pub struct AssessingTask {
    task: tokio::task::JoinHandle<()>,
}

struct Worker {
    context: DeliveryContext,
    closing: Shutdown,
    /// Whether no other process serves this ledger: then what a model has, it had from one that has died.
    alone: bool,
    streams: Vec<StreamId>,
    listed: Option<Instant>,
    running: JoinSet<(String, u64, Ended)>,
    /// How many jobs each model has, and which.
    busy: BTreeMap<String, Vec<u64>>,
    away: BTreeMap<String, Away>,
}

/// A model that is left alone for a while.
struct Away {
    until: Instant,
    pause: Duration,
}

impl AssessingTask {
    /// Starts; needs a runtime. Without models it only brings what people have judged to where it is wanted.
    #[must_use]
    pub fn start(
        (assessing, closing): (Assessing, Shutdown),
        (courts, ledger, clerk): (Arc<Courts>, Arc<dyn Ledger>, Clerk),
        alone: bool,
    ) -> Self {
        let worker = Worker {
            context: DeliveryContext { assessing, courts, ledger, clerk },
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

    /// Waits for its end once the server is closing.
    pub async fn finish(self) {
        if timeout(STOPPING, self.task).await.is_err() {
            tracing::warn!("asking models did not stop in time; what was asked is asked again later");
        }
    }
}

impl Worker {
    async fn run(mut self) {
        if self.alone
            && let Err(error) = self.take_back().await
        {
            tracing::warn!(%error, "what was being assessed waits until its leases end");
        }
        while !self.closing.has_begun() {
            if let Err(error) = self.round().await {
                tracing::warn!(%error, "what waits for assessors could not be looked at");
            }
            let (assessing, closing) = (self.context.assessing.clone(), self.closing.clone());
            tokio::select! {
                () = assessing.called() => {}
                Some(ended) = self.running.join_next(), if !self.running.is_empty() => self.settle(ended),
                () = sleep(LOOK_EVERY) => {}
                () = closing.begun() => {}
            }
        }
        // Their leases end by themselves.
        self.running.shutdown().await;
    }

    /// What models had when the process before this one ended.
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

    /// Brings verdicts to where they are wanted, the oldest first.
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
                let work = async move { context.bring(stream, id, undelivered).await };
                self.running.spawn(async move { (BRINGING.to_owned(), id, work.await) });
            }
        }
        Ok(())
    }

    /// Whether somebody is left alone for now.
    fn is_away(&self, name: &str) -> bool {
        self.away.get(name).is_some_and(|away| Instant::now() < away.until)
    }

    /// The oldest submissions that a model has room for, whatever their court.
    async fn next(&self, model: &Model) -> Result<Vec<(u64, StreamId)>, ClerkError> {
        let busy = self.busy.get(model.name()).cloned().unwrap_or_default();
        // One at a time finds out whether a model that was away is back.
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
                // Whose it was is not known any more: all are looked at anew, and leases keep them apart.
                tracing::error!(%error, "bringing a submission to a model ended in a panic");
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
                    "submissions wait for somebody who is not there"
                );
                self.away.insert(name, Away { until: Instant::now() + pause, pause });
            }
        }
    }

    /// Which streams there are, now and then: rulebooks come by other processes too.
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
