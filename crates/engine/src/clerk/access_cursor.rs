//! The end of the access stream, in which users, tokens and codes are recorded.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use assize_kernel::RecordRef;
use assize_ledger::{Ledger, LedgerError};

use crate::access::{ACCESS, kinds};

/// The version of the access stream and the revocation counter.
#[derive(Default)]
pub(super) struct AccessCursor {
    /// Number of records in the access stream, including batches in flight.
    pub(super) version: u64,
    /// Incremented on every revocation; caches of tokens and sessions compare it.
    revocations: Arc<AtomicU64>,
}

impl AccessCursor {
    pub(super) fn load(ledger: &dyn Ledger) -> Result<Self, LedgerError> {
        Ok(Self { version: ledger.version(ACCESS)?, revocations: Arc::default() })
    }

    /// Reads the cursor again from another history, in which any token may be missing or revoked.
    pub(super) fn reload(&mut self, ledger: &dyn Ledger) -> Result<(), LedgerError> {
        self.version = ledger.version(ACCESS)?;
        self.revocations.fetch_add(1, Ordering::Release);
        Ok(())
    }

    pub(super) fn revocations(&self) -> Arc<AtomicU64> {
        self.revocations.clone()
    }

    /// Applies a record of the access stream that another process appended.
    pub(super) fn follow(&mut self, record: &RecordRef<'_>) {
        self.version = self.version.max(record.version);
        if kinds::takes_away(record.kind) {
            self.revocations.fetch_add(1, Ordering::Release);
        }
    }
}
