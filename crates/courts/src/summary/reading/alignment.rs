//! Alignment of a claim with the sentences of the article that support it.

use super::index::{ConceptIndex, ConceptMatch, weight};
use super::text::{TextToken, TokenizedText};
use super::vocabulary::NO_CONCEPT;

/// A content word of a claim with its match in the article.
#[derive(Debug, Clone, Copy)]
pub(super) struct ClaimWord {
    pub token: TextToken,
    pub met: ConceptMatch,
    pub weight: f64,
}

/// Which sentences of the article carry a claim.
#[derive(Debug, Clone, Default)]
pub(super) struct CarryingSentences {
    /// The sentence that carries most of it, and the one that adds most to that.
    pub sentences: Vec<usize>,
    /// The first of the two.
    pub first: Option<usize>,
    /// The weight of its words that stand anywhere in the article, from 0 to 1.
    pub in_article: f64,
    /// The same for the one sentence, and for both.
    pub in_first: f64,
    pub in_both: f64,
}

/// How the article carries a claim.
#[derive(Debug, Clone, Default)]
pub(super) struct ClaimAlignment {
    pub carriers: CarryingSentences,
    /// How much of it the first has in the same order.
    pub order_first: f64,
    /// How many neighbours in the claim are neighbours in the article.
    pub pairs: f64,
}

impl ClaimAlignment {
    /// Of a claim that stands in these sentences word for word.
    pub(super) fn copied(sentences: Vec<usize>) -> Self {
        let first = sentences.first().copied();
        let carriers = CarryingSentences { sentences, first, in_article: 1.0, in_first: 1.0, in_both: 1.0 };
        Self { carriers, order_first: 1.0, pairs: 1.0 }
    }

    /// How well the article carries the words of the claim, whatever speaks against it.
    pub(super) fn carried(&self) -> f64 {
        self.order_first * (0.5 + 0.5 * self.pairs)
    }
}

/// Aligns claims; keeps its buffers between calls.
pub(super) struct ClaimAligner<'a> {
    article: &'a TokenizedText<'a>,
    index: &'a ConceptIndex,
    scores: Vec<f64>,
}

impl<'a> ClaimAligner<'a> {
    pub(super) fn new(article: &'a TokenizedText<'a>, index: &'a ConceptIndex) -> Self {
        Self { article, index, scores: vec![0.0; article.sentences.len()] }
    }

    pub(super) fn align(&mut self, words: &[ClaimWord]) -> ClaimAlignment {
        let carriers = self.carriers(words);
        let Some(first) = carriers.first else {
            return ClaimAlignment { carriers, ..ClaimAlignment::default() };
        };
        let order_first = self.order(words, first) / total(words);
        ClaimAlignment { carriers, order_first, pairs: self.pairs(words) }
    }

    pub(super) fn carriers(&mut self, words: &[ClaimWord]) -> CarryingSentences {
        let total = total(words);
        if total <= 0.0 {
            return CarryingSentences::default();
        }
        let share = |weight: f64| weight / total;
        let in_article = share(words.iter().map(|word| word.weight * word.met.presence).sum());
        let Some((first, carried)) = self.best(words, None) else {
            return CarryingSentences { in_article, ..CarryingSentences::default() };
        };
        let second = self.best(words, Some(first));
        let mut sentences = vec![first];
        sentences.extend(second.map(|(sentence, _)| sentence));
        sentences.sort_unstable();
        CarryingSentences {
            in_article,
            in_first: share(carried),
            in_both: share(carried + second.map_or(0.0, |(_, added)| added)),
            first: Some(first),
            sentences,
        }
    }

    /// Which of these sentences, or else the one that has most of the words, carries them best, and how well; as
    /// `Alignment::carried` for a part of a claim.
    pub(super) fn carried_by(&mut self, words: &[ClaimWord], sentences: &[usize]) -> Option<(usize, f64)> {
        let total = total(words);
        let most = self.best(words, None).map(|(sentence, _)| sentence);
        let most = most.filter(|sentence| !sentences.contains(sentence));
        let mut best: Option<(usize, f64)> = None;
        for sentence in sentences.iter().copied().chain(most) {
            let order = self.order(words, sentence);
            if order > best.map_or(0.0, |(_, most)| most + 1e-9) {
                best = Some((sentence, order));
            }
        }
        let carried = |order: f64| order / total * (0.5 + 0.5 * self.pairs(words));
        best.map(|(sentence, order)| (sentence, carried(order)))
    }

