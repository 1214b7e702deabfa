//! Detection of gaps, in the positions of a ledger and in the versions of its streams.

use std::collections::HashMap;

use assize_kernel::RecordRef;

/// Follows records in order and reports what is missing between them.
#[derive(Debug, Default)]
pub struct SequenceCheck {
    position: u64,
    versions: HashMap<String, u64>,
    /// The number of missing records; each may account for a missing version of any stream.
    lost: u64,
}

impl SequenceCheck {
    /// The last position seen.
    #[must_use]
    pub const fn position(&self) -> u64 {
        self.position
    }

    /// Takes the next record and adds a gap before it, or a wrong version, to `problems`.
    pub fn follow(&mut self, record: &RecordRef<'_>, problems: &mut Vec<String>) {
        problems.extend(self.missing_until(record.position.saturating_sub(1)));
        self.position = record.position;
        if !self.versions.contains_key(record.stream) {
            self.versions.insert(record.stream.to_owned(), 0);
        }
        let Some(version) = self.versions.get_mut(record.stream) else { return };
        let expected = *version + 1;
        *version = record.version;
        let ahead = record.version.checked_sub(expected).filter(|ahead| *ahead <= self.lost);
        match ahead {
            Some(ahead) => self.lost -= ahead,
            None => problems.push(format!(
                "record {} is version {} of `{}` where {expected} must be",
                record.position, record.version, record.stream
            )),
        }
    }

    /// Describes the records missing up to `last`, if any, and moves on to it.
    pub fn missing_until(&mut self, last: u64) -> Option<String> {
        let first = self.position + 1;
        if last < first {
            return None;
        }
        self.lost += last - self.position;
        self.position = last;
        Some(match last == first {
            true => format!("record {first} is missing"),
            false => format!("records {first} to {last} are missing"),
        })
    }

    /// Skips an unreadable record; returns its position.
    pub(crate) fn pass_over(&mut self) -> u64 {
        self.position += 1;
        self.lost += 1;
        self.position
    }
}
