//! Iteration over a whole ledger, each record with its personal texts, in bounded memory.

use std::ops::ControlFlow;

use assize_kernel::{Personal, RecordRef};

use crate::{Depth, Ledger, LedgerError, Scan};

/// The number of positions read at a time.
pub(crate) const WINDOW: u64 = 1_000;

/// The callback, called for each record with its personal texts.
pub(crate) type EachWithPersonal<'a> =
    dyn FnMut(RecordRef<'_>, &[(u64, Personal)]) -> Result<(), LedgerError> + 'a;

/// Reads every record after one position up to another.
pub(crate) fn walk(
    ledger: &dyn Ledger,
    mut after: u64,
    last: u64,
    each: &mut EachWithPersonal<'_>,
) -> Result<(), LedgerError> {
    while after < last {
        let end = after.saturating_add(WINDOW).min(last);
        let personal = ledger.personal_of(after + 1, end)?;
        let mut outcome = Ok(());
        let scan = Scan { limit: end - after, ..Scan::all(after, Depth::Whole) };
        ledger.scan(scan, &mut |record| {
            if record.position > end {
                return ControlFlow::Break(());
            }
            let theirs = of_position(&personal, record.position);
            outcome = each(record, theirs);
            if outcome.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        outcome?;
        after = end;
    }
    Ok(())
}

fn of_position(personal: &[(u64, Personal)], position: u64) -> &[(u64, Personal)] {
    let first = personal.partition_point(|(its, _)| *its < position);
    let end = personal.partition_point(|(its, _)| *its <= position);
    personal.get(first..end).unwrap_or_default()
}
