//! Holding points, stands, taxiways, routes and names.

use assize_kernel::SmolStr;

use super::super::callsign::names_end;
use super::super::figure::{figure, piece};
use super::super::item::{Action, Parameter, Role, Value};
use super::super::token::Word;
use super::super::words::Key;
use super::{Label, Scanner};

/// Longer than any taxi route: what fits into a short text.
const LONGEST: usize = 22;

impl Scanner<'_> {
    /// Words that say what the next letters or names are.
    pub(super) fn place_word(&mut self, key: Key) -> bool {
        match key {
            Key::Stand if self.key_at(self.at + 1) == Some(Key::By) => return false,
            Key::Stand => self.label = Label::Stand,
            // Where the tail points follows from the rest.
            Key::Tail => self.role = Role::Expect,
            Key::Direct => self.label = Label::Direct,
            // `mach decimal seven eight`, `point seven eight`
            Key::Decimal if matches!(self.label, Label::Mach | Label::Speed) || self.decimals_follow() => {
                self.label = Label::Mach;
            }
            // `point` by itself: the word before it was lost.
            Key::Decimal => self.label = Label::HoldingPoint,
            Key::Via | Key::Taxiway => {
                self.at += 1;
                self.route();
                return true;
            }
            Key::Information => {
                if let Some(Word::Letter(letter)) = self.word_at(self.at + 1) {
                    let code = Value::Code(SmolStr::new(char::from(letter).encode_utf8(&mut [0; 4])));
                    self.push(Parameter::Information, code, self.at, self.at + 2);
                    self.at += 1;
                }
            }
            Key::Facing => {
                let skipped = matches!(self.key_at(self.at + 1), Some(Key::The | Key::To));
                let compass = self.at + 1 + usize::from(skipped);
                self.found.said.unfinished |= self.key_at(compass) != Some(Key::Compass);
                if self.key_at(compass) == Some(Key::Compass) {
                    let value = Value::Code(self.lower(compass));
                    self.push(Parameter::Facing, value, self.at, compass + 1);
                    self.at = compass;
                }
            }
            Key::Leg | Key::Final => {
                let value = Value::Code(self.lower(self.at));
                let bound = self.clause.bound.filter(|action| *action == Action::Join);
                self.push_item(Parameter::Leg, value, (self.at, self.at + 1), false, bound);
            }
            Key::To if self.clause.cleared && self.word_at(self.at + 1) == Some(Word::Name) => {
                self.label = Label::Destination;
            }
            _ => return false,
        }
        self.at += 1;
        true
    }

    /// Two digits right behind a point: those of a Mach number.
    fn decimals_follow(&self) -> bool {
        figure(self.tokens, self.at + 1).is_some_and(|number| number.digits.len() == 2 && !number.scaled)
    }

    /// Letters: of the place that was announced, or of nobody knows what.
    pub(super) fn letters(&mut self) {
        let (code, next) = self.designator(self.at);
        let (parameter, bound) = match self.label {
            Label::HoldingPoint => (Parameter::HoldingPoint, None),
            Label::Stand => (Parameter::Stand, None),
            _ if self.clause.bound == Some(Action::HoldShort) => {
                (Parameter::HoldingPoint, self.clause.bound.take())
            }
            _ => (Parameter::LooseCode, None),
        };
        let next = next.max(self.at + 1);
        self.push_item(parameter, Value::Code(code), (self.at, next), false, bound);
        self.label = Label::None;
        self.at = next;
    }

    /// `Romeo one`, `Foxtrot one five`, `five five`, `Kilo four Alpha`.
    pub(super) fn designator(&self, from: usize) -> (SmolStr, usize) {
        let (mut code, mut at) = (Code::default(), from);
        for round in 0..3 {
            while let Some(Word::Letter(letter)) = self.word_at(at) {
                if round > 1 || code.len >= 4 {
                    break;
                }
                code.push(letter);
                at += 1;
            }
            let most = self.most_digits(at, code.digits);
            while let Some((digits, None, next)) = piece(self.tokens, at) {
                if code.digits + digits.len() > most {
                    break;
                }
                code.number(digits.as_slice());
                at = next;
            }
        }
        (code.text(), at)
    }

    /// Three digits at most, and not the last two before a side: `Alpha 6 16 right` ends with a runway.
    fn most_digits(&self, at: usize, before: usize) -> usize {
        let Some(number) = figure(self.tokens, at).filter(|number| !number.scaled) else { return 3 };
        let (all, side) = (before + number.digits.len(), self.key_at(number.next));
        let runway = all > 2 && matches!(side, Some(Key::Left | Key::Right | Key::Center));
        if runway { all - 2 } else { 3 }
    }

    /// A row of taxiways, with or without pauses between them.
    fn route(&mut self) {
        let (mut code, from) = (Code::default(), self.at);
        let mut end = self.at;
        loop {
            match self.word_at(self.at) {
                Some(Word::Letter(letter)) => {
                    code.push(letter);
                    self.at += 1;
                    self.taxiway_number(&mut code);
                    end = self.at;
                }
                Some(Word::Comma | Word::Key(Key::And | Key::Then | Key::Taxiway | Key::The)) => self.at += 1,
                _ => break,
            }
        }
        // Pauses behind the last taxiway are somebody else's.
        self.at = if code.len > 0 { end } else { from };
        if code.len == 0 {
            self.label = Label::Procedure;
            return;
        }
        let hold = self.clause.bound == Some(Action::HoldShort);
        let parameter = if hold { Parameter::HoldingPoint } else { Parameter::Route };
        let bound = if hold { self.clause.bound.take() } else { None };
        self.push_item(parameter, Value::Code(code.text()), (from, end), false, bound);
        self.label = Label::None;
    }

    /// One or two digits that belong to the taxiway before them; the two before a side are a runway.
    fn taxiway_number(&mut self, code: &mut Code) {
        let Some(number) = figure(self.tokens, self.at).filter(|number| !number.scaled) else { return };
        let runway = match self.key_at(number.next) {
            Some(Key::Left | Key::Right | Key::Center) => 2,
            Some(Key::Feet | Key::Knots) => return,
            _ => 0,
        };
        let own = number.digits.len().saturating_sub(runway);
        let mut left = if own <= 2 { own } else { 0 };
        while let Some((digits, None, next)) =
            piece(self.tokens, self.at).filter(|piece| piece.0.len() <= left)
        {
            code.number(digits.as_slice());
            (self.at, left) = (next, left - digits.len());
        }
    }

    /// A name: of a route when a digit and a letter follow, else of where the words before say.
    pub(super) fn name(&mut self) {
        let (from, after) = (self.at, names_end(self.tokens, self.at).max(self.at + 1));
        self.at = after;
        if self.may_be_route(from) && self.procedure(after - 1, after) {
            return;
        }
        let parameter = match self.label {
            Label::Direct => Parameter::Direct,
            Label::Destination => Parameter::Destination,
            _ => {
                // A word that nobody knows where a value should stand.
                self.found.said.unfinished |= self.label == Label::Level;
                self.unfinished();
                return;
            }
        };
        let named = Value::Named(self.words(from, after), SmolStr::default());
        self.push(parameter, named, from, after);
        self.label = Label::None;
    }

    /// A departure or arrival: a name, a digit and a letter. Behind `via`, one of them may have been lost.
    pub(super) fn procedure(&mut self, from: usize, code_from: usize) -> bool {
        let (mut code, mut at) = (Code::default(), code_from);
        while let Some((digits, None, next)) = piece(self.tokens, at).filter(|_| code.len < 4) {
            code.number(digits.as_slice());
            at = next;
        }
        if let (Some(Word::Letter(suffix)), true) = (self.word_at(at), code.len > 0) {
            code.push(suffix);
            at += 1;
        }
        let whole = code.len == 2 && code.digits == 1;
        if !whole && self.label != Label::Procedure {
            return false;
        }
        let named = Value::Named(self.words(from, code_from), code.text());
        self.push_item(Parameter::Procedure, named, (from, at), !whole, None);
        self.at = at.max(code_from);
        self.label = Label::None;
        self.clause.begun = false;
        true
    }

    fn may_be_route(&self, from: usize) -> bool {
        !matches!(self.label, Label::Stand | Label::HoldingPoint) && self.word_at(from) == Some(Word::Name)
    }

    /// The words of some tokens, as they were written.
    fn words(&self, from: usize, to: usize) -> SmolStr {
        let (start, end) = self.span(from, to);
        SmolStr::new(self.text.get(start..end).unwrap_or_default())
    }

    /// A word in lower case.
    pub(super) fn lower(&self, at: usize) -> SmolStr {
        let (start, end) = self.span(at, at + 1);
        let word = self.text.get(start..end).unwrap_or_default();
        SmolStr::from_iter(word.chars().map(|letter| letter.to_ascii_lowercase()))
    }
}

/// Letters and digits that are being put together.
#[derive(Default)]
struct Code {
    bytes: [u8; LONGEST],
    len: usize,
    digits: usize,
}

impl Code {
    fn push(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(self.len) {
            *place = byte;
            self.len += 1;
        }
    }

    fn number(&mut self, digits: &[u8]) {
        digits.iter().for_each(|digit| self.push(b'0' + digit));
        self.digits += digits.len();
    }

    fn text(&self) -> SmolStr {
        let bytes = self.bytes.get(..self.len).unwrap_or_default();
        SmolStr::new(std::str::from_utf8(bytes).unwrap_or_default())
    }
}
