//! How far the stream has come in which every change of who may come in is entered.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use assize_kernel::RecordRef;
use assize_ledger::{Ledger, LedgerError};

use crate::access::{ACCESS, kinds};

/// The end of the stream, as far as it is known here.
#[derive(Default)]
pub(super) struct Trail {
    /// How many records it has, with those that are on their way.
    pub(super) version: u64,
    /// Moves whenever somebody who could come in may not be able to any more.
    losses: Arc<AtomicU64>,
}

impl Trail {
    pub(super) fn load(ledger: &dyn Ledger) -> Result<Self, LedgerError> {
        Ok(Self { version: ledger.version(ACCESS)?, losses: Arc::default() })
    }

    pub(super) fn losses(&self) -> Arc<AtomicU64> {
        self.losses.clone()
    }

    /// Takes in a record of the stream that somebody has appended.
    pub(super) fn follow(&mut self, record: &RecordRef<'_>) {
        self.version = self.version.max(record.version);
        if kinds::takes_away(record.kind) {
            self.losses.fetch_add(1, Ordering::Release);
        }
    }
}
