//! Inverted index of the article: the positions of each concept, and the match of each word of the summary.

use super::lexicon::flag;
use super::stems::{StemRoot, are_related, root};
use super::table::length;
use super::text::{TextToken, TokenizedText, place};
use super::vocabulary::{NO_CONCEPT, TextVocabulary};

/// The places of every concept in the article.
pub(super) struct ConceptIndex {
    /// The places of concept `c` are `places[starts[c]..starts[c + 1]]`.
    starts: Vec<u32>,
    places: Vec<u32>,
    /// The sentence of each token.
    sentence_of: Vec<u32>,
    /// Numbers with their values and concepts, in the article's order.
    numbers: Vec<(f64, u32)>,
    /// One stem for each concept, in order of first use.
    stems: Vec<(u32, u32)>,
    /// Those of them that may have relatives, by the letters that all relatives share.
    roots: Vec<(StemRoot, u32, u32)>,
}

/// What a word of the summary is in the article.
#[derive(Debug, Clone, Copy)]
pub(super) struct ConceptMatch {
    /// The concept in the article; none when it is not there.
    pub concept: u32,
    /// 1 when it is there, less when only a relative is, 0 when nothing is.
    pub presence: f64,
}

pub(super) const ABSENT: ConceptMatch = ConceptMatch { concept: NO_CONCEPT, presence: 0.0 };
/// What a relative of the word is worth.
const RELATED: f64 = 0.7;

impl ConceptIndex {
    pub(super) fn new(article: &TokenizedText<'_>, vocabulary: &TextVocabulary) -> Self {
        let mut starts = vec![0_u32; vocabulary.len() + 2];
        let counts = |token: &TextToken| token.is_content() && !token.is(place::ASTRAY);
        let content = || article.tokens.iter().enumerate().filter(|(_, token)| counts(token));
        let mut stems = Vec::with_capacity(article.tokens.len());
        for (_, token) in content() {
            let Some(count) = starts.get_mut(token.concept as usize + 2) else { continue };
            if *count == 0 {
                stems.push((token.stem, token.concept));
            }
            *count += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let with_root = |(stem, concept): &(u32, u32)| {
            root(vocabulary.stem_text(*stem)).map(|root| (root, *stem, *concept))
        };
        let mut roots = Vec::with_capacity(stems.len());
        roots.extend(stems.iter().filter_map(with_root));
        let mut index = Self {
            places: vec![0; sum as usize],
            starts,
            sentence_of: vec![0; article.tokens.len()],
            numbers: Vec::new(),
            roots,
            stems,
        };
        for (at, token) in content() {
            index.place(at, token);
        }
        for (number, sentence) in article.sentences.iter().enumerate() {
            if let Some(tokens) = index.sentence_of.get_mut(sentence.tokens.clone()) {
                tokens.fill(length(number));
            }
        }
        index
    }

    fn place(&mut self, at: usize, token: &TextToken) {
        let Some(next) = self.starts.get_mut(token.concept as usize + 1) else { return };
        let place = *next as usize;
        *next += 1;
        if let Some(free) = self.places.get_mut(place) {
            *free = length(at);
        }
        if token.is(flag::NUMBER) {
            self.numbers.push((token.value, token.concept));
        }
    }

    /// The tokens of the article that are this concept, in order.
    pub(super) fn places(&self, concept: u32) -> &[u32] {
        let range = self.starts.get(concept as usize).zip(self.starts.get(concept as usize + 1));
        range.and_then(|(start, end)| self.places.get(*start as usize..*end as usize)).unwrap_or_default()
    }

    /// How many concepts there are.
    pub(super) fn distinct(&self) -> usize {
        self.stems.len()
    }

    /// One stem for each concept, with the concept, in order of first use.
    pub(super) fn stems(&self) -> &[(u32, u32)] {
        &self.stems
    }

    pub(super) fn sentence_of(&self, token: u32) -> u32 {
        self.sentence_of.get(token as usize).copied().unwrap_or_default()
    }

    /// Whether two concepts occur in one sentence.
    pub(super) fn share_a_sentence(&self, one: u32, other: u32) -> bool {
        let sentences = |concept| self.places(concept).iter().map(|place| self.sentence_of(*place));
        let mut others = sentences(other).peekable();
        sentences(one).any(|sentence| {
            while others.next_if(|other| *other < sentence).is_some() {}
            others.peek() == Some(&sentence)
        })
    }

    /// The number of sentences with this concept.
    pub(super) fn sentences_with(&self, concept: u32) -> f64 {
        let mut count = 0.0;
        let mut last = u32::MAX;
        for sentence in self.places(concept).iter().map(|place| self.sentence_of(*place)) {
            if sentence != last {
                count += 1.0;
                last = sentence;
            }
        }
        count
    }

    /// What a word of the summary is in the article.
    pub(super) fn meet(&self, token: &TextToken, vocabulary: &TextVocabulary) -> ConceptMatch {
        if !token.is_content() {
            return ABSENT;
        }
        if token.is(flag::NUMBER) {
            let same = self.numbers.iter().find(|(value, _)| is_same(*value, token.value));
            return same.map_or(ABSENT, |(_, concept)| ConceptMatch { concept: *concept, presence: 1.0 });
        }
        if !self.places(token.concept).is_empty() {
            return ConceptMatch { concept: token.concept, presence: 1.0 };
        }
        let stem = vocabulary.stem_text(token.stem);
        let Some(root) = root(stem) else { return ABSENT };
        let related = self.roots.iter().find(|(other_root, other, _)| {
            *other_root == root && are_related(stem, vocabulary.stem_text(*other))
        });
        related.map_or(ABSENT, |(_, _, concept)| ConceptMatch { concept: *concept, presence: RELATED })
    }

    /// Whether the article has a number near this one.
    pub(super) fn has_about(&self, value: f64, share: f64) -> bool {
        self.numbers.iter().any(|(other, _)| (other - value).abs() <= share * value.abs())
    }
}

pub(super) fn is_same(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * one.abs().max(1.0)
}

/// How much a word weighs: what is particular more than what is vague.
pub(super) const fn weight(token: &TextToken) -> f64 {
    if token.is_content() { weight_of(token.flags) } else { 0.0 }
}

/// The same for a word that says something, by what it is.
pub(super) const fn weight_of(flags: u32) -> f64 {
    match () {
        () if flags & (place::NAME | flag::NUMBER) != 0 => 1.5,
        () if flags & (flag::VAGUE | place::ADVERB) != 0 => 0.4,
        () if flags & place::VERB != 0 => 0.7,
        () => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::{ConceptIndex, TextVocabulary, TokenizedText};

    #[test]
    fn a_concept_is_known_though_another_comes_again_after_it() {
        let mut vocabulary = TextVocabulary::new();
        let text = TokenizedText::read("people divorce people retire", &mut vocabulary);
        assert_eq!(ConceptIndex::new(&text, &vocabulary).distinct(), 3);
    }
}
