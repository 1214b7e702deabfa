//! A text as tokens and sentences, with what each token is in its place.

use std::ops::Range;

use super::lexicon::flag;
use super::table::length;
use super::vocabulary::{NO_CONCEPT, Vocabulary};

/// What a token is in its place; beside what its word is anywhere (see `lexicon::flag`).
pub(super) mod place {
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
pub(super) struct Token {
    pub start: u32,
    pub end: u32,
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

pub(super) struct Text<'a> {
    pub source: &'a str,
    pub tokens: Vec<Token>,
    pub sentences: Vec<Sentence>,
}

impl Token {
    pub(super) const fn is(&self, flags: u32) -> bool {
        self.flags & flags != 0
    }

    /// Whether it says something by itself.
    pub(super) const fn is_content(&self) -> bool {
        self.concept != NO_CONCEPT
    }
}

impl<'a> Text<'a> {
    pub(super) fn read(source: &'a str, vocabulary: &mut Vocabulary) -> Self {
        let mut text = Self { source, tokens: Vec::with_capacity(source.len() / 5), sentences: Vec::new() };
        Scanner { vocabulary, text: &mut text, at: 0, sentence: 0, room: String::new() }.scan();
        text.find_roles();
        text.scale_numbers();
        text
    }

    pub(super) fn of(&self, sentence: &Sentence) -> &[Token] {
        self.tokens.get(sentence.tokens.clone()).unwrap_or_default()
    }

    pub(super) fn words(&self, bytes: Range<usize>) -> &'a str {
        self.source.get(bytes).unwrap_or_default()
    }

    /// A verb, an adverb or a name, by what stands before it and how it ends.
    fn find_roles(&mut self) {
        let mut before = 0;
        for index in 0..self.tokens.len() {
            let next_capital = self
                .tokens
                .get(index + 1)
                .is_some_and(|next| next.is(place::CAPITAL) && !next.is(place::FIRST));
            let source = self.source;
            let Some(token) = self.tokens.get_mut(index) else { continue };
            let word = source.get(token.start as usize..token.end as usize).unwrap_or_default();
            let first = token.is(place::FIRST);
            if token.is_content()
                && token.is(place::CAPITAL)
                && !token.is(flag::NUMBER | flag::NEGATION)
                && (!first || next_capital || token.is(place::ACRONYM))
                && word != "UNK"
            {
                token.flags |= place::NAME;
            } else if token.is_content() && !token.is(flag::NUMBER) {
                let past = word.ends_with("ed") || word.ends_with("ing");
                let present = word.ends_with('s') && before & place::NAME != 0;
                let may_be =
                    before & flag::BEFORE_VERB != 0 || past && before & flag::BEFORE_NOUN == 0 || present;
                if word.ends_with("ly") {
                    token.flags |= place::ADVERB;
                } else if may_be && before & flag::BEFORE_NOUN == 0 {
                    token.flags |= place::VERB;
                }
            }
            before = if first && !token.is_content() { token.flags & !place::NAME } else { token.flags };
        }
    }

    /// Takes words for names that are names in another text, as in texts without capitals.
    pub(super) fn take_names(&mut self, is_name: impl Fn(u32) -> bool) {
        for token in &mut self.tokens {
            if token.is_content()
                && !token.is(flag::NUMBER | flag::DATE | flag::VAGUE)
                && is_name(token.concept)
            {
                token.flags |= place::NAME;
            }
        }
    }

