//! What a transmission is made of: words, each with the bytes it stands at.

use super::digits::Digits;
use super::words::Key;

/// One word, number or pause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) word: Word,
    /// Its first byte in the text.
    pub(super) start: usize,
    /// The byte after its last.
    pub(super) end: usize,
}

/// What a token says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    /// `zero` to `niner`.
    Digit(u8),
    /// `ten` to `nineteen`.
    Teen(u8),
    /// `twenty` to `ninety`: the first digit.
    Tens(u8),
    /// Written with digits; how many of them stand before the point.
    Number { digits: Digits, point: Option<u8> },
    /// `alpha` to `zulu`, or a letter by itself, as ASCII upper case.
    Letter(u8),
    /// A word with a meaning on the radio.
    Key(Key),
    /// Any other word: a name.
    Name,
    /// A comma: a pause.
    Comma,
    /// A full stop: the end of a sentence.
    Stop,
}

impl Word {
    /// Whether it is one digit, spoken or written.
    pub(super) const fn is_one_digit(self) -> bool {
        match self {
            Self::Digit(_) => true,
            Self::Number { digits, point: None } => digits.len() == 1,
            _ => false,
        }
    }

    /// Whether it is part of a number.
    pub(super) const fn is_numeric(self) -> bool {
        matches!(self, Self::Digit(_) | Self::Teen(_) | Self::Tens(_) | Self::Number { .. })
    }
}
