//! Scope of a token or user: all streams, one court, one stream, or one participant of a stream.

use std::fmt;
use std::str::FromStr;

use assize_kernel::{StreamId, check_name};

/// Scope of a token or user: the streams that it may access.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Scope {
    /// All streams that the role may access.
    #[default]
    Everything,
    /// The streams of one court.
    Court(String),
    /// One stream.
    Stream(StreamId),
    /// One stream, as this participant.
    Participant(StreamId, String),
}

/// A text that is not a scope.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no scope; expected a court, such as `contest`, a stream, such as `contest/spring`, a participant of \
     one, such as `contest/spring/ants`, or nothing"
)]
pub struct BadScope(String);

impl Scope {
    /// Whether a stream is within the scope.
    #[must_use]
    pub fn covers(&self, stream: &str) -> bool {
        match self {
            Self::Everything => true,
            Self::Court(court) => stream.split_once('/').is_some_and(|(its, _)| its == court),
            Self::Stream(own) | Self::Participant(own, _) => own.as_str() == stream,
        }
    }

    /// The participant that requests act as, if the scope names one.
    #[must_use]
    pub fn participant(&self) -> Option<&str> {
        match self {
            Self::Participant(_, name) => Some(name),
            Self::Everything | Self::Court(_) | Self::Stream(_) => None,
        }
    }
}

impl FromStr for Scope {
    type Err = BadScope;

    fn from_str(text: &str) -> Result<Self, BadScope> {
        let bad = |_| BadScope(text.chars().take(160).collect());
        match text.matches('/').count() {
            0 if text.is_empty() => Ok(Self::Everything),
            0 => check_name(text).map(|()| Self::Court(text.to_owned())).map_err(bad),
            1 => text.parse().map(Self::Stream).map_err(bad),
            _ => {
                let (stream, name) = text.rsplit_once('/').unwrap_or_default();
                check_name(name).map_err(bad)?;
                let stream = stream.parse().map_err(bad)?;
                Ok(Self::Participant(stream, name.to_owned()))
            }
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Everything => Ok(()),
            Self::Court(court) => f.write_str(court),
            Self::Stream(stream) => f.write_str(stream.as_str()),
            Self::Participant(stream, name) => write!(f, "{stream}/{name}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_covers_what_lies_within_it() {
        let covers = |scope: &str, stream: &str| scope.parse::<Scope>().unwrap().covers(stream);
        assert!(covers("", "contest/spring") && covers("", "assize/access"));
        assert!(covers("contest", "contest/spring") && !covers("contest", "quest/spring"));
        assert!(covers("contest/spring", "contest/spring") && !covers("contest/spring", "contest/spring-2"));
        assert!(!covers("con", "contest/spring"));
        assert!(
            covers("contest/spring/ants", "contest/spring") && !covers("contest/spring/ants", "contest/ants")
        );
    }

    #[test]
    fn a_scope_survives_its_written_form() {
        for text in ["", "contest", "contest/spring", "contest/spring/ants"] {
            assert_eq!(text.parse::<Scope>().unwrap().to_string(), text);
        }
        for bad in ["a b", "contest/", "/spring", "contest/spring/", "contest/spring/ants/bo"] {
            assert!(bad.parse::<Scope>().is_err(), "{bad}");
        }
    }
}
