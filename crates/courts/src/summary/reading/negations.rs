//! Negation check: negations that only the claim or only the article has.

use super::contradictions::{CheckedClaim, ContradictionKind};
use super::lexicon::flag;
use super::swapped::matches;
use super::text::{TextToken, place};
use super::vocabulary::NO_CONCEPT;

/// Checks both directions.
pub(super) fn check(claim: &mut CheckedClaim<'_>) {
    check_negation(claim);
    check_lost_negation(claim);
}

/// A negation that the article does not have with the same words.
fn check_negation(claim: &mut CheckedClaim<'_>) {
    let evidence = &claim.evidence;
    let concept_of = |token: &TextToken| {
        claim
            .words
            .iter()
            .find(|word| word.token.start == token.start)
            .map_or(NO_CONCEPT, |word| word.met.concept)
    };
    let mut unmatched = Vec::new();
    // `never-before-seen` turns nothing round.
    let negates = |token: &TextToken| token.is(flag::NEGATION) && !token.is(place::JOINED);
    for (at, token) in claim.tokens.iter().enumerate().filter(|(_, token)| negates(token)) {
        let after = claim.tokens.iter().skip(at).filter(|token| token.is_content());
        let scope: Vec<u32> = after.take(4).map(concept_of).collect();
        let near = |near: &TextToken| near.is_content() && scope.contains(&near.concept);
        let mut negations = evidence.iter().enumerate().filter(|(_, other)| other.is(flag::NEGATION));
        // `not about me`: nothing after it says anything that could be looked for.
        let matched = scope.is_empty() || negations.any(|(place, _)| around(evidence, place).any(near));
        if !matched {
            unmatched.push(*token);
        }
    }
    unmatched.into_iter().for_each(|token| claim.say(ContradictionKind::Negation, token, None));
}

/// A negation of the sentence that the claim retells, which the claim has lost.
fn check_lost_negation(claim: &mut CheckedClaim<'_>) {
    if claim.tokens.iter().any(|token| token.is(flag::NEGATION)) {
        return;
    }
    let retold = claim.retold;
    for (place, other) in retold.iter().enumerate().filter(|(_, other)| other.is(flag::NEGATION)) {
        let mut after = retold.iter().skip(place + 1).filter(|token| token.is_content()).take(2);
        let carried = after.all(|token| claim.has(token.concept));
        let next = retold.iter().skip(place + 1).find(|token| token.is_content());
        let word = next.and_then(|next| claim.words.iter().find(|word| word.met.concept == next.concept));
        if let Some(word) = word.filter(|_| carried) {
            claim.say(ContradictionKind::NegationLost, word.token, Some(other));
        }
    }
}

/// The words around a place: five after it, two before.
fn around<'b>(tokens: &'b [&'b TextToken], place: usize) -> impl Iterator<Item = &'b TextToken> {
    let before = place.saturating_sub(2);
    tokens.iter().skip(before).take(place - before + 6).copied()
}

/// In a near copy of the article, every inserted or removed negation counts.
pub(super) fn check_nearly(claim: &mut CheckedClaim<'_>, told: &[TextToken]) {
    let same = |at: usize, other: usize| {
        claim.tokens.get(at).zip(told.get(other)).is_some_and(|(one, other)| one.form == other.form)
    };
    let matches = matches(claim.tokens.len(), told.len(), same);
    let negation = |tokens: Option<&[TextToken]>| {
        let mut tokens = tokens.unwrap_or_default().iter();
        tokens.find(|token| token.is(flag::NEGATION) && !token.is(place::JOINED)).copied()
    };
    let mut found = Vec::new();
    for number in 0..=matches.len() {
        let before = number.checked_sub(1).and_then(|before| matches.get(before));
        let after = matches.get(number);
        let from = before.map_or((0, 0), |(at, other)| (at + 1, other + 1));
        let to = after.copied().unwrap_or((claim.tokens.len(), told.len()));
        let put_in = negation(claim.tokens.get(from.0..to.0));
        let left_out = negation(told.get(from.1..to.1));
        let between = before.is_some() && after.is_some() && to.1 - from.1 <= FEW;
        match (put_in, left_out) {
            (Some(token), None) => found.push((ContradictionKind::Negation, token, None)),
            (None, Some(other)) if between => {
                let rest = claim.tokens.get(to.0..).unwrap_or_default();
                let token = rest.iter().find(|token| token.is_content()).or(rest.first());
                found.extend(token.map(|token| (ContradictionKind::NegationLost, *token, Some(other))));
            }
            _ => {}
        }
    }
    for (against, token, other) in found {
        if !claim.found.iter().any(|known| known.against == against) {
            claim.say(against, token, other.as_ref());
        }
    }
}

/// With more words missing than this, a whole statement was left out, not a negation.
const FEW: usize = 3;
