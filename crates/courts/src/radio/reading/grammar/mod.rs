//! From words to items: what each number, letter and name belongs to, and what is to be done.
//!
//! One walk from left to right. A word such as `heading` says what the next number is; a unit behind a number says
//! it better. Wind and traffic are told, not instructed. No step looks further than a few words, so the time is
//! linear in the length of the text.

mod actions;
mod conditions;
mod numbers;
mod places;

use super::item::{Action, Item, Parameter, Role, Value};
use super::steps;
use super::token::{Token, Word};
use super::words::Key;

/// The items of a transmission, and how it was meant as a whole.
#[derive(Debug, Clone, Default)]
pub(super) struct Scanned {
    pub(super) items: Vec<Item>,
    pub(super) said: Said,
}

/// Words that say how a whole transmission is meant.
#[derive(Debug, Clone, Copy, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is a word that was said or not")]
pub struct Said {
    /// `roger`, or any other word that only says that something was heard.
    pub roger: bool,
    /// `wilco`.
    pub wilco: bool,
    /// `affirm`.
    pub affirm: bool,
    /// `negative`.
    pub negative: bool,
    /// `say again`.
    pub say_again: bool,
    /// `standby`.
    pub standby: bool,
    /// `unable`.
    pub unable: bool,
    /// Something was asked for.
    pub request: bool,
    /// Before which item `correction` was said.
    pub correction: Option<usize>,
    /// A value was begun and nothing readable came of it.
    pub unfinished: bool,
    /// A clearance was begun and nothing readable came of it.
    pub unfinished_clearance: bool,
}

pub(super) fn scan(text: &str, tokens: &[Token]) -> Scanned {
    let mut scanner = Scanner {
        text,
        tokens,
        at: 0,
        found: Scanned { items: Vec::with_capacity(12), said: Said::default() },
        label: Label::None,
        role: Role::Instruct,
        clause: Clause::default(),
    };
    while let Some(token) = tokens.get(scanner.at) {
        scanner.step(token.word);
    }
    scanner.unfinished();
    scanner.found
}

/// What the next number or name belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Label {
    None,
    Runway,
    /// The runway of a holding point.
    PointRunway,
    HoldingPoint,
    Flight,
    Level,
    Maintain,
    Heading,
    Turn,
    Speed,
    Mach,
    Qnh,
    Squawk,
    Frequency,
    Stand,
    Direct,
    /// The name of a departure or arrival.
    Procedure,
    Destination,
    Sequence,
}

/// What has been said since the last pause.
#[derive(Debug, Clone, Copy, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is a word that was said or not")]
struct Clause {
    cleared: bool,
    /// Something is cleared, and what it is comes next.
    begun: bool,
    cancelled: bool,
    /// Somebody is to be followed or let pass: what is told of them is part of it.
    yielding: bool,
    /// It was said what is approved.
    approves: bool,
    /// The next level is one that is being passed.
    passing: bool,
    /// What follows is the other of two choices.
    alternative: bool,
    /// A place in the sequence was given.
    numbered: bool,
    /// What is to be done at the next runway.
    bound: Option<Action>,
    /// Something is done on a runway: a short number is that runway.
    doing: Option<Action>,
}

struct Scanner<'t> {
    text: &'t str,
    tokens: &'t [Token],
    at: usize,
    found: Scanned,
    label: Label,
    role: Role,
    clause: Clause,
}

