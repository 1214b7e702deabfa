//! Misplaced names and numbers: a detail in a context that the article does not have gives no coverage.

use super::index::{ConceptIndex, ConceptMatch};
use super::lexicon::flag;
use super::text::{TokenizedText, place};
use super::vocabulary::NO_CONCEPT;

/// Marks every name and number that shares no sentence of the article with either of its neighbours: put where another
/// one was, it must not count as if the summary told of it.
pub(super) fn mark(summary: &mut TokenizedText<'_>, met: &[ConceptMatch], index: &ConceptIndex) {
    let mut astray: Vec<usize> = Vec::new();
    for sentence in &summary.sentences {
        let concept_at = |at: usize| met.get(at).map(|met| met.concept).filter(|found| *found != NO_CONCEPT);
        let found: Vec<(usize, u32)> =
            sentence.tokens.clone().filter_map(|at| Some((at, concept_at(at)?))).collect();
        for (place, (at, concept)) in found.iter().enumerate() {
            let before = place.checked_sub(1).and_then(|before| found.get(before));
            let mut neighbours = before.into_iter().chain(found.get(place + 1)).peekable();
            let alone = neighbours.peek().is_none();
            if !alone && !neighbours.any(|(_, other)| index.share_a_sentence(*concept, *other)) {
                astray.push(*at);
            }
        }
    }
    for at in astray {
        let Some(token) = summary.tokens.get_mut(at) else { continue };
        if token.is(place::NAME | flag::NUMBER | flag::DATE) {
            token.flags |= place::ASTRAY;
        }
    }
}
