//! Stream names. A stream is one history that is decided independently: a contest, a hunter, a radio session.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The name of a stream, `court/name`; cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreamId(Arc<str>);

/// The error for a text that cannot name a stream, a task or a participant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` cannot be a name; use 1 to 64 letters, digits, `.`, `_` or `-`")]
pub struct BadName(String);

/// Checks whether a text can name a stream, a task or a participant: it must need no escaping in URLs and
/// SQL.
///
/// # Errors
/// Says which characters are allowed.
pub fn check_name(name: &str) -> Result<(), BadName> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    let good = (1..=64).contains(&name.len()) && name.bytes().all(plain) && !name.starts_with('.');
    if good { Ok(()) } else { Err(BadName(name.chars().take(80).collect())) }
}

impl StreamId {
    /// The stream `name` of a court.
    ///
    /// # Errors
    /// The name contains other characters than letters, digits, `.`, `_` and `-`.
    pub fn new(court: &str, name: &str) -> Result<Self, BadName> {
        check_name(court)?;
        check_name(name)?;
        Ok(Self([court, "/", name].concat().into()))
    }

    /// A stream of the engine itself, which belongs to no court.
    #[must_use]
    pub fn of_engine(name: &'static str) -> Self {
        Self(format!("assize/{name}").into())
    }

    /// The court of this stream.
    #[must_use]
    pub fn court(&self) -> &str {
        self.0.split_once('/').map_or("", |(court, _)| court)
    }

    /// The name within the court.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.split_once('/').map_or("", |(_, name)| name)
    }

    /// `court/name`, without copying it.
    pub(crate) fn shared(&self) -> Arc<str> {
        self.0.clone()
    }

    /// `court/name`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::borrow::Borrow<str> for StreamId {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for StreamId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for StreamId {
    type Err = BadName;
    fn from_str(text: &str) -> Result<Self, BadName> {
        let (court, name) = text.split_once('/').ok_or_else(|| BadName(text.to_owned()))?;
        Self::new(court, name)
    }
}

impl Serialize for StreamId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for StreamId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_has_a_court_and_a_name() {
        let stream: StreamId = "contest/spring-2026".parse().unwrap();
        assert_eq!((stream.court(), stream.name()), ("contest", "spring-2026"));
        assert_eq!(stream.to_string(), "contest/spring-2026");
    }

    #[test]
    fn names_that_would_need_escaping_are_refused() {
        for bad in ["", "a b", "a/b/c", "über", "../x", &"x".repeat(65)] {
            assert!(StreamId::new("contest", bad).is_err(), "{bad}");
        }
    }
}
