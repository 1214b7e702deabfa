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
    let most = digits_before_another(tokens, at);
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
                // Three digits with decimals of their own begin a frequency.
                let decimal = point.is_some()
                    || tokens.get(next).is_some_and(|token| token.word == Word::Key(Key::Decimal));
                let other = decimal && piece.len() == BEFORE_THE_POINT && !figure.digits.is_empty();
                if other || !joins(&figure, last_piece, piece, point.is_some(), most) {
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

/// When digits run straight into a frequency or into thousands, how many of them are left to what comes before it.
fn digits_before_another(tokens: &[Token], at: usize) -> Option<usize> {
    let rest = tokens.get(at..)?;
    let run = rest.iter().take_while(|token| token.word.is_one_digit()).count();
    steps::count(run);
    match rest.get(run).map_or(Word::Stop, |token| token.word) {
        Word::Key(Key::Decimal) if rest.get(run + 1)?.word.is_numeric() => {
            (run > BEFORE_THE_POINT).then(|| run - BEFORE_THE_POINT)
        }
        // `flight level 7 0 2 2 0 knots`
        Word::Key(Key::Knots | Key::Degrees) if run <= 6 => run.checked_sub(3).filter(|most| *most > 0),
        // `heading 3 6 0 8 thousand`
        Word::Key(Key::Thousand | Key::Hundred) if run <= 6 => digits_of_one(tokens, at, run),
        // `right 2 7 0 1 8 0`, unless it is a frequency
        _ if (6..=7).contains(&run) && !is_channel(rest) => digits_of_one(tokens, at, run),
        _ => None,
    }
}

/// Nearly everything has three digits; pressures and codes have four.
fn digits_of_one(tokens: &[Token], at: usize, run: usize) -> Option<usize> {
    let before = at.checked_sub(1).and_then(|before| tokens.get(before)).map(|token| token.word);
    let code = matches!(before, Some(Word::Key(Key::Qnh | Key::Squawk)));
    Some(if code { 4 } else { 3 }).filter(|most| *most < run)
}

/// Whether a frequency begins with these digits.
fn is_channel(tokens: &[Token]) -> bool {
    let mut digits = Digits::default();
    (0..BEFORE_THE_POINT).filter_map(|at| piece(tokens, at)).for_each(|(piece, ..)| digits.append(piece));
    (118..=136).contains(&digits.value())
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
