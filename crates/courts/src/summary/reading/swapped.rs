//! Swapped words: a claim that repeats a sentence except for one word in the place of another.

use super::alignment::ClaimWord;
use super::text::TextToken;

/// A word of the claim and the word of the sentence that stands between the same two neighbours.
pub(super) struct SwappedWord {
    pub claimed: ClaimWord,
    pub told: TextToken,
    /// The neighbours: concepts of the article; none at the beginning and at the end.
    pub before: Option<u32>,
    pub after: Option<u32>,
}

/// The places where claim and sentence differ by one word, while the words around it are the same.
/// `told` are the content words of the sentence.
pub(super) fn swapped(claimed: &[ClaimWord], told: &[TextToken]) -> Vec<SwappedWord> {
    let same = |at: usize, other: usize| {
        claimed.get(at).zip(told.get(other)).is_some_and(|(word, token)| word.met.concept == token.concept)
    };
    let matches = matches(claimed.len(), told.len(), same);
    let concept = |place: Option<&(usize, usize)>| {
        place.and_then(|(at, _)| claimed.get(*at)).map(|word| word.met.concept)
    };
    let mut swapped = Vec::new();
    for place in 0..=matches.len() {
        let before = place.checked_sub(1).and_then(|before| matches.get(before));
        let after = matches.get(place);
        let (from, from_told) = before.map_or((0, 0), |(at, other)| (at + 1, other + 1));
        let (to, to_told) = after.copied().unwrap_or((claimed.len(), told.len()));
        if let (Some([claimed]), Some([told])) = (claimed.get(from..to), told.get(from_told..to_told)) {
            swapped.push(SwappedWord {
                claimed: *claimed,
                told: *told,
                before: concept(before),
                after: concept(after),
            });
        }
    }
    swapped
}

/// The longest common subsequence of two word lists, given by their lengths, as pairs of indices.
pub(super) fn matches(
    words: usize,
    others: usize,
    same: impl Fn(usize, usize) -> bool,
) -> Vec<(usize, usize)> {
    let width = others + 1;
    let mut longest = vec![0_u16; (words + 1) * width];
    let at = |longest: &[u16], row: usize, column: usize| {
        longest.get(row * width + column).copied().unwrap_or_default()
    };
    // The table is filled from the end, so that the matches are read off from the start.
    for row in (0..words).rev() {
        for column in (0..others).rev() {
            let best = if same(row, column) {
                at(&longest, row + 1, column + 1).saturating_add(1)
            } else {
                at(&longest, row + 1, column).max(at(&longest, row, column + 1))
            };
            if let Some(cell) = longest.get_mut(row * width + column) {
                *cell = best;
            }
        }
    }
    let mut row = 0;
    let mut column = 0;
    let mut matches = Vec::new();
    while row < words && column < others {
        if same(row, column) {
            matches.push((row, column));
            row += 1;
            column += 1;
        } else if at(&longest, row + 1, column) >= at(&longest, row, column + 1) {
            row += 1;
        } else {
            column += 1;
        }
    }
    matches
}
