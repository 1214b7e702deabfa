//! Verification of a ledger: every hash, every position and version, every personal text.

use assize_kernel::{Digest, Head, Personal, RecordRef};

use crate::walk::{WINDOW, walk};
use crate::{Ledger, LedgerError, SequenceCheck, chain};

/// Further problems are only counted.
const MAX_PROBLEMS: usize = 20;

/// The result of a verification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifyReport {
    /// The number of records checked.
    pub records: u64,
    /// The end of the ledger when the verification began.
    pub head: Head,
    /// The problems found, each with its position.
    pub problems: Vec<String>,
    /// The number of problems beyond those listed.
    pub further: u64,
}

/// Verifies the ledger up to its present end; calls `progress` with the position from time to time.
///
/// # Errors
/// When the ledger cannot be read. A damaged record is no error but a problem in the report.
pub fn verify(ledger: &dyn Ledger, progress: &mut dyn FnMut(u64)) -> Result<VerifyReport, LedgerError> {
    verify_holding(ledger, None, progress)
}

/// Like [`verify`], and a record with the hash `kept` must be in the ledger. A chain cannot show by itself
/// that its end was cut off; a hash that was noted elsewhere can.
///
/// # Errors
/// As [`verify`].
pub fn verify_holding(
    ledger: &dyn Ledger,
    kept: Option<Digest>,
    progress: &mut dyn FnMut(u64),
) -> Result<VerifyReport, LedgerError> {
    let head = ledger.head()?;
    let mut state = VerifyState {
        found: VerifyReport { records: 0, head, problems: Vec::new(), further: 0 },
        sequence: SequenceCheck::default(),
        hash: Some(Digest::ZERO),
        // The zero hash is the start of every ledger.
        kept: kept.filter(|kept| *kept != Digest::ZERO),
    };
    while state.sequence.position() < head.position {
        let walked = walk(ledger, state.sequence.position(), head.position, &mut |record, personal| {
            state.record(&record, personal);
            if record.position.is_multiple_of(WINDOW) {
                progress(record.position);
            }
            Ok(())
        });
        match walked {
            Ok(()) => break,
            Err(LedgerError::Damaged(what)) => state.unreadable(&what),
            Err(other) => return Err(other),
        }
    }
    progress(head.position);
    Ok(state.finish())
}

/// The state of a verification.
struct VerifyState {
    found: VerifyReport,
    sequence: SequenceCheck,
    /// The hash that the next record must be chained to; none after an unreadable record.
    hash: Option<Digest>,
    /// The hash that was noted elsewhere, until a record has it.
    kept: Option<Digest>,
}

impl VerifyState {
    fn record(&mut self, record: &RecordRef<'_>, personal: &[(u64, Personal)]) {
        self.found.records += 1;
        if record.position != self.sequence.position() + 1 {
            self.hash = None;
        }
        let mut problems = Vec::new();
        self.sequence.follow(record, &mut problems);
        problems.into_iter().for_each(|problem| self.problem(problem));
        if self.hash.is_some_and(|previous| record.chained_to(&previous) != record.hash) {
            self.problem(format!(
                "record {} ({} of `{}`) does not match its hash: it, or the one before it, was changed",
                record.position, record.kind, record.stream
            ));
        }
        for (_, theirs) in personal {
            if !chain::vouches(record, theirs) {
                self.problem(format!(
                    "a personal text of record {} does not match its digest: it was changed",
                    record.position
                ));
            }
        }
        self.hash = Some(record.hash);
        self.kept.take_if(|kept| *kept == record.hash);
    }

    fn unreadable(&mut self, what: &str) {
        let position = self.sequence.pass_over();
        self.found.records += 1;
        self.hash = None;
        self.problem(format!("record {position} cannot be read: {what}"));
    }

    fn finish(mut self) -> VerifyReport {
        let head = self.found.head;
        if let Some(missing) = self.sequence.missing_until(head.position) {
            self.problem(missing);
        } else if self.hash.is_some_and(|hash| hash != head.hash) {
            self.problem(format!("record {} is not the end that the ledger names", head.position));
        }
        if let Some(kept) = self.kept {
            self.problem(format!(
                "no record has the hash {kept}: the end was cut off, or this is another ledger"
            ));
        }
        self.found
    }

    fn problem(&mut self, what: String) {
        if self.found.problems.len() < MAX_PROBLEMS {
            self.found.problems.push(what);
        } else {
            self.found.further += 1;
        }
    }
}
