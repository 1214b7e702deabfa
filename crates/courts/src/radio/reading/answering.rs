//! Locates the called callsign in a readback.

use super::callsign::{CallEdges, Callsign, id_at, id_piece, names_end};
use super::names::{NameLikeness, distance, likeness};
use super::steps;
use super::token::{CallToken, TokenKind};
use super::words::Keyword;

/// How the called callsign was given in a readback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallsignAnswer {
    /// As called.
    Right,
    /// Without its name, or abbreviated.
    Shortened,
    /// A different callsign.
    Wrong,
    /// Damaged, but possibly the right one.
    Unclear,
    /// Not given.
    Missing,
}

/// A callsign found in a readback.
#[derive(Debug, Clone, Copy)]
pub(super) struct CallsignMatch {
    pub(super) how: CallsignAnswer,
    /// Token range; empty when it is missing.
    pub(super) tokens: (usize, usize),
    /// Whether it ends the readback.
    pub(super) last: bool,
}

/// Searches the tokens of a readback for the called callsign.
pub(super) fn answered(text: &str, tokens: &[CallToken], called: &Callsign) -> CallsignMatch {
    let edges = CallEdges::of(tokens);
    let exact = exact(text, tokens, called, edges);
    let at_edge = |answer: &CallsignMatch| answer.last || edges.begins(answer.tokens.0);
    if let Some(exact) = exact.filter(|answer| rank(answer.how) > 0 || at_edge(answer)) {
        return exact;
    }
    let best = cut(tokens, called, edges).or_else(|| other(tokens, called, edges));
    let best = best.or_else(|| near(text, tokens, called, edges)).or(exact);
    best.unwrap_or(CallsignMatch { how: CallsignAnswer::Missing, tokens: (0, 0), last: false })
}

/// Exact match of the letters and digits of the callsign.
fn exact(text: &str, tokens: &[CallToken], called: &Callsign, edges: CallEdges) -> Option<CallsignMatch> {
    let mut best: Option<CallsignMatch> = None;
    for at in 0..tokens.len() {
        steps::count(1);
        let Some(end) = spells(tokens, at, &called.id) else { continue };
        let Some(found) = placed(text, tokens, called, at, end, edges) else { continue };
        let better = best.is_none_or(|best| rank(found.how) >= rank(best.how));
        if better {
            best = Some(found);
        }
    }
    best
}

/// A registration at the end, abbreviated to its first and last two letters, or to its last three.
fn cut(tokens: &[CallToken], called: &Callsign, edges: CallEdges) -> Option<CallsignMatch> {
    let id = called.id.as_str();
    if !called.name.is_empty() || id.len() <= 3 {
        return None;
    }
    let first = id.get(..1)?;
    let last = id.get(id.len() - 3..)?;
    let ends = format!("{first}{}", last.get(1..)?);
    // A letter before the last three may belong to a taxiway.
    let begins = |at: usize, short: &str| short == ends || at == 0 || !is_letter(tokens, at - 1);
    let starts = tokens.len().saturating_sub(12)..tokens.len();
    let found = starts.flat_map(|at| [(at, ends.as_str()), (at, last)]).find_map(|(at, short)| {
        let end = spells(tokens, at, short).filter(|end| edges.ends(*end) && begins(at, short))?;
        Some((at, end))
    });
    found.map(|tokens| CallsignMatch { how: CallsignAnswer::Shortened, tokens, last: true })
}

/// A registration at the end with the length of the called one that differs in at most two letters.
fn other(tokens: &[CallToken], called: &Callsign, edges: CallEdges) -> Option<CallsignMatch> {
    let id = called.id.as_str();
    if !called.name.is_empty() || id.len() <= 3 {
        return None;
    }
    let starts = tokens.len().saturating_sub(12)..tokens.len();
    let mut ids = starts.map(|at| (at, id_at(tokens, at)));
    let (at, (_, end)) = ids.find(|(_, (said, end))| {
        said.len() == id.len() && edges.ends(*end) && compare(id, said, false) == Some(CallsignAnswer::Wrong)
    })?;
    Some(CallsignMatch { how: CallsignAnswer::Wrong, tokens: (at, end), last: true })
}

const fn rank(how: CallsignAnswer) -> u8 {
    match how {
        CallsignAnswer::Right => 3,
        CallsignAnswer::Shortened => 2,
        CallsignAnswer::Unclear => 1,
        CallsignAnswer::Wrong | CallsignAnswer::Missing => 0,
    }
}

