//! What somebody may touch: everything their role may, one court, or one stream.

use std::fmt;
use std::str::FromStr;

use assize_kernel::{StreamId, check_name};

/// What somebody may touch.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Scope {
    /// Everything their role may.
    #[default]
    Everything,
    /// What belongs to one court.
    Court(String),
    /// One stream.
    Stream(StreamId),
}

/// A text that is no scope.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no scope; expected a court, such as `contest`, a stream, such as `contest/spring`, or nothing"
)]
pub struct BadScope(String);

impl Scope {
    /// Whether a stream lies within it.
    #[must_use]
    pub fn covers(&self, stream: &str) -> bool {
        match self {
            Self::Everything => true,
            Self::Court(court) => stream.split_once('/').is_some_and(|(its, _)| its == court),
            Self::Stream(own) => own.as_str() == stream,
        }
    }
}

impl FromStr for Scope {
    type Err = BadScope;

    fn from_str(text: &str) -> Result<Self, BadScope> {
        let bad = |_| BadScope(text.chars().take(160).collect());
        match text {
            "" => Ok(Self::Everything),
            stream if stream.contains('/') => stream.parse().map(Self::Stream).map_err(bad),
            court => check_name(court).map(|()| Self::Court(court.to_owned())).map_err(bad),
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Everything => Ok(()),
            Self::Court(court) => f.write_str(court),
            Self::Stream(stream) => f.write_str(stream.as_str()),
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
    }

    #[test]
    fn a_scope_survives_its_written_form() {
        for text in ["", "contest", "contest/spring"] {
            assert_eq!(text.parse::<Scope>().unwrap().to_string(), text);
        }
        for bad in ["a b", "contest/", "/spring", "contest/spring/ants"] {
            assert!(bad.parse::<Scope>().is_err(), "{bad}");
        }
    }
}
