//! A batch that is decided and written under the writer lock.

use assize_kernel::{Head, Moment, StreamId};
use assize_ledger::{LedgerError, Writer};

use super::batch::BatchBuilder;
use super::commit::{DecidedBatch, commit};
use super::context::DecideContext;
use super::{ClerkError, ClerkMetrics, Waiting};

/// What is decided under the writer lock.
pub(super) struct Turn<'a> {
    pub(super) petitions: &'a mut Vec<Waiting>,
    pub(super) due: &'a [StreamId],
    pub(super) now: Moment,
    pub(super) metrics: &'a ClerkMetrics,
}

pub(super) enum TurnOutcome {
    /// A batch, and whether it could be written.
    Decided(Box<DecidedBatch>, Result<(), LedgerError>),
    /// Nothing: the chain, which ends here, does not continue the applied records.
    OtherHistory(Head),
}

impl Turn<'_> {
    /// Takes the lock, applies what other processes appended, decides and commits.
    pub(super) fn take(
        self,
        writer: &mut dyn Writer,
        context: &mut DecideContext,
    ) -> Result<TurnOutcome, ClerkError> {
        let locked = writer.lock()?;
        let head = locked.head();
        if !context.is_continued_by(head)? {
            return Ok(TurnOutcome::OtherHistory(head));
        }
        if !context.is_at(head) {
            context.catch_up(head)?;
        }
        let mut builder = BatchBuilder::begin(context, head);
        builder.decide_all(context, std::mem::take(self.petitions));
        builder.fire_due(context, self.due.to_vec(), self.now);
        let decided = builder.close(context, self.now);
        let committed = commit(locked, &decided, self.metrics);
        Ok(TurnOutcome::Decided(Box::new(decided), committed))
    }
}