/// Matches the id at this token; returns the token after it.
fn spells(tokens: &[CallToken], at: usize, id: &str) -> Option<usize> {
    let mut left = id.as_bytes();
    let mut next = at;
    let mut last_piece = 0;
    while let Some((first, rest)) = left.split_first() {
        match tokens.get(next)?.kind {
            TokenKind::Letter(letter) if letter == *first => {
                left = rest;
                next += 1;
            }
            TokenKind::Comma if next > at => next += 1,
            _ => {
                let (digits, None, after) = id_piece(tokens, next, last_piece)? else { return None };
                let digits = digits.as_slice();
                last_piece = digits.len();
                let same = left.len() >= digits.len()
                    && left.iter().zip(digits).all(|(byte, digit)| *byte == b'0' + digit);
                if !same {
                    return None;
                }
                left = left.get(digits.len()..)?;
                next = after;
            }
        }
    }
    Some(next)
}

/// Classifies an exact id match by its context: the name before it and its position.
fn placed(
    text: &str,
    tokens: &[CallToken],
    called: &Callsign,
    at: usize,
    end: usize,
    edges: CallEdges,
) -> Option<CallsignMatch> {
    let from = closest_start(text, tokens, called, names_start(tokens, at), at);
    let last = edges.ends(end);
    if from < at && called.name.is_empty() {
        return Some(CallsignMatch { how: CallsignAnswer::Right, tokens: (at, end), last });
    }
    if from < at && !is_place(text, tokens, called, from, at) {
        let how = match likeness(&called.name, name(text, tokens, from, at)) {
            NameLikeness::Different if !ends_like(text, tokens, called, from, at) => CallsignAnswer::Wrong,
            NameLikeness::Doubtful => CallsignAnswer::Unclear,
            _ => CallsignAnswer::Right,
        };
        return Some(CallsignMatch { how, tokens: (from, end), last });
    }
    // Without its name, the id must be at one end and not be labelled as a value; a full registration matches
    // anywhere.
    let spelled =
        is_registration(&called.id) && !at.checked_sub(1).is_some_and(|before| is_letter(tokens, before));
    let edge = (last && !has_label(tokens, at)) || edges.begins(at) || spelled;
    let continues = tokens.get(end).is_some_and(|token| token.kind.is_numeric());
    let how = if called.name.is_empty() { CallsignAnswer::Right } else { CallsignAnswer::Shortened };
    (edge && !continues).then_some(CallsignMatch { how, tokens: (at, end), last })
}

/// Whether the name before the id is a place, as in `direct Rapet`.
fn is_place(text: &str, tokens: &[CallToken], called: &Callsign, from: usize, at: usize) -> bool {
    let mut before = tokens.iter().take(names_start(tokens, at)).rev().take(3);
    let before = before.find(|token| {
        !matches!(token.kind, TokenKind::Keyword(Keyword::To | Keyword::The | Keyword::Filler))
    });
    let place = before.is_some_and(|token| {
        matches!(
            token.kind,
            TokenKind::Keyword(
                Keyword::Direct
                    | Keyword::By
                    | Keyword::Via
                    | Keyword::At
                    | Keyword::Track
                    | Keyword::Contact
            )
        )
    });
    place && !ends_like(text, tokens, called, from, at)
}

/// Start of the name: the token from which the text is closest to the called name.
fn closest_start(text: &str, tokens: &[CallToken], called: &Callsign, from: usize, at: usize) -> usize {
    let first = from.max(at.saturating_sub(4));
    (first..at).min_by_key(|start| distance(&called.name, name(text, tokens, *start, at))).unwrap_or(at)
}

/// Whether the text before the id ends with a name like the called one.
fn ends_like(text: &str, tokens: &[CallToken], called: &Callsign, from: usize, at: usize) -> bool {
    (from.max(at.saturating_sub(4))..at)
        .any(|first| likeness(&called.name, name(text, tokens, first, at)) != NameLikeness::Different)
}

/// Whether the id consists of at least three letters only.
fn is_registration(id: &str) -> bool {
    id.len() >= 3 && id.bytes().all(|byte| byte.is_ascii_alphabetic())
}

fn is_letter(tokens: &[CallToken], at: usize) -> bool {
    tokens.get(at).is_some_and(|token| matches!(token.kind, TokenKind::Letter(_)))
}

/// Whether the digits are labelled as a value, as in `heading`.
fn has_label(tokens: &[CallToken], at: usize) -> bool {
    let before =
        tokens.iter().take(at).rev().inspect(|_| steps::count(1)).find(|token| {
            !matches!(token.kind, TokenKind::Keyword(Keyword::To | Keyword::On | Keyword::Filler))
        });
    before.is_some_and(|token| match token.kind {
        TokenKind::Keyword(key) => matches!(
            key,
            Keyword::Runway
                | Keyword::Level
                | Keyword::FlightLevel
                | Keyword::Altitude
                | Keyword::Heading
                | Keyword::Speed
                | Keyword::Mach
                | Keyword::Qnh
                | Keyword::Squawk
                | Keyword::Frequency
                | Keyword::Stand
                | Keyword::Climb
                | Keyword::Descend
                | Keyword::Maintain
                | Keyword::Contact
                | Keyword::Decimal
                | Keyword::Number
        ),
        _ => false,
    })
}

