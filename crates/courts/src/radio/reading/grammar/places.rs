//! Grammar of places: holding points, stands, taxiways, routes and names.

use assize_kernel::SmolStr;

use super::super::callsign::names_end;
use super::super::figure::{figure, piece};
use super::super::item::{ItemRole, ItemValue, Parameter, RadioAction};
use super::super::token::TokenKind;
use super::super::words::Keyword;
use super::{CallParser, ValueLabel};

/// Maximum length of a designator; an inline `SmolStr` holds it.
const LONGEST: usize = 22;

impl CallParser<'_> {
    /// Keywords that label the next letters or names.
    pub(super) fn place_word(&mut self, key: Keyword) -> bool {
        match key {
            Keyword::Stand if self.key_at(self.at + 1) == Some(Keyword::By) => return false,
            Keyword::Stand => self.label = ValueLabel::Stand,
            // The direction of the tail follows from the rest and is not read back.
            Keyword::Tail => self.role = ItemRole::Expect,
            Keyword::Direct => self.label = ValueLabel::Direct,
            // `mach decimal seven eight`, `point seven eight`
            Keyword::Decimal
                if matches!(self.label, ValueLabel::Mach | ValueLabel::Speed) || self.decimals_follow() =>
            {
                self.label = ValueLabel::Mach;
            }
            // `point` by itself: the word before it was lost.
            Keyword::Decimal => self.label = ValueLabel::HoldingPoint,
            Keyword::Via | Keyword::Taxiway => {
                self.at += 1;
                self.route();
                return true;
            }
            Keyword::Information => {
                if let Some(TokenKind::Letter(letter)) = self.word_at(self.at + 1) {
                    let code = ItemValue::Code(SmolStr::new(char::from(letter).encode_utf8(&mut [0; 4])));
                    self.push(Parameter::Information, code, self.at, self.at + 2);
                    self.at += 1;
                }
            }
            Keyword::Facing => {
                let skipped = matches!(self.key_at(self.at + 1), Some(Keyword::The | Keyword::To));
                let compass = self.at + 1 + usize::from(skipped);
                self.found.markers.unfinished |= self.key_at(compass) != Some(Keyword::Compass);
                if self.key_at(compass) == Some(Keyword::Compass) {
                    let value = ItemValue::Code(self.lower(compass));
                    self.push(Parameter::Facing, value, self.at, compass + 1);
                    self.at = compass;
                }
            }
            Keyword::Leg | Keyword::Final => {
                let value = ItemValue::Code(self.lower(self.at));
                let bound = self.clause.bound.filter(|action| *action == RadioAction::Join);
                self.push_item(Parameter::Leg, value, self.at, self.at + 1, false, bound);
            }
            Keyword::To if self.clause.cleared && self.word_at(self.at + 1) == Some(TokenKind::Name) => {
                self.label = ValueLabel::Destination;
            }
            _ => return false,
        }
        self.at += 1;
        true
    }

    /// Whether two digits follow the point, as in a Mach number.
    fn decimals_follow(&self) -> bool {
        figure(self.tokens, self.at + 1).is_some_and(|number| number.digits.len() == 2 && !number.scaled)
    }

    /// Letters: of the labelled place, or without a label.
    pub(super) fn letters(&mut self) {
        let (code, next) = self.designator(self.at);
        let (parameter, bound) = match self.label {
            ValueLabel::HoldingPoint => (Parameter::HoldingPoint, None),
            ValueLabel::Stand => (Parameter::Stand, None),
            _ if self.clause.bound == Some(RadioAction::HoldShort) => {
                (Parameter::HoldingPoint, self.clause.bound.take())
            }
            _ => (Parameter::LooseCode, None),
        };
        let next = next.max(self.at + 1);
        self.push_item(parameter, ItemValue::Code(code), self.at, next, false, bound);
        self.label = ValueLabel::None;
        self.at = next;
    }

    /// `Romeo one`, `Foxtrot one five`, `five five`, `Kilo four Alpha`.
    pub(super) fn designator(&self, from: usize) -> (SmolStr, usize) {
        let mut code = Designator::default();
        let mut at = from;
        for round in 0..3 {
            while let Some(TokenKind::Letter(letter)) = self.word_at(at) {
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

    /// At most three digits, excluding the last two before a side: `Alpha 6 16 right` ends with a runway.
    fn most_digits(&self, at: usize, before: usize) -> usize {
        let Some(number) = figure(self.tokens, at).filter(|number| !number.scaled) else { return 3 };
        let all = before + number.digits.len();
        let side = self.key_at(number.next);
        let runway = all > 2 && matches!(side, Some(Keyword::Left | Keyword::Right | Keyword::Center));
        if runway { all - 2 } else { 3 }
    }

    /// A sequence of taxiways, with or without pauses between them.
    fn route(&mut self) {
        let mut code = Designator::default();
        let from = self.at;
        let mut end = self.at;
        loop {
            match self.word_at(self.at) {
                Some(TokenKind::Letter(letter)) => {
                    code.push(letter);
                    self.at += 1;
                    self.taxiway_number(&mut code);
                    end = self.at;
                }
                Some(
                    TokenKind::Comma
                    | TokenKind::Keyword(Keyword::And | Keyword::Then | Keyword::Taxiway | Keyword::The),
                ) => self.at += 1,
                _ => break,
            }
        }
        // Pauses after the last taxiway are not part of the route.
        self.at = if code.len > 0 { end } else { from };
        if code.len == 0 {
            self.label = ValueLabel::Procedure;
            return;
        }
        let hold = self.clause.bound == Some(RadioAction::HoldShort);
        let parameter = if hold { Parameter::HoldingPoint } else { Parameter::Route };
        let bound = if hold { self.clause.bound.take() } else { None };
        self.push_item(parameter, ItemValue::Code(code.text()), from, end, false, bound);
        self.label = ValueLabel::None;
    }

    /// One or two digits that belong to the taxiway; the last two before a side are a runway.
    fn taxiway_number(&mut self, code: &mut Designator) {
        let Some(number) = figure(self.tokens, self.at).filter(|number| !number.scaled) else { return };
        let runway = match self.key_at(number.next) {
            Some(Keyword::Left | Keyword::Right | Keyword::Center) => 2,
            Some(Keyword::Feet | Keyword::Knots) => return,
            _ => 0,
        };
        let own = number.digits.len().saturating_sub(runway);
        let mut left = if own <= 2 { own } else { 0 };
        while let Some((digits, None, next)) =
            piece(self.tokens, self.at).filter(|piece| piece.0.len() <= left)
        {
            code.number(digits.as_slice());
            self.at = next;
            left -= digits.len();
        }
    }

    /// A name: of a procedure when a digit and a letter follow, otherwise of the labelled place.
    pub(super) fn name(&mut self) {
        let from = self.at;
        let after = names_end(self.tokens, from).max(from + 1);
        self.at = after;
        if self.may_be_route(from) && self.procedure(after - 1, after) {
            return;
        }
        let parameter = match self.label {
            ValueLabel::Direct => Parameter::Direct,
            ValueLabel::Destination => Parameter::Destination,
            _ => {
                // An unknown word in place of a value.
                self.found.markers.unfinished |= self.label == ValueLabel::Level;
                self.unfinished();
                return;
            }
        };
        let named = ItemValue::Named(self.words(from, after), SmolStr::default());
        self.push(parameter, named, from, after);
        self.label = ValueLabel::None;
    }

    /// A departure or arrival: a name, a digit and a letter. After `via`, one of them may be missing.
    pub(super) fn procedure(&mut self, from: usize, code_from: usize) -> bool {
        let mut code = Designator::default();
        let mut at = code_from;
        while let Some((digits, None, next)) = piece(self.tokens, at).filter(|_| code.len < 4) {
            code.number(digits.as_slice());
            at = next;
        }
        if let (Some(TokenKind::Letter(suffix)), true) = (self.word_at(at), code.len > 0) {
            code.push(suffix);
            at += 1;
        }
        let whole = code.len == 2 && code.digits == 1;
        if !whole && self.label != ValueLabel::Procedure {
            return false;
        }
        let named = ItemValue::Named(self.words(from, code_from), code.text());
        self.push_item(Parameter::Procedure, named, from, at, !whole, None);
        self.at = at.max(code_from);
        self.label = ValueLabel::None;
        self.clause.begun = false;
        true
    }

    fn may_be_route(&self, from: usize) -> bool {
        !matches!(self.label, ValueLabel::Stand | ValueLabel::HoldingPoint)
            && self.word_at(from) == Some(TokenKind::Name)
    }

    /// Text of a token range, as written.
    fn words(&self, from: usize, to: usize) -> SmolStr {
        let (start, end) = self.span(from, to);
        SmolStr::new(self.text.get(start..end).unwrap_or_default())
    }

    /// Text of a token in lower case.
    pub(super) fn lower(&self, at: usize) -> SmolStr {
        let (start, end) = self.span(at, at + 1);
        let word = self.text.get(start..end).unwrap_or_default();
        SmolStr::from_iter(word.chars().map(|letter| letter.to_ascii_lowercase()))
    }
}

/// Buffer for a designator: letters and digits.
#[derive(Default)]
struct Designator {
    bytes: [u8; LONGEST],
    len: usize,
    digits: usize,
}

impl Designator {
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
