//! Health check of the store: the result of the last write, or of a probe if that is too old.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use assize_kernel::Digest;
use assize_ledger::{LedgerError, Snapshot};

use super::commit::Committer;
use super::{Clerk, LoopMessage};

/// How long a successful write counts as healthy.
const GOOD_FOR: Duration = Duration::from_secs(5);
/// How long a failed write counts as unhealthy before the store is probed again.
const BAD_FOR: Duration = Duration::from_secs(1);
/// How long a probe may take.
const TIMEOUT: Duration = Duration::from_secs(3);
/// Name of the snapshot that a probe writes.
const NAME: &str = "assize/pulse";

/// Time and result of the last write.
#[derive(Debug, Default)]
pub(super) struct StoreHealth(Mutex<Option<(Instant, Result<(), String>)>>);

impl StoreHealth {
    /// Notes the result of a write.
    pub(super) fn set(&self, written: Result<(), String>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), written));
    }

    /// The result of the last write, if it is recent.
    fn known(&self) -> Option<Result<(), String>> {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, written) = last.as_ref()?;
        let valid_for = if written.is_ok() { GOOD_FOR } else { BAD_FOR };
        (at.elapsed() < valid_for).then(|| written.clone())
    }
}

impl Clerk {
    /// Checks whether the store can be written.
    ///
    /// # Errors
    /// Says why it cannot be written.
    pub async fn store_is_writable(&self) -> Result<(), String> {
        if let Some(known) = self.metrics.store_health.known() {
            return known;
        }
        let (reply, answer) = tokio::sync::oneshot::channel();
        self.counted(|queue| queue.send_message(LoopMessage::Probe(reply)))
            .map_err(|error| error.to_string())?;
        match tokio::time::timeout(TIMEOUT, answer).await {
            Ok(Ok(written)) => written,
            Ok(Err(_)) => Err("the clerk has stopped".into()),
            Err(_) => Err(format!("the ledger has not answered for {} s", TIMEOUT.as_secs())),
        }
    }
}

impl Committer {
    /// Writes a small snapshot, unless a recent result is known.
    pub(super) fn probe(&mut self) -> Result<(), String> {
        if let Some(known) = self.metrics.store_health.known() {
            return known;
        }
        let snapshot = Snapshot {
            name: NAME.to_owned(),
            position: 0,
            hash: Digest([0; 32]),
            version: 0,
            edition: String::new(),
            body: String::new(),
        };
        let written = self.writer.save_snapshots(&[snapshot]).map_err(|error: LedgerError| error.to_string());
        self.metrics.store_health.set(written.clone());
        written
    }
}
