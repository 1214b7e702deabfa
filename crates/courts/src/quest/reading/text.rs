//! Tokenizer: splits a text into words without case and accents, each with its span and sentence.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TextWord {
    /// Lower case, without accents.
    pub(super) plain: String,
    /// Byte offsets in the text.
    pub(super) span: (usize, usize),
    /// The index of its sentence, from 0.
    pub(super) sentence: usize,
}

/// The first `most` words of a text. An apostrophe ends a word: `n'ai` is two.
pub(super) fn words(text: &str, most: usize) -> Vec<TextWord> {
    let mut words = Vec::new();
    let mut start = None;
    let mut sentence = 0;
    let end = [(text.len(), '.')];
    for (at, char) in text.char_indices().chain(end) {
        if char.is_alphanumeric() || is_combining_mark(char) {
            start = start.or(Some(at));
            continue;
        }
        if let Some(start) = start.take()
            && let Some(word) = text.get(start..at)
        {
            words.push(TextWord { plain: plain(word), span: (start, at), sentence });
            if words.len() == most {
                break;
            }
        }
        sentence += usize::from(matches!(char, '.' | '!' | '?' | '\n' | ';'));
    }
    words
}

/// Lower case, without accents.
fn plain(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    word.nfd().filter(|char| !is_combining_mark(*char)).flat_map(char::to_lowercase).collect()
}
