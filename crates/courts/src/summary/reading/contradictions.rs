//! What speaks against a claim: a number, a name, a negation, an opposite, another thing of its kind.

use super::alignment::{Alignment, Carriers, Word};
use super::index::Index;
use super::lexicon::flag;
use super::negations;
use super::text::{Text, Token, place};
use super::vocabulary::Vocabulary;

/// What kind of thing speaks against it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Against {
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

/// One thing that speaks against a claim, with its word in the summary and, where there is one, in the article.
#[derive(Debug, Clone, Copy)]
pub(super) struct Contradiction {
    pub against: Against,
    pub token: Token,
    pub other: Option<Token>,
}

impl Against {
    /// What is left of the support of a claim that this speaks against.
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
pub(super) struct Checks<'a> {
    pub article: &'a Text<'a>,
    pub index: &'a Index,
    pub vocabulary: &'a Vocabulary,
}

/// When the first sentence carries this much of a claim, the claim retells that sentence.
const RETOLD: f64 = 0.4;

/// A claim, as the checks look at it.
pub(super) struct Looked<'a> {
    pub tokens: &'a [Token],
    pub words: &'a [Word],
    /// The tokens of the sentences that carry it.
    pub evidence: Vec<&'a Token>,
    /// The sentence that it retells, when it does, and with which token that begins.
    pub retold: &'a [Token],
    pub retold_from: usize,
    pub found: Vec<Contradiction>,
}

impl Looked<'_> {
    pub(super) fn say(&mut self, against: Against, token: Token, other: Option<&Token>) {
        self.found.push(Contradiction { against, token, other: other.copied() });
    }

    pub(super) fn has(&self, concept: u32) -> bool {
        self.words.iter().any(|word| word.met.concept == concept || word.token.concept == concept)
    }
}

impl Checks<'_> {
    /// Everything that speaks against a claim with these tokens.
    pub(super) fn check(
        &self,
        tokens: &[Token],
        words: &[Word],
        alignment: &Alignment,
        nearly: Option<&[Token]>,
    ) -> Vec<Contradiction> {
        let Carriers { sentences, first, in_first, .. } = &alignment.carriers;
        let sentences = sentences.iter().filter_map(|number| self.article.sentences.get(*number));
        let first = first.and_then(|first| self.article.sentences.get(first));
        let retold = first.filter(|_| *in_first >= RETOLD);
        let mut claim = Looked {
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
    pub(super) fn first_place(&self, concept: u32) -> Option<&Token> {
        self.index.places(concept).first().and_then(|place| self.article.tokens.get(*place as usize))
    }
}