    /// The sentence that carries most of what `without` does not carry.
    fn best(&mut self, words: &[ClaimWord], without: Option<usize>) -> Option<(usize, f64)> {
        self.scores.fill(0.0);
        for (index, word) in words.iter().enumerate() {
            let concept = word.met.concept;
            let before = words.iter().take(index).any(|earlier| earlier.met.concept == concept);
            if concept == NO_CONCEPT || before {
                continue;
            }
            let all: f64 = words
                .iter()
                .filter(|other| other.met.concept == concept)
                .map(|other| other.weight * other.met.presence)
                .sum();
            let places = self.index.places(concept);
            let sentence = |place: &u32| self.index.sentence_of(*place) as usize;
            if without.is_some_and(|without| places.iter().any(|place| sentence(place) == without)) {
                continue;
            }
            let mut last = usize::MAX;
            for number in places.iter().map(sentence) {
                if number != last {
                    last = number;
                    self.scores.get_mut(number).map(|score| *score += all).unwrap_or_default();
                }
            }
        }
        let mut best: Option<(usize, f64)> = None;
        for (number, score) in self.scores.iter().enumerate() {
            if *score > best.map_or(0.0, |(_, most)| most + 1e-9) {
                best = Some((number, *score));
            }
        }
        best
    }

    /// The weight of the longest run of the claim's words that this sentence has in the same order.
    fn order(&self, words: &[ClaimWord], sentence: usize) -> f64 {
        let mut row = vec![0.0_f64; words.len() + 1];
        let tokens =
            self.article.sentences.get(sentence).map_or(&[][..], |sentence| self.article.of(sentence));
        for token in tokens.iter().filter(|token| token.is_content()) {
            let mut diagonal = 0.0;
            let mut left = 0.0_f64;
            for (cell, word) in row.iter_mut().skip(1).zip(words) {
                let above = *cell;
                let here = if word.met.concept == token.concept {
                    diagonal + word.weight * word.met.presence
                } else {
                    0.0
                };
                *cell = here.max(above).max(left);
                diagonal = above;
                left = *cell;
            }
        }
        row.last().copied().unwrap_or_default()
    }

    /// Neighbours that stand together somewhere: 1 close by and in order, less when farther or turned round.
    fn pairs(&self, words: &[ClaimWord]) -> f64 {
        let mut sum = 0.0;
        let mut all = 0.0;
        for pair in words.windows(2) {
            let [one, other] = pair else { continue };
            let weight = (one.weight + other.weight) / 2.0;
            all += weight;
            sum += weight * self.together(one.met.concept, other.met.concept);
        }
        if all > 0.0 { sum / all } else { 1.0 }
    }

    fn together(&self, one: u32, other: u32) -> f64 {
        let mut best: f64 = 0.0;
        let others = self.index.places(other);
        for left in self.index.places(one) {
            let sentence = self.index.sentence_of(*left);
            let before = others.partition_point(|right| self.index.sentence_of(*right) < sentence);
            let within = |right: &&u32| self.index.sentence_of(**right) == sentence;
            for right in others.iter().skip(before).take_while(within) {
                let near = left.abs_diff(*right) <= 6;
                let value = match (left < right, near) {
                    (true, true) => 1.0,
                    (true, false) => 0.7,
                    (false, true) => 0.6,
                    (false, false) => 0.4,
                };
                best = best.max(value);
            }
        }
        best
    }
}

fn total(words: &[ClaimWord]) -> f64 {
    words.iter().map(|word| word.weight).sum()
}

/// The content words of a claim with their matches in the article.
pub(super) fn words_of(tokens: &[TextToken], met: &[ConceptMatch]) -> Vec<ClaimWord> {
    let content = tokens.iter().zip(met).filter(|(token, _)| token.is_content());
    let mut words = Vec::with_capacity(tokens.len());
    words.extend(content.map(|(token, met)| ClaimWord { token: *token, met: *met, weight: weight(token) }));
    words
}
