//! Antonym check: opposites, different things of one kind, and negating prefixes such as `un`.

use super::alignment::ClaimWord;
use super::contradictions::{CheckedClaim, ContradictionChecks, ContradictionKind};
use super::text::TextToken;

impl ContradictionChecks<'_> {
    /// A word that is not there, where its opposite is, or another thing of its kind.
    pub(super) fn check_opposite(&self, word: &ClaimWord, claim: &mut CheckedClaim<'_>) {
        let token = word.token;
        let stem = token.stem;
        let words = self.vocabulary;
        // Only the retold sentence counts: another sentence may have both words.
        let retold = !claim.retold.is_empty();
        let same = |other: &TextToken| other.is_content() && other.concept == word.met.concept;
        let present = claim.evidence.iter().any(|other| same(other));
        if claim.retold.iter().any(same) || !retold && present {
            return;
        }
        if words.has_opposites(stem) && retold {
            let opposed =
                |other: &&TextToken| words.are_opposites(stem, other.stem) && !claim.has(other.concept);
            if let Some(other) = claim.retold.iter().filter(|other| other.is_content()).find(opposed).copied()
            {
                claim.say(ContradictionKind::Opposite, token, Some(&other));
                return;
            }
        }
        if present {
            return;
        }
        let find = |claim: &CheckedClaim<'_>, alike: &dyn Fn(u32) -> bool| {
            let found =
                |other: &&&TextToken| other.is_content() && alike(other.stem) && !claim.has(other.concept);
            claim.evidence.iter().find(found).copied().copied()
        };
        if words.has_opposites(stem)
            && let Some(other) = find(claim, &|other| words.are_opposites(stem, other))
        {
            claim.say(ContradictionKind::Opposite, token, Some(&other));
            return;
        }
        if word.met.presence >= 1.0 {
            return;
        }
        if words.is_of_a_kind(stem) {
            let alike = |other| words.are_of_one_kind(stem, other);
            if let Some(other) = find(claim, &alike) {
                claim.say(ContradictionKind::AnotherKind, token, Some(&other));
                return;
            }
            let far =
                self.index.stems().iter().find(|(other, concept)| alike(*other) && !claim.has(*concept));
            if let Some(other) = far.and_then(|(_, concept)| self.first_place(*concept)) {
                claim.say(ContradictionKind::AnotherKindFar, token, Some(other));
                return;
            }
        }
        let turned = words.turned_round(stem).find_map(|concept| self.first_place(concept));
        if let Some(other) = turned.filter(|other| !claim.has(other.concept)) {
            claim.say(ContradictionKind::TurnedRound, token, Some(other));
        }
    }
}
