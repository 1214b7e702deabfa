//! Callsign detection from tokens alone, without a list of airlines.

use assize_kernel::SmolStr;

use super::digits::DigitRun;
use super::figure::piece;
use super::steps;
use super::token::{CallToken, TokenKind};
use super::words::Keyword;

/// Maximum length of an id.
const LONGEST: usize = 8;
/// Maximum number of words in the name of a callsign.
const MOST_NAMES: usize = 4;

/// A callsign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Callsign {
    /// Airline or aircraft type, as written; empty for a plain registration.
    pub name: String,
    /// Letters and digits, such as `85W0`.
    pub id: SmolStr,
    /// Byte span in the text.
    pub span: (usize, usize),
    /// Token range.
    pub(super) tokens: (usize, usize),
}

/// Parses the id at this token; returns it with the token after it.
pub(super) fn id_at(tokens: &[CallToken], at: usize) -> (SmolStr, usize) {
    let mut id = [0_u8; LONGEST];
    let mut len = 0;
    let mut next = at;
    let mut last_piece = 0;
    while let Some(token) = tokens.get(next) {
        if let TokenKind::Letter(letter) = token.kind {
            let Some(place) = id.get_mut(len) else { break };
            *place = letter;
            len += 1;
            next += 1;
            last_piece = 0;
            continue;
        }
        let Some((digits, None, after)) = id_piece(tokens, next, last_piece) else { break };
        let fits = last_piece <= 1 || (last_piece == 2 && digits.len() <= 2);
        if !fits || len + digits.len() > LONGEST || runs_into_a_frequency(tokens, next) {
            break;
        }
        for (place, digit) in id.iter_mut().skip(len).zip(digits.as_slice()) {
            *place = b'0' + digit;
        }
        len += digits.len();
        next = after;
        last_piece = digits.len();
    }
    let id = id.get(..len).and_then(|id| std::str::from_utf8(id).ok()).unwrap_or_default();
    (SmolStr::new(id), next)
}

/// Digits of one or two tokens in a callsign; `hundred` after one or two digits is two zeros.
pub(super) fn id_piece(
    tokens: &[CallToken],
    at: usize,
    last: usize,
) -> Option<(DigitRun, Option<usize>, usize)> {
    if tokens.get(at).is_some_and(|token| token.kind == TokenKind::Keyword(Keyword::Hundred)) {
        return (1..=2).contains(&last).then(|| (DigitRun::zeros(2), None, at + 1));
    }
    piece(tokens, at)
}

/// Whether at most three digits follow, and then a decimal: the integer part of a frequency.
fn runs_into_a_frequency(tokens: &[CallToken], at: usize) -> bool {
    let rest = tokens.get(at..).unwrap_or_default();
    let digits = rest.iter().take(4).take_while(|token| token.kind.is_numeric()).count();
    digits <= 3 && rest.get(digits).is_some_and(|token| token.kind == TokenKind::Keyword(Keyword::Decimal))
}

/// Whether an id is plausible, after a name or without one.
pub(super) fn is_id(id: &str, named: bool) -> bool {
    let digits = id.bytes().filter(u8::is_ascii_digit).count();
    let letters = id.len() - digits;
    if named { digits >= 1 || letters >= 2 } else { letters >= 3 || (digits >= 1 && id.len() >= 3) }
}

/// Finds the callsign of a transmission: at the start, or else the first name followed by an id.
pub(super) fn called(text: &str, tokens: &[CallToken]) -> Option<Callsign> {
    let edges = CallEdges::of(tokens);
    let mut at = 0;
    let mut leading = true;
    let mut open = true;
    while let Some(token) = tokens.get(at) {
        steps::count(1);
        match token.kind {
            TokenKind::Name | TokenKind::Keyword(Keyword::Type) if open => {
                let after = names_end(tokens, at);
                let (id, next) = id_at(tokens, after);
                let route = !leading && id.len() == 2 && !edges.ends(next);
                if is_id(&id, true) && !route && after - at <= MOST_NAMES {
                    return Some(callsign(text, tokens, at, after, next, id));
                }
                at = after.max(next);
                continue;
            }
            TokenKind::Letter(_)
            | TokenKind::Digit(_)
            | TokenKind::Teen(_)
            | TokenKind::Tens(_)
            | TokenKind::Number { .. }
                if leading =>
            {
                let (id, next) = id_at(tokens, at);
                if is_id(&id, false) && !is_measured(tokens, next - 1) && !is_measured(tokens, next) {
                    return Some(callsign(text, tokens, at, at, next, id));
                }
                leading = false;
                at = next.max(at + 1);
                continue;
            }
            TokenKind::Keyword(key) => {
                leading &= is_small_talk(key);
                open = !matches!(
                    key,
                    Keyword::The
                        | Keyword::Via
                        | Keyword::Direct
                        | Keyword::Contact
                        | Keyword::Monitor
                        | Keyword::Behind
                        | Keyword::Follow
                ) && (open
                    || !matches!(
                        key,
                        Keyword::Unit | Keyword::On | Keyword::Approach | Keyword::Departure | Keyword::To
                    ));
            }
            TokenKind::Comma | TokenKind::Stop => open = true,
            _ => leading = false,
        }
        at += 1;
    }
    None
}