    /// `2.5 million` is 2,500,000; `twenty five` is 25.
    fn scale_numbers(&mut self) {
        for index in (0..self.tokens.len()).rev() {
            let Some(next) = self.tokens.get(index + 1).copied() else { continue };
            let Some(token) = self.tokens.get_mut(index) else { continue };
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

struct Scanner<'v, 't, 'a> {
    vocabulary: &'v mut Vocabulary,
    text: &'t mut Text<'a>,
    at: usize,
    /// The token with which the sentence begins.
    sentence: usize,
    room: String,
}

impl Scanner<'_, '_, '_> {
    fn scan(mut self) {
        let source = self.text.source;
        while let Some(rest) = source.get(self.at..)
            && let Some(first) = rest.chars().next()
        {
            match first {
                ' ' => self.at += 1,
                _ if first.is_ascii_digit() => self.number(rest),
                _ if first.is_alphanumeric() => self.word(rest),
                '\'' | '’' if rest.len() > 2 && self.is_clitic(rest) => self.word(rest),
                '%' => self.percent(),
                '\n' | '!' | '?' => self.end_sentence(first.len_utf8()),
                '.' if self.is_end(rest) => self.end_sentence(1),
                _ => self.at += first.len_utf8(),
            }
        }
        self.end_sentence(0);
    }

    /// `'s` and the like when they stand apart from their word, as in tokenised texts.
    fn is_clitic(&self, rest: &str) -> bool {
        let apart = self.text.source.get(..self.at).is_some_and(|before| before.ends_with(' '));
        apart && ["'s ", "'re ", "'ve ", "'ll ", "'d ", "'m "].iter().any(|clitic| rest.starts_with(clitic))
    }

    fn percent(&mut self) {
        if let Some(number) = self.text.tokens.last_mut().filter(|last| last.end as usize == self.at) {
            number.flags |= place::PERCENT;
        }
        self.at += 1;
    }

    fn number(&mut self, rest: &str) {
        let mut end = 0;
        let bytes = rest.as_bytes();
        while let Some(byte) = bytes.get(end) {
            let inner = matches!(byte, b',' | b'.') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
            if !byte.is_ascii_digit() && !inner {
                break;
            }
            end += 1;
        }
        self.room.clear();
        self.room.extend(rest.get(..end).unwrap_or_default().chars().filter(|char| *char != ','));
        let value = self.room.parse().unwrap_or(-1.0);
        let form = self.vocabulary.form(&self.room);
        // 1st, 2nd, 1990s
        let ordinal = ["st", "nd", "rd", "th", "s"].iter().find(|ending| {
            let after = rest.get(end..).unwrap_or_default();
            after.starts_with(**ending)
                && !after
                    .get(ending.len()..)
                    .is_some_and(|more| more.starts_with(|char: char| char.is_alphanumeric()))
        });
        let whole = end + ordinal.map_or(0, |ending| ending.len());
        let first = if self.text.tokens.len() == self.sentence { place::FIRST } else { 0 };
        let token = Token {
            start: length(self.at),
            end: length(self.at + whole),
            concept: form.concept,
            stem: form.stem,
            flags: flag::NUMBER | first,
            value,
        };
        self.text.tokens.push(token);
        self.at += whole;
    }

    fn word(&mut self, rest: &str) {
        let (end, letters, capitals) = self.plain_word(rest).unwrap_or_else(|| self.any_word(rest));
        let possessive = self.room.ends_with("'s") && self.room.len() > 2;
        let end = if possessive { self.cut_possessive(rest, end) } else { end };
        let capital = rest.starts_with(char::is_uppercase);
        let form = self.vocabulary.form(&self.room);
        let mut flags = form.flags;
        flags |= if self.text.tokens.len() == self.sentence { place::FIRST } else { 0 };
        flags |= if capital { place::CAPITAL } else { 0 };
        flags |= if letters > 1 && capitals == letters { place::ACRONYM } else { 0 };
        self.text.tokens.push(Token {
            start: length(self.at),
            end: length(self.at + end),
            concept: form.concept,
            stem: form.stem,
            flags,
            value: form.value,
        });
        self.at += end
            + if possessive {
                rest.get(end..).map_or(0, |cut| cut.char_indices().nth(2).map_or(cut.len(), |(at, _)| at))
            } else {
                0
            };
    }

    /// The quick way for plain letters and digits, which nearly all words are; none when more may belong to it.
    fn plain_word(&mut self, rest: &str) -> Option<(usize, usize, usize)> {
        let bytes = rest.as_bytes();
        let end = bytes.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        if end == 0 || matches!(bytes.get(end), Some(b'\'' | b'.' | 128..)) {
            return None;
        }
        let word = rest.get(..end)?;
        self.room.clear();
        self.room.push_str(word);
        self.room.make_ascii_lowercase();
        Some((end, end, word.bytes().filter(u8::is_ascii_uppercase).count()))
    }

    /// The word as it is looked up goes into `room`; given back are its bytes, its letters and its capitals.
    fn any_word(&mut self, rest: &str) -> (usize, usize, usize) {
        let mut end = 0;
        let mut chars = rest.char_indices().peekable();
        let (mut capitals, mut letters) = (0, 0);
        self.room.clear();
        while let Some((index, char)) = chars.next() {
            let follows = chars.peek().map(|(_, next)| *next);
            if char.is_alphanumeric() {
                capitals += usize::from(char.is_uppercase());
                letters += 1;
                if char.is_ascii() {
                    self.room.push(char.to_ascii_lowercase());
                } else {
                    self.room.extend(char.to_lowercase());
                }
            } else if matches!(char, '\'' | '’') && (index == 0 || follows.is_some_and(char::is_alphabetic))
            {
                self.room.push('\'');
            } else if char == '.'
                && letters == capitals
                && follows.is_some_and(char::is_alphabetic)
                && letters <= 3
            {
                // U.S.: the dots are no part of it
            } else {
                break;
            }
            end = index + char.len_utf8();
        }
        (end, letters, capitals)
    }

    /// `Porto's` is `Porto`; `it's` stays, it is a small word anyway.
    fn cut_possessive(&mut self, rest: &str, end: usize) -> usize {
        self.room.truncate(self.room.len() - 2);
        let word = rest.get(..end).unwrap_or_default();
        word.rfind(['\'', '’']).unwrap_or(end)
    }

    /// A full stop that is no part of a number, an abbreviation or an initial.
    fn is_end(&self, rest: &str) -> bool {
        const ABBREVIATIONS: [&str; 16] = [
            "mr", "mrs", "ms", "dr", "st", "prof", "gen", "rev", "sgt", "capt", "lt", "col", "sen", "rep",
            "vs", "gov",
        ];
        let after = rest.get(1..).unwrap_or_default();
        if !(after.is_empty()
            || after.starts_with(|char: char| {
                char.is_whitespace() || matches!(char, '"' | '\'' | '”' | '’' | ')')
            }))
        {
            return false;
        }
        let Some(last) = self.text.tokens.last().filter(|last| last.end as usize == self.at) else {
            return true;
        };
        let word = self.text.source.get(last.start as usize..last.end as usize).unwrap_or_default();
        let initial = word.len() == 1 && last.is(place::CAPITAL) && !word.starts_with('I');
        let short = word.len() <= 4 && ABBREVIATIONS.iter().any(|known| word.eq_ignore_ascii_case(known));
        !initial && !short
    }

    fn end_sentence(&mut self, sign: usize) {
        let tokens = self.sentence..self.text.tokens.len();
        let from = self.text.tokens.get(self.sentence).map(|first| first.start as usize);
        if let (Some(start), Some(last)) = (from, self.text.tokens.last()) {
            let newline = self.text.source.get(self.at..).is_some_and(|rest| rest.starts_with('\n'));
            let end = if newline || sign == 0 { last.end as usize } else { self.at + sign };
            self.text.sentences.push(Sentence { tokens, bytes: start..end });
        }
        self.sentence = self.text.tokens.len();
        self.at += sign;
    }
}
