//! The work of the decide loop beside deciding: following the ledger, saving views, deleting expired keys.

use std::ops::ControlFlow;

use assize_kernel::{Head, StreamId};
use assize_ledger::Scan;

use super::{DecideLoop, FOLLOW_AGAIN, KEYS_KEPT, SWEEP_EVERY};
use crate::ClerkError;

impl DecideLoop {
    /// Work that waits until no batch is in flight.
    pub(super) fn run_maintenance(&mut self) {
        if !self.context.in_flight.is_empty() {
            return;
        }
        if self.behind && self.pause_until.is_none_or(|pause| self.clock.now() >= pause) {
            match self.catch_up() {
                Ok(()) => self.behind = false,
                Err(error) => {
                    tracing::warn!(%error, "failed to catch up with the ledger");
                    self.pause_until = Some(self.clock.now() + FOLLOW_AGAIN);
                }
            }
        }
        if self.context.take_rebuilt() {
            // Saved at once, so that every process knows that positions have another meaning now.
            self.writer_thread.committer().forget_saved_views();
            self.save_views(0);
        }
        let now = self.clock.now();
        if now >= self.next_sweep {
            self.next_sweep = now + SWEEP_EVERY;
            if let Err(error) = self.writer_thread.committer().writer.forget_keys(now - KEYS_KEPT) {
                tracing::warn!(%error, "failed to delete expired idempotency keys");
            }
        }
    }

    /// Applies the records that other processes appended, without the writer lock.
    pub(super) fn catch_up(&mut self) -> Result<(), ClerkError> {
        let head = self.context.ledger.head()?;
        if self.context.is_at(head) {
            return Ok(());
        }
        // The next batch reads the head under the writer lock.
        self.head = None;
        if self.context.is_continued_by(head)? {
            self.context.catch_up(head)
        } else {
            self.context.rebuild(head)
        }
    }

    /// Logs the deadlines that passed before the start: also those of a clock that is wrong.
    pub(super) fn log_overdue(&self) {
        const MOST_NAMED: usize = 10;
        let now = self.clock.now();
        let views = self.read_views();
        let streams = views.due(now, MOST_NAMED);
        if let (false, Some(earliest)) = (streams.is_empty(), views.next_deadline()) {
            let streams: Vec<&str> = streams.iter().map(StreamId::as_str).collect();
            let streams = streams.join(", ");
            let note = "deadlines passed while no server was running, and fire now; is the clock of this machine right?";
            tracing::warn!(streams, %earliest, %now, "{note}");
        }
    }

    /// Saves the views if at least `records` records were written since the last time.
    pub(super) fn save_views(&mut self, records: u64) {
        let mut hash = None;
        let position = self.context.position;
        let read = self.context.ledger.scan(Scan::at(position), &mut |record| {
            hash = Some(record.hash);
            ControlFlow::Break(())
        });
        match (read, hash) {
            (Err(error), _) => tracing::warn!(%error, "failed to read the end of the ledger"),
            (Ok(()), Some(hash)) => {
                self.writer_thread.committer().save_views(Head { position, hash }, records)
            }
            _ => {}
        }
    }
}
