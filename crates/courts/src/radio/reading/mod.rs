//! The reading of a call: what was said on the radio, and whether an answer is a right readback of it.
//!
//! Comparing whole texts does not work here: one wrong digit hardly changes a sentence. So the words are understood:
//! a lexer for what is spoken and what recognisers write, a grammar that gives every number, letter and name its
//! place, and a comparison item by item. Nothing is learnt from recordings and no callsign, waypoint or airport is
//! listed; everything takes time linear in the length of the text.

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

pub use answering::Answered;
pub use callsign::Callsign;
pub use classes::{Class, Classes};
pub use digits::Digits;
pub use finding::{About, ErrorKind, Finding};
pub use grammar::Said;
pub use item::{Action, Condition, Item, Parameter, Role, Value};
pub use values::{Frequency, Level, Runway, Side, spoken_digits};

use answering::{Answer, answered};
use callsign::called;
use grammar::{Scanned, scan};
use matching::Match;
use token::{Token, Word};

pub(crate) use classes::PARAMETERS;

/// One transmission, read by itself.
#[derive(Debug, Clone)]
pub struct Call {
    /// Whom it calls, or who calls.
    pub callsign: Option<Callsign>,
    /// What was said.
    pub items: Vec<Item>,
    /// How it was meant as a whole.
    pub said: Said,
}

/// A controller's transmission and the answer to it.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// What the controller said.
    pub controller: Call,
    /// What the pilot said; the callsign as far as it is the one that was called.
    pub pilot: Call,
    /// What became of the callsign; none when nobody was called.
    pub answered: Option<Answered>,
    /// Whether the answer ends with the callsign.
    pub ends_with_callsign: bool,
    /// What is wrong with the answer.
    pub findings: Vec<Finding>,
}

impl Exchange {
    /// Whether an instructor should step in.
    #[must_use]
    pub fn is_flagged(&self) -> bool {
        self.findings.iter().any(|finding| finding.kind.is_error())
    }

    /// Whether something could not be read: say again.
    #[must_use]
    pub fn is_unclear(&self) -> bool {
        self.findings.iter().any(|finding| finding.kind == ErrorKind::Unclear)
    }
}

/// Reads a transmission.
#[must_use]
pub fn read(text: &str) -> Call {
    let mut tokens = lexer::tokens(text);
    let callsign = called(text, &tokens);
    if let Some(callsign) = &callsign {
        silence(&mut tokens, callsign.tokens);
    }
    let Scanned { items, said } = scan(text, &tokens);
    Call { callsign, items, said }
}

/// Reads an exchange and compares the answer with what was given.
#[must_use]
pub fn read_exchange(classes: &Classes, controller: &str, pilot: &str) -> Exchange {
    let mut given = lexer::tokens(controller);
    let called = called(controller, &given);
    if let Some(called) = &called {
        silence(&mut given, called.tokens);
    }
    let given = scan(controller, &given);

    let mut said = lexer::tokens(pilot);
    let answer = match &called {
        Some(called) => Some(answered(pilot, &said, called)),
        None => callsign::called(pilot, &said).map(|own| Answer {
            how: Answered::Right,
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
    Exchange {
        controller: Call { callsign: called, items: given.items, said: given.said },
        pilot: Call { callsign, items: said.items, said: said.said },
        answered: how,
        ends_with_callsign: own.is_some_and(|own| own.last),
        findings,
    }
}

/// Reads a call of somebody whose callsign is known; how they gave it, and where.
#[must_use]
pub fn read_own_call(own: &str, text: &str) -> (Call, Answered) {
    let mut tokens = lexer::tokens(text);
    let known = called(own, &lexer::tokens(own));
    let answer = known.map(|known| answered(text, &tokens, &known));
    let given = answer.filter(|answer| answer.tokens.0 < answer.tokens.1);
    let span = given.map(|given| span(&tokens, given.tokens));
    if let Some(given) = given {
        silence(&mut tokens, given.tokens);
    }
    let Scanned { items, said } = scan(text, &tokens);
    let callsign = span.map(|span| own_callsign(text, span));
    (Call { callsign, items, said }, answer.map_or(Answered::Missing, |answer| answer.how))
}

/// Whether every value of a phrase was said; where, or what is wrong.
///
/// # Errors
/// The first value that is missing or wrong.
pub fn find_values(phrase: &str, call: &Call, text: &str) -> Result<Option<(usize, usize)>, Finding> {
    let mut place = None;
    for wanted in scan(phrase, &lexer::tokens(phrase)).items {
        let found = call.items.iter().find(|said| {
            matching::agree(&wanted, said, Match::Exact) || matching::agree(&wanted, said, Match::Loose)
        });
        if let Some(found) = found {
            place = place.or(Some(found.span));
            continue;
        }
        let about = About::Item(wanted.parameter);
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

/// How many values a phrase has that can be read.
#[must_use]
pub fn read_values(phrase: &str) -> usize {
    scan(phrase, &lexer::tokens(phrase)).items.len()
}

/// Takes the callsign out of the words, so that its digits are no other value.
fn silence(tokens: &mut [Token], (from, to): (usize, usize)) {
    for token in tokens.iter_mut().take(to).skip(from) {
        token.word = Word::Stop;
    }
}

fn span(tokens: &[Token], (from, to): (usize, usize)) -> (usize, usize) {
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
    how: Answered,
    span: Option<(usize, usize)>,
    pilot: &str,
) -> Option<Finding> {
    let kind = match how {
        Answered::Right => return None,
        Answered::Shortened => ErrorKind::ShortenedCallsign,
        Answered::Wrong => ErrorKind::WrongCallsign,
        Answered::Unclear => ErrorKind::Unclear,
        Answered::Missing => ErrorKind::MissingCallsign,
    };
    let span = span.unwrap_or((pilot.len(), pilot.len()));
    let said = pilot.get(span.0..span.1).unwrap_or_default().to_owned();
    Some(Finding { kind, about: About::Callsign, expected: called.to_string(), said, span })
}
