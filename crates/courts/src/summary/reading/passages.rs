//! Passages of a text, made from tokens and sentences.

use std::ops::Range;

use super::text::{Sentence, TokenizedText};
use crate::summary::findings::Passage;

/// These tokens, from the first to the last.
pub(super) fn of_tokens(text: &TokenizedText<'_>, tokens: Range<usize>) -> Passage {
    of_bytes(text, bytes(text, tokens))
}

/// The same as they stand in the text, without a copy.
pub(super) fn words_of_tokens<'a>(text: &TokenizedText<'a>, tokens: Range<usize>) -> &'a str {
    text.words(bytes(text, tokens))
}

fn bytes(text: &TokenizedText<'_>, tokens: Range<usize>) -> Range<usize> {
    let tokens = text.tokens.get(tokens).unwrap_or_default();
    let start = tokens.first().map_or(0, |first| first.start as usize);
    start..tokens.last().map_or(start, |last| last.end as usize)
}

/// A sentence with its full stop.
pub(super) fn of_sentence(text: &TokenizedText<'_>, sentence: &Sentence) -> Passage {
    of_bytes(text, sentence.bytes.clone())
}

fn of_bytes(text: &TokenizedText<'_>, bytes: Range<usize>) -> Passage {
    Passage { text: text.words(bytes.clone()).to_owned(), span: Some((bytes.start, bytes.end)) }
}
