//! Grammar of numbers: classified by the unit after them, their shape, or the label before them.

use super::super::figure::{SpokenNumber, figure, piece};
use super::super::item::{ItemRole, ItemValue, Parameter};
use super::super::token::TokenKind;
use super::super::values::{Frequency, Level, Runway, Side};
use super::super::words::Keyword;
use super::{CallParser, ValueLabel};

/// A classified number; `next` is the token after it and its unit.
struct ParsedNumber {
    parameter: Parameter,
    value: ItemValue,
    weak: bool,
    next: usize,
}

impl CallParser<'_> {
    /// Keywords that label the next number.
    pub(super) fn value_word(&mut self, key: Keyword) -> bool {
        let label = match key {
            Keyword::Runway if self.label == ValueLabel::HoldingPoint => ValueLabel::PointRunway,
            Keyword::Runway => ValueLabel::Runway,
            Keyword::FlightLevel => ValueLabel::Flight,
            Keyword::Flight if self.key_at(self.at + 1) == Some(Keyword::Level) => {
                self.at += 1;
                ValueLabel::Flight
            }
            Keyword::Level | Keyword::Altitude => ValueLabel::Level,
            Keyword::Maintain => ValueLabel::Maintain,
            Keyword::Heading if self.label == ValueLabel::Runway => {
                self.push(Parameter::Heading, ItemValue::Code("runway".into()), self.at - 1, self.at + 1);
                ValueLabel::None
            }
            Keyword::Heading => ValueLabel::Heading,
            Keyword::Turn => ValueLabel::Turn,
            Keyword::Speed | Keyword::Reduce | Keyword::Increase => ValueLabel::Speed,
            Keyword::Mach => ValueLabel::Mach,
            Keyword::Qnh => ValueLabel::Qnh,
            Keyword::Squawk => ValueLabel::Squawk,
            Keyword::Frequency => ValueLabel::Frequency,
            Keyword::Number => ValueLabel::Sequence,
            _ => return false,
        };
        if matches!(key, Keyword::Turn | Keyword::Maintain | Keyword::Reduce | Keyword::Squawk) {
            self.instruct();
        }
        self.clause.numbered |= key == Keyword::Number;
        self.label = label;
        self.at += 1;
        true
    }

    pub(super) fn number(&mut self) {
        let Some(figure) = figure(self.tokens, self.at) else {
            self.at += 1;
            return;
        };
        let from = self.at;
        if self.label == ValueLabel::Procedure && self.procedure(from, from) {
            return;
        }
        let taken =
            self.by_unit(&figure).or_else(|| self.by_shape(&figure)).or_else(|| self.by_label(&figure));
        let Some(ParsedNumber { parameter, value, weak, next }) = taken else {
            self.at = figure.next;
            return;
        };
        let role = self.role;
        if parameter == Parameter::Level && self.clause.passing {
            self.role = ItemRole::State;
            self.clause.passing = false;
        }
        let bound = if parameter == Parameter::Runway { self.clause.bound.take() } else { None };
        self.push_item(parameter, value, from, next, weak, bound);
        if let Some(item) = self.found.items.last_mut() {
            item.digits_said = u8::try_from(figure.digits.len()).unwrap_or(u8::MAX);
        }
        self.role = role;
        self.label = ValueLabel::None;
        self.at = next;
    }

    /// Classifies a number by its unit.
    fn by_unit(&self, figure: &SpokenNumber) -> Option<ParsedNumber> {
        let taken = |parameter, value| ParsedNumber { parameter, value, weak: false, next: figure.next + 1 };
        let digits = ItemValue::Digits(figure.digits);
        Some(match self.key_at(figure.next)? {
            Keyword::Feet if self.key_at(figure.next + 1) == Some(Keyword::Per) => {
                taken(Parameter::Rate, digits)
            }
            Keyword::Feet => taken(Parameter::Level, ItemValue::Level(Level::Feet(figure.digits.value()))),
            Keyword::Knots => taken(Parameter::Speed, digits),
            Keyword::Degrees => taken(Parameter::Heading, digits),
            Keyword::Hectopascals | Keyword::Inches => taken(Parameter::Qnh, digits),
            // Distances and times are not read back.
            Keyword::Distance | Keyword::Time => {
                ParsedNumber { weak: true, ..taken(Parameter::Loose, digits) }
            }
            _ => return None,
        })
    }

    fn by_shape(&self, figure: &SpokenNumber) -> Option<ParsedNumber> {
        let next = figure.next;
        if figure.point == Some(3)
            && let Some(frequency) = Frequency::read(figure.digits)
        {
            let value = ItemValue::Frequency(frequency);
            return Some(ParsedNumber { parameter: Parameter::Frequency, value, weak: false, next });
        }
        self.runway(figure)
    }

    /// One or two digits up to 36, with a side, after `runway`, or next to an action on a runway.
    fn runway(&self, figure: &SpokenNumber) -> Option<ParsedNumber> {
        let labelled = matches!(self.label, ValueLabel::Runway | ValueLabel::PointRunway);
        // `runway six zero` is a runway, and a wrong one.
        let most = if labelled && figure.digits.len() == 2 { 99 } else { 36 };
        let number = u8::try_from(figure.digits.value()).ok().filter(|number| (1..=most).contains(number))?;
        if figure.digits.len() > 2 || figure.scaled || figure.point.is_some() {
            return None;
        }
        let free = labelled
            || matches!(self.label, ValueLabel::None | ValueLabel::HoldingPoint | ValueLabel::Destination);
        let doing = self.clause.doing.or(self.clause.bound).is_some() && figure.digits.len() == 2;
        let side = self.side_behind(figure.next, labelled || doing).filter(|_| free);
        if !(labelled || side.is_some() || (doing && self.label == ValueLabel::None)) {
            return None;
        }
        let point = matches!(self.label, ValueLabel::PointRunway | ValueLabel::HoldingPoint);
        let parameter = if point { Parameter::HoldingPoint } else { Parameter::Runway };
        let next = figure.next + usize::from(side.is_some());
        let value = ItemValue::Runway(Runway { number, side });
        Some(ParsedNumber { parameter, value, weak: !labelled && side.is_none(), next })
    }

    /// The side of a runway: a word or a letter.
    fn side_behind(&self, at: usize, sure: bool) -> Option<Side> {
        let token = self.tokens.get(at)?;
        let beside = || at > 0 && self.tokens.get(at - 1).is_some_and(|before| before.end == token.start);
        let side = match token.kind {
            TokenKind::Keyword(Keyword::Left) => Side::Left,
            TokenKind::Keyword(Keyword::Right) => Side::Right,
            TokenKind::Keyword(Keyword::Center) => Side::Center,
            TokenKind::Letter(b'L') if sure || beside() => return Some(Side::Left),
            TokenKind::Letter(b'R') if sure || beside() => return Some(Side::Right),
            TokenKind::Letter(b'C') if sure || beside() => return Some(Side::Center),
            _ => return None,
        };
        // In `runway three two, right turn`, right is not the side.
        let turn = matches!(self.key_at(at + 1), Some(Keyword::Turn | Keyword::Heading));
        (!turn).then_some(side)
    }

    fn by_label(&self, figure: &SpokenNumber) -> Option<ParsedNumber> {
        let digits = figure.digits;
        let taken = |parameter, value, weak| Some(ParsedNumber { parameter, value, weak, next: figure.next });
        let plain = ItemValue::Digits(digits);
        match self.label {
            ValueLabel::Flight => {
                let level = u16::try_from(digits.value()).unwrap_or(u16::MAX);
                taken(Parameter::Level, ItemValue::Level(Level::Flight(level)), false)
            }
            ValueLabel::Level | ValueLabel::Maintain => taken(
                Parameter::Level,
                ItemValue::Level(level(figure)),
                self.label == ValueLabel::Maintain && !figure.scaled,
            ),
            ValueLabel::Heading => taken(Parameter::Heading, plain, false),
            ValueLabel::Turn => taken(Parameter::Heading, plain, true),
            ValueLabel::Speed => taken(Parameter::Speed, plain, false),
            ValueLabel::Mach => taken(Parameter::Mach, plain, false),
            ValueLabel::Qnh => Some(self.four_digits(Parameter::Qnh, figure)),
            ValueLabel::Squawk => Some(self.four_digits(Parameter::Squawk, figure)),
            ValueLabel::Frequency => self.frequency(figure),
            ValueLabel::Sequence => taken(Parameter::Sequence, plain, false),
            ValueLabel::Stand | ValueLabel::HoldingPoint => {
                let parameter =
                    if self.label == ValueLabel::Stand { Parameter::Stand } else { Parameter::HoldingPoint };
                let (code, next) = self.designator(self.at);
                Some(ParsedNumber { parameter, value: ItemValue::Code(code), weak: false, next })
            }
            ValueLabel::None
            | ValueLabel::Runway
            | ValueLabel::PointRunway
            | ValueLabel::Direct
            | ValueLabel::Procedure
            | ValueLabel::Destination => {
                // Nearly always a level; `one thousand` may also be a code.
                if figure.scaled {
                    return taken(Parameter::Level, ItemValue::Level(level(figure)), true);
                }
                // Five or six digits that form a channel: `11835`.
                if digits.len() >= 5
                    && let Some(frequency) = Frequency::read(digits)
                {
                    return taken(Parameter::Frequency, ItemValue::Frequency(frequency), true);
                }
                self.split_frequency(figure).or_else(|| taken(Parameter::Loose, plain, true))
            }
        }
    }

    /// A pressure or squawk whose last digit was written separately: `101 3`.
    fn four_digits(&self, parameter: Parameter, figure: &SpokenNumber) -> ParsedNumber {
        let mut digits = figure.digits;
        let mut next = figure.next;
        if let Some((last, None, after)) = piece(self.tokens, next)
            && (digits.len(), last.len()) == (3, 1)
            && !self.is_measured(after)
        {
            digits.append(last);
            next = after;
        }
        ParsedNumber { parameter, value: ItemValue::Digits(digits), weak: false, next }
    }

    /// Whether this token is a unit or continues a number.
    fn is_measured(&self, at: usize) -> bool {
        let unit = matches!(
            self.key_at(at),
            Some(
                Keyword::Hundred
                    | Keyword::Thousand
                    | Keyword::Feet
                    | Keyword::Knots
                    | Keyword::Degrees
                    | Keyword::Distance
                    | Keyword::Time
                    | Keyword::Left
                    | Keyword::Right
                    | Keyword::Center
            )
        );
        unit || self.word_at(at).is_some_and(TokenKind::is_numeric)
    }

    /// A channel with a gap instead of the decimal point: `118 35`.
    fn split_frequency(&self, figure: &SpokenNumber) -> Option<ParsedNumber> {
        let taken = self.frequency(figure).filter(|taken| taken.next > figure.next)?;
        let ItemValue::Frequency(frequency) = taken.value else { return None };
        let plain = frequency.is_channel() && !self.is_measured(taken.next);
        plain.then_some(ParsedNumber { weak: true, ..taken })
    }

    /// After `contact`, the decimal point may be missing: `118 35`, `1183`.
    fn frequency(&self, read: &SpokenNumber) -> Option<ParsedNumber> {
        let mut digits = read.digits;
        let mut next = read.next;
        if digits.len() == 3
            && read.point.is_none()
            && let Some(decimals) =
                figure(self.tokens, read.next).filter(|decimals| decimals.digits.len() <= 3)
        {
            digits.append(decimals.digits);
            next = decimals.next;
        }
        Some(match Frequency::read(digits).filter(|_| !read.scaled) {
            Some(frequency) => {
                let value = ItemValue::Frequency(frequency);
                ParsedNumber { parameter: Parameter::Frequency, value, weak: false, next }
            }
            None if read.scaled => {
                let value = ItemValue::Level(level(read));
                ParsedNumber { parameter: Parameter::Level, value, weak: false, next: read.next }
            }
            None => ParsedNumber {
                parameter: Parameter::Loose,
                value: ItemValue::Digits(read.digits),
                weak: true,
                next: read.next,
            },
        })
    }
}

/// Two or three digits may be a flight level or hundreds of feet; more are feet.
fn level(figure: &SpokenNumber) -> Level {
    let value = figure.digits.value();
    match u16::try_from(value) {
        Ok(bare) if !figure.scaled && figure.digits.len() <= 3 => Level::Bare(bare),
        _ => Level::Feet(value),
    }
}