/// First of the consecutive name tokens before this one.
fn names_start(tokens: &[CallToken], at: usize) -> usize {
    let before = tokens.get(..at).unwrap_or_default().iter().rev().inspect(|_| steps::count(1));
    at - before
        .take_while(|token| matches!(token.kind, TokenKind::Name | TokenKind::Keyword(Keyword::Type)))
        .count()
}

fn name<'t>(text: &'t str, tokens: &[CallToken], from: usize, to: usize) -> &'t str {
    let start = tokens.get(from).map_or(0, |token| token.start);
    let end = to.checked_sub(1).and_then(|last| tokens.get(last)).map_or(start, |token| token.end);
    steps::count(end.saturating_sub(start));
    text.get(start..end).unwrap_or_default()
}

/// The called name with a different id, or a similar id at one end.
fn near(text: &str, tokens: &[CallToken], called: &Callsign, edges: CallEdges) -> Option<CallsignMatch> {
    let mut at = 0;
    let mut best: Option<CallsignMatch> = None;
    while at < tokens.len() {
        let after = names_end(tokens, at);
        let (said, next) = id_at(tokens, after);
        let named = after > at;
        if !said.is_empty() {
            let alike = named && !called.name.is_empty() && ends_like(text, tokens, called, at, after);
            let spelled =
                is_registration(&called.id) && said.len() == called.id.len() && is_registration(&said);
            let edge = spelled || (edges.ends(next) && !has_label(tokens, after));
            let cut_off = tokens.get(next).is_some_and(|token| token.kind == TokenKind::Name);
            let how = if alike || edge { compare(&called.id, &said, alike) } else { None };
            let how =
                how.map(
                    |how| {
                        if cut_off && said.len() <= called.id.len() { CallsignAnswer::Unclear } else { how }
                    },
                );
            if let Some(how) = how {
                let named = !called.name.is_empty();
                let from = if named { closest_start(text, tokens, called, at, after) } else { after };
                let found = CallsignMatch { how, tokens: (from, next), last: edges.ends(next) };
                best = Some(best.filter(|best| rank(best.how) > rank(how)).unwrap_or(found));
            }
        } else if named
            && edges.ends(after)
            && !called.name.is_empty()
            && ends_like(text, tokens, called, at, after)
        {
            // Only the name: the id was lost.
            best = best.or(Some(CallsignMatch {
                how: CallsignAnswer::Unclear,
                tokens: (at, after),
                last: true,
            }));
        }
        at = next.max(after).max(at + 1);
    }
    best
}

/// Compares the said id with the called one.
fn compare(called: &str, said: &str, named: bool) -> Option<CallsignAnswer> {
    let called = called.as_bytes();
    let said = said.as_bytes();
    let registration = !named && called.iter().filter(|byte| byte.is_ascii_alphabetic()).count() >= 2;
    if named && said.starts_with(called) {
        return Some(CallsignAnswer::Right);
    }
    if registration {
        if said.len() > called.len() && (said.ends_with(called) || shortens(said, called)) {
            return Some(CallsignAnswer::Right);
        }
        if said.len() >= 2 && (called.ends_with(said) || shortens(called, said)) {
            return Some(CallsignAnswer::Shortened);
        }
    }
    let suffix_dropped = said.len() < called.len()
        && called.starts_with(said)
        && called.iter().skip(said.len()).all(u8::is_ascii_alphabetic);
    if !suffix_dropped && damaged(called, said) {
        return Some(CallsignAnswer::Unclear);
    }
    let same = called.iter().zip(said).filter(|(one, other)| one == other).count();
    let near = called.len() == said.len() && same + 2 >= called.len() && called.len() >= 3;
    (named || near || suffix_dropped && said.len() >= 2).then_some(CallsignAnswer::Wrong)
}

/// Whether `short` is `full` abbreviated to its first and last two letters.
fn shortens(full: &[u8], short: &[u8]) -> bool {
    short.len() == 3
        && full.len() > 3
        && full.first() == short.first()
        && full.ends_with(short.get(1..).unwrap_or_default())
}

/// Whether the shorter one is the longer one with one or two bytes missing.
pub(super) fn damaged(one: &[u8], other: &[u8]) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    let mut rest = long.iter();
    !short.is_empty()
        && short.len() < long.len()
        && long.len() - short.len() <= 2
        && short.iter().all(|byte| rest.any(|other| other == byte))
}
