//! Shared code of the tests that kill servers or break their stores.

mod evidence;
mod hunt;
mod reference;

use std::path::Path;

use assize_ledger::Ledger;
use assize_testbed::contest::Contest;

pub(crate) use evidence::Evidence;
pub(crate) use hunt::{Sent, Team, hunt_at, open_hunt, send_again};

/// The program under test.
pub(crate) fn assize() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_assize"))
}

/// The chain is whole, everything that was sent is in it once, every verdict counts what stands before it, and
/// what these servers show follows from the records alone.
pub(crate) fn all_is_well(
    evidence: &mut Evidence,
    ledger: &dyn Ledger,
    sent: &[Sent],
    served_at: &[Contest],
) {
    evidence.read_on(ledger);
    evidence.holds(sent);
    evidence.counts_wrong_attempts();
    reference::boards_follow_from(evidence, ledger, served_at);
}
