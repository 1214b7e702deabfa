//! Checking that a ledger holds what was written: every hash, every place, every personal text.

use assize_kernel::{Digest, Head, Personal, RecordRef};

use crate::walk::{WINDOW, walk};
use crate::{Ledger, LedgerError, Sequence, chain};

/// More than this many problems are counted, not told.
const MOST_TOLD: usize = 20;

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// How many records were looked at.
    pub records: u64,
    /// Where the ledger ended when this began.
    pub head: Head,
    /// What is wrong, each with the position where; empty when nothing is.
    pub problems: Vec<String>,
    /// How many more problems there are.
    pub further: u64,
}

/// Goes through the whole ledger as far as it goes when this begins; says at which position it is from time to
/// time.
///
/// # Errors
/// When the ledger cannot be read. Records that are not what they should be are no error but a finding.
pub fn verify(ledger: &dyn Ledger, progress: &mut dyn FnMut(u64)) -> Result<Verified, LedgerError> {
    verify_holding(ledger, None, progress)
}

/// The same; and a record with this hash, when one is named, must be in the ledger. A chain cannot show by itself
/// that its end was cut off: whoever has kept a hash can.
///
/// # Errors
/// As [`verify`].
pub fn verify_holding(
    ledger: &dyn Ledger,
    kept: Option<Digest>,
    progress: &mut dyn FnMut(u64),
) -> Result<Verified, LedgerError> {
    let head = ledger.head()?;
    let mut checking = Checking {
        found: Verified { records: 0, head, problems: Vec::new(), further: 0 },
        sequence: Sequence::default(),
        hash: Some(Digest::ZERO),
        // Every ledger begins with the zeros.
        kept: kept.filter(|kept| *kept != Digest::ZERO),
    };
    while checking.sequence.position() < head.position {
        let walked = walk(ledger, checking.sequence.position(), head.position, &mut |record, personal| {
            checking.record(&record, personal);
            if record.position.is_multiple_of(WINDOW) {
                progress(record.position);
            }
            Ok(())
        });
        match walked {
            Ok(()) => break,
            Err(LedgerError::Damaged(what)) => checking.unreadable(&what),
            Err(other) => return Err(other),
        }
    }
    progress(head.position);
    Ok(checking.finish())
}

/// How far the checking has come.
struct Checking {
    found: Verified,
    sequence: Sequence,
    /// What the next record must be chained to; none after one that could not be read.
    hash: Option<Digest>,
    /// What has been kept elsewhere and not been seen yet.
    kept: Option<Digest>,
}

impl Checking {
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

    fn finish(mut self) -> Verified {
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
        if self.found.problems.len() < MOST_TOLD {
            self.found.problems.push(what);
        } else {
            self.found.further += 1;
        }
    }
}
