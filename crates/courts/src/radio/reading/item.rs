//! What was understood in a transmission: items, each with its value and the words it stands in.

use std::borrow::Cow;
use std::fmt;

use assize_kernel::SmolStr;

use super::digits::Digits;
use super::values::{Frequency, Level, Runway, Side};

/// Something that was said, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// What it is about.
    pub parameter: Parameter,
    /// What was said about it.
    pub value: Value,
    /// The bytes it stands in.
    pub span: (usize, usize),
    /// How it was meant.
    pub role: Role,
    /// Whether what it is about was guessed from little: `left 220` is probably a heading.
    pub weak: bool,
    /// What is to be done at a runway.
    pub bound: Option<Action>,
    /// How many digits were said.
    pub digits_said: u8,
    /// Whether a word that nobody knows stands beside it without a pause: something may have been lost.
    pub trails_off: bool,
}

/// What an item is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parameter {
    /// A runway.
    Runway,
    /// A holding point.
    HoldingPoint,
    /// A stand or gate.
    Stand,
    /// Taxiways.
    Route,
    /// A level or altitude.
    Level,
    /// A heading.
    Heading,
    /// A speed in knots.
    Speed,
    /// A Mach number.
    Mach,
    /// A pressure setting.
    Qnh,
    /// A transponder code.
    Squawk,
    /// A frequency.
    Frequency,
    /// The letter of the information broadcast.
    Information,
    /// A departure or arrival route.
    Procedure,
    /// Where a clearance goes to.
    Destination,
    /// A point that is flown to directly.
    Direct,
    /// The direction of a turn.
    Turn,
    /// Left or right of something else.
    Side,
    /// Where the nose points after a push-back.
    Facing,
    /// The kind of approach.
    ApproachType,
    /// A leg of the circuit, or final.
    Leg,
    /// A place in the sequence.
    Sequence,
    /// A rate of climb or descent.
    Rate,
    /// Something that must be so first.
    Condition(Condition),
    /// Something to be done.
    Action(Action),
    /// A number that could be anything.
    Loose,
    /// Letters that could be anything.
    LooseCode,
}

/// Something to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "they say what they are")]
pub enum Action {
    TakeOff,
    Land,
    LineUp,
    TouchAndGo,
    GoAround,
    HoldShort,
    HoldPosition,
    Cross,
    Backtrack,
    Approach,
    CancelTakeOff,
    Stop,
    Climb,
    Descend,
    Taxi,
    Push,
    Start,
    Vacate,
    Continue,
    GiveWay,
    Follow,
    Expedite,
    Report,
    Contact,
    Standby,
    Join,
    Orbit,
    Extend,
    Ident,
    Resume,
}

/// Something that must be so first, or a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "they say what they are")]
pub enum Condition {
    Behind,
    After,
    Until,
    Before,
    When,
    OrAbove,
    OrBelow,
}

/// How an item was meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It is to be so.
    Instruct,
    /// It will be so later.
    Expect,
    /// It is only told: traffic, reasons.
    Inform,
    /// It is so now: the level that is being passed.
    State,
    /// It is asked for.
    Request,
}

/// What was said about a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// The word itself says it.
    Said,
    /// A runway.
    Runway(Runway),
    /// A level.
    Level(Level),
    /// Digits.
    Digits(Digits),
    /// A frequency.
    Frequency(Frequency),
    /// Left, right or centre.
    Side(Side),
    /// Letters and digits: a holding point, a stand, taxiways.
    Code(SmolStr),
    /// A name, with the letters and digits behind it.
    Named(SmolStr, SmolStr),
}

impl Item {
    /// Its digits, where it has any.
    pub(super) fn digits(&self) -> Option<Digits> {
        match &self.value {
            Value::Digits(digits) => Some(*digits),
            Value::Level(level) => Some(level.digits()),
            Value::Runway(runway) => Some(Digits::of(u32::from(runway.number))),
            Value::Frequency(frequency) => Some(Digits::of(frequency.0)),
            _ => None,
        }
    }
}

impl Parameter {
    /// Its name in rulebooks and verdicts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Runway => "runway",
            Self::HoldingPoint => "holding_point",
            Self::Stand => "stand",
            Self::Route => "route",
            Self::Level => "level",
            Self::Heading => "heading",
            Self::Speed => "speed",
            Self::Mach => "mach",
            Self::Qnh => "qnh",
            Self::Squawk => "squawk",
            Self::Frequency => "frequency",
            Self::Information => "information",
            Self::Procedure => "procedure",
            Self::Destination => "destination",
            Self::Direct => "direct",
            Self::Turn => "turn",
            Self::Side => "side",
            Self::Facing => "facing",
            Self::ApproachType => "approach_type",
            Self::Leg => "leg",
            Self::Sequence => "sequence",
            Self::Rate => "rate",
            Self::Condition(condition) => condition.name(),
            Self::Action(action) => action.name(),
            Self::Loose => "number",
            Self::LooseCode => "letters",
        }
    }
}

impl Action {
    /// Its name in rulebooks and verdicts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::TakeOff => "take_off",
            Self::Land => "land",
            Self::LineUp => "line_up",
            Self::TouchAndGo => "touch_and_go",
            Self::GoAround => "go_around",
            Self::HoldShort => "hold_short",
            Self::HoldPosition => "hold_position",
            Self::Cross => "cross",
            Self::Backtrack => "backtrack",
            Self::Approach => "approach",
            Self::CancelTakeOff => "cancel_take_off",
            Self::Stop => "stop",
            Self::Climb => "climb",
            Self::Descend => "descend",
            Self::Taxi => "taxi",
            Self::Push => "push_back",
            Self::Start => "start_up",
            Self::Vacate => "vacate",
            Self::Continue => "continue",
            Self::GiveWay => "give_way",
            Self::Follow => "follow",
            Self::Expedite => "expedite",
            Self::Report => "report",
            Self::Contact => "contact",
            Self::Standby => "standby",
            Self::Join => "join",
            Self::Orbit => "orbit",
            Self::Extend => "extend",
            Self::Ident => "ident",
            Self::Resume => "resume",
        }
    }

    /// As it is said in a corrected call.
    #[must_use]
    pub fn phrase(self) -> Cow<'static, str> {
        match self {
            Self::TakeOff => "cleared for take-off".into(),
            Self::Land => "cleared to land".into(),
            Self::LineUp => "line up and wait".into(),
            Self::TouchAndGo => "cleared touch and go".into(),
            Self::Approach => "cleared approach".into(),
            Self::CancelTakeOff => "holding position".into(),
            Self::GoAround => "going around".into(),
            Self::Push => "push-back approved".into(),
            Self::Start => "start-up approved".into(),
            other => other.name().replace('_', " ").into(),
        }
    }
}

impl Condition {
    /// Its name in rulebooks and verdicts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Behind => "behind",
            Self::After => "after",
            Self::Until => "until",
            Self::Before => "before",
            Self::When => "when",
            Self::OrAbove => "or_above",
            Self::OrBelow => "or_below",
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Said => Ok(()),
            Self::Runway(runway) => runway.fmt(f),
            Self::Level(level) => level.fmt(f),
            Self::Digits(digits) => digits.fmt(f),
            Self::Frequency(frequency) => frequency.fmt(f),
            Self::Side(side) => f.write_str(side.word()),
            Self::Code(code) => f.write_str(code),
            Self::Named(name, code) if code.is_empty() => f.write_str(name),
            Self::Named(name, code) => write!(f, "{name} {code}"),
        }
    }
}
