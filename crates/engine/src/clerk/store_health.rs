//! Health check of the store: the result of the last write, or of a probe if that is too old.

use std::sync::atomic::{AtomicBool, Ordering};
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

/// Time and result of the last write, and whether the states are being rebuilt.
#[derive(Debug, Default)]
pub(super) struct StoreHealth {
    last_write: Mutex<Option<(Instant, Result<(), String>)>>,
    rebuilding: AtomicBool,
}

impl StoreHealth {
    /// Notes the result of a write.
    pub(super) fn set(&self, written: Result<(), String>) {
        *self.last_write.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), written));
    }

    /// Notes whether the states are being rebuilt from another history.
    pub(super) fn set_rebuilding(&self, rebuilding: bool) {
        self.rebuilding.store(rebuilding, Ordering::Relaxed);
    }

    /// The result of the last write, if it is recent; an error while the states are being rebuilt.
    fn known(&self) -> Option<Result<(), String>> {
        if self.rebuilding.load(Ordering::Relaxed) {
            let why =
                "states and boards are being rebuilt, because the ledger has another history than before";
            return Some(Err(why.into()));
        }
        let last = self.last_write.lock().unwrap_or_else(PoisonError::into_inner);
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

#[test]
fn the_store_is_not_healthy_while_the_states_are_rebuilt() {
    let health = StoreHealth::default();
    health.set(Ok(()));
    health.set_rebuilding(true);
    assert!(health.known().is_some_and(|known| known.is_err_and(|why| why.contains("rebuilt"))));
    health.set_rebuilding(false);
    assert_eq!(health.known(), Some(Ok(())));
}
