//! Timestamps with millisecond resolution, passed in as values and never read from a clock.

use std::fmt;
use std::ops::{Add, Sub};
use std::str::FromStr;

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// Milliseconds since 1970-01-01T00:00:00Z; in JSON an RFC 3339 string in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Moment(i64);

/// A duration in whole milliseconds; in JSON a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Millis(pub i64);

/// The error for a text that is not a timestamp.
#[derive(Debug, Clone, thiserror::Error)]
#[error("`{0}` is not a moment such as 2026-11-15T09:30:00.250Z")]
pub struct NotAMoment(String);

impl Moment {
    /// The moment this many milliseconds after the epoch.
    #[must_use]
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Milliseconds since the epoch.
    #[must_use]
    pub const fn as_millis(self) -> i64 {
        self.0
    }
}

impl Millis {
    /// Rounds seconds to the nearest millisecond.
    #[must_use]
    pub fn from_seconds(seconds: f64) -> Self {
        #[allow(
            clippy::cast_possible_truncation,
            reason = "`as` saturates, and durations are bounded where they come in"
        )]
        Self(crate::round(seconds * 1000.0, 0) as i64)
    }

    /// The duration in seconds.
    #[must_use]
    pub fn as_seconds(self) -> f64 {
        #[allow(clippy::cast_precision_loss, reason = "exact below 2^53 ms, which is 285,000 years")]
        let millis = self.0 as f64;
        millis / 1000.0
    }
}

impl Add<Millis> for Moment {
    type Output = Self;
    fn add(self, length: Millis) -> Self {
        Self(self.0.saturating_add(length.0))
    }
}

impl Sub<Millis> for Moment {
    type Output = Self;
    fn sub(self, length: Millis) -> Self {
        Self(self.0.saturating_sub(length.0))
    }
}

impl Sub for Moment {
    type Output = Millis;
    fn sub(self, earlier: Self) -> Millis {
        Millis(self.0.saturating_sub(earlier.0))
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Timestamp::from_millisecond(self.0) {
            Ok(timestamp) => write!(f, "{timestamp:.3}"),
            Err(_) => write!(f, "{}ms", self.0),
        }
    }
}

impl FromStr for Moment {
    type Err = NotAMoment;
    fn from_str(text: &str) -> Result<Self, NotAMoment> {
        let timestamp: Timestamp = text.parse().map_err(|_| NotAMoment(text.to_owned()))?;
        Ok(Self(timestamp.as_millisecond()))
    }
}

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_survives_the_wire_to_the_millisecond() {
        let moment = Moment::from_millis(1_794_735_000_250);
        let text = serde_json::to_string(&moment).unwrap();
        assert_eq!(text, "\"2026-11-15T09:30:00.250Z\"");
        assert_eq!(serde_json::from_str::<Moment>(&text).unwrap(), moment);
    }

    #[test]
    fn what_is_no_moment_is_shown_back() {
        let error = "yesterday".parse::<Moment>().unwrap_err();
        assert_eq!(error.to_string(), "`yesterday` is not a moment such as 2026-11-15T09:30:00.250Z");
    }

    #[test]
    fn seconds_are_rounded_to_milliseconds_once() {
        assert_eq!(Millis::from_seconds(0.0005), Millis(1));
        assert_eq!(Millis(45_000).as_seconds(), 45.0);
    }
}
