//! Callsigns: the one the controller called, told from the words alone, without a list of airlines.

use assize_kernel::SmolStr;

use super::digits::Digits;
use super::figure::piece;
use super::steps;
use super::token::{Token, Word};
use super::words::Key;

/// Nothing longer is a callsign.
const LONGEST: usize = 8;
/// Names of more words than this are no names.
const MOST_NAMES: usize = 4;

/// Somebody on the frequency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Callsign {
    /// The airline or type, as it was written; empty for a registration by itself.
    pub name: String,
    /// Letters and digits, as in `85W0`.
    pub id: SmolStr,
    /// The bytes it stands in.
    pub span: (usize, usize),
    /// The tokens it stands in.
    pub(super) tokens: (usize, usize),
}

/// The letters and digits from this token on, and the token after them.
pub(super) fn id_at(tokens: &[Token], at: usize) -> (SmolStr, usize) {
    let (mut id, mut len) = ([0_u8; LONGEST], 0);
    let (mut next, mut last_piece) = (at, 0);
    while let Some(token) = tokens.get(next) {
        if let Word::Letter(letter) = token.word {
            let Some(place) = id.get_mut(len) else { break };
            *place = letter;
            (len, next, last_piece) = (len + 1, next + 1, 0);
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
        (len, next, last_piece) = (len + digits.len(), after, digits.len());
    }
    let id = id.get(..len).and_then(|id| std::str::from_utf8(id).ok()).unwrap_or_default();
    (SmolStr::new(id), next)
}

/// The digits of a callsign that one or two tokens stand for; `hundred` behind one or two digits is two zeros.
pub(super) fn id_piece(tokens: &[Token], at: usize, last: usize) -> Option<(Digits, Option<usize>, usize)> {
    if tokens.get(at).is_some_and(|token| token.word == Word::Key(Key::Hundred)) {
        return (1..=2).contains(&last).then(|| (Digits::zeros(2), None, at + 1));
    }
    piece(tokens, at)
}

/// Whether the next three digits stand before a decimal.
fn runs_into_a_frequency(tokens: &[Token], at: usize) -> bool {
    let rest = tokens.get(at..).unwrap_or_default();
    let digits = rest.iter().take(4).take_while(|token| token.word.is_numeric()).count();
    digits <= 3 && rest.get(digits).is_some_and(|token| token.word == Word::Key(Key::Decimal))
}

/// Whether these letters and digits can be a callsign behind a name, or without one.
pub(super) fn is_id(id: &str, named: bool) -> bool {
    let digits = id.bytes().filter(u8::is_ascii_digit).count();
    let letters = id.len() - digits;
    if named { digits >= 1 || letters >= 2 } else { letters >= 3 || (digits >= 1 && id.len() >= 3) }
}

/// Whom a transmission calls: at its beginning, else where a name with letters and digits stands.
pub(super) fn called(text: &str, tokens: &[Token]) -> Option<Callsign> {
    let edges = Edges::of(tokens);
    let mut at = 0;
    let (mut leading, mut open) = (true, true);
    while let Some(token) = tokens.get(at) {
        steps::count(1);
        match token.word {
            Word::Name | Word::Key(Key::Type) if open => {
                let after = names_end(tokens, at);
                let (id, next) = id_at(tokens, after);
                let route = !leading && id.len() == 2 && !edges.ends(next);
                if is_id(&id, true) && !route && after - at <= MOST_NAMES {
                    return Some(callsign(text, tokens, at, after, next, id));
                }
                at = after.max(next);
                continue;
            }
            Word::Letter(_) | Word::Digit(_) | Word::Teen(_) | Word::Tens(_) | Word::Number { .. }
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
            Word::Key(key) => {
                leading &= is_small_talk(key);
                open = !matches!(
                    key,
                    Key::The
                        | Key::Via
                        | Key::Direct
                        | Key::Contact
                        | Key::Monitor
                        | Key::Behind
                        | Key::Follow
                ) && (open
                    || !matches!(key, Key::Unit | Key::On | Key::Approach | Key::Departure | Key::To));
            }
            Word::Comma | Word::Stop => open = true,
            _ => leading = false,
        }
        at += 1;
    }
    None
}

/// Whether a unit follows: then it was a number, and nobody's callsign.
fn is_measured(tokens: &[Token], at: usize) -> bool {
    let Some(Word::Key(key)) = tokens.get(at).map(|token| token.word) else { return false };
    matches!(
        key,
        Key::Feet
            | Key::Knots
            | Key::Degrees
            | Key::Hectopascals
            | Key::Inches
            | Key::Hundred
            | Key::Thousand
            | Key::Decimal
            | Key::Distance
            | Key::Time
            | Key::Left
            | Key::Right
            | Key::Center
    )
}

/// The token after a row of names.
pub(super) fn names_end(tokens: &[Token], at: usize) -> usize {
    let names = tokens.iter().skip(at);
    let count = names.take_while(|token| matches!(token.word, Word::Name | Word::Key(Key::Type))).count();
    steps::count(count + 1);
    at + count
}

/// Where what matters begins and ends: courtesies stand before and after it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edges {
    first: usize,
    last: usize,
}

impl Edges {
    pub(super) fn of(tokens: &[Token]) -> Self {
        let before =
            |word: Word| is_courtesy(word) || matches!(word, Word::Name | Word::Key(Key::Unit | Key::Roger));
        let first = tokens.iter().take_while(|token| before(token.word)).count();
        let courtesies = tokens.iter().rev().take_while(|token| is_courtesy(token.word)).count();
        steps::count(first + courtesies);
        Self { first, last: tokens.len() - courtesies }
    }

    /// Whether nothing but courtesies and names of stations comes before this token.
    pub(super) const fn begins(self, at: usize) -> bool {
        at <= self.first
    }

    /// Whether nothing but courtesies follows from this token on.
    pub(super) const fn ends(self, at: usize) -> bool {
        at >= self.last
    }
}

const fn is_courtesy(word: Word) -> bool {
    match word {
        Word::Comma | Word::Stop => true,
        Word::Key(key) => matches!(key, Key::Greeting | Key::Filler | Key::Type),
        _ => false,
    }
}

const fn is_small_talk(key: Key) -> bool {
    matches!(
        key,
        Key::Greeting
            | Key::Filler
            | Key::Roger
            | Key::Affirm
            | Key::Negative
            | Key::Correct
            | Key::And
            | Key::The
    )
}

fn callsign(text: &str, tokens: &[Token], from: usize, id_from: usize, to: usize, id: SmolStr) -> Callsign {
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
