//! Whether the pilot gave the callsign that was called, and where.

use super::callsign::{Callsign, Edges, id_at, id_piece, names_end};
use super::names::{Likeness, distance, likeness};
use super::steps;
use super::token::{Token, Word};
use super::words::Key;

/// What became of the callsign in the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answered {
    /// Given as called.
    Right,
    /// Given without its name, or cut short.
    Shortened,
    /// Another one.
    Wrong,
    /// Damaged: it may have been the right one.
    Unclear,
    /// Not given.
    Missing,
}

/// How a callsign was answered.
#[derive(Debug, Clone, Copy)]
pub(super) struct Answer {
    pub(super) how: Answered,
    /// The tokens it stands in; empty when it is missing.
    pub(super) tokens: (usize, usize),
    /// Whether it stands at the end.
    pub(super) last: bool,
}

/// Looks for a callsign in the words of an answer.
pub(super) fn answered(text: &str, tokens: &[Token], called: &Callsign) -> Answer {
    let edges = Edges::of(tokens);
    let exact = exact(text, tokens, called, edges);
    let at_edge = |answer: &Answer| answer.last || edges.begins(answer.tokens.0);
    if let Some(exact) = exact.filter(|answer| rank(answer.how) > 0 || at_edge(answer)) {
        return exact;
    }
    let best = cut(tokens, called, edges).or_else(|| other(tokens, called, edges));
    let best = best.or_else(|| near(text, tokens, called, edges)).or(exact);
    best.unwrap_or(Answer { how: Answered::Missing, tokens: (0, 0), last: false })
}

/// The callsign's letters and digits, word for word.
fn exact(text: &str, tokens: &[Token], called: &Callsign, edges: Edges) -> Option<Answer> {
    let mut best: Option<Answer> = None;
    for at in 0..tokens.len() {
        steps::count(1);
        let Some(end) = spells(tokens, at, &called.id) else { continue };
        let Some(found) = placed(text, tokens, called, (at, end), edges) else { continue };
        let better = best.is_none_or(|best| rank(found.how) >= rank(best.how));
        if better {
            best = Some(found);
        }
    }
    best
}

/// A registration at the end, cut to its first letter and its last two, or to its last three.
fn cut(tokens: &[Token], called: &Callsign, edges: Edges) -> Option<Answer> {
    let id = called.id.as_str();
    if !called.name.is_empty() || id.len() <= 3 {
        return None;
    }
    let (first, last) = (id.get(..1)?, id.get(id.len() - 3..)?);
    let ends = format!("{first}{}", last.get(1..)?);
    // A letter before its own first one may be that of a taxiway.
    let begins = |at: usize, short: &str| short == ends || at == 0 || !is_letter(tokens, at - 1);
    let starts = tokens.len().saturating_sub(12)..tokens.len();
    let found = starts.flat_map(|at| [(at, ends.as_str()), (at, last)]).find_map(|(at, short)| {
        let end = spells(tokens, at, short).filter(|end| edges.ends(*end) && begins(at, short))?;
        Some((at, end))
    });
    found.map(|tokens| Answer { how: Answered::Shortened, tokens, last: true })
}

/// A registration of the same length at the end that is nearly the one that was called, whatever runs into it.
fn other(tokens: &[Token], called: &Callsign, edges: Edges) -> Option<Answer> {
    let id = called.id.as_str();
    if !called.name.is_empty() || id.len() <= 3 {
        return None;
    }
    let starts = tokens.len().saturating_sub(12)..tokens.len();
    let mut ids = starts.map(|at| (at, id_at(tokens, at)));
    let (at, (_, end)) = ids.find(|(_, (said, end))| {
        said.len() == id.len() && edges.ends(*end) && compare(id, said, false) == Some(Answered::Wrong)
    })?;
    Some(Answer { how: Answered::Wrong, tokens: (at, end), last: true })
}

const fn rank(how: Answered) -> u8 {
    match how {
        Answered::Right => 3,
        Answered::Shortened => 2,
        Answered::Unclear => 1,
        Answered::Wrong | Answered::Missing => 0,
    }
}

