//! Tokenized text: tokens and sentences, with the role of each token in its context.

use std::ops::Range;

use super::lexicon::flag;
use super::scanning;
use super::vocabulary::{NO_CONCEPT, TextVocabulary};

/// What a token is in its place; beside what its word is anywhere (see `lexicon::flag`).
pub(super) mod place {
    /// Joined to the next word by a hyphen.
    pub(in super::super) const JOINED: u32 = 1 << 23;
    pub(in super::super) const NAME: u32 = 1 << 24;
    pub(in super::super) const VERB: u32 = 1 << 25;
    pub(in super::super) const ADVERB: u32 = 1 << 26;
    pub(in super::super) const CAPITAL: u32 = 1 << 27;
    pub(in super::super) const FIRST: u32 = 1 << 28;
    pub(in super::super) const ACRONYM: u32 = 1 << 29;
    pub(in super::super) const PERCENT: u32 = 1 << 30;
    pub(in super::super) const ASTRAY: u32 = 1 << 31;
}

/// A word in its place.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextToken {
    pub start: u32,
    pub end: u32,
    /// Which word it is, as it is written but for its case.
    pub form: u32,
    pub concept: u32,
    pub stem: u32,
    pub flags: u32,
    /// Of a number.
    pub value: f64,
}

/// A sentence: its tokens, and its bytes.
#[derive(Debug, Clone)]
pub(super) struct Sentence {
    pub tokens: Range<usize>,
    pub bytes: Range<usize>,
}

pub(super) struct TokenizedText<'a> {
    pub source: &'a str,
    pub tokens: Vec<TextToken>,
    pub sentences: Vec<Sentence>,
}

impl TextToken {
    pub(super) const fn is(&self, flags: u32) -> bool {
        self.flags & flags != 0
    }

    /// Whether the token is a content word.
    pub(super) const fn is_content(&self) -> bool {
        self.concept != NO_CONCEPT
    }
}

impl<'a> TokenizedText<'a> {
    pub(super) fn read(source: &'a str, vocabulary: &mut TextVocabulary) -> Self {
        let tokens = Vec::with_capacity(source.len() / 5);
        let sentences = Vec::with_capacity(source.len() / 50);
        let mut text = Self { source, tokens, sentences };
        scanning::scan(&mut text, vocabulary);
        text.find_roles();
        text.scale_numbers();
        text
    }

    pub(super) fn of(&self, sentence: &Sentence) -> &[TextToken] {
        self.tokens.get(sentence.tokens.clone()).unwrap_or_default()
    }

    pub(super) fn words(&self, bytes: Range<usize>) -> &'a str {
        self.source.get(bytes).unwrap_or_default()
    }

    /// What a word is by what stands beside it.
    fn find_roles(&mut self) {
        let mut before = 0;
        let mut tokens = self.tokens.iter_mut().peekable();
        while let Some(token) = tokens.next() {
            if token.is_content() && !token.is(flag::NUMBER) {
                let word = self.source.get(token.start as usize..token.end as usize).unwrap_or_default();
                let in_name = |next: &&mut TextToken| next.is(place::CAPITAL) && !next.is(place::FIRST);
                token.flags |= role(token, word, before, tokens.peek().is_some_and(in_name));
            }
            before = token.flags;
        }
    }

    /// `2.5 million` is 2,500,000; `twenty five` is 25.
    fn scale_numbers(&mut self) {
        for index in (0..self.tokens.len()).rev() {
            let Some([token, next, ..]) = self.tokens.get_mut(index..) else { continue };
            if !token.is(flag::NUMBER) || next.start.saturating_sub(token.end) > 1 {
                continue;
            }
            if next.is(flag::SCALE) {
                token.value *= next.value;
            } else if next.is(flag::NUMBER)
                && (20.0..100.0).contains(&token.value)
                && next.value < 10.0
                && token.value % 10.0 == 0.0
                && token.stem != next.stem
                && !token.is(place::PERCENT)
            {
                token.value += next.value;
            }
        }
    }
}

/// A name, an adverb or a verb, by what the word before is, how this one ends, and whether a capital follows.
fn role(token: &TextToken, word: &str, before: u32, next_capital: bool) -> u32 {
    let named = token.is(place::CAPITAL) && !token.is(flag::NEGATION);
    if named && (!token.is(place::FIRST) || next_capital || token.is(place::ACRONYM)) && word != "UNK" {
        return place::NAME;
    }
    if word.ends_with("ly") {
        return place::ADVERB;
    }
    let may_be_verb = before & flag::BEFORE_VERB != 0
        || word.ends_with("ed")
        || word.ends_with("ing")
        || word.ends_with('s') && before & place::NAME != 0;
    if may_be_verb && before & flag::BEFORE_NOUN == 0 { place::VERB } else { 0 }
}
