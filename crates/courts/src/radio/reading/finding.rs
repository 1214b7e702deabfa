//! What can be wrong with an answer.

use super::item::Parameter;

/// Something that is wrong with an answer, or could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What is wrong.
    pub kind: ErrorKind,
    /// With what.
    pub about: About,
    /// What should have been said.
    pub expected: String,
    /// What was said; empty when it was nothing.
    pub said: String,
    /// The bytes of the pilot's words it rests on; empty at the end when it was nothing.
    pub span: (usize, usize),
}

/// What a finding is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// The callsign.
    Callsign,
    /// The answer as a whole.
    Readback,
    /// One item of it.
    Item(Parameter),
    /// A part of a call that is no item: `position`, `request`.
    Part(&'static str),
}

/// The kinds of error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// Another value.
    WrongValue,
    /// The right digits in another order.
    TransposedDigits,
    /// Left for right, or right for left.
    LeftRight,
    /// The runway without its side.
    DroppedSuffix,
    /// The right value, said of something else.
    WrongParameter,
    /// Not said.
    Omission,
    /// Only acknowledged where a readback is due.
    RogerOnly,
    /// Somebody else's callsign.
    WrongCallsign,
    /// No callsign.
    MissingCallsign,
    /// Another action than the one that was cleared.
    WrongAction,
    /// The clearance without its condition.
    DroppedCondition,
    /// A clearance that nobody gave.
    ExtraClearance,
    /// It may have been right: say again.
    Unclear,
    /// The callsign cut short by somebody who was not called so.
    ShortenedCallsign,
    /// The value is right, words that belong to it are missing.
    WordsLeftOut,
}

impl ErrorKind {
    /// All of them, in the order of the list above.
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

    /// Its name on the wire.
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

    /// Whether an instructor should step in. Doubt is for the controller (`say again`), a lapse for the debrief.
    #[must_use]
    pub const fn is_error(self) -> bool {
        !matches!(self, Self::Unclear | Self::ShortenedCallsign | Self::WordsLeftOut)
    }
}

impl About {
    /// Its name on the wire.
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
