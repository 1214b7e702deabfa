//! What can be listened to: a stream or a board, and how much of it somebody may hear.

use std::fmt;

use assize_kernel::{Audience, BadName, BoardName, SmolStr, StreamId, check_name};

/// Something that is listened to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Topic {
    /// What is told of a stream's records.
    Stream(StreamId),
    /// A board, and the stream it is of when it is of one.
    Board(BoardName, Option<StreamId>),
}

/// How much of a stream somebody may hear.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ear {
    /// What is for everyone.
    Public,
    /// That, and what is for this participant.
    Participant(SmolStr),
    /// Everything.
    All,
}

impl Topic {
    /// Reads `court/name`, or a board: `board/court`, `board/court/name`, `board/court/name/part`.
    pub(crate) fn read(text: &str) -> Result<Self, BadName> {
        let Some(board) = text.strip_prefix("board/") else { return text.parse().map(Self::Stream) };
        let mut parts = board.splitn(3, '/');
        let court = parts.next().unwrap_or_default();
        check_name(court)?;
        let stream = parts.next().map(|name| StreamId::new(court, name)).transpose()?;
        parts.next().map_or(Ok(()), check_name)?;
        Ok(Self::Board(BoardName::from(board), stream))
    }

    /// The stream it is about; none for a board over all streams of a court.
    pub(crate) fn stream(&self) -> Option<&StreamId> {
        match self {
            Self::Stream(stream) => Some(stream),
            Self::Board(_, stream) => stream.as_ref(),
        }
    }
}

impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stream(stream) => write!(f, "{stream}"),
            Self::Board(board, _) => write!(f, "board/{board}"),
        }
    }
}

impl Ear {
    pub(crate) fn hears(&self, audience: &Audience) -> bool {
        match (self, audience) {
            (_, Audience::Everyone) | (Self::All, _) => true,
            (Self::Participant(own), Audience::Participant(meant)) => own == meant,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_is_a_stream_or_a_board() {
        let check = |text: &str, stream: &str, board: Option<&str>| {
            let topic = Topic::read(text).unwrap();
            assert_eq!(topic.stream().map_or("", StreamId::as_str), stream);
            match topic {
                Topic::Stream(_) => assert_eq!(board, None),
                Topic::Board(name, _) => assert_eq!(Some(name.to_string().as_str()), board),
            }
        };
        check("contest/spring", "contest/spring", None);
        check("board/contest/spring", "contest/spring", Some("contest/spring"));
        check("board/quest", "", Some("quest"));
        check("board/contest/spring/q1", "contest/spring", Some("contest/spring/q1"));
    }

    #[test]
    fn what_is_neither_is_refused() {
        for bad in [
            "",
            "contest",
            "contest/",
            "contest/a/b",
            "board/",
            "board/contest/",
            "board/contest/a/",
            "a b/c",
        ] {
            assert!(Topic::read(bad).is_err(), "{bad}");
        }
        assert!(Topic::read("board/contest/a/b/c").is_err());
    }

    #[test]
    fn nobody_hears_what_is_meant_for_another() {
        let (ants, bees) = (Ear::Participant("ants".into()), Audience::Participant("bees".into()));
        assert!(!ants.hears(&bees) && !Ear::Public.hears(&bees) && Ear::All.hears(&bees));
        assert!(ants.hears(&Audience::Participant("ants".into())) && ants.hears(&Audience::Everyone));
        assert!(!ants.hears(&Audience::Judges) && Ear::All.hears(&Audience::Judges));
    }
}
