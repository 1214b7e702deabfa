//! Number parser: digit by digit, in groups, with hundreds and thousands, or written as figures.

use super::digits::DigitRun;
use super::steps;
use super::token::{CallToken, TokenKind};
use super::words::Keyword;

/// Frequencies have three digits before the decimal point and at most three after it.
const BEFORE_THE_POINT: usize = 3;
const BEHIND_THE_POINT: usize = 3;

/// A parsed number.
#[derive(Debug, Clone, Copy)]
pub(super) struct SpokenNumber {
    /// All digits.
    pub(super) digits: DigitRun,
    /// Number of digits before the decimal point, if there is one.
    pub(super) point: Option<usize>,
    /// Whether hundreds or thousands were said.
    pub(super) scaled: bool,
    /// The token after it.
    pub(super) next: usize,
}

/// Parses the number at this token.
pub(super) fn figure(tokens: &[CallToken], at: usize) -> Option<SpokenNumber> {
    let most = digits_before_another(tokens, at);
    let mut figure = SpokenNumber { digits: DigitRun::default(), point: None, scaled: false, next: at };
    let mut last_piece = 1;
    while let Some(token) = tokens.get(figure.next) {
        match token.kind {
            TokenKind::Keyword(Keyword::Hundred | Keyword::Thousand)
                if !figure.digits.is_empty() && figure.point.is_none() =>
            {
                return scale(tokens, figure);
            }
            TokenKind::Keyword(Keyword::Decimal) if begins_decimals(tokens, &figure) => {
                figure.point = Some(figure.digits.len());
                figure.next += 1;
            }
            _ => {
                let Some((piece, point, next)) = piece(tokens, figure.next) else { break };
                // Three digits followed by decimals start a frequency.
                let decimal = point.is_some()
                    || tokens
                        .get(next)
                        .is_some_and(|token| token.kind == TokenKind::Keyword(Keyword::Decimal));
                let other = decimal && piece.len() == BEFORE_THE_POINT && !figure.digits.is_empty();
                if other || !joins(&figure, last_piece, piece, point.is_some(), most) {
                    break;
                }
                figure.point = figure.point.or(point.map(|point| figure.digits.len() + point));
                figure.digits.append(piece);
                figure.next = next;
                last_piece = piece.len();
            }
        }
    }
    (!figure.digits.is_empty()).then_some(figure)
}

/// Parses one group of digits from one or two tokens: the digits, their decimal point, and the token after
/// them.
pub(super) fn piece(tokens: &[CallToken], at: usize) -> Option<(DigitRun, Option<usize>, usize)> {
    steps::count(1);
    let word = |at: usize| tokens.get(at).map(|token| token.kind);
    let mut digits = DigitRun::default();
    let mut next = at + 1;
    match word(at)? {
        TokenKind::Digit(digit) => {
            digits.push(digit);
        }
        TokenKind::Teen(teen) => {
            digits.push(1);
            digits.push(teen % 10);
        }
        TokenKind::Tens(tens) => {
            digits.push(tens);
            match word(next) {
                Some(TokenKind::Digit(digit)) if digit > 0 => {
                    digits.push(digit);
                    next += 1;
                }
                _ => {
                    digits.push(0);
                }
            }
        }
        TokenKind::Number { digits, point } => return Some((digits, point.map(usize::from), next)),
        TokenKind::Keyword(key @ (Keyword::Double | Keyword::Triple)) => {
            let Some(TokenKind::Digit(digit)) = word(next) else { return None };
            let times = if key == Keyword::Double { 2 } else { 3 };
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
fn joins(figure: &SpokenNumber, last: usize, piece: DigitRun, pointed: bool, most: Option<usize>) -> bool {
    if figure.digits.is_empty() {
        return true;
    }
    if let Some(point) = figure.point {
        return !pointed && figure.digits.len() - point + piece.len() <= BEHIND_THE_POINT;
    }
    let fits = most.is_none_or(|most| figure.digits.len() + piece.len() <= most);
    fits && (last == 1 || (last <= 2 && piece.len() <= 2))
}

/// How many digits belong to the first number when it runs into a second one without a pause.
fn digits_before_another(tokens: &[CallToken], at: usize) -> Option<usize> {
    let rest = tokens.get(at..)?;
    let run = rest.iter().take_while(|token| token.kind.is_one_digit()).count();
    steps::count(run);
    match rest.get(run).map_or(TokenKind::Stop, |token| token.kind) {
        TokenKind::Keyword(Keyword::Decimal) if rest.get(run + 1)?.kind.is_numeric() => {
            (run > BEFORE_THE_POINT).then(|| run - BEFORE_THE_POINT)
        }
        // `flight level 7 0 2 2 0 knots`
        TokenKind::Keyword(Keyword::Knots | Keyword::Degrees) if run <= 6 => {
            run.checked_sub(3).filter(|most| *most > 0)
        }
        // `heading 3 6 0 8 thousand`
        TokenKind::Keyword(Keyword::Thousand | Keyword::Hundred) if run <= 6 => {
            digits_of_one(tokens, at, run)
        }
        // `right 2 7 0 1 8 0`, unless it is a frequency
        _ if (6..=7).contains(&run) && !is_channel(rest) => digits_of_one(tokens, at, run),
        _ => None,
    }
}

/// Nearly everything has three digits; pressures and codes have four.
fn digits_of_one(tokens: &[CallToken], at: usize, run: usize) -> Option<usize> {
    let before = at.checked_sub(1).and_then(|before| tokens.get(before)).map(|token| token.kind);
    let code = matches!(before, Some(TokenKind::Keyword(Keyword::Qnh | Keyword::Squawk)));
    Some(if code { 4 } else { 3 }).filter(|most| *most < run)
}

/// Whether the tokens start with the integer part of a frequency.
fn is_channel(tokens: &[CallToken]) -> bool {
    let mut digits = DigitRun::default();
    (0..BEFORE_THE_POINT).filter_map(|at| piece(tokens, at)).for_each(|(piece, ..)| digits.append(piece));
    (118..=136).contains(&digits.value())
}

fn begins_decimals(tokens: &[CallToken], figure: &SpokenNumber) -> bool {
    let followed = tokens.get(figure.next + 1).is_some_and(|token| token.kind.is_numeric());
    figure.point.is_none() && followed && figure.digits.len() <= BEFORE_THE_POINT && !figure.digits.is_empty()
}

/// `two thousand five hundred`, `one two thousand`, `three hundred`, `fifteen hundred`.
fn scale(tokens: &[CallToken], figure: SpokenNumber) -> Option<SpokenNumber> {
    let key = |at: usize| tokens.get(at).map(|token| token.kind);
    let mut next = figure.next;
    let mut value = figure.digits.value();
    if key(next) == Some(TokenKind::Keyword(Keyword::Thousand)) {
        value = value.saturating_mul(1000);
        next += 1;
        if let Some((hundreds, None, after)) = piece(tokens, next)
            && key(after) == Some(TokenKind::Keyword(Keyword::Hundred))
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
        && let (Some(TokenKind::Tens(_)), Some((tens, None, after))) = (key(next), piece(tokens, next))
    {
        value = value.saturating_add(tens.value());
        next = after;
    }
    Some(SpokenNumber { digits: DigitRun::of(value), point: None, scaled: true, next })
}
