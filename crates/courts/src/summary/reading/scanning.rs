//! Tokenizer: splits a text into words, numbers and sentences.

use super::lexicon::flag;
use super::table::length;
use super::text::{Sentence, TextToken, TokenizedText, place};
use super::vocabulary::{TextVocabulary, WordForm};

/// Fills a text with its tokens and sentences.
pub(super) fn scan(text: &mut TokenizedText<'_>, vocabulary: &mut TextVocabulary) {
    TextTokenizer { vocabulary, text, at: 0, sentence: 0, room: String::new() }.scan();
}

/// The class of a byte in a plain word.
#[derive(Clone, Copy)]
enum ByteClass {
    No,
    /// A small letter or a digit.
    Small,
    Capital,
}

/// A lookup table, because the tokenizer classifies every byte of both texts.
#[allow(clippy::indexing_slicing, reason = "a byte has a place among 256")]
static PLAIN: [ByteClass; 256] = {
    let mut table = [ByteClass::No; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        if byte.is_ascii_uppercase() {
            table[byte as usize] = ByteClass::Capital;
        } else if byte.is_ascii_alphanumeric() {
            table[byte as usize] = ByteClass::Small;
        }
        byte += 1;
    }
    table
};

struct TextTokenizer<'v, 't, 'a> {
    vocabulary: &'v mut TextVocabulary,
    text: &'t mut TokenizedText<'a>,
    at: usize,
    /// The token with which the sentence begins.
    sentence: usize,
    room: String,
}

impl TextTokenizer<'_, '_, '_> {
    fn scan(mut self) {
        let source = self.text.source;
        while let Some(byte) = source.as_bytes().get(self.at) {
            if *byte == b' ' {
                self.at += 1;
                continue;
            }
            let rest = source.get(self.at..).unwrap_or_default();
            match byte {
                b'0'..=b'9' => self.number(rest),
                b'a'..=b'z' | b'A'..=b'Z' => self.word(rest),
                _ => self.sign(rest),
            }
        }
        self.end_sentence(0);
    }

    /// Anything but a plain letter or digit.
    fn sign(&mut self, rest: &str) {
        let first = rest.chars().next().unwrap_or_default();
        match first {
            _ if first.is_alphanumeric() => self.word(rest),
            '\'' | '’' if rest.len() > 2 && self.is_clitic(rest) => self.word(rest),
            '%' => self.percent(),
            '\n' | '!' | '?' => self.end_sentence(first.len_utf8()),
            '.' if self.is_end(rest) => self.end_sentence(1),
            _ => self.at += first.len_utf8(),
        }
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
        let token = TextToken {
            start: length(self.at),
            end: length(self.at + whole),
            form: form.number,
            concept: form.concept,
            stem: form.stem,
            flags: flag::NUMBER | first,
            value,
        };
        self.text.tokens.push(token);
        self.at += whole;
    }

    fn word(&mut self, rest: &str) {
        let Some((word, capitals)) = plain_word(rest) else { return self.any_word(rest) };
        let form = if capitals == 0 {
            self.vocabulary.form(word)
        } else {
            self.room.clear();
            self.room.push_str(word);
            self.room.make_ascii_lowercase();
            self.vocabulary.form(&self.room)
        };
        self.push(form, rest, word.len(), word.len() > 1 && capitals == word.len());
        self.at += word.len();
    }

    fn any_word(&mut self, rest: &str) {
        let (whole, letters, capitals) = self.spell(rest);
        let possessive = self.room.ends_with("'s") && self.room.len() > 2;
        let end = if possessive { self.cut_possessive(rest, whole) } else { whole };
        let form = self.vocabulary.form(&self.room);
        self.push(form, rest, end, letters > 1 && capitals == letters);
        let cut = rest.get(end..).unwrap_or_default();
        let more = || cut.char_indices().nth(2).map_or(cut.len(), |(at, _)| at);
        self.at += end + if possessive { more() } else { 0 };
    }

    /// Appends a token for the first bytes of `rest` with this word form.
    fn push(&mut self, form: WordForm, rest: &str, end: usize, acronym: bool) {
        let joined = rest.get(end..).and_then(|after| after.strip_prefix('-'));
        let places = [
            (place::FIRST, self.text.tokens.len() == self.sentence),
            (place::CAPITAL, rest.starts_with(char::is_uppercase)),
            (place::ACRONYM, acronym),
            (place::JOINED, joined.is_some_and(|next| next.starts_with(char::is_alphabetic))),
        ];
        let flags = places.into_iter().fold(form.flags, |all, (flag, is)| if is { all | flag } else { all });
        self.text.tokens.push(TextToken {
            start: length(self.at),
            end: length(self.at + end),
            form: form.number,
            concept: form.concept,
            stem: form.stem,
            flags,
            value: form.value,
        });
    }

    /// Normalises a word into `room`; returns the numbers of its bytes, letters and capitals.
    fn spell(&mut self, rest: &str) -> (usize, usize, usize) {
        let mut end = 0;
        let mut chars = rest.char_indices().peekable();
        let mut capitals = 0;
        let mut letters = 0;
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
        let apart = after.is_empty()
            || after.starts_with(|char: char| {
                char.is_whitespace() || matches!(char, '"' | '\'' | '”' | '’' | ')')
            });
        if !apart && !self.is_glued(after) {
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

    /// `the wall.One man`: two sentences without a space between them, as in texts that were pages once.
    fn is_glued(&self, after: &str) -> bool {
        let mut next = after.chars();
        let begins = next.next().is_some_and(char::is_uppercase)
            && next.next().is_some_and(|second| second.is_lowercase() || second.is_whitespace());
        let before = self.text.tokens.last().filter(|last| last.end as usize == self.at);
        begins
            && before.is_some_and(|last| {
                let word = self.text.source.get(last.start as usize..last.end as usize).unwrap_or_default();
                word.len() > 2 && word.ends_with(|last: char| last.is_lowercase() || last.is_ascii_digit())
            })
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

/// Fast path for words of ASCII letters and digits: the word and its number of capitals. None when more characters may
/// belong to the word.
fn plain_word(rest: &str) -> Option<(&str, usize)> {
    let mut end = 0;
    let mut capitals = 0;
    for byte in rest.as_bytes() {
        match PLAIN.get(usize::from(*byte)) {
            Some(ByteClass::Small) => {}
            Some(ByteClass::Capital) => capitals += 1,
            Some(ByteClass::No) | None => break,
        }
        end += 1;
    }
    if end == 0 || matches!(rest.as_bytes().get(end), Some(b'\'' | b'.' | 128..)) {
        return None;
    }
    Some((rest.get(..end)?, capitals))
}
