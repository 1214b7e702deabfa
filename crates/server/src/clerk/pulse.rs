//! Whether the store can be written: as the last commit showed, or as writing something shows when it was long ago.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use assize_kernel::Digest;
use assize_ledger::{LedgerError, Snapshot};

use super::pen::Pen;
use super::{Clerk, Message};

/// How long a commit is proof enough that the next one will work.
const GOOD_FOR: Duration = Duration::from_secs(5);
/// How long a store that failed is left alone.
const BAD_FOR: Duration = Duration::from_secs(1);
/// How long a store may take to show that it is there.
const PATIENCE: Duration = Duration::from_secs(3);
/// The name of what is written to see whether something can be written.
const NAME: &str = "assize/pulse";

/// How the last attempt to write ended, and when.
#[derive(Debug, Default)]
pub(super) struct Pulse(Mutex<Option<(Instant, Result<(), String>)>>);

impl Pulse {
    /// Something was written, or could not be.
    pub(super) fn note(&self, written: Result<(), String>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), written));
    }

    /// What is known, when it is not too long ago.
    fn known(&self) -> Option<Result<(), String>> {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, written) = last.as_ref()?;
        let lasts = if written.is_ok() { GOOD_FOR } else { BAD_FOR };
        (at.elapsed() < lasts).then(|| written.clone())
    }
}

impl Clerk {
    /// Whether something that comes in now can be expected to be recorded; if not, why.
    ///
    /// # Errors
    /// Says what keeps it from being recorded.
    pub async fn store_is_writable(&self) -> Result<(), String> {
        if let Some(known) = self.figures.pulse.known() {
            return known;
        }
        let (reply, answer) = tokio::sync::oneshot::channel();
        self.counted(|queue| queue.say(Message::Probe(reply))).map_err(|error| error.to_string())?;
        match tokio::time::timeout(PATIENCE, answer).await {
            Ok(Ok(written)) => written,
            Ok(Err(_)) => Err("the clerk has stopped".into()),
            Err(_) => Err(format!("the ledger has not answered for {} s", PATIENCE.as_secs())),
        }
    }
}

impl Pen {
    /// Writes something small beside the ledger, unless it is known already how that would end.
    pub(super) fn probe(&mut self) -> Result<(), String> {
        if let Some(known) = self.figures.pulse.known() {
            return known;
        }
        let (name, hash) = (NAME.to_owned(), Digest([0; 32]));
        let (edition, body) = (String::new(), String::new());
        let snapshot = Snapshot { name, position: 0, hash, version: 0, edition, body };
        let written = self.writer.save_snapshots(&[snapshot]).map_err(|error: LedgerError| error.to_string());
        self.figures.pulse.note(written.clone());
        written
    }
}
