//! The worker of one webhook: sends deliveries in order and retries each until it succeeds or is given up.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use assize_kernel::{Millis, Moment};
use assize_ledger::{DeadLetter, LedgerError, Webhook, WebhookProgress};
use tokio::sync::watch;
use tokio::time::{Instant, sleep};

use super::client::Outcome;
use super::context::DeliveryContext;
use super::delivery::{self, Delivery};

/// Interval at which progress is saved while deliveries succeed; unsaved ones are repeated after a crash.
const SAVE_EVERY: Duration = Duration::from_millis(250);
/// Number of records without a delivery after which progress is saved.
const SAVE_SKIPPED: u64 = 2_000;
/// How long an attempt may go on after the shutdown has begun.
const GRACE: Duration = Duration::from_secs(1);

/// Delivers to one webhook while this process holds its lease.
pub(super) struct Worker {
    pub(super) context: Arc<DeliveryContext>,
    pub(super) id: String,
    /// Position of the ledger.
    pub(super) head: watch::Receiver<u64>,
}

/// A webhook whose lease is held, with its progress.
struct Held {
    webhook: Webhook,
    progress: Mutex<WebhookProgress>,
    saved: Mutex<(Instant, u64)>,
}

/// Why a worker ends.
enum End {
    /// The process is shutting down.
    Stopping,
    /// The lease is lost: another process holds it, or the webhook was changed, paused or removed.
    Lost,
}

impl Worker {
    /// Delivers until the lease is lost or the process shuts down.
    pub(super) async fn run(self) {
        match self.hold().await {
            Ok(Some(webhook)) => self.serve(webhook).await,
            Ok(None) => {}
            Err(error) => tracing::warn!(webhook = self.id, %error, "failed to lease a webhook"),
        }
    }

    async fn serve(&self, webhook: Webhook) {
        let saved = Mutex::new((Instant::now(), webhook.progress.position));
        let held = Held { progress: Mutex::new(webhook.progress.clone()), webhook, saved };
        let ended = tokio::select! {
            ended = self.follow(&held) => ended,
            ended = self.keep(&held) => ended,
            () = self.out_of_time() => Ok(End::Stopping),
        };
        match ended {
            Ok(End::Lost) => return,
            Ok(End::Stopping) => {}
            Err(error) => tracing::warn!(webhook = self.id, %error, "deliveries are interrupted"),
        }
        self.give_back(&held).await;
    }

    /// Delivers page by page, then waits for new records.
    async fn follow(&self, held: &Held) -> Result<End, LedgerError> {
        let mut head = self.head.clone();
        loop {
            let after = held.progress().position;
            let webhook = held.webhook.clone();
            let page = self
                .context
                .ask(move |context| delivery::page(&*context.ledger, &context.courts, &webhook, after));
            let page = page.await?;
            for delivery in &page.deliveries {
                if let Some(end) = self.deliver(held, delivery).await? {
                    return Ok(end);
                }
            }
            held.progress().position = page.end;
            if !self.save_now_and_then(held, page.is_last).await? {
                return Ok(End::Lost);
            }
            if page.is_last {
                tokio::select! {
                    // The channel is closed only during shutdown.
                    _ = head.wait_for(|head| *head > page.end) => {}
                    () = self.context.closing.begun() => {}
                }
            }
            if self.context.closing.has_begun() {
                return Ok(End::Stopping);
            }
        }
    }

    /// Attempts a delivery until it succeeds or is given up (`None`), or the worker must end.
    async fn deliver(&self, held: &Held, delivery: &Delivery) -> Result<Option<End>, LedgerError> {
        loop {
            let due = held.progress().due;
            if !self.wait_until(due).await {
                return Ok(Some(End::Stopping));
            }
            let outcome = match &delivery.body {
                Ok(_) => self.context.client.send(&held.webhook, delivery, self.context.now()).await,
                // A body that cannot be rendered now cannot be rendered later.
                Err(error) => return self.give_up(held, delivery, error.clone()).await,
            };
            let now = self.context.now();
            match outcome {
                Outcome::Delivered(_) => {
                    held.progress().succeeded(delivery.position, now);
                    let kept = self.save_now_and_then(held, false).await?;
                    return Ok((!kept).then_some(End::Lost));
                }
                Outcome::Gone => return self.pause(held, now).await,
                Outcome::Failed { error, retry_after } => {
                    let attempts = held.progress().failed(now, &error);
                    let wait = self.context.pace.wait_after(attempts, random(), retry_after);
                    let Some(wait) = wait else { return self.give_up(held, delivery, error).await };
                    held.progress().due = now + millis(wait);
                    if !self.save(held, None).await? {
                        return Ok(Some(End::Lost));
                    }
                }
            }
        }
    }