/// The token after the callsign's letters and digits, when they begin at this token.
fn spells(tokens: &[Token], at: usize, id: &str) -> Option<usize> {
    let (mut left, mut next, mut last_piece) = (id.as_bytes(), at, 0);
    while let Some((first, rest)) = left.split_first() {
        match tokens.get(next)?.word {
            Word::Letter(letter) if letter == *first => (left, next) = (rest, next + 1),
            Word::Comma if next > at => next += 1,
            _ => {
                let (digits, None, after) = id_piece(tokens, next, last_piece)? else { return None };
                let digits = digits.as_slice();
                last_piece = digits.len();
                let same = left.len() >= digits.len()
                    && left.iter().zip(digits).all(|(byte, digit)| *byte == b'0' + digit);
                if !same {
                    return None;
                }
                (left, next) = (left.get(digits.len()..)?, after);
            }
        }
    }
    Some(next)
}

/// What stands around the letters and digits says whether they are the callsign.
fn placed(
    text: &str,
    tokens: &[Token],
    called: &Callsign,
    (at, end): (usize, usize),
    edges: Edges,
) -> Option<Answer> {
    let from = closest_start(text, tokens, called, names_start(tokens, at), at);
    let last = edges.ends(end);
    if from < at && called.name.is_empty() {
        return Some(Answer { how: Answered::Right, tokens: (at, end), last });
    }
    if from < at && !is_place(text, tokens, called, (from, at)) {
        let how = match likeness(&called.name, name(text, tokens, from, at)) {
            Likeness::Different if !ends_like(text, tokens, called, from, at) => Answered::Wrong,
            Likeness::Doubtful => Answered::Unclear,
            _ => Answered::Right,
        };
        return Some(Answer { how, tokens: (from, end), last });
    }
    // Without its name it must stand at one end, and be no other value; a whole registration is known anywhere.
    let spelled =
        is_registration(&called.id) && !at.checked_sub(1).is_some_and(|before| is_letter(tokens, before));
    let edge = (last && !has_label(tokens, at)) || edges.begins(at) || spelled;
    let continues = tokens.get(end).is_some_and(|token| token.word.is_numeric());
    let how = if called.name.is_empty() { Answered::Right } else { Answered::Shortened };
    (edge && !continues).then_some(Answer { how, tokens: (at, end), last })
}

/// Whether the name before the letters and digits is that of a place, as in `direct Rapet`.
fn is_place(text: &str, tokens: &[Token], called: &Callsign, (from, at): (usize, usize)) -> bool {
    let mut before = tokens.iter().take(names_start(tokens, at)).rev().take(3);
    let before = before.find(|token| !matches!(token.word, Word::Key(Key::To | Key::The | Key::Filler)));
    let place = before.is_some_and(|token| {
        matches!(
            token.word,
            Word::Key(Key::Direct | Key::By | Key::Via | Key::At | Key::Track | Key::Contact)
        )
    });
    place && !ends_like(text, tokens, called, from, at)
}

/// Where the name begins: words before it may be names of something else.
fn closest_start(text: &str, tokens: &[Token], called: &Callsign, from: usize, at: usize) -> usize {
    let first = from.max(at.saturating_sub(4));
    (first..at).min_by_key(|start| distance(&called.name, name(text, tokens, *start, at))).unwrap_or(at)
}

/// Words before the name may have been taken for part of it.
fn ends_like(text: &str, tokens: &[Token], called: &Callsign, from: usize, at: usize) -> bool {
    (from.max(at.saturating_sub(4))..at)
        .any(|first| likeness(&called.name, name(text, tokens, first, at)) != Likeness::Different)
}

/// Whether it is spelled in letters, at least three of them.
fn is_registration(id: &str) -> bool {
    id.len() >= 3 && id.bytes().all(|byte| byte.is_ascii_alphabetic())
}

fn is_letter(tokens: &[Token], at: usize) -> bool {
    tokens.get(at).is_some_and(|token| matches!(token.word, Word::Letter(_)))
}

/// Whether a word before these digits says what they are.
fn has_label(tokens: &[Token], at: usize) -> bool {
    let before = tokens
        .iter()
        .take(at)
        .rev()
        .inspect(|_| steps::count(1))
        .find(|token| !matches!(token.word, Word::Key(Key::To | Key::On | Key::Filler)));
    before.is_some_and(|token| match token.word {
        Word::Key(key) => matches!(
            key,
            Key::Runway
                | Key::Level
                | Key::FlightLevel
                | Key::Altitude
                | Key::Heading
                | Key::Speed
                | Key::Mach
                | Key::Qnh
                | Key::Squawk
                | Key::Frequency
                | Key::Stand
                | Key::Climb
                | Key::Descend
                | Key::Maintain
                | Key::Contact
                | Key::Decimal
                | Key::Number
        ),
        _ => false,
    })
}

