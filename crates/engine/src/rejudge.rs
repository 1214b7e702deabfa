//! Re-judging: a dry run of a revision under another rulebook or with corrections. Nothing is recorded.

use assize_kernel::{Actor, Revision, RevisionReport, RulebookRef, StreamId};
use assize_ledger::Ledger;

use crate::clerk::RulebookIndex;
use crate::history::Part;
use crate::{ClerkError, Courts};

/// Reports what a revision requested by `actor` would change in a stream.
///
/// # Errors
/// When the revision is refused, or the ledger cannot be read.
pub fn rejudge(
    courts: &Courts,
    ledger: &dyn Ledger,
    stream: &StreamId,
    revision: &Revision,
    actor: &Actor,
) -> Result<RevisionReport, ClerkError> {
    let court = courts.get(stream.court());
    let court = court.ok_or_else(|| ClerkError::Broken(format!("no court for {stream}")))?;
    let rulebooks = RulebookIndex::load(ledger, courts)?;
    let books = |wanted: &RulebookRef| rulebooks.get(&wanted.hash).cloned();
    let part = Part { court: &**court, stream, upto: ledger.head()?.position };
    let revised = part.retry(revision, actor, &books, &mut |scan, each| ledger.scan(scan, each))?;
    Ok(revised.report)
}
