//! Search for a sentence of the summary in the article: exact, or approximate with a few changed words.

use std::ops::Range;

use super::index::{ConceptIndex, is_same};
use super::lexicon::flag;
use super::nearest::nearest;
use super::table::length;
use super::text::{TextToken, TokenizedText, place};

/// One word in this many may differ in a near copy.
const WORDS_FOR_EACH_CHANGE: usize = 6;
/// The number of words that may always differ in a sentence that is not short, or be missing at its ends.
const FEW: usize = 2;
/// In an article with more words than this, a sentence is not searched by its function words alone: too slow.
const LONG_ARTICLE: usize = 5_000;
/// A sentence with fewer words is a copy only of a whole sentence, and never a near copy.
pub(super) const LEAST_WORDS: usize = 3;

/// A search in the article.
pub(super) struct ArticleSearch<'a> {
    pub article: &'a TokenizedText<'a>,
    pub index: &'a ConceptIndex,
}

impl ArticleSearch<'_> {
    /// With which token of the article these begin, when they stand there word for word; a word or two, when they are a
    /// sentence there too.
    pub(super) fn exact(&self, tokens: &[TextToken]) -> Option<usize> {
        let stands = |start: &usize| {
            let there = self.article.tokens.get(*start..*start + tokens.len()).unwrap_or_default();
            there.len() == tokens.len()
                && there.iter().zip(tokens).all(|(one, other)| is_same_word(one, other))
                && (tokens.len() >= LEAST_WORDS || self.around(*start) == (*start..*start + tokens.len()))
                && !self.is_turned_round(*start)
        };
        let content = tokens.iter().enumerate().filter(|(_, token)| token.is_content());
        let places = content.map(|(at, token)| (at, self.index.places(token.concept)));
        match places.min_by_key(|(_, places)| places.len()) {
            Some((at, places)) => {
                let mut starts = places.iter().filter_map(|place| (*place as usize).checked_sub(at));
                starts.find(stands)
            }
            None => (0..self.article.tokens.len()).find(stands),
        }
    }

    /// `not` right before what was copied, or with one word between: without it, that says something else.
    fn is_turned_round(&self, start: usize) -> bool {
        let mut said = 0;
        for (at, token) in self.article.tokens.iter().enumerate().take(start).rev() {
            if self.index.sentence_of(length(at)) != self.index.sentence_of(length(start)) || said == 2 {
                return false;
            }
            if token.is(flag::NEGATION) {
                return true;
            }
            said += usize::from(token.is_content());
        }
        false
    }

    /// Where the article has nearly these words: the nearest places first.
    pub(super) fn near(&self, tokens: &[TextToken]) -> Vec<Range<usize>> {
        let most = changes(tokens.len());
        if most == 0 {
            return Vec::new();
        }
        let mut found: Vec<(usize, Range<usize>)> = Vec::new();
        for (low, high) in self.shifts(tokens, most) {
            let start = usize::try_from(low).unwrap_or_default();
            let end = usize::try_from(high).unwrap_or_default() + tokens.len() + most;
            let end = end.min(self.article.tokens.len());
            let there = self.article.tokens.get(start..end).unwrap_or_default();
            let (changes, place) = nearest(tokens, there, is_same_word);
            let place = self.within(start + place.start..start + place.end, changes);
            if changes <= most && !place.is_empty() && !found.iter().any(|(_, other)| *other == place) {
                found.push((changes, place));
            }
        }
        found.sort_by_key(|(changes, place)| (*changes, place.start));
        found.into_iter().map(|(_, place)| place).collect()
    }

    /// The ranges of offsets between summary and article at which enough words match.
    fn shifts(&self, tokens: &[TextToken], most: usize) -> Vec<(i64, i64)> {
        let place = |at: usize| i64::from(length(at));
        let content = tokens.iter().filter(|token| token.is_content()).count();
        if content <= most && self.article.tokens.len() > LONG_ARTICLE {
            return Vec::new();
        }
        let mut shifts: Vec<i64> = Vec::new();
        // When every content word may be changed, function words have to match instead.
        let enough = if content > most { content - most } else { tokens.len() - most };
        for (at, token) in tokens.iter().enumerate() {
            if content > most {
                let places = if token.is_content() { self.index.places(token.concept) } else { &[] };
                shifts.extend(places.iter().map(|there| i64::from(*there) - place(at)));
            } else {
                let there = self.article.tokens.iter().enumerate();
                let there = there.filter(|(_, other)| is_same_word(token, other));
                shifts.extend(there.map(|(there, _)| place(there) - place(at)));
            }
        }
        shifts.sort_unstable();
        let mut bands = Vec::new();
        let mut from = 0;
        let width = place(most);
        while let Some(first) = shifts.get(from) {
            let later = shifts.get(from..).unwrap_or_default();
            let near = later.partition_point(|shift| shift - first <= 2 * width);
            if near < enough {
                from += 1;
                continue;
            }
            let last = later.get(near - 1).copied().unwrap_or(*first);
            bands.push((first - width, last + width));
            from += later.partition_point(|shift| shift - first <= width);
        }
        bands
    }

    /// These places, and as whole sentences where only a few words are missing.
    pub(super) fn with_whole(&self, places: Vec<Range<usize>>) -> Vec<Range<usize>> {
        let mut wanted: Vec<Range<usize>> = Vec::new();
        for found in places {
            for place in [found.clone(), self.whole(&found)] {
                if !wanted.contains(&place) {
                    wanted.push(place);
                }
            }
        }
        wanted
    }

    /// What a sentence that stands here word for word may have been otherwise: several sentences that have lost what
    /// was between them, or one that has lost a few words at its end.
    pub(super) fn around_exact(&self, place: Range<usize>) -> Vec<Range<usize>> {
        let one = self.around(place.start).end >= place.end;
        let mut places = self.with_whole(vec![place.clone()]);
        places.retain(|other| !one || *other != place);
        places
    }

    /// Without the few words by which it reaches into another sentence.
    fn within(&self, place: Range<usize>, few: usize) -> Range<usize> {
        let Some(last) = place.end.checked_sub(1) else { return place };
        let first = self.around(place.start);
        let last = self.around(last);
        let start =
            if first.end - place.start <= few && first.end < place.end { first.end } else { place.start };
        let end = if place.end - last.start <= few && last.start > start { last.start } else { place.end };
        start..end
    }

    /// With the few words that are missing to whole sentences.
    fn whole(&self, place: &Range<usize>) -> Range<usize> {
        let first = self.around(place.start);
        let last = self.around(place.end.saturating_sub(1));
        let start = if place.start - first.start <= FEW { first.start } else { place.start };
        let end = if last.end - place.end <= FEW { last.end } else { place.end };
        start..end
    }

    /// The tokens of the sentence that has this one.
    fn around(&self, token: usize) -> Range<usize> {
        let number = self.index.sentence_of(length(token)) as usize;
        self.article.sentences.get(number).map_or(0..0, |sentence| sentence.tokens.clone())
    }
}

/// How many words of a sentence may be changed, dropped or put in.
const fn changes(words: usize) -> usize {
    match words / WORDS_FOR_EACH_CHANGE {
        _ if words < LEAST_WORDS => 0,
        0 => 1,
        changes if changes < FEW => FEW,
        changes => changes,
    }
}

/// The same word, and of a number the same value: `20` is not `20 million`.
fn is_same_word(one: &TextToken, other: &TextToken) -> bool {
    one.form == other.form
        && (!one.is(flag::NUMBER)
            || is_same(one.value, other.value) && one.is(place::PERCENT) == other.is(place::PERCENT))
}
