//! Sees to it that every webhook has a worker: one for each, so that a slow receiver holds up nobody else.

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

/// How often it is looked how far the ledger goes, which costs nothing.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// Seconds of the schedule after which webhooks are looked for that other processes have added or let go.
const LIST_EVERY: u32 = 5;
/// However fast the schedule is.
const LIST_AT_MOST_EVERY: Duration = Duration::from_millis(100);
/// How long stopping may take altogether: the last attempts, and writing down how far they have come.
const STOPPING: Duration = Duration::from_secs(3);

/// Delivers webhooks until the server closes.
pub struct Sender {
    task: JoinHandle<()>,
}

/// Webhooks about which something has been decided in this process: their workers begin anew.
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
    /// Starts delivering; needs a runtime.
    pub(super) fn start(context: Arc<DeliveryContext>, changed: Arc<Changed>) -> Self {
        let (head, _) = watch::channel(0);
        let workers = Workers { context, changed, head, running: HashMap::new() };
        Self { task: tokio::spawn(workers.run()) }
    }

    /// Waits for its end once the server is closing. Deliveries that are on their way have a moment to arrive;
    /// what does not is sent again later.
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
                tracing::warn!(%error, "webhooks could not be listed");
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
            // One that panicked has nothing to give back.
            drop(worker.await);
        }
    }

    /// Gives every webhook a worker, and takes it from those that want none.
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

    /// Tells the workers how far the ledger goes, as the clerk has heard: of other processes too.
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
