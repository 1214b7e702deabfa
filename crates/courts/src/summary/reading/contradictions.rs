//! What speaks against a claim: a number, a name, a negation, an opposite, another thing of its kind.

use super::alignment::{Alignment, Word};
use super::index::Index;
use super::lexicon::flag;
use super::swapped::{Swapped, swapped};
use super::text::{Text, Token, place};
use super::vocabulary::{NO_CONCEPT, Vocabulary};

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
struct Looked<'a> {
    tokens: &'a [Token],
    words: &'a [Word],
    /// The tokens of the sentences that carry it.
    evidence: Vec<&'a Token>,
    /// The sentence that it retells, when it does, and with which token that begins.
    retold: &'a [Token],
    retold_from: usize,
    found: Vec<Contradiction>,
}

impl Looked<'_> {
    fn say(&mut self, against: Against, token: Token, other: Option<&Token>) {
        self.found.push(Contradiction { against, token, other: other.copied() });
    }

    fn has(&self, concept: u32) -> bool {
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
    ) -> Vec<Contradiction> {
        let sentences = alignment.sentences.iter().filter_map(|number| self.article.sentences.get(*number));
        let first = alignment.first.and_then(|first| self.article.sentences.get(first));
        let retold = first.filter(|_| alignment.in_first >= RETOLD);
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
        Self::check_negation(&mut claim);
        Self::check_lost_negation(&mut claim);
        claim.found
    }

    /// Something particular or an opposite in the very place of another one, whatever stands elsewhere.
    fn check_swapped(&self, claim: &mut Looked<'_>) {
        let told: Vec<Token> = claim.retold.iter().filter(|token| token.is_content()).copied().collect();
        for Swapped { claimed, told, before, after } in swapped(claim.words, &told) {
            let (token, concept) = (claimed.token, claimed.met.concept);
            let said = claim.found.iter().any(|found| found.token.start == token.start);
            if said || claimed.met.presence == 0.0 {
                continue;
            }
            let elsewhere = || self.adjoin(before, Some(concept)) || self.adjoin(Some(concept), after);
            if self.vocabulary.are_opposites(token.stem, told.stem) {
                claim.say(Against::Opposite, token, Some(&told));
            } else if are_alike(&token, &told) && !elsewhere() {
                let number = token.is(flag::NUMBER);
                let against = if number { Against::OtherNumber } else { Against::OtherName };
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

    fn check_number(&self, word: &Word, claim: &mut Looked<'_>) {
        let token = word.token;
        if word.met.presence == 0.0 {
            let before = claim.tokens.iter().rev().find(|other| other.end <= token.start);
            let about = before.is_some_and(|before| before.is(flag::APPROXIMATE));
            let digits =
                self.vocabulary.stem_text(token.stem).starts_with(|first: char| first.is_ascii_digit());
            if token.value <= 3.0 && !digits {
                claim.say(Against::NumberSmall, token, None);
            } else if !(about && self.index.has_about(token.value, 0.1)) {
                claim.say(Against::NumberAbsent, token, None);
            }
            return;
        }
        self.check_place(word, flag::NUMBER, Against::OtherNumber, claim);
    }

    fn check_name(&self, word: &Word, claim: &mut Looked<'_>) {
        let token = word.token;
        if word.met.presence == 0.0 {
            if token.is(place::NAME) && !token.is(flag::DATE) {
                if !(token.is(place::ACRONYM) && self.is_spelt_out(&token)) {
                    claim.say(Against::NameAbsent, token, None);
                }
            } else {
                let kind = |other: &&(u32, u32)| self.vocabulary.are_of_one_kind(token.stem, other.0);
                let other = self.index.stems().iter().find(kind);
                if let Some(other) = other.and_then(|(_, concept)| self.first_place(*concept)) {
                    claim.say(Against::AnotherKind, token, Some(other));
                }
            }
            return;
        }
        self.check_place(word, place::NAME | flag::DATE, Against::OtherName, claim);
    }

    /// Something particular that stands nowhere between the same neighbours, where something else does.
    fn check_place(&self, word: &Word, alike: u32, against: Against, claim: &mut Looked<'_>) {
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
                .any(|place| self.is_between(*place as usize, neighbours))
        {
            return;
        }
        let instead = retold.iter().enumerate().find(|(place, other)| {
            other.is(alike)
                && !claim.has(other.concept)
                && self.is_between(claim.retold_from + place, neighbours)
        });
        if let Some((_, other)) = instead {
            claim.say(against, word.token, Some(other));
        }
    }

    /// Whether the next word that says something, on one side or the other, is the neighbour.
    fn is_between(&self, place: usize, (before, after): (u32, u32)) -> bool {
        let tokens = &self.article.tokens;
        let next = tokens.iter().skip(place + 1).take(4).find(|token| token.is_content());
        let last = tokens.iter().take(place).rev().take(4).find(|token| token.is_content());
        let is = |token: Option<&Token>, concept: u32| {
            concept != NO_CONCEPT && token.is_some_and(|token| token.concept == concept)
        };
        is(last, before) || is(next, after)
    }

    /// Whether the article spells out an acronym: the first letters of words one after the other.
    fn is_spelt_out(&self, token: &Token) -> bool {
        let letters = self.vocabulary.stem_text(token.stem).as_bytes();
        let capitals = self.article.tokens.iter().filter(|token| token.is(place::CAPITAL));
        let bytes = self.article.source.as_bytes();
        let capitals =
            capitals.filter_map(|token| bytes.get(token.start as usize).map(u8::to_ascii_lowercase));
        let capitals: Vec<u8> = capitals.collect();
        letters.len() >= 2 && capitals.windows(letters.len()).any(|window| window == letters)
    }

    /// A word that is not there, where its opposite is, or another thing of its kind.
    fn check_opposite(&self, word: &Word, claim: &mut Looked<'_>) {
        let (token, stem, words) = (word.token, word.token.stem, self.vocabulary);
        // What a claim retells counts alone: another sentence may have both words.
        let retold = !claim.retold.is_empty();
        let same = |other: &Token| other.is_content() && other.concept == word.met.concept;
        let present = claim.evidence.iter().any(|other| same(other));
        if claim.retold.iter().any(same) || !retold && present {
            return;
        }
        if words.has_opposites(stem) && retold {
            let opposed = |other: &&Token| words.are_opposites(stem, other.stem) && !claim.has(other.concept);
            if let Some(other) = claim.retold.iter().filter(|other| other.is_content()).find(opposed).copied()
            {
                claim.say(Against::Opposite, token, Some(&other));
                return;
            }
        }
        if present {
            return;
        }
        let find = |claim: &Looked<'_>, alike: &dyn Fn(u32) -> bool| {
            let found =
                |other: &&&Token| other.is_content() && alike(other.stem) && !claim.has(other.concept);
            claim.evidence.iter().find(found).copied().copied()
        };
        if words.has_opposites(stem)
            && let Some(other) = find(claim, &|other| words.are_opposites(stem, other))
        {
            claim.say(Against::Opposite, token, Some(&other));
            return;
        }
        if word.met.presence >= 1.0 {
            return;
        }
        if words.is_of_a_kind(stem) {
            let alike = |other| words.are_of_one_kind(stem, other);
            if let Some(other) = find(claim, &alike) {
                claim.say(Against::AnotherKind, token, Some(&other));
                return;
            }
            let far =
                self.index.stems().iter().find(|(other, concept)| alike(*other) && !claim.has(*concept));
            if let Some(other) = far.and_then(|(_, concept)| self.first_place(*concept)) {
                claim.say(Against::AnotherKindFar, token, Some(other));
                return;
            }
        }
        let turned = words.turned_round(stem).find_map(|concept| self.first_place(concept));
        if let Some(other) = turned.filter(|other| !claim.has(other.concept)) {
            claim.say(Against::TurnedRound, token, Some(other));
        }
    }

    /// The first token of the article that is this concept.
    fn first_place(&self, concept: u32) -> Option<&Token> {
        self.index.places(concept).first().and_then(|place| self.article.tokens.get(*place as usize))
    }

    /// A negation that the article does not have with the same words.
    fn check_negation(claim: &mut Looked<'_>) {
        let evidence = &claim.evidence;
        let concept_of = |token: &Token| {
            claim
                .words
                .iter()
                .find(|word| word.token.start == token.start)
                .map_or(NO_CONCEPT, |word| word.met.concept)
        };
        let mut unmatched = Vec::new();
        for (at, token) in claim.tokens.iter().enumerate().filter(|(_, token)| token.is(flag::NEGATION)) {
            let after = claim.tokens.iter().skip(at).filter(|token| token.is_content());
            let scope: Vec<u32> = after.take(4).map(concept_of).collect();
            let matched = evidence.iter().enumerate().any(|(place, other)| {
                other.is(flag::NEGATION)
                    && around(evidence, place).any(|near| near.is_content() && scope.contains(&near.concept))
            });
            if !matched {
                unmatched.push(*token);
            }
        }
        unmatched.into_iter().for_each(|token| claim.say(Against::Negation, token, None));
    }

    /// A negation of the sentence that the claim retells, which the claim has lost.
    fn check_lost_negation(claim: &mut Looked<'_>) {
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
                claim.say(Against::NegationLost, word.token, Some(other));
            }
        }
    }
}

/// Whether both are numbers, or both names or dates.
const fn are_alike(one: &Token, other: &Token) -> bool {
    let named = one.is(place::NAME | flag::DATE) && other.is(place::NAME | flag::DATE);
    named || one.is(flag::NUMBER) && other.is(flag::NUMBER)
}

/// The words around a place: five after it, two before.
fn around<'b>(tokens: &'b [&'b Token], place: usize) -> impl Iterator<Item = &'b Token> {
    let before = place.saturating_sub(2);
    tokens.iter().skip(before).take(place - before + 6).copied()
}
