//! Supervises the workers: one task for each webhook, so that a slow receiver does not delay the others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use assize_ledger::LedgerError;
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use super::MOST_WEBHOOKS;
use super::context::DeliveryContext;
use super::worker::Worker;

/// Polling interval for the position of the views, which is cheap to read.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// Interval, in seconds of the schedule, at which webhooks are listed for changes by other processes.
const LIST_EVERY: u32 = 5;
/// Least interval of listing, at any pace.
const LIST_AT_MOST_EVERY: Duration = Duration::from_millis(100);
/// Shutdown timeout, for the last attempts and for saving progress.
const STOPPING: Duration = Duration::from_secs(3);

/// The task that delivers webhooks until shutdown.
pub struct Sender {
    task: JoinHandle<()>,
}

/// Webhooks changed by this process; their workers are restarted.
#[derive(Default)]
pub(super) struct Changed {
    ids: Mutex<Vec<String>>,
    call: Notify,
}

struct Workers {
    context: Arc<DeliveryContext>,
    changed: Arc<Changed>,
    head: watch::Sender<u64>,
    running: HashMap<String, JoinHandle<()>>,
}

impl Sender {
    /// Starts the deliveries; needs a runtime.
    pub(super) fn start(context: Arc<DeliveryContext>, changed: Arc<Changed>) -> Self {
        let (head, _) = watch::channel(0);
        let workers = Workers { context, changed, head, running: HashMap::new() };
        Self { task: tokio::spawn(workers.run()) }
    }

    /// Waits for the task to end after the shutdown has begun. Attempts in progress get a short time to
    /// finish; the others are repeated later.
    pub async fn finish(self) {
        if timeout(STOPPING, self.task).await.is_err() {
            tracing::warn!("webhooks did not stop in time; some deliveries may be sent again");
        }
    }
}

impl Changed {
    pub(super) fn note(&self, id: String) {
        self.ids.lock().unwrap_or_else(PoisonError::into_inner).push(id);
        self.call.notify_one();
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.ids.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Workers {
    async fn run(mut self) {
        let closing = self.context.closing.clone();
        while !closing.has_begun() {
            if let Err(error) = self.renew().await {
                tracing::warn!(%error, "failed to list webhooks");
            }
            let pause = self.context.pace.seconds(LIST_EVERY).max(LIST_AT_MOST_EVERY);
            tokio::select! {
                () = self.follow_the_head() => {}
                () = self.changed.call.notified() => {}
                () = sleep(pause) => {}
                () = closing.begun() => {}
            }
        }
        for (_, worker) in self.running {
            // The error of a worker that panicked is ignored.
            drop(worker.await);
        }
    }

    /// Starts missing workers, and stops those of webhooks that were changed, paused or removed.
    async fn renew(&mut self) -> Result<(), LedgerError> {
        for id in self.changed.take() {
            self.running.remove(&id).into_iter().for_each(|worker| worker.abort());
        }
        let listed = self.context.ask(|context| context.ledger.webhooks(0, MOST_WEBHOOKS)).await?;
        self.running.retain(|_, worker| !worker.is_finished());
        self.running.retain(|id, worker| {
            let wanted = listed.iter().any(|webhook| webhook.id == *id && !webhook.paused);
            if !wanted {
                worker.abort();
            }
            wanted
        });
        for webhook in listed.into_iter().filter(|webhook| !webhook.paused) {
            if !self.running.contains_key(&webhook.id) {
                let worker = self.worker(webhook.id.clone());
                self.running.insert(webhook.id, tokio::spawn(worker.run()));
            }
        }
        Ok(())
    }

    /// Passes the position of the views to the workers; it includes records of other processes.
    async fn follow_the_head(&self) {
        loop {
            let position = self.context.clerk.views().position();
            self.head.send_if_modified(|head| std::mem::replace(head, position) != position);
            if self.running.is_empty() {
                std::future::pending::<()>().await;
            }
            sleep(LOOK_EVERY).await;
        }
    }

    fn worker(&self, id: String) -> Worker {
        let (context, head) = (Arc::clone(&self.context), self.head.subscribe());
        Worker { context, id, head }
    }
}
