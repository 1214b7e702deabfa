//! Checking that a ledger holds what was written: every hash, every place, every personal text.

use std::collections::HashMap;

use assize_kernel::{Digest, Head, Personal, RecordRef};

use crate::walk::{WINDOW, walk};
use crate::{Ledger, LedgerError, chain};

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
    let head = ledger.head()?;
    let mut checking = Checking {
        found: Verified { records: 0, head, problems: Vec::new(), further: 0 },
        position: 0,
        hash: Some(Digest::ZERO),
        versions: HashMap::new(),
        lost: 0,
    };
    while checking.position < head.position {
        let walked = walk(ledger, checking.position, head.position, &mut |record, personal| {
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
    position: u64,
    /// What the next record must be chained to; none after one that could not be read.
    hash: Option<Digest>,
    versions: HashMap<String, u64>,
    /// Records that were not seen and may account for as many versions of any stream.
    lost: u64,
}

impl Checking {
    fn record(&mut self, record: &RecordRef<'_>, personal: &[(u64, Personal)]) {
        self.found.records += 1;
        if record.position != self.position + 1 {
            self.missing(record.position - 1);
        }
        if self.hash.is_some_and(|previous| record.chained_to(&previous) != record.hash) {
            self.problem(format!(
                "record {} ({} of `{}`) does not match its hash: it, or the one before it, was changed",
                record.position, record.kind, record.stream
            ));
        }
        self.version(record);
        for (_, theirs) in personal {
            if !chain::vouches(record, theirs) {
                self.problem(format!(
                    "a personal text of record {} does not match its digest: it was changed",
                    record.position
                ));
            }
        }
        self.position = record.position;
        self.hash = Some(record.hash);
    }

    fn version(&mut self, record: &RecordRef<'_>) {
        if !self.versions.contains_key(record.stream) {
            self.versions.insert(record.stream.to_owned(), 0);
        }
        let Some(version) = self.versions.get_mut(record.stream) else { return };
        let expected = *version + 1;
        *version = record.version;
        let ahead = record.version.checked_sub(expected).filter(|ahead| *ahead <= self.lost);
        if let Some(ahead) = ahead {
            self.lost -= ahead;
        } else {
            self.problem(format!(
                "record {} is version {} of `{}` where {expected} must be",
                record.position, record.version, record.stream
            ));
        }
    }

    fn missing(&mut self, last: u64) {
        let first = self.position + 1;
        self.problem(match last == first {
            true => format!("record {first} is missing"),
            false => format!("records {first} to {last} are missing"),
        });
        self.hash = None;
        self.lost += last - self.position;
    }

    fn unreadable(&mut self, what: &str) {
        self.position += 1;
        self.found.records += 1;
        self.hash = None;
        self.lost += 1;
        self.problem(format!("record {} cannot be read: {what}", self.position));
    }

    fn finish(mut self) -> Verified {
        let head = self.found.head;
        if self.position < head.position {
            self.missing(head.position);
        } else if self.hash.is_some_and(|hash| hash != head.hash) {
            self.problem(format!("record {} is not the end that the ledger names", head.position));
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
