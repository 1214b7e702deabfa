//! What a number is: by the word before it, the unit behind it, or its shape.

use super::super::figure::{Figure, figure, piece};
use super::super::item::{Parameter, Role, Value};
use super::super::token::Word;
use super::super::values::{Frequency, Level, Runway, Side};
use super::super::words::Key;
use super::{Label, Scanner};

/// What a number was taken for; `next` is the token after all of it.
struct Taken {
    parameter: Parameter,
    value: Value,
    weak: bool,
    next: usize,
}

impl Scanner<'_> {
    /// Words that say what the next number is.
    pub(super) fn value_word(&mut self, key: Key) -> bool {
        let label = match key {
            Key::Runway if self.label == Label::HoldingPoint => Label::PointRunway,
            Key::Runway => Label::Runway,
            Key::FlightLevel => Label::Flight,
            Key::Flight if self.key_at(self.at + 1) == Some(Key::Level) => {
                self.at += 1;
                Label::Flight
            }
            Key::Level | Key::Altitude => Label::Level,
            Key::Maintain => Label::Maintain,
            Key::Heading if self.label == Label::Runway => {
                self.push(Parameter::Heading, Value::Code("runway".into()), self.at - 1, self.at + 1);
                Label::None
            }
            Key::Heading => Label::Heading,
            Key::Turn => Label::Turn,
            Key::Speed | Key::Reduce | Key::Increase => Label::Speed,
            Key::Mach => Label::Mach,
            Key::Qnh => Label::Qnh,
            Key::Squawk => Label::Squawk,
            Key::Frequency => Label::Frequency,
            Key::Number => Label::Sequence,
            _ => return false,
        };
        if matches!(key, Key::Turn | Key::Maintain | Key::Reduce | Key::Squawk) {
            self.instruct();
        }
        self.clause.numbered |= key == Key::Number;
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
        if self.label == Label::Procedure && self.procedure(from, from) {
            return;
        }
        let taken =
            self.by_unit(&figure).or_else(|| self.by_shape(&figure)).or_else(|| self.by_label(&figure));
        let Some(Taken { parameter, value, weak, next }) = taken else {
            self.at = figure.next;
            return;
        };
        let role = self.role;
        if parameter == Parameter::Level && self.clause.passing {
            self.role = Role::State;
            self.clause.passing = false;
        }
        let bound = if parameter == Parameter::Runway { self.clause.bound.take() } else { None };
        self.push_item(parameter, value, (from, next), weak, bound);
        if let Some(item) = self.found.items.last_mut() {
            item.digits_said = u8::try_from(figure.digits.len()).unwrap_or(u8::MAX);
        }
        (self.role, self.label, self.at) = (role, Label::None, next);
    }

    /// A unit behind it leaves no doubt.
    fn by_unit(&self, figure: &Figure) -> Option<Taken> {
        let taken = |parameter, value| Taken { parameter, value, weak: false, next: figure.next + 1 };
        let digits = Value::Digits(figure.digits);
        Some(match self.key_at(figure.next)? {
            Key::Feet if self.key_at(figure.next + 1) == Some(Key::Per) => taken(Parameter::Rate, digits),
            Key::Feet => taken(Parameter::Level, Value::Level(Level::Feet(figure.digits.value()))),
            Key::Knots => taken(Parameter::Speed, digits),
            Key::Degrees => taken(Parameter::Heading, digits),
            Key::Hectopascals | Key::Inches => taken(Parameter::Qnh, digits),
            // Distances and times are told apart by their unit, and nobody reads them back.
            Key::Distance | Key::Time => Taken { weak: true, ..taken(Parameter::Loose, digits) },
            _ => return None,
        })
    }

    fn by_shape(&self, figure: &Figure) -> Option<Taken> {
        let next = figure.next;
        if figure.point == Some(3)
            && let Some(frequency) = Frequency::read(figure.digits)
        {
            let value = Value::Frequency(frequency);
            return Some(Taken { parameter: Parameter::Frequency, value, weak: false, next });
        }
        self.runway(figure)
    }

    /// One or two digits up to 36, with a side, behind `runway`, or where something is done on one.
    fn runway(&self, figure: &Figure) -> Option<Taken> {
        let labelled = matches!(self.label, Label::Runway | Label::PointRunway);
        // Whoever says `runway six zero` has said a runway, and a wrong one.
        let most = if labelled && figure.digits.len() == 2 { 99 } else { 36 };
        let number = u8::try_from(figure.digits.value()).ok().filter(|number| (1..=most).contains(number))?;
        if figure.digits.len() > 2 || figure.scaled || figure.point.is_some() {
            return None;
        }
        let free = labelled || matches!(self.label, Label::None | Label::HoldingPoint | Label::Destination);
        let doing = self.clause.doing.or(self.clause.bound).is_some() && figure.digits.len() == 2;
        let side = self.side_behind(figure.next, labelled || doing).filter(|_| free);
        if !(labelled || side.is_some() || (doing && self.label == Label::None)) {
            return None;
        }
        let point = matches!(self.label, Label::PointRunway | Label::HoldingPoint);
        let parameter = if point { Parameter::HoldingPoint } else { Parameter::Runway };
        let next = figure.next + usize::from(side.is_some());
        let value = Value::Runway(Runway { number, side });
        Some(Taken { parameter, value, weak: !labelled && side.is_none(), next })
    }

    /// The side of a runway: a word, or a letter that stands for one.
    fn side_behind(&self, at: usize, sure: bool) -> Option<Side> {
        let token = self.tokens.get(at)?;
        let beside = || at > 0 && self.tokens.get(at - 1).is_some_and(|before| before.end == token.start);
        let side = match token.word {
            Word::Key(Key::Left) => Side::Left,
            Word::Key(Key::Right) => Side::Right,
            Word::Key(Key::Center) => Side::Center,
            Word::Letter(b'L') if sure || beside() => return Some(Side::Left),
            Word::Letter(b'R') if sure || beside() => return Some(Side::Right),
            Word::Letter(b'C') if sure || beside() => return Some(Side::Center),
            _ => return None,
        };
        // `runway three two, right turn` is another matter.
        let turn = matches!(self.key_at(at + 1), Some(Key::Turn | Key::Heading));
        (!turn).then_some(side)
    }

    fn by_label(&self, figure: &Figure) -> Option<Taken> {
        let digits = figure.digits;
        let taken = |parameter, value, weak| Some(Taken { parameter, value, weak, next: figure.next });
        let plain = Value::Digits(digits);
        match self.label {
            Label::Flight => {
                let level = u16::try_from(digits.value()).unwrap_or(u16::MAX);
                taken(Parameter::Level, Value::Level(Level::Flight(level)), false)
            }
            Label::Level | Label::Maintain => taken(
                Parameter::Level,
                Value::Level(level(figure)),
                self.label == Label::Maintain && !figure.scaled,
            ),
            Label::Heading => taken(Parameter::Heading, plain, false),
            Label::Turn => taken(Parameter::Heading, plain, true),
            Label::Speed => taken(Parameter::Speed, plain, false),
            Label::Mach => taken(Parameter::Mach, plain, false),
            Label::Qnh => Some(self.four_digits(Parameter::Qnh, figure)),
            Label::Squawk => Some(self.four_digits(Parameter::Squawk, figure)),
            Label::Frequency => self.frequency(figure),
            Label::Sequence => taken(Parameter::Sequence, plain, false),
            Label::Stand | Label::HoldingPoint => {
                let parameter =
                    if self.label == Label::Stand { Parameter::Stand } else { Parameter::HoldingPoint };
                let (code, next) = self.designator(self.at);
                Some(Taken { parameter, value: Value::Code(code), weak: false, next })
            }
            Label::None
            | Label::Runway
            | Label::PointRunway
            | Label::Direct
            | Label::Procedure
            | Label::Destination => {
                // Nearly always a level; `one thousand` may also be a code.
                if figure.scaled {
                    return taken(Parameter::Level, Value::Level(level(figure)), true);
                }
                // Five or six digits that make a channel: `11835`.
                if digits.len() >= 5
                    && let Some(frequency) = Frequency::read(digits)
                {
                    return taken(Parameter::Frequency, Value::Frequency(frequency), true);
                }
                self.split_frequency(figure).or_else(|| taken(Parameter::Loose, plain, true))
            }
        }
    }

    /// A pressure or a code whose last digit was written apart: `101 3`.
    fn four_digits(&self, parameter: Parameter, figure: &Figure) -> Taken {
        let (mut digits, mut next) = (figure.digits, figure.next);
        if let Some((last, None, after)) = piece(self.tokens, next)
            && (digits.len(), last.len()) == (3, 1)
            && !self.is_measured(after)
        {
            digits.append(last);
            next = after;
        }
        Taken { parameter, value: Value::Digits(digits), weak: false, next }
    }

    /// Whether a number goes on here, or its unit stands here.
    fn is_measured(&self, at: usize) -> bool {
        let unit = matches!(
            self.key_at(at),
            Some(
                Key::Hundred
                    | Key::Thousand
                    | Key::Feet
                    | Key::Knots
                    | Key::Degrees
                    | Key::Distance
                    | Key::Time
                    | Key::Left
                    | Key::Right
                    | Key::Center
            )
        );
        unit || self.word_at(at).is_some_and(Word::is_numeric)
    }

    /// A channel with a gap where its point was: `118 35`.
    fn split_frequency(&self, figure: &Figure) -> Option<Taken> {
        let taken = self.frequency(figure).filter(|taken| taken.next > figure.next)?;
        let Value::Frequency(frequency) = taken.value else { return None };
        let plain = frequency.is_channel() && !self.is_measured(taken.next);
        plain.then_some(Taken { weak: true, ..taken })
    }

    /// Behind `contact` the point may have been left out: `118 35`, `1183`.
    fn frequency(&self, read: &Figure) -> Option<Taken> {
        let (mut digits, mut next) = (read.digits, read.next);
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
                let value = Value::Frequency(frequency);
                Taken { parameter: Parameter::Frequency, value, weak: false, next }
            }
            None if read.scaled => {
                let value = Value::Level(level(read));
                Taken { parameter: Parameter::Level, value, weak: false, next: read.next }
            }
            None => Taken {
                parameter: Parameter::Loose,
                value: Value::Digits(read.digits),
                weak: true,
                next: read.next,
            },
        })
    }
}

/// Two or three digits may be a flight level or hundreds of feet; more are feet.
fn level(figure: &Figure) -> Level {
    let value = figure.digits.value();
    match u16::try_from(value) {
        Ok(bare) if !figure.scaled && figure.digits.len() <= 3 => Level::Bare(bare),
        _ => Level::Feet(value),
    }
}
