//! Numbers, however they were said: digit by digit, in groups, with hundreds and thousands, or written.

use super::digits::Digits;
use super::steps;
use super::token::{Token, Word};
use super::words::Key;

/// Frequencies have three digits before the point and at most three behind it.
const BEFORE_THE_POINT: usize = 3;
const BEHIND_THE_POINT: usize = 3;

/// A number with its place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Figure {
    /// All its digits.
    pub(super) digits: Digits,
    /// How many of them stand before the point, if there is one.
    pub(super) point: Option<usize>,
    /// Whether hundreds or thousands were said.
    pub(super) scaled: bool,
    /// The token after it.
    pub(super) next: usize,
}

/// The number that begins at this token.
pub(super) fn figure(tokens: &[Token], at: usize) -> Option<Figure> {
    let most = digits_before_a_frequency(tokens, at);
    let mut figure = Figure { digits: Digits::default(), point: None, scaled: false, next: at };
    let mut last_piece = 1;
    while let Some(token) = tokens.get(figure.next) {
        match token.word {
            Word::Key(Key::Hundred | Key::Thousand)
                if !figure.digits.is_empty() && figure.point.is_none() =>
            {
                return scale(tokens, figure);
            }
            Word::Key(Key::Decimal) if begins_decimals(tokens, &figure) => {
                figure.point = Some(figure.digits.len());
                figure.next += 1;
            }
            _ => {
                let Some((piece, point, next)) = piece(tokens, figure.next) else { break };
                if !joins(&figure, last_piece, piece, point.is_some(), most) {
                    break;
                }
                figure.point = figure.point.or(point.map(|point| figure.digits.len() + point));
                figure.digits.append(piece);
                (figure.next, last_piece) = (next, piece.len());
            }
        }
    }
    (!figure.digits.is_empty()).then_some(figure)
}

/// The digits one or two tokens stand for, where their own point is, and the token after them.
pub(super) fn piece(tokens: &[Token], at: usize) -> Option<(Digits, Option<usize>, usize)> {
    steps::count(1);
    let word = |at: usize| tokens.get(at).map(|token| token.word);
    let mut digits = Digits::default();
    let mut next = at + 1;
    match word(at)? {
        Word::Digit(digit) => {
            digits.push(digit);
        }
        Word::Teen(teen) => {
            digits.push(1);
            digits.push(teen % 10);
        }
        Word::Tens(tens) => {
            digits.push(tens);
            match word(next) {
                Some(Word::Digit(digit)) if digit > 0 => {
                    digits.push(digit);
                    next += 1;
                }
                _ => {
                    digits.push(0);
                }
            }
        }
        Word::Number { digits, point } => return Some((digits, point.map(usize::from), next)),
        Word::Key(key @ (Key::Double | Key::Triple)) => {
            let Some(Word::Digit(digit)) = word(next) else { return None };
            let times = if key == Key::Double { 2 } else { 3 };
            (0..times).for_each(|_| {
                digits.push(digit);
            });
            next += 1;
        }
        _ => return None,
    }
    Some((digits, None, next))
}

/// Whether a piece belongs to the number before it: `four seven three` does, `220 5000` does not.
fn joins(figure: &Figure, last: usize, piece: Digits, pointed: bool, most: Option<usize>) -> bool {
    if figure.digits.is_empty() {
        return true;
    }
    if let Some(point) = figure.point {
        return !pointed && figure.digits.len() - point + piece.len() <= BEHIND_THE_POINT;
    }
    let fits = most.is_none_or(|most| figure.digits.len() + piece.len() <= most);
    fits && (last == 1 || (last <= 2 && piece.len() <= 2))
}

/// When digits run straight into a frequency, how many of them are left to what comes before it.
fn digits_before_a_frequency(tokens: &[Token], at: usize) -> Option<usize> {
    let rest = tokens.get(at..)?;
    let run = rest.iter().take_while(|token| matches!(token.word, Word::Digit(_))).count();
    steps::count(run);
    let decimals = rest.get(run).is_some_and(|token| token.word == Word::Key(Key::Decimal))
        && rest.get(run + 1).is_some_and(|token| token.word.is_numeric());
    (run > BEFORE_THE_POINT && decimals).then(|| run - BEFORE_THE_POINT)
}

fn begins_decimals(tokens: &[Token], figure: &Figure) -> bool {
    let followed = tokens.get(figure.next + 1).is_some_and(|token| token.word.is_numeric());
    figure.point.is_none() && followed && figure.digits.len() <= BEFORE_THE_POINT && !figure.digits.is_empty()
}

/// `two thousand five hundred`, `one two thousand`, `three hundred`, `fifteen hundred`.
fn scale(tokens: &[Token], figure: Figure) -> Option<Figure> {
    let key = |at: usize| tokens.get(at).map(|token| token.word);
    let mut next = figure.next;
    let mut value = figure.digits.value();
    if key(next) == Some(Word::Key(Key::Thousand)) {
        value = value.saturating_mul(1000);
        next += 1;
        if let Some((hundreds, None, after)) = piece(tokens, next)
            && key(after) == Some(Word::Key(Key::Hundred))
        {
            value = value.saturating_add(hundreds.value().saturating_mul(100));
            next = after + 1;
        }
    } else {
        value = value.saturating_mul(100);
        next += 1;
    }
    // `one thousand two hundred fifty`
    if next > figure.next + 1
        && let (Some(Word::Tens(_)), Some((tens, None, after))) = (key(next), piece(tokens, next))
    {
        value = value.saturating_add(tens.value());
        next = after;
    }
    Some(Figure { digits: Digits::of(value), point: None, scaled: true, next })
}