impl Scanner<'_> {
    fn step(&mut self, word: Word) {
        steps::count(1);
        match word {
            Word::Comma => self.pause(),
            Word::Stop => self.end_of_sentence(),
            Word::Digit(_) | Word::Teen(_) | Word::Tens(_) | Word::Number { .. } => self.number(),
            Word::Letter(_) => self.letters(),
            Word::Name => self.name(),
            Word::Key(Key::Double | Key::Triple) => self.number(),
            Word::Key(key) => self.key(key),
        }
    }

    fn pause(&mut self) {
        self.at += 1;
        if self.role != Role::Inform {
            self.role = Role::Instruct;
        }
        let Clause { cleared, begun, bound, doing, numbered, .. } = self.clause;
        self.clause = Clause { cleared, begun, bound, doing, numbered, ..Clause::default() };
    }

    fn end_of_sentence(&mut self) {
        self.at += 1;
        self.unfinished();
        (self.role, self.label, self.clause) = (Role::Instruct, Label::None, Clause::default());
    }

    fn key(&mut self, key: Key) {
        if self.value_word(key) || self.place_word(key) || self.action_word(key) || self.condition_word(key) {
            return;
        }
        self.answer_word(key);
        self.at += 1;
    }

    /// Words that say how the whole is meant.
    fn answer_word(&mut self, key: Key) {
        let next = self.key_at(self.at + 1);
        let said = &mut self.found.said;
        match key {
            Key::Roger => said.roger = true,
            Key::Wilco => said.wilco = true,
            Key::Affirm => said.affirm = true,
            Key::Negative => said.negative = true,
            Key::Unable => said.unable = true,
            Key::Say if next == Some(Key::Again) => said.say_again = true,
            // A scale without a number before it: the number was lost.
            Key::Hundred | Key::Thousand => said.unfinished = true,
            Key::Approved if self.clause.approves => {}
            Key::Wait | Key::Up | Key::Around | Key::Approved => said.unfinished_clearance = true,
            Key::Correction => said.correction = Some(self.found.items.len()),
            Key::Traffic | Key::Caution if !self.clause.yielding && self.role == Role::Instruct => {
                self.role = Role::Inform;
            }
            _ => {}
        }
    }

    fn word_at(&self, at: usize) -> Option<Word> {
        steps::count(1);
        self.tokens.get(at).map(|token| token.word)
    }

    fn key_at(&self, at: usize) -> Option<Key> {
        match self.word_at(at) {
            Some(Word::Key(key)) => Some(key),
            _ => None,
        }
    }

    /// The key before the current token, over small words.
    fn key_before(&self) -> Option<Key> {
        let before = self.tokens.get(..self.at).unwrap_or_default().iter().rev().take(4);
        before.map(|token| token.word).find_map(|word| match word {
            Word::Key(Key::The | Key::Filler | Key::To) => None,
            Word::Key(key) => Some(Some(key)),
            _ => Some(None),
        })?
    }

    /// The bytes from one token up to another.
    fn span(&self, from: usize, to: usize) -> (usize, usize) {
        let start = self.tokens.get(from).map_or(0, |token| token.start);
        let end = to.checked_sub(1).and_then(|last| self.tokens.get(last)).map_or(start, |token| token.end);
        (start, end.max(start))
    }

    fn push(&mut self, parameter: Parameter, value: Value, from: usize, to: usize) {
        self.push_item(parameter, value, (from, to), false, None);
    }

    fn push_item(
        &mut self,
        parameter: Parameter,
        value: Value,
        (from, to): (usize, usize),
        weak: bool,
        bound: Option<Action>,
    ) {
        let span = self.span(from, to);
        let role = self.role;
        let before = from.checked_sub(1).and_then(|before| self.word_at(before));
        let trails_off = self.word_at(to) == Some(Word::Name) || before == Some(Word::Name);
        self.found.items.push(Item { parameter, value, span, role, weak, bound, digits_said: 0, trails_off });
    }

    /// A word that begins a value or a clearance, and nothing that could be read behind it.
    fn unfinished(&mut self) {
        let value = !matches!(
            self.label,
            Label::None
                | Label::Level
                | Label::Maintain
                | Label::Procedure
                | Label::Turn
                | Label::Frequency
                | Label::Destination
                | Label::Speed
                | Label::Sequence
        );
        self.found.said.unfinished |= value;
        self.found.said.unfinished_clearance |= self.clause.begun;
    }
}
