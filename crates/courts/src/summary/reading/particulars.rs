//! Check of numbers, names and dates: whether the article has them in the same context.

use super::alignment::ClaimWord;
use super::contradictions::{CheckedClaim, ContradictionChecks, ContradictionKind};
use super::lexicon::flag;
use super::swapped::{SwappedWord, swapped};
use super::text::{TextToken, place};
use super::vocabulary::NO_CONCEPT;

impl ContradictionChecks<'_> {
    pub(super) fn check_number(&self, word: &ClaimWord, claim: &mut CheckedClaim<'_>) {
        let token = word.token;
        if word.met.presence == 0.0 {
            let before = claim.tokens.iter().rev().find(|other| other.end <= token.start);
            let about = before.is_some_and(|before| before.is(flag::APPROXIMATE));
            let digits =
                self.vocabulary.stem_text(token.stem).starts_with(|first: char| first.is_ascii_digit());
            if token.value <= 3.0 && !digits {
                claim.say(ContradictionKind::NumberSmall, token, None);
            } else if !(about && self.index.has_about(token.value, 0.1)) {
                claim.say(ContradictionKind::NumberAbsent, token, None);
            }
            return;
        }
        self.check_place(word, flag::NUMBER, ContradictionKind::OtherNumber, claim);
    }

    pub(super) fn check_name(&self, word: &ClaimWord, claim: &mut CheckedClaim<'_>) {
        let token = word.token;
        if word.met.presence == 0.0 {
            if token.is(place::NAME) && !token.is(flag::DATE) {
                if !(token.is(place::ACRONYM) && self.is_spelt_out(&token)) {
                    claim.say(ContradictionKind::NameAbsent, token, None);
                }
            } else {
                let kind = |other: &&(u32, u32)| self.vocabulary.are_of_one_kind(token.stem, other.0);
                let other = self.index.stems().iter().find(kind);
                if let Some(other) = other.and_then(|(_, concept)| self.first_place(*concept)) {
                    claim.say(ContradictionKind::AnotherKind, token, Some(other));
                }
            }
            return;
        }
        self.check_place(word, place::NAME | flag::DATE, ContradictionKind::OtherName, claim);
    }

    /// Something particular that stands nowhere between the same neighbours, where something else does.
    fn check_place(
        &self,
        word: &ClaimWord,
        alike: u32,
        against: ContradictionKind,
        claim: &mut CheckedClaim<'_>,
    ) {
        let at =
            claim.words.iter().position(|other| other.token.start == word.token.start).unwrap_or_default();
        let concept = |at: Option<usize>| {
            at.and_then(|at| claim.words.get(at)).map_or(NO_CONCEPT, |word| word.met.concept)
        };
        let neighbours = (concept(at.checked_sub(1)), concept(at.checked_add(1)));
        let retold = claim.retold;
        if retold.iter().any(|other| other.concept == word.met.concept)
            || self
                .index
                .places(word.met.concept)
                .iter()
                .any(|place| self.is_between(*place as usize, neighbours.0, neighbours.1))
        {
            return;
        }
        let instead = retold.iter().enumerate().find(|(place, other)| {
            other.is(alike)
                && !claim.has(other.concept)
                && self.is_between(claim.retold_from + place, neighbours.0, neighbours.1)
        });
        if let Some((_, other)) = instead {
            claim.say(against, word.token, Some(other));
        }
    }

    /// Whether the next content word before or after a place is the given neighbour.
    fn is_between(&self, place: usize, before: u32, after: u32) -> bool {
        let tokens = &self.article.tokens;
        let next = tokens.iter().skip(place + 1).take(4).find(|token| token.is_content());
        let last = tokens.iter().take(place).rev().take(4).find(|token| token.is_content());
        let is = |token: Option<&TextToken>, concept: u32| {
            concept != NO_CONCEPT && token.is_some_and(|token| token.concept == concept)
        };
        is(last, before) || is(next, after)
    }

    /// Something particular or an opposite in the very place of another one, whatever stands elsewhere.
    pub(super) fn check_swapped(&self, claim: &mut CheckedClaim<'_>) {
        let told: Vec<TextToken> = claim.retold.iter().filter(|token| token.is_content()).copied().collect();
        for SwappedWord { claimed, told, before, after } in swapped(claim.words, &told) {
            let token = claimed.token;
            let concept = claimed.met.concept;
            let said = claim.found.iter().any(|found| found.token.start == token.start);
            if said || claimed.met.presence == 0.0 {
                continue;
            }
            // Another part of the same name, as `Ann` for `Mayor` before `Berry`; what is no name may follow anybody.
            let named = |concept: &u32| self.first_place(*concept).is_some_and(|token| token.is(place::NAME));
            let elsewhere = || {
                self.adjoin(before.filter(named), Some(concept))
                    || self.adjoin(Some(concept), after.filter(named))
            };
            if self.vocabulary.are_opposites(token.stem, told.stem) {
                claim.say(ContradictionKind::Opposite, token, Some(&told));
            } else if are_alike(&token, &told) && !elsewhere() {
                let number = token.is(flag::NUMBER);
                let against =
                    if number { ContradictionKind::OtherNumber } else { ContradictionKind::OtherName };
                claim.say(against, token, Some(&told));
            }
        }
    }

    /// Whether the article has the one right before the other somewhere.
    fn adjoin(&self, one: Option<u32>, other: Option<u32>) -> bool {
        let (Some(one), Some(other)) = (one, other) else { return false };
        let follows = |place: &u32| {
            let mut after = self.article.tokens.iter().skip(*place as usize + 1).take(3);
            after.find(|token| token.is_content()).is_some_and(|token| token.concept == other)
        };
        self.index.places(one).iter().any(follows)
    }

    /// Whether the article spells out an acronym: the first letters of words one after the other.
    fn is_spelt_out(&self, token: &TextToken) -> bool {
        let letters = self.vocabulary.stem_text(token.stem).as_bytes();
        let capitals = self.article.tokens.iter().filter(|token| token.is(place::CAPITAL));
        let bytes = self.article.source.as_bytes();
        let capitals =
            capitals.filter_map(|token| bytes.get(token.start as usize).map(u8::to_ascii_lowercase));
        let capitals: Vec<u8> = capitals.collect();
        letters.len() >= 2 && capitals.windows(letters.len()).any(|window| window == letters)
    }
}

/// Whether both are numbers, or both names or dates.
const fn are_alike(one: &TextToken, other: &TextToken) -> bool {
    let named = one.is(place::NAME | flag::DATE) && other.is(place::NAME | flag::DATE);
    named || one.is(flag::NUMBER) && other.is(flag::NUMBER)
}
