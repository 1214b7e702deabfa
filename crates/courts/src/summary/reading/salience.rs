//! Salience: the most important sentences of the article, and the recall of the summary.

use super::claims::ReadClause;
use super::index::{ConceptIndex, weight, weight_of};
use super::lexicon::flag;
use super::table::length;
use super::text::{Sentence, TokenizedText};
use super::vocabulary::NO_CONCEPT;

/// A sentence that shares this much with one already chosen says the same.
const SAME: f64 = 0.5;
/// Added to the number of a sentence's words, so that a short one does not win by one good word.
const SHORT: f64 = 6.0;
/// The length of a claim up to which each of its words counts in full.
const BRIEF: f64 = 10.0;

/// What a concept weighs in the article: what it is, and in how many sentences it comes.
pub(super) struct ConceptSalience {
    weights: Vec<f64>,
}

impl ConceptSalience {
    pub(super) fn new(article: &TokenizedText<'_>, index: &ConceptIndex, concepts: usize) -> Self {
        let mut flags = vec![0_u32; concepts];
        for token in article.tokens.iter().filter(|token| token.is_content()) {
            flags.get_mut(token.concept as usize).map(|known| *known |= token.flags).unwrap_or_default();
        }
        let weights = (0..).zip(&flags).map(|(concept, flags)| {
            let times = index.sentences_with(concept);
            // What is a name once is one, and what says little once says little.
            if times == 0.0 { 0.0 } else { weight_of(*flags) * times / (times + 2.0) }
        });
        Self { weights: weights.collect() }
    }

    pub(super) fn of(&self, concept: u32) -> f64 {
        self.weights.get(concept as usize).copied().unwrap_or_default()
    }

    /// The sentences that matter most, best first, none of which says the same as another.
    pub(super) fn key_sentences(&self, article: &TokenizedText<'_>, least_tokens: usize) -> Vec<usize> {
        let long_enough = |sentence: &Sentence| {
            let words = article.words(sentence.bytes.clone()).split_whitespace();
            words.take(least_tokens).count() == least_tokens
                && article.of(sentence).iter().filter(|token| token.is_content()).nth(2).is_some()
        };
        let usable: Vec<(usize, Vec<u32>)> = article
            .sentences
            .iter()
            .enumerate()
            .filter(|(_, sentence)| long_enough(sentence))
            .map(|(number, _)| (number, concepts(article, number)))
            .collect();
        let mut scored: Vec<(f64, &(usize, Vec<u32>))> =
            usable.iter().map(|sentence| (self.score(&sentence.1, sentence.0), sentence)).collect();
        scored.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.0.cmp(&other.1.0)));
        let wanted = (usable.len() / 5).clamp(4, 7);
        let mut chosen: Vec<&(usize, Vec<u32>)> = Vec::new();
        for (_, sentence) in scored {
            if chosen.len() == wanted {
                break;
            }
            if !chosen.iter().any(|other| self.overlap(&sentence.1, &other.1) > SAME) {
                chosen.push(sentence);
            }
        }
        chosen.into_iter().map(|(number, _)| *number).collect()
    }

    /// The weight of its concepts, early ones more; long sentences do not win by their length alone.
    fn score(&self, concepts: &[u32], number: usize) -> f64 {
        let sum: f64 = concepts.iter().map(|concept| self.of(*concept)).sum();
        let early = 1.0 + 4.0 / (2.0 + f64::from(length(number)));
        early * sum / (SHORT + f64::from(length(concepts.len())))
    }

    fn overlap(&self, one: &[u32], other: &[u32]) -> f64 {
        let shared: f64 =
            one.iter().filter(|concept| other.contains(concept)).map(|concept| self.of(*concept)).sum();
        let all: f64 = one.iter().map(|concept| self.of(*concept)).sum();
        if all > 0.0 { shared / all } else { 1.0 }
    }

    /// How much of the article's weight the summary carries, from 0 to 1.
    pub(super) fn recall(&self, article: &TokenizedText<'_>, claims: &[ReadClause]) -> f64 {
        let mut carried = vec![0.0_f64; self.weights.len()];
        for claim in claims {
            let told = told(claim);
            for word in claim.words.iter().filter(|word| word.met.concept != NO_CONCEPT) {
                if let Some(known) = carried.get_mut(word.met.concept as usize) {
                    *known = known.max(told * word.met.presence);
                }
            }
        }
        let all: f64 = self.weights.iter().sum();
        let part: f64 = self.weights.iter().zip(&carried).map(|(weight, carried)| weight * carried).sum();
        let words = if all > 0.0 { part / all } else { 0.0 };
        0.7 * words + 0.3 * self.sentences_carried(article, &carried)
    }

    /// The same by sentences, early ones more, and those more that say much of what matters.
    fn sentences_carried(&self, article: &TokenizedText<'_>, carried: &[f64]) -> f64 {
        let mut sum = 0.0;
        let mut all = 0.0;
        for (number, sentence) in article.sentences.iter().enumerate() {
            let mut part = 0.0;
            let mut whole = 0.0;
            let mut matters = 0.0;
            let mut words = 0.0;
            for token in article.of(sentence).iter().filter(|token| token.is_content()) {
                whole += weight(token);
                matters += self.of(token.concept);
                words += 1.0;
                if carried.get(token.concept as usize).is_some_and(|carried| *carried > 0.0) {
                    part += weight(token);
                }
            }
            if whole > 0.0 {
                let counts = matters / (SHORT + words) / (8.0 + f64::from(length(number)));
                sum += counts * part / whole;
                all += counts;
            }
        }
        if all > 0.0 { sum / all } else { 0.0 }
    }
}

/// How far a claim tells its words. What is told in the article's own order is told whole, what is told otherwise only
/// in part; what something speaks against is trusted less; and among many words each is told less plainly.
fn told(claim: &ReadClause) -> f64 {
    let words = f64::from(length(claim.words.len()));
    let plainly = (4.0 * BRIEF / (3.0 * BRIEF + words)).min(1.0);
    (0.7 + 0.3 * claim.alignment.order_first) * (0.7 + 0.3 * claim.credit()) * plainly
}

/// The concepts of a sentence, each once, in order.
pub(super) fn concepts(text: &TokenizedText<'_>, number: usize) -> Vec<u32> {
    let tokens = text.sentences.get(number).map_or(&[][..], |sentence| text.of(sentence));
    let mut concepts = Vec::with_capacity(tokens.len());
    for token in tokens {
        if token.is_content() && !token.is(flag::NEGATION) && !concepts.contains(&token.concept) {
            concepts.push(token.concept);
        }
    }
    concepts
}
