//! Which texts stay in their row and which are kept once, by their digest, beside the records.

use assize_kernel::{Digest, Record};

/// Longer texts would make the rows too fat to fold over quickly.
const LONGEST_INLINE: usize = 4096;

/// A text as its row holds it: itself, or the digest it is kept under.
#[derive(Clone, Copy)]
pub(crate) struct Kept<'a> {
    pub(crate) inline: Option<&'a str>,
    pub(crate) blob: Option<(Digest, &'a str)>,
}

/// How a text is to be kept.
pub(crate) fn keep(text: Option<&str>) -> Kept<'_> {
    match text {
        Some(text) if text.len() > LONGEST_INLINE => {
            Kept { inline: None, blob: Some((Digest::of(text.as_bytes()), text)) }
        }
        inline => Kept { inline, blob: None },
    }
}

/// Whether body and verdict of a record both stay in its row.
pub(crate) fn stay_inline(record: &Record) -> bool {
    let longest = record.draft.body.len().max(record.draft.verdict.as_ref().map_or(0, String::len));
    longest <= LONGEST_INLINE
}

/// Body and verdict of a record, as its row holds them.
pub(crate) fn keep_both(record: &Record) -> (Kept<'_>, Kept<'_>) {
    (keep(Some(&record.draft.body)), keep(record.draft.verdict.as_deref()))
}
