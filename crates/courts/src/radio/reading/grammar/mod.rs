//! Grammar: parses tokens into items.
//!
//! A single pass from left to right. A keyword such as `heading` labels the next number; a unit after the
//! number takes precedence. Wind and traffic are information, not instructions. Each step looks ahead only a
//! few tokens, so the time is linear in the length of the text.

mod actions;
mod conditions;
mod numbers;
mod places;

use super::item::{CallItem, ItemRole, ItemValue, Parameter, RadioAction};
use super::steps;
use super::token::{CallToken, TokenKind};
use super::words::Keyword;

/// Items and markers of a transmission.
#[derive(Debug, Clone, Default)]
pub(super) struct ParsedItems {
    pub(super) items: Vec<CallItem>,
    pub(super) markers: CallMarkers,
}

/// Markers that apply to a whole transmission.
#[derive(Debug, Clone, Copy, Default)]
#[allow(clippy::struct_excessive_bools, reason = "one flag for each keyword")]
pub struct CallMarkers {
    /// `roger`, or another plain acknowledgement.
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
    /// A request.
    pub request: bool,
    /// Index of the first item after `correction`.
    pub correction: Option<usize>,
    /// A value was started, but could not be parsed.
    pub unfinished: bool,
    /// A clearance was started, but could not be parsed.
    pub unfinished_clearance: bool,
}

pub(super) fn scan(text: &str, tokens: &[CallToken]) -> ParsedItems {
    let mut scanner = CallParser {
        text,
        tokens,
        at: 0,
        found: ParsedItems { items: Vec::with_capacity(12), markers: CallMarkers::default() },
        label: ValueLabel::None,
        role: ItemRole::Instruct,
        clause: ClauseState::default(),
    };
    while let Some(token) = tokens.get(scanner.at) {
        scanner.step(token.kind);
    }
    scanner.unfinished();
    scanner.found
}

/// Label of the next number or name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ValueLabel {
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

/// State of the current clause.
#[derive(Debug, Clone, Copy, Default)]
#[allow(clippy::struct_excessive_bools, reason = "one flag for each keyword")]
struct ClauseState {
    cleared: bool,
    /// `cleared` was said, and the cleared action has not followed yet.
    begun: bool,
    cancelled: bool,
    /// Other traffic is to be followed or given way to; its description belongs to the instruction.
    yielding: bool,
    /// An action that `approved` refers to was said.
    approves: bool,
    /// The next level is the one being passed.
    passing: bool,
    /// The next action is an alternative.
    alternative: bool,
    /// A place in the sequence was given.
    numbered: bool,
    /// Action that the next runway or holding point belongs to.
    bound: Option<RadioAction>,
    /// Action on a runway: a two-digit number is that runway.
    doing: Option<RadioAction>,
}

struct CallParser<'t> {
    text: &'t str,
    tokens: &'t [CallToken],
    at: usize,
    found: ParsedItems,
    label: ValueLabel,
    role: ItemRole,
    clause: ClauseState,
}

