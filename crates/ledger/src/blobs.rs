//! Content-addressed blobs: long texts are stored once, by their digest, beside the records.

use assize_kernel::{Digest, Record};

/// Longer texts would slow down folding over the rows.
const LONGEST_INLINE: usize = 4096;

/// A text as its row stores it: inline, or as the digest of a blob.
#[derive(Clone, Copy)]
pub(crate) struct StoredText<'a> {
    pub(crate) inline: Option<&'a str>,
    pub(crate) blob: Option<(Digest, &'a str)>,
}

/// How a text is stored.
pub(crate) fn keep(text: Option<&str>) -> StoredText<'_> {
    match text {
        Some(text) if text.len() > LONGEST_INLINE => {
            StoredText { inline: None, blob: Some((Digest::of(text.as_bytes()), text)) }
        }
        inline => StoredText { inline, blob: None },
    }
}

/// Whether body and verdict of a record are both stored inline.
pub(crate) fn stay_inline(record: &Record) -> bool {
    let longest = record.draft.body.len().max(record.draft.verdict.as_deref().map_or(0, str::len));
    longest <= LONGEST_INLINE
}

/// Body and verdict of a record, as its row stores them.
pub(crate) fn keep_both(record: &Record) -> (StoredText<'_>, StoredText<'_>) {
    (keep(Some(&record.draft.body)), keep(record.draft.verdict.as_deref()))
}
