//! Items of a parsed transmission: parameter, value and byte span.

use std::borrow::Cow;
use std::fmt;

use assize_kernel::SmolStr;

use super::digits::DigitRun;
use super::values::{Frequency, Level, Runway, Side};

/// A parsed item.
#[derive(Debug, Clone, PartialEq)]
pub struct CallItem {
    /// Parameter.
    pub parameter: Parameter,
    /// Value.
    pub value: ItemValue,
    /// Byte span in the text.
    pub span: (usize, usize),
    /// Role in the transmission.
    pub role: ItemRole,
    /// Whether the parameter is a guess: `left 220` is probably a heading.
    pub weak: bool,
    /// The action that the runway or holding point belongs to.
    pub bound: Option<RadioAction>,
    /// Number of spoken digits.
    pub digits_said: u8,
    /// Whether an unknown word is adjacent without a pause: part of the value may have been lost.
    pub trails_off: bool,
}

/// Parameter of an item.
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
    /// The letter of the ATIS information.
    Information,
    /// A departure or arrival route.
    Procedure,
    /// The clearance limit.
    Destination,
    /// A waypoint to fly to directly.
    Direct,
    /// The direction of a turn.
    Turn,
    /// Left or right, other than a turn.
    Side,
    /// Direction of the nose after push-back.
    Facing,
    /// The kind of approach.
    ApproachType,
    /// A leg of the circuit, or final.
    Leg,
    /// A place in the sequence.
    Sequence,
    /// A rate of climb or descent.
    Rate,
    /// A condition.
    Condition(ClearanceCondition),
    /// An action.
    Action(RadioAction),
    /// A number without a known parameter.
    Loose,
    /// Letters without a known parameter.
    LooseCode,
}

/// An action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub enum RadioAction {
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

/// A condition of a clearance, or a bound of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub enum ClearanceCondition {
    Behind,
    After,
    Until,
    Before,
    When,
    OrAbove,
    OrBelow,
}

/// Role of an item in its transmission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemRole {
    /// Instructed.
    Instruct,
    /// To be expected later.
    Expect,
    /// Information only: traffic, reasons.
    Inform,
    /// Current state: the level being passed.
    State,
    /// Requested.
    Request,
}

/// Value of an item.
#[derive(Debug, Clone, PartialEq)]
pub enum ItemValue {
    /// No value: the keyword itself is the item.
    Said,
    /// A runway.
    Runway(Runway),
    /// A level.
    Level(Level),
    /// Digits.
    Digits(DigitRun),
    /// A frequency.
    Frequency(Frequency),
    /// Left, right or centre.
    Side(Side),
    /// Letters and digits: a holding point, a stand, taxiways.
    Code(SmolStr),
    /// A name, followed by letters and digits.
    Named(SmolStr, SmolStr),
}

impl CallItem {
    /// Digits of the value, if it has any.
    pub(super) fn digits(&self) -> Option<DigitRun> {
        match &self.value {
            ItemValue::Digits(digits) => Some(*digits),
            ItemValue::Level(level) => Some(level.digits()),
            ItemValue::Runway(runway) => Some(DigitRun::of(u32::from(runway.number))),
            ItemValue::Frequency(frequency) => Some(DigitRun::of(frequency.0)),
            _ => None,
        }
    }
}

impl Parameter {
    /// Name in rulebooks and verdicts.
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

impl RadioAction {
    /// Name in rulebooks and verdicts.
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

    /// Phrase in a corrected call.
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

impl ClearanceCondition {
    /// Name in rulebooks and verdicts.
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

impl fmt::Display for ItemValue {
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