impl CallParser<'_> {
    fn step(&mut self, word: TokenKind) {
        steps::count(1);
        match word {
            TokenKind::Comma => self.pause(),
            TokenKind::Stop => self.end_of_sentence(),
            TokenKind::Digit(_) | TokenKind::Teen(_) | TokenKind::Tens(_) | TokenKind::Number { .. } => {
                self.number()
            }
            TokenKind::Letter(_) => self.letters(),
            TokenKind::Name => self.name(),
            TokenKind::Keyword(Keyword::Double | Keyword::Triple) => self.number(),
            TokenKind::Keyword(key) => self.key(key),
        }
    }

    fn pause(&mut self) {
        self.at += 1;
        if self.role != ItemRole::Inform {
            self.role = ItemRole::Instruct;
        }
        let ClauseState { cleared, begun, bound, doing, numbered, .. } = self.clause;
        self.clause = ClauseState { cleared, begun, bound, doing, numbered, ..ClauseState::default() };
    }

    fn end_of_sentence(&mut self) {
        self.at += 1;
        self.unfinished();
        self.role = ItemRole::Instruct;
        self.label = ValueLabel::None;
        self.clause = ClauseState::default();
    }

    fn key(&mut self, key: Keyword) {
        if self.value_word(key) || self.place_word(key) || self.action_word(key) || self.condition_word(key) {
            return;
        }
        self.answer_word(key);
        self.at += 1;
    }

    /// Keywords that set a marker of the whole transmission.
    fn answer_word(&mut self, key: Keyword) {
        let next = self.key_at(self.at + 1);
        let markers = &mut self.found.markers;
        match key {
            Keyword::Roger => markers.roger = true,
            Keyword::Wilco => markers.wilco = true,
            Keyword::Affirm => markers.affirm = true,
            Keyword::Negative => markers.negative = true,
            Keyword::Unable => markers.unable = true,
            Keyword::Say if next == Some(Keyword::Again) => markers.say_again = true,
            // A scale without a number before it: the number was lost.
            Keyword::Hundred | Keyword::Thousand => markers.unfinished = true,
            Keyword::Approved if self.clause.approves => {}
            Keyword::Wait | Keyword::Up | Keyword::Around | Keyword::Approved => {
                markers.unfinished_clearance = true
            }
            Keyword::Correction => markers.correction = Some(self.found.items.len()),
            Keyword::Traffic | Keyword::Caution
                if !self.clause.yielding && self.role == ItemRole::Instruct =>
            {
                self.role = ItemRole::Inform;
            }
            _ => {}
        }
    }

    fn word_at(&self, at: usize) -> Option<TokenKind> {
        steps::count(1);
        self.tokens.get(at).map(|token| token.kind)
    }

    fn key_at(&self, at: usize) -> Option<Keyword> {
        match self.word_at(at) {
            Some(TokenKind::Keyword(key)) => Some(key),
            _ => None,
        }
    }

    /// The keyword before the current token, skipping articles and fillers.
    fn key_before(&self) -> Option<Keyword> {
        let before = self.tokens.get(..self.at).unwrap_or_default().iter().rev().take(4);
        before.map(|token| token.kind).find_map(|word| match word {
            TokenKind::Keyword(Keyword::The | Keyword::Filler | Keyword::To) => None,
            TokenKind::Keyword(key) => Some(Some(key)),
            _ => Some(None),
        })?
    }

    /// Byte span of a token range.
    fn span(&self, from: usize, to: usize) -> (usize, usize) {
        let start = self.tokens.get(from).map_or(0, |token| token.start);
        let end = to.checked_sub(1).and_then(|last| self.tokens.get(last)).map_or(start, |token| token.end);
        (start, end.max(start))
    }

    fn push(&mut self, parameter: Parameter, value: ItemValue, from: usize, to: usize) {
        self.push_item(parameter, value, from, to, false, None);
    }

    fn push_item(
        &mut self,
        parameter: Parameter,
        value: ItemValue,
        from: usize,
        to: usize,
        weak: bool,
        bound: Option<RadioAction>,
    ) {
        let span = self.span(from, to);
        let role = self.role;
        let before = from.checked_sub(1).and_then(|before| self.word_at(before));
        let trails_off = self.word_at(to) == Some(TokenKind::Name) || before == Some(TokenKind::Name);
        self.found.items.push(CallItem {
            parameter,
            value,
            span,
            role,
            weak,
            bound,
            digits_said: 0,
            trails_off,
        });
    }

    /// Marks a value or clearance that was started and not completed.
    fn unfinished(&mut self) {
        let value = !matches!(
            self.label,
            ValueLabel::None
                | ValueLabel::Level
                | ValueLabel::Maintain
                | ValueLabel::Procedure
                | ValueLabel::Turn
                | ValueLabel::Frequency
                | ValueLabel::Destination
                | ValueLabel::Speed
                | ValueLabel::Sequence
        );
        self.found.markers.unfinished |= value;
        self.found.markers.unfinished_clearance |= self.clause.begun;
    }
}
