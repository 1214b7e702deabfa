//! From a text to words: spoken forms, written forms, and pauses.

use super::digits::Digits;
use super::steps;
use super::token::{Token, Word};
use super::words::{Key, LONGEST, look_up};

/// The words of a text, in one pass.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut lexer = Lexer { text, at: 0, tokens: Vec::with_capacity(text.len() / 4 + 4) };
    while let Some(next) = lexer.peek() {
        match next {
            next if next.is_alphanumeric() => lexer.chunk(),
            ',' | ';' | ':' => lexer.pause(Word::Comma),
            '.' if lexer.decimals_follow() => lexer.pause(Word::Key(Key::Decimal)),
            '.' | '!' | '?' | '\n' => lexer.pause(Word::Stop),
            other => lexer.at += other.len_utf8(),
        }
    }
    lexer.tokens
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn peek(&self) -> Option<char> {
        steps::count(1);
        match self.text.as_bytes().get(self.at)? {
            byte if byte.is_ascii() => Some(char::from(*byte)),
            _ => self.text.get(self.at..)?.chars().next(),
        }
    }

    fn byte(&self, at: usize) -> u8 {
        steps::count(1);
        self.text.as_bytes().get(at).copied().unwrap_or_default()
    }

    fn pause(&mut self, word: Word) {
        self.tokens.push(Token { word, start: self.at, end: self.at + 1 });
        self.at += 1;
    }

    /// A point that stands by itself before digits, as in `118 .35`.
    fn decimals_follow(&self) -> bool {
        let numeric = self.tokens.last().is_some_and(|token| token.word.is_numeric());
        numeric && self.byte(self.at + 1).is_ascii_digit()
    }

    /// Letters and digits without a gap: a word, a number, or both, such as `27L` or `FL80`.
    fn chunk(&mut self) {
        let first = self.at;
        while let Some(next) = self.peek().filter(|next| next.is_alphanumeric()) {
            if next.is_ascii_digit() { self.number() } else { self.word(first) }
        }
    }

    fn number(&mut self) {
        let start = self.at;
        let mut digits = Digits::default();
        let mut point = None;
        loop {
            let byte = self.byte(self.at);
            if byte.is_ascii_digit() {
                digits.push(byte - b'0');
            } else if point.is_none() && byte == b'.' && self.byte(self.at + 1).is_ascii_digit() {
                point = u8::try_from(digits.len()).ok();
            } else if byte == b',' && self.groups_thousands(digits) {
                // 10,000 is one number; 118,350 is a frequency.
                if (108..=137).contains(&digits.value()) {
                    point = u8::try_from(digits.len()).ok();
                }
            } else {
                break;
            }
            self.at += 1;
        }
        self.tokens.push(Token { word: Word::Number { digits, point }, start, end: self.at });
    }

    fn groups_thousands(&self, before: Digits) -> bool {
        let three = (1..=3).all(|ahead| self.byte(self.at + ahead).is_ascii_digit());
        three && !self.byte(self.at + 4).is_ascii_digit() && before.len() <= 3
    }

    /// Letters up to the next digit or gap; `first` is where the chunk began.
    fn word(&mut self, first: usize) {
        let start = self.at;
        let (mut lower, mut len, mut ascii) = ([0_u8; LONGEST], 0, true);
        loop {
            let letter = match self.byte(self.at) {
                plain if plain.is_ascii_alphabetic() || plain == b'\'' => plain.to_ascii_lowercase(),
                plain if plain.is_ascii() => break,
                _ => {
                    let Some(next) = self.peek().filter(|next| next.is_alphanumeric()) else { break };
                    self.at += next.len_utf8() - 1;
                    let letter = without_accent(next);
                    ascii &= letter.is_ascii();
                    letter as u8
                }
            };
            if let Some(place) = lower.get_mut(len) {
                *place = letter;
            }
            (len, self.at) = (len + 1, self.at + 1);
        }
        let known = ascii && len <= LONGEST;
        let word = if known { self.meaning(lower, len, start, first) } else { Word::Name };
        match word {
            Word::Name if self.is_spelled(start, first) => self.spell(start),
            Word::Key(key) if self.is_suffix(start, first) && !is_unit(key) => self.spell(start),
            word => self.tokens.push(Token { word, start, end: self.at }),
        }
    }

    fn meaning(&self, lower: [u8; LONGEST], len: usize, start: usize, first: usize) -> Word {
        let alone = first == start && !self.peek().is_some_and(char::is_alphanumeric);
        match lower {
            [letter, ..] if len == 1 => self.single(letter, start, alone),
            letters if letters.contains(&b'\'') => Word::Key(Key::Filler),
            letters => look_up(letters),
        }
    }

    /// A letter by itself; `a` and `i` are words, unless they are capitals in the middle of something.
    fn single(&self, letter: u8, start: usize, alone: bool) -> Word {
        let capital = self.byte(start).is_ascii_uppercase();
        let word = alone && matches!(letter, b'a' | b'i') && (!capital || self.tokens.is_empty());
        if word { Word::Key(Key::The) } else { Word::Letter(letter.to_ascii_uppercase()) }
    }

    /// Whether a word is a row of letters: part of a registration such as `VH-ABC`, or after digits as in `85WX`.
    fn is_spelled(&self, start: usize, first: usize) -> bool {
        let word = self.text.get(start..self.at).unwrap_or_default();
        let capitals = word.len() <= 5 && word.bytes().all(|byte| byte.is_ascii_uppercase());
        let beside = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
        let hyphen_before = start > 1 && self.byte(start - 1) == b'-' && beside(self.byte(start - 2));
        let hyphen_after = self.byte(self.at) == b'-' && beside(self.byte(self.at + 1));
        capitals && (hyphen_before || hyphen_after || start > first)
    }

    /// Whether up to three letters stand right behind digits, as in `7TA`.
    fn is_suffix(&self, start: usize, first: usize) -> bool {
        let word = self.text.get(start..self.at).unwrap_or_default();
        start > first && word.len() <= 3 && word.bytes().all(|byte| byte.is_ascii_uppercase())
    }

    fn spell(&mut self, start: usize) {
        for at in start..self.at {
            let letter = self.byte(at).to_ascii_uppercase();
            self.tokens.push(Token { word: Word::Letter(letter), start: at, end: at + 1 });
        }
    }
}

/// What may stand right behind digits and is no row of letters: `220kts`.
const fn is_unit(key: Key) -> bool {
    matches!(key, Key::Feet | Key::Knots | Key::Distance | Key::Hectopascals | Key::Degrees | Key::Time)
}

/// Greetings have accents; nobody gives them on the radio otherwise.
const fn without_accent(letter: char) -> char {
    match letter {
        'á' | 'à' | 'â' | 'ä' | 'ã' | 'Á' | 'Ä' => 'a',
        'č' | 'ç' | 'Č' => 'c',
        'ď' => 'd',
        'é' | 'è' | 'ê' | 'ë' | 'ě' | 'É' | 'È' => 'e',
        'í' | 'ì' | 'î' | 'ï' => 'i',
        'ň' | 'ñ' => 'n',
        'ó' | 'ò' | 'ô' | 'ö' | 'õ' | 'ø' | 'Ö' => 'o',
        'ř' => 'r',
        'š' | 'ß' | 'Š' => 's',
        'ť' => 't',
        'ú' | 'ù' | 'û' | 'ü' | 'ů' | 'Ü' => 'u',
        'ý' => 'y',
        'ž' | 'Ž' => 'z',
        other => other,
    }
}
