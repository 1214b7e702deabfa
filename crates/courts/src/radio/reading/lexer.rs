//! Lexer: splits a transcript into tokens in spoken or written form, and pauses.

use super::digits::DigitRun;
use super::steps;
use super::token::{CallToken, TokenKind};
use super::words::{Keyword, LONGEST, look_up};

/// Tokenizes a text in one pass.
pub(super) fn tokens(text: &str) -> Vec<CallToken> {
    let mut lexer = Lexer { text, at: 0, tokens: Vec::with_capacity(text.len() / 4 + 4) };
    while let Some(next) = lexer.peek() {
        match next {
            next if next.is_alphanumeric() => lexer.chunk(),
            ',' | ';' | ':' => lexer.pause(TokenKind::Comma),
            '.' if lexer.decimals_follow() => lexer.pause(TokenKind::Keyword(Keyword::Decimal)),
            '.' | '!' | '?' | '\n' => lexer.pause(TokenKind::Stop),
            other => lexer.at += other.len_utf8(),
        }
    }
    lexer.tokens
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    tokens: Vec<CallToken>,
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

    fn pause(&mut self, word: TokenKind) {
        self.tokens.push(CallToken { kind: word, start: self.at, end: self.at + 1 });
        self.at += 1;
    }

    /// Whether a separate point precedes digits, as in `118 .35`.
    fn decimals_follow(&self) -> bool {
        let numeric = self.tokens.last().is_some_and(|token| token.kind.is_numeric());
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
        let mut digits = DigitRun::default();
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
        self.tokens.push(CallToken { kind: TokenKind::Number { digits, point }, start, end: self.at });
    }

    fn groups_thousands(&self, before: DigitRun) -> bool {
        let three = (1..=3).all(|ahead| self.byte(self.at + ahead).is_ascii_digit());
        three && !self.byte(self.at + 4).is_ascii_digit() && before.len() <= 3
    }

    /// Letters up to the next digit or gap; `first` is the start of the chunk.
    fn word(&mut self, first: usize) {
        let start = self.at;
        let mut lower = [0_u8; LONGEST];
        let mut len = 0;
        let mut ascii = true;
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
            len += 1;
            self.at += 1;
        }
        let known = ascii && len <= LONGEST;
        let word = if known { self.meaning(lower, len, start, first) } else { TokenKind::Name };
        match word {
            TokenKind::Name if self.is_spelled(start, first) => self.spell(start),
            TokenKind::Keyword(key) if self.is_suffix(start, first) && !is_unit(key) => self.spell(start),
            word => self.tokens.push(CallToken { kind: word, start, end: self.at }),
        }
    }

    fn meaning(&self, lower: [u8; LONGEST], len: usize, start: usize, first: usize) -> TokenKind {
        let alone = first == start && !self.peek().is_some_and(char::is_alphanumeric);
        match lower {
            [letter, ..] if len == 1 => self.single(letter, start, alone),
            letters if letters.contains(&b'\'') => TokenKind::Keyword(Keyword::Filler),
            letters => look_up(letters),
        }
    }

    /// A single letter; `a` and `i` are words, unless they are capitals after the first token.
    fn single(&self, letter: u8, start: usize, alone: bool) -> TokenKind {
        let capital = self.byte(start).is_ascii_uppercase();
        let word = alone && matches!(letter, b'a' | b'i') && (!capital || self.tokens.is_empty());
        if word { TokenKind::Keyword(Keyword::The) } else { TokenKind::Letter(letter.to_ascii_uppercase()) }
    }

    /// Whether a word is spelled letter by letter: in a registration such as `VH-ABC`, or after digits as in
    /// `85WX`.
    fn is_spelled(&self, start: usize, first: usize) -> bool {
        let word = self.text.get(start..self.at).unwrap_or_default();
        let capitals = word.len() <= 5 && word.bytes().all(|byte| byte.is_ascii_uppercase());
        let beside = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
        let hyphen_before = start > 1 && self.byte(start - 1) == b'-' && beside(self.byte(start - 2));
        let hyphen_after = self.byte(self.at) == b'-' && beside(self.byte(self.at + 1));
        capitals && (hyphen_before || hyphen_after || start > first)
    }

    /// Whether up to three letters directly follow digits, as in `7TA`.
    fn is_suffix(&self, start: usize, first: usize) -> bool {
        let word = self.text.get(start..self.at).unwrap_or_default();
        start > first && word.len() <= 3 && word.bytes().all(|byte| byte.is_ascii_uppercase())
    }

    fn spell(&mut self, start: usize) {
        for at in start..self.at {
            let letter = self.byte(at).to_ascii_uppercase();
            self.tokens.push(CallToken { kind: TokenKind::Letter(letter), start: at, end: at + 1 });
        }
    }
}

/// Units that may directly follow digits: `220kts`.
const fn is_unit(key: Keyword) -> bool {
    matches!(
        key,
        Keyword::Feet
            | Keyword::Knots
            | Keyword::Distance
            | Keyword::Hectopascals
            | Keyword::Degrees
            | Keyword::Time
    )
}

/// Strips accents, which occur in greetings.
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
