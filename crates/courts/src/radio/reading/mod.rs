//! Parser for radio calls: tokenizer, grammar, and comparison of a readback with the instruction.
//!
//! Text similarity does not work here: one wrong digit hardly changes a sentence. Instead, a lexer tokenizes
//! spoken words and the output of speech recognisers, a grammar assigns every number, letter and name to an
//! item, and the items are compared one by one. There is no training data and no list of callsigns, waypoints
//! or airports. All steps take time linear in the length of the text.

mod answering;
mod callsign;
mod classes;
mod comparing;
mod digits;
mod figure;
mod finding;
mod grammar;
mod item;
mod lexer;
mod matching;
mod names;
mod steps;
#[cfg(test)]
pub(super) mod tests;
mod token;
mod values;
mod words;

pub use answering::CallsignAnswer;
pub use callsign::Callsign;
pub use classes::{ReadbackClass, ReadbackClasses};
pub use digits::DigitRun;
pub use finding::{ErrorKind, Finding, FindingSubject};
pub use grammar::CallMarkers;
pub use item::{CallItem, ClearanceCondition, ItemRole, ItemValue, Parameter, RadioAction};
pub use values::{Frequency, Level, Runway, Side, spoken_digits};

use answering::{CallsignMatch, answered};
use callsign::called;
use grammar::{ParsedItems, scan};
use matching::MatchMode;
use token::{CallToken, TokenKind};

pub(crate) use classes::PARAMETERS;

/// A parsed transmission.
#[derive(Debug, Clone)]
pub struct ParsedCall {
    /// Callsign of the aircraft that is called or is calling.
    pub callsign: Option<Callsign>,
    /// The parsed items.
    pub items: Vec<CallItem>,
    /// Markers such as `roger` or `say again`.
    pub markers: CallMarkers,
}

/// A parsed controller transmission and readback.
#[derive(Debug, Clone)]
pub struct ParsedExchange {
    /// Transmission of the controller.
    pub controller: ParsedCall,
    /// Transmission of the pilot; its callsign is the part that answers the called one.
    pub pilot: ParsedCall,
    /// How the called callsign was answered; none when no aircraft was called.
    pub answered: Option<CallsignAnswer>,
    /// Whether the readback ends with the callsign.
    pub ends_with_callsign: bool,
    /// Errors in the readback.
    pub findings: Vec<Finding>,
}

impl ParsedExchange {
    /// Whether an error was found.
    #[must_use]
    pub fn is_flagged(&self) -> bool {
        self.findings.iter().any(|finding| finding.kind.is_error())
    }

    /// Whether part of the readback could not be parsed (`say again`).
    #[must_use]
    pub fn is_unclear(&self) -> bool {
        self.findings.iter().any(|finding| finding.kind == ErrorKind::Unclear)
    }
}

/// Parses a transmission.
#[must_use]
pub fn read(text: &str) -> ParsedCall {
    let mut tokens = lexer::tokens(text);
    let callsign = called(text, &tokens);
    if let Some(callsign) = &callsign {
        silence(&mut tokens, callsign.tokens);
    }
    let ParsedItems { items, markers } = scan(text, &tokens);
    ParsedCall { callsign, items, markers }
}

/// Parses an exchange and compares the readback with the instruction.
#[must_use]
pub fn read_exchange(classes: &ReadbackClasses, controller: &str, pilot: &str) -> ParsedExchange {
    let mut given = lexer::tokens(controller);
    let called = called(controller, &given);
    if let Some(called) = &called {
        silence(&mut given, called.tokens);
    }
    let given = scan(controller, &given);

    let mut said = lexer::tokens(pilot);
    let answer = match &called {
        Some(called) => Some(answered(pilot, &said, called)),
        None => callsign::called(pilot, &said).map(|own| CallsignMatch {
            how: CallsignAnswer::Right,
            tokens: own.tokens,
            last: true,
        }),
    };
    let own = answer.filter(|answer| answer.tokens.0 < answer.tokens.1);
    let own_span = own.map(|own| span(&said, own.tokens));
    if let Some(own) = own {
        silence(&mut said, own.tokens);
    }
    let said = scan(pilot, &said);

    let mut findings = comparing::compare(classes, &given, &said, pilot);
    let how = answer.map(|answer| answer.how).filter(|_| called.is_some());
    if let (Some(called), Some(how)) = (&called, how) {
        findings.extend(callsign_finding(called, how, own_span, pilot));
    }
    let callsign = own_span.map(|span| own_callsign(pilot, span));
    ParsedExchange {
        controller: ParsedCall { callsign: called, items: given.items, markers: given.markers },
        pilot: ParsedCall { callsign, items: said.items, markers: said.markers },
        answered: how,
        ends_with_callsign: own.is_some_and(|own| own.last),
        findings,
    }
}