    /// Gives a delivery up: saves it as a dead letter and moves on.
    async fn give_up(
        &self,
        held: &Held,
        delivery: &Delivery,
        error: String,
    ) -> Result<Option<End>, LedgerError> {
        tracing::warn!(webhook = self.id, delivery = delivery.id, error, "a delivery was given up");
        let at = self.context.now();
        let dead = {
            let mut progress = held.progress();
            let attempts = progress.attempts;
            progress.given_up(delivery.position, at, &error);
            DeadLetter { webhook: self.id.clone(), position: delivery.position, attempts, at, error }
        };
        let kept = self.save(held, Some(dead)).await?;
        Ok((!kept).then_some(End::Lost))
    }

    /// Pauses the webhook after a 410 response; further deliveries wait until an admin resumes it.
    async fn pause(&self, held: &Held, now: Moment) -> Result<Option<End>, LedgerError> {
        held.progress().failed(now, "the receiver answered 410: it wants nothing more");
        if self.save(held, None).await? {
            self.context.pause(&self.id).await?;
            tracing::warn!(webhook = self.id, "a webhook was paused: its receiver answered 410");
        }
        Ok(Some(End::Lost))
    }

    async fn hold(&self) -> Result<Option<Webhook>, LedgerError> {
        let id = self.id.clone();
        self.context.ask(move |context| context.ledger.hold_webhook(&id, &context.hold())).await
    }

    /// Renews the lease; returns when it is lost.
    async fn keep(&self, held: &Held) -> Result<End, LedgerError> {
        let lease = self.context.pace.lease();
        let mut kept = Instant::now();
        loop {
            sleep(lease / 4).await;
            match self.hold().await {
                // An admin resumed it through another process: restart, to retry at once.
                Ok(Some(now)) if now.progress.attempts < held.progress().attempts => return Ok(End::Lost),
                Ok(Some(_)) => kept = Instant::now(),
                Ok(None) => return Ok(End::Lost),
                // The lease has expired, so another process may hold it.
                Err(error) if kept.elapsed() >= lease => return Err(error),
                Err(_) => {}
            }
        }
    }

    async fn save_now_and_then(&self, held: &Held, is_idle: bool) -> Result<bool, LedgerError> {
        let (when, position) = *held.saved();
        let progress = held.progress().clone();
        let delivered = progress.last_success != held.webhook.progress.last_success;
        let moved = progress.position.saturating_sub(position);
        let wanted =
            moved >= SAVE_SKIPPED || (delivered && moved > 0 && (is_idle || when.elapsed() >= SAVE_EVERY));
        if wanted { self.save(held, None).await } else { Ok(true) }
    }

    /// Saves the progress; false when the lease is lost.
    async fn save(&self, held: &Held, dead: Option<DeadLetter>) -> Result<bool, LedgerError> {
        let (id, progress) = (self.id.clone(), held.progress().clone());
        *held.saved() = (Instant::now(), progress.position);
        let work = move |context: &DeliveryContext| {
            context.ledger.advance_webhook(&id, &context.name, &progress, dead.as_ref())
        };
        self.context.ask(work).await
    }

    /// Saves the progress and releases the lease, so that another process can continue.
    async fn give_back(&self, held: &Held) {
        let id = self.id.clone();
        let kept = match self.save(held, None).await {
            Ok(true) => {
                self.context.ask(move |context| context.ledger.release_webhook(&id, &context.name)).await
            }
            Ok(false) => Ok(()),
            Err(error) => Err(error),
        };
        if let Err(error) = kept {
            tracing::warn!(webhook = self.id, %error, "failed to save the progress of a webhook");
        }
    }

    /// Waits; false when the shutdown has begun.
    async fn wait_until(&self, due: Moment) -> bool {
        let left = (due - self.context.now()).0;
        if let Ok(left @ 1..) = u64::try_from(left) {
            tokio::select! {
                () = sleep(Duration::from_millis(left)) => {}
                () = self.context.closing.begun() => {}
            }
        }
        !self.context.closing.has_begun()
    }

    async fn out_of_time(&self) {
        self.context.closing.begun().await;
        sleep(GRACE).await;
    }
}

impl Held {
    fn progress(&self) -> MutexGuard<'_, WebhookProgress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn saved(&self) -> MutexGuard<'_, (Instant, u64)> {
        self.saved.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Jitter of the back-off.
fn random() -> u16 {
    let mut bytes = [0; 2];
    // Without random bytes there is no jitter.
    let _ = getrandom::fill(&mut bytes);
    u16::from_le_bytes(bytes)
}

fn millis(time: Duration) -> Millis {
    Millis(i64::try_from(time.as_millis()).unwrap_or(i64::MAX))
}
