//! Approximate matching: the part of a text with the smallest edit distance to a list of words.

use std::ops::Range;

use super::text::TextToken;

/// How many words must be changed, dropped or put in to make some words of `text` into `words`, and which of the text
/// they are; of equally near ones the first, as long as it can be.
pub(super) fn nearest(
    words: &[TextToken],
    text: &[TextToken],
    same: impl Fn(&TextToken, &TextToken) -> bool,
) -> (usize, Range<usize>) {
    // One row of the edit distance table: the fewest changes up to each place of the text, and the start of the match.
    let mut fewest: Vec<(usize, usize)> = (0..=words.len()).map(|words| (words, 0)).collect();
    let mut best = (words.len(), 0..0);
    for (at, token) in text.iter().enumerate() {
        let mut diagonal = (0, at);
        let mut left = (0, at + 1);
        if let Some(none) = fewest.first_mut() {
            *none = left;
        }
        for (cell, word) in fewest.iter_mut().skip(1).zip(words) {
            let above = *cell;
            let changed = (diagonal.0 + usize::from(!same(word, token)), diagonal.1);
            let dropped = (above.0 + 1, above.1);
            let put_in = (left.0 + 1, left.1);
            *cell = changed.min(dropped).min(put_in);
            diagonal = above;
            left = *cell;
        }
        let (changes, start) = fewest.last().copied().unwrap_or_default();
        if changes < best.0 || changes == best.0 && start == best.1.start {
            best = (changes, start..at + 1);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::nearest;
    use crate::summary::reading::text::TokenizedText;
    use crate::summary::reading::vocabulary::TextVocabulary;

    #[track_caller]
    fn finds(words: &str, changes: usize, found: &str) {
        let mut vocabulary = TextVocabulary::new();
        let text = "We left. The ferry to Denmark was not running. We stayed.";
        let (words, text) =
            (TokenizedText::read(words, &mut vocabulary), TokenizedText::read(text, &mut vocabulary));
        let (least, place) = nearest(&words.tokens, &text.tokens, |one, other| one.form == other.form);
        let tokens = text.tokens.get(place).unwrap();
        let (first, last) = (tokens.first().unwrap(), tokens.last().unwrap());
        assert_eq!((least, text.words(first.start as usize..last.end as usize)), (changes, found));
    }

    #[test]
    fn the_nearest_words_are_found_with_what_was_changed_at_their_ends() {
        finds("the ferry to Denmark was not running", 0, "The ferry to Denmark was not running");
        finds("the ferry to Norway was not running", 1, "The ferry to Denmark was not running");
        finds("a ferry to Denmark was not sinking", 2, "The ferry to Denmark was not running");
        finds("the ferry to Denmark was running", 1, "The ferry to Denmark was not running");
        finds("the ferry to Denmark was not ever running", 1, "The ferry to Denmark was not running");
    }
}
