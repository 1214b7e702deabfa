//! Contradictions between a claim and the article: numbers, names, negations, opposites, things of one kind.

use super::alignment::{CarryingSentences, ClaimAlignment, ClaimWord};
use super::index::ConceptIndex;
use super::lexicon::flag;
use super::negations;
use super::text::{TextToken, TokenizedText, place};
use super::vocabulary::TextVocabulary;

/// The kind of a contradiction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ContradictionKind {
    NumberAbsent,
    NumberSmall,
    OtherNumber,
    NameAbsent,
    OtherName,
    Negation,
    NegationLost,
    Opposite,
    TurnedRound,
    AnotherKind,
    AnotherKindFar,
}

/// A contradiction with its word in the summary and, if there is one, in the article.
#[derive(Debug, Clone, Copy)]
pub(super) struct Contradiction {
    pub against: ContradictionKind,
    pub token: TextToken,
    pub other: Option<TextToken>,
}

impl ContradictionKind {
    /// The share of a claim's support that is left after this contradiction.
    pub(super) const fn credit(self) -> f64 {
        match self {
            Self::NumberAbsent
            | Self::NameAbsent
            | Self::Negation
            | Self::Opposite
            | Self::TurnedRound
            | Self::AnotherKind
            | Self::OtherName
            | Self::OtherNumber
            | Self::NegationLost => 0.2,
            Self::AnotherKindFar => 0.4,
            Self::NumberSmall => 0.8,
        }
    }

    /// What is wrong, in words.
    pub(super) fn problem(self, word: &str, other: Option<&str>) -> String {
        let instead = || other.map(|other| format!("`{word}` where the article has `{other}`"));
        match self {
            Self::NumberAbsent | Self::NumberSmall => format!("the number `{word}` is not in the article"),
            Self::NameAbsent => format!("the name `{word}` is not in the article"),
            Self::Negation => format!("`{word}` turns round what the article says"),
            Self::NegationLost => {
                format!("`{word}` without the article's `{}`", other.unwrap_or("not"))
            }
            _ => instead().unwrap_or_else(|| format!("`{word}` belongs to something else in the article")),
        }
    }
}

/// Both texts, as the checks need them.
pub(super) struct ContradictionChecks<'a> {
    pub article: &'a TokenizedText<'a>,
    pub index: &'a ConceptIndex,
    pub vocabulary: &'a TextVocabulary,
}

/// When the first sentence carries this much of a claim, the claim retells that sentence.
const RETOLD: f64 = 0.4;

/// A claim, as the checks look at it.
pub(super) struct CheckedClaim<'a> {
    pub tokens: &'a [TextToken],
    pub words: &'a [ClaimWord],
    /// The tokens of the sentences that carry it.
    pub evidence: Vec<&'a TextToken>,
    /// The sentence that it retells, when it does, and with which token that begins.
    pub retold: &'a [TextToken],
    pub retold_from: usize,
    pub found: Vec<Contradiction>,
}

impl CheckedClaim<'_> {
    pub(super) fn say(&mut self, against: ContradictionKind, token: TextToken, other: Option<&TextToken>) {
        self.found.push(Contradiction { against, token, other: other.copied() });
    }

    pub(super) fn has(&self, concept: u32) -> bool {
        self.words.iter().any(|word| word.met.concept == concept || word.token.concept == concept)
    }
}

impl ContradictionChecks<'_> {
    /// All contradictions of a claim with these tokens.
    pub(super) fn check(
        &self,
        tokens: &[TextToken],
        words: &[ClaimWord],
        alignment: &ClaimAlignment,
        nearly: Option<&[TextToken]>,
    ) -> Vec<Contradiction> {
        let CarryingSentences { sentences, first, in_first, .. } = &alignment.carriers;
        let sentences = sentences.iter().filter_map(|number| self.article.sentences.get(*number));
        let first = first.and_then(|first| self.article.sentences.get(first));
        let retold = first.filter(|_| *in_first >= RETOLD);
        let mut claim = CheckedClaim {
            tokens,
            words,
            evidence: sentences.flat_map(|sentence| self.article.of(sentence)).collect(),
            retold: retold.map_or(&[], |sentence| self.article.of(sentence)),
            retold_from: retold.map_or(0, |sentence| sentence.tokens.start),
            found: Vec::new(),
        };
        for word in words {
            match () {
                () if word.token.is(flag::NUMBER) => self.check_number(word, &mut claim),
                () if word.token.is(place::NAME | flag::DATE) => self.check_name(word, &mut claim),
                () => self.check_opposite(word, &mut claim),
            }
        }
        if alignment.order_first + 1e-9 < 1.0 {
            self.check_swapped(&mut claim);
        }
        negations::check(&mut claim);
        if let Some(nearly) = nearly {
            negations::check_nearly(&mut claim, nearly);
        }
        claim.found
    }

    /// The first token of the article that is this concept.
    pub(super) fn first_place(&self, concept: u32) -> Option<&TextToken> {
        self.index.places(concept).first().and_then(|place| self.article.tokens.get(*place as usize))
    }
}