/// The first of a row of names before this token.
fn names_start(tokens: &[Token], at: usize) -> usize {
    let before = tokens.get(..at).unwrap_or_default().iter().rev().inspect(|_| steps::count(1));
    at - before.take_while(|token| matches!(token.word, Word::Name | Word::Key(Key::Type))).count()
}

fn name<'t>(text: &'t str, tokens: &[Token], from: usize, to: usize) -> &'t str {
    let start = tokens.get(from).map_or(0, |token| token.start);
    let end = to.checked_sub(1).and_then(|last| tokens.get(last)).map_or(start, |token| token.end);
    steps::count(end.saturating_sub(start));
    text.get(start..end).unwrap_or_default()
}

/// The called name with other letters and digits behind it, or nearly the same ones at one end.
fn near(text: &str, tokens: &[Token], called: &Callsign, edges: Edges) -> Option<Answer> {
    let mut at = 0;
    let mut best: Option<Answer> = None;
    while at < tokens.len() {
        let after = names_end(tokens, at);
        let (said, next) = id_at(tokens, after);
        let named = after > at;
        if !said.is_empty() {
            let alike = named && !called.name.is_empty() && ends_like(text, tokens, called, at, after);
            let spelled =
                is_registration(&called.id) && said.len() == called.id.len() && is_registration(&said);
            let edge = spelled || (edges.ends(next) && !has_label(tokens, after));
            let cut_off = tokens.get(next).is_some_and(|token| token.word == Word::Name);
            let how = if alike || edge { compare(&called.id, &said, alike) } else { None };
            let how =
                how.map(|how| if cut_off && said.len() <= called.id.len() { Answered::Unclear } else { how });
            if let Some(how) = how {
                let named = !called.name.is_empty();
                let from = if named { closest_start(text, tokens, called, at, after) } else { after };
                let found = Answer { how, tokens: (from, next), last: edges.ends(next) };
                best = Some(best.filter(|best| rank(best.how) > rank(how)).unwrap_or(found));
            }
        } else if named
            && edges.ends(after)
            && !called.name.is_empty()
            && ends_like(text, tokens, called, at, after)
        {
            // The name alone: the rest was lost.
            best = best.or(Some(Answer { how: Answered::Unclear, tokens: (at, after), last: true }));
        }
        at = next.max(after).max(at + 1);
    }
    best
}

/// What other letters and digits make of a callsign.
fn compare(called: &str, said: &str, named: bool) -> Option<Answered> {
    let (called, said) = (called.as_bytes(), said.as_bytes());
    let registration = !named && called.iter().filter(|byte| byte.is_ascii_alphabetic()).count() >= 2;
    if named && said.starts_with(called) {
        return Some(Answered::Right);
    }
    if registration {
        if said.len() > called.len() && (said.ends_with(called) || shortens(said, called)) {
            return Some(Answered::Right);
        }
        if said.len() >= 2 && (called.ends_with(said) || shortens(called, said)) {
            return Some(Answered::Shortened);
        }
    }
    let suffix_dropped = said.len() < called.len()
        && called.starts_with(said)
        && called.iter().skip(said.len()).all(u8::is_ascii_alphabetic);
    if !suffix_dropped && damaged(called, said) {
        return Some(Answered::Unclear);
    }
    let same = called.iter().zip(said).filter(|(one, other)| one == other).count();
    let near = called.len() == said.len() && same + 2 >= called.len() && called.len() >= 3;
    (named || near || suffix_dropped && said.len() >= 2).then_some(Answered::Wrong)
}

/// A registration cut to its first letter and its last two.
fn shortens(full: &[u8], short: &[u8]) -> bool {
    short.len() == 3
        && full.len() > 3
        && full.first() == short.first()
        && full.ends_with(short.get(1..).unwrap_or_default())
}

/// Whether one is the other with something left out or doubled.
pub(super) fn damaged(one: &[u8], other: &[u8]) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    let mut rest = long.iter();
    !short.is_empty()
        && short.len() < long.len()
        && long.len() - short.len() <= 2
        && short.iter().all(|byte| rest.any(|other| other == byte))
}