/// Whether the token is a unit or runway side, so that the number before it is not a callsign.
fn is_measured(tokens: &[CallToken], at: usize) -> bool {
    let Some(TokenKind::Keyword(key)) = tokens.get(at).map(|token| token.kind) else { return false };
    matches!(
        key,
        Keyword::Feet
            | Keyword::Knots
            | Keyword::Degrees
            | Keyword::Hectopascals
            | Keyword::Inches
            | Keyword::Hundred
            | Keyword::Thousand
            | Keyword::Decimal
            | Keyword::Distance
            | Keyword::Time
            | Keyword::Left
            | Keyword::Right
            | Keyword::Center
    )
}

/// The token after consecutive name tokens.
pub(super) fn names_end(tokens: &[CallToken], at: usize) -> usize {
    let names = tokens.iter().skip(at);
    let count = names
        .take_while(|token| matches!(token.kind, TokenKind::Name | TokenKind::Keyword(Keyword::Type)))
        .count();
    steps::count(count + 1);
    at + count
}

/// Token range of a call without the greetings and fillers around it.
#[derive(Debug, Clone, Copy)]
pub(super) struct CallEdges {
    first: usize,
    last: usize,
}

impl CallEdges {
    pub(super) fn of(tokens: &[CallToken]) -> Self {
        let before = |word: TokenKind| {
            is_courtesy(word)
                || matches!(word, TokenKind::Name | TokenKind::Keyword(Keyword::Unit | Keyword::Roger))
        };
        let first = tokens.iter().take_while(|token| before(token.kind)).count();
        let courtesies = tokens.iter().rev().take_while(|token| is_courtesy(token.kind)).count();
        steps::count(first + courtesies);
        Self { first, last: tokens.len() - courtesies }
    }

    /// Whether only greetings and station names come before this token.
    pub(super) const fn begins(self, at: usize) -> bool {
        at <= self.first
    }

    /// Whether only greetings follow from this token on.
    pub(super) const fn ends(self, at: usize) -> bool {
        at >= self.last
    }
}

const fn is_courtesy(word: TokenKind) -> bool {
    match word {
        TokenKind::Comma | TokenKind::Stop => true,
        TokenKind::Keyword(key) => matches!(key, Keyword::Greeting | Keyword::Filler | Keyword::Type),
        _ => false,
    }
}

const fn is_small_talk(key: Keyword) -> bool {
    matches!(
        key,
        Keyword::Greeting
            | Keyword::Filler
            | Keyword::Roger
            | Keyword::Affirm
            | Keyword::Negative
            | Keyword::Correct
            | Keyword::And
            | Keyword::The
    )
}

fn callsign(
    text: &str,
    tokens: &[CallToken],
    from: usize,
    id_from: usize,
    to: usize,
    id: SmolStr,
) -> Callsign {
    let start = tokens.get(from).map_or(0, |token| token.start);
    let name_end =
        tokens.get(id_from.wrapping_sub(1)).filter(|_| id_from > from).map_or(start, |token| token.end);
    let end = tokens.get(to.wrapping_sub(1)).map_or(name_end, |token| token.end);
    let name = text.get(start..name_end).unwrap_or_default().to_owned();
    Callsign { name, id, span: (start, end), tokens: (from, to) }
}

impl std::fmt::Display for Callsign {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.name.is_empty() { f.write_str(&self.id) } else { write!(f, "{} {}", self.name, self.id) }
    }
}