/// Parses a call from an aircraft with a known callsign, and classifies how it gave that callsign.
#[must_use]
pub fn read_own_call(own: &str, text: &str) -> (ParsedCall, CallsignAnswer) {
    let mut tokens = lexer::tokens(text);
    let known = called(own, &lexer::tokens(own));
    let answer = known.map(|known| answered(text, &tokens, &known));
    let given = answer.filter(|answer| answer.tokens.0 < answer.tokens.1);
    let span = given.map(|given| span(&tokens, given.tokens));
    if let Some(given) = given {
        silence(&mut tokens, given.tokens);
    }
    let ParsedItems { items, markers } = scan(text, &tokens);
    let callsign = span.map(|span| own_callsign(text, span));
    (ParsedCall { callsign, items, markers }, answer.map_or(CallsignAnswer::Missing, |answer| answer.how))
}

/// Looks for every value of a phrase in a call. Returns the span of the first one.
///
/// # Errors
/// The first value that is missing or wrong.
pub fn find_values(phrase: &str, call: &ParsedCall, text: &str) -> Result<Option<(usize, usize)>, Finding> {
    let mut place = None;
    for wanted in scan(phrase, &lexer::tokens(phrase)).items {
        let found = call.items.iter().find(|said| {
            matching::agree(&wanted, said, MatchMode::Exact)
                || matching::agree(&wanted, said, MatchMode::Loose)
        });
        if let Some(found) = found {
            place = place.or(Some(found.span));
            continue;
        }
        let about = FindingSubject::Item(wanted.parameter);
        let expected = wanted.value.to_string();
        let other = call.items.iter().find(|said| matching::is_same_kind(&wanted, said));
        let (kind, span) = other.map_or((ErrorKind::Omission, (text.len(), text.len())), |said| {
            (matching::difference(&wanted, said), said.span)
        });
        let said = text.get(span.0..span.1).unwrap_or_default().to_owned();
        return Err(Finding { kind, about, expected, said, span });
    }
    Ok(place)
}

/// Number of values that can be parsed from a phrase.
#[must_use]
pub fn read_values(phrase: &str) -> usize {
    scan(phrase, &lexer::tokens(phrase)).items.len()
}

/// Blanks out the tokens of the callsign, so that its digits are not parsed as a value.
fn silence(tokens: &mut [CallToken], range: (usize, usize)) {
    let (from, to) = range;
    for token in tokens.iter_mut().take(to).skip(from) {
        token.kind = TokenKind::Stop;
    }
}

fn span(tokens: &[CallToken], range: (usize, usize)) -> (usize, usize) {
    let (from, to) = range;
    let start = tokens.get(from).map_or(0, |token| token.start);
    (start, to.checked_sub(1).and_then(|last| tokens.get(last)).map_or(start, |token| token.end))
}

fn own_callsign(text: &str, span: (usize, usize)) -> Callsign {
    let said = text.get(span.0..span.1).unwrap_or_default();
    let tokens = lexer::tokens(said);
    let read = called(said, &tokens);
    let (name, id) = read
        .map_or_else(|| (said.to_owned(), assize_kernel::SmolStr::default()), |read| (read.name, read.id));
    Callsign { name, id, span, tokens: (0, 0) }
}

fn callsign_finding(
    called: &Callsign,
    how: CallsignAnswer,
    span: Option<(usize, usize)>,
    pilot: &str,
) -> Option<Finding> {
    let kind = match how {
        CallsignAnswer::Right => return None,
        CallsignAnswer::Shortened => ErrorKind::ShortenedCallsign,
        CallsignAnswer::Wrong => ErrorKind::WrongCallsign,
        CallsignAnswer::Unclear => ErrorKind::Unclear,
        CallsignAnswer::Missing => ErrorKind::MissingCallsign,
    };
    let span = span.unwrap_or((pilot.len(), pilot.len()));
    let said = pilot.get(span.0..span.1).unwrap_or_default().to_owned();
    Some(Finding { kind, about: FindingSubject::Callsign, expected: called.to_string(), said, span })
}
