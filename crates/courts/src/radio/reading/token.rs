//! Tokens of a transmission, each with its byte span.

use super::digits::DigitRun;
use super::words::Keyword;

/// A word, number or pause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CallToken {
    pub(super) kind: TokenKind,
    /// Byte offset of the start.
    pub(super) start: usize,
    /// Byte offset of the end, exclusive.
    pub(super) end: usize,
}

/// Kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// `zero` to `niner`.
    Digit(u8),
    /// `ten` to `nineteen`.
    Teen(u8),
    /// `twenty` to `ninety`: the first digit.
    Tens(u8),
    /// Written as figures, with the number of digits before the decimal point.
    Number { digits: DigitRun, point: Option<u8> },
    /// `alpha` to `zulu`, or a letter by itself, as ASCII upper case.
    Letter(u8),
    /// A keyword.
    Keyword(Keyword),
    /// Any other word: a name.
    Name,
    /// A comma: a pause.
    Comma,
    /// A full stop: the end of a sentence.
    Stop,
}

impl TokenKind {
    /// Whether the token is one digit, spoken or written.
    pub(super) const fn is_one_digit(self) -> bool {
        match self {
            Self::Digit(_) => true,
            Self::Number { digits, point: None } => digits.len() == 1,
            _ => false,
        }
    }

    /// Whether the token is part of a number.
    pub(super) const fn is_numeric(self) -> bool {
        matches!(self, Self::Digit(_) | Self::Teen(_) | Self::Tens(_) | Self::Number { .. })
    }
}
