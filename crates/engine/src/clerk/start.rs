//! What the clerk reads from the store before its first petition: the clock and the saved views.

use std::ops::ControlFlow;

use assize_kernel::Moment;
use assize_ledger::{Ledger, LedgerError, Scan, Snapshot};

use super::commit::VIEWS;
use super::stream_cache::of_this_history;
use super::{ClerkError, Views};
use crate::clock::SharedTime;
use crate::{Clock, Courts};

/// Starts the process clock from the store's clock, not before the time of the last record.
pub(super) fn start_clock(ledger: &dyn Ledger) -> Result<Clock, ClerkError> {
    let mut last = Moment::default();
    let head = ledger.head()?;
    ledger.scan(Scan::at(head.position), &mut |record| {
        last = record.at;
        ControlFlow::Break(())
    })?;
    Ok(Clock::start(SharedTime::read(|| ledger.clock())?, last))
}

/// A snapshot, unless it is damaged: then the records are folded, as if there were none.
pub(super) fn intact_snapshot(ledger: &dyn Ledger, name: &str) -> Result<Option<Snapshot>, LedgerError> {
    match ledger.snapshot(name) {
        Err(LedgerError::Damaged(problem)) => {
            tracing::error!(problem, "a damaged snapshot is ignored; the records are read instead");
            Ok(None)
        }
        found => found,
    }
}

/// Loads the saved views if they belong to this chain and to the current editions of the courts.
pub(super) fn load_views(courts: &Courts, ledger: &dyn Ledger) -> Result<Views, ClerkError> {
    let saved = intact_snapshot(ledger, VIEWS)?.filter(|saved| saved.edition == courts.editions());
    match saved {
        Some(saved) if of_this_history(ledger, &saved)? => {
            Ok(Views::from_snapshot(saved.position, &saved.body).unwrap_or_default())
        }
        _ => Ok(Views::default()),
    }
}
