//! Verification of snapshots: what they say is what the records say.

use std::sync::Arc;

use assize_kernel::StreamId;
use assize_ledger::{Ledger, LedgerError, Snapshot};

use super::commit::VIEWS;
use super::fold::rebuild_upto;
use super::stream_cache::of_this_history;
use super::{ClerkError, Views};
use crate::Courts;
use crate::history::Part;

/// Folds the records and compares the result with every snapshot that this program would use: the states of
/// streams, and the boards. Returns a message for each that differs or is damaged.
///
/// # Errors
/// When the ledger cannot be read.
pub fn verify_snapshots(courts: &Arc<Courts>, ledger: &Arc<dyn Ledger>) -> Result<Vec<String>, ClerkError> {
    let mut problems = Vec::new();
    for name in ledger.snapshot_names()? {
        let snapshot = match ledger.snapshot(&name) {
            Err(LedgerError::Damaged(problem)) => {
                problems.push(format!("{problem}; it is not used, and nothing is lost"));
                continue;
            }
            found => found?,
        };
        let Some(snapshot) = snapshot else { continue };
        if of_this_history(&**ledger, &snapshot)? && !is_what_records_say(courts, ledger, &snapshot)? {
            problems.push(format!(
                "the snapshot `{name}` at position {} says something else than the records; delete it from the \
                 table `snapshots`, and it is made again",
                snapshot.position
            ));
        }
    }
    Ok(problems)
}

/// Whether a snapshot agrees with the records; true for one that this program does not use.
fn is_what_records_say(
    courts: &Arc<Courts>,
    ledger: &Arc<dyn Ledger>,
    snapshot: &Snapshot,
) -> Result<bool, ClerkError> {
    if snapshot.name == VIEWS {
        if snapshot.edition != courts.editions() {
            return Ok(true);
        }
        let Ok(saved) = Views::from_snapshot(snapshot.position, &snapshot.body) else { return Ok(false) };
        let mut views = rebuild_upto(courts, ledger, snapshot.position)?.views;
        if let Some(fork) = saved.fork() {
            views.begin_fork(fork);
        }
        return Ok(views == saved);
    }
    let Ok(stream) = snapshot.name.parse::<StreamId>() else { return Ok(true) };
    let Some(court) = courts.get(stream.court()) else { return Ok(true) };
    if snapshot.edition != court.edition().to_string() {
        return Ok(true);
    }
    let part = Part { court: &**court, stream: &stream, upto: snapshot.position };
    let state = part.as_it_stands(&mut |scan, each| ledger.scan(scan, each))?;
    Ok(state.version() == snapshot.version && state.snapshot() == snapshot.body)
}
