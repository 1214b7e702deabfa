//! Going through a whole ledger with what is personal beside each record, in bounded memory.

use std::ops::ControlFlow;

use assize_kernel::{Personal, RecordRef};

use crate::{Depth, Ledger, LedgerError, Scan};

/// Positions looked at in one go.
pub(crate) const WINDOW: u64 = 1_000;

/// What is called for each record, with the personal texts that came with it.
pub(crate) type Each<'a> = dyn FnMut(RecordRef<'_>, &[(u64, Personal)]) -> Result<(), LedgerError> + 'a;

/// Hands out every whole record after one position up to another.
pub(crate) fn walk(
    ledger: &dyn Ledger,
    mut after: u64,
    last: u64,
    each: &mut Each<'_>,
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
