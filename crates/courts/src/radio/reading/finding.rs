//! Findings: the errors and unclear parts of a readback.

use super::item::Parameter;

/// An error in a readback, or a part that could not be parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Kind of error.
    pub kind: ErrorKind,
    /// Subject of the error.
    pub about: FindingSubject,
    /// Expected value.
    pub expected: String,
    /// Said value; empty for an omission.
    pub said: String,
    /// Byte span in the pilot's text; empty, at the end, for an omission.
    pub span: (usize, usize),
}

/// Subject of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FindingSubject {
    /// The callsign.
    Callsign,
    /// The readback as a whole.
    Readback,
    /// One item.
    Item(Parameter),
    /// A part of a call without an item, such as `position` or `request`.
    Part(&'static str),
}

/// Kinds of error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// A different value.
    WrongValue,
    /// The right digits in another order.
    TransposedDigits,
    /// Left for right, or right for left.
    LeftRight,
    /// A runway without its side.
    DroppedSuffix,
    /// The right value, given for another parameter.
    WrongParameter,
    /// The item was not read back.
    Omission,
    /// An acknowledgement where a readback is required.
    RogerOnly,
    /// The callsign of another aircraft.
    WrongCallsign,
    /// No callsign.
    MissingCallsign,
    /// A different action from the one that was cleared.
    WrongAction,
    /// A clearance without its condition.
    DroppedCondition,
    /// A clearance that was not given.
    ExtraClearance,
    /// The item may have been right, but could not be parsed (`say again`).
    Unclear,
    /// A callsign abbreviated by the pilot first.
    ShortenedCallsign,
    /// The value is right, but words that belong to it are missing.
    WordsLeftOut,
}

impl ErrorKind {
    /// All kinds, in declaration order.
    pub const ALL: [Self; 15] = [
        Self::WrongValue,
        Self::TransposedDigits,
        Self::LeftRight,
        Self::DroppedSuffix,
        Self::WrongParameter,
        Self::Omission,
        Self::RogerOnly,
        Self::WrongCallsign,
        Self::MissingCallsign,
        Self::WrongAction,
        Self::DroppedCondition,
        Self::ExtraClearance,
        Self::Unclear,
        Self::ShortenedCallsign,
        Self::WordsLeftOut,
    ];

    /// The name used in JSON and rulebooks.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::WrongValue => "wrong_value",
            Self::TransposedDigits => "transposed_digits",
            Self::LeftRight => "left_right",
            Self::DroppedSuffix => "dropped_suffix",
            Self::WrongParameter => "wrong_parameter",
            Self::Omission => "omission",
            Self::RogerOnly => "roger_only",
            Self::WrongCallsign => "wrong_callsign",
            Self::MissingCallsign => "missing_callsign",
            Self::WrongAction => "wrong_action",
            Self::DroppedCondition => "dropped_condition",
            Self::ExtraClearance => "extra_clearance",
            Self::Unclear => "unclear",
            Self::ShortenedCallsign => "shortened_callsign",
            Self::WordsLeftOut => "words_left_out",
        }
    }

    /// Whether an instructor should intervene. An unclear item is answered with `say again`, a lapse is left
    /// to the debrief.
    #[must_use]
    pub const fn is_error(self) -> bool {
        !matches!(self, Self::Unclear | Self::ShortenedCallsign | Self::WordsLeftOut)
    }
}

impl FindingSubject {
    /// The name used in JSON and rulebooks.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Callsign => "callsign",
            Self::Readback => "readback",
            Self::Item(parameter) => parameter.name(),
            Self::Part(name) => name,
        }
    }
}
