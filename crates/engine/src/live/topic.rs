//! Topics of subscriptions, and what a subscriber may see of them.

use std::fmt;

use assize_kernel::{Audience, BadName, BoardName, SmolStr, StreamId, check_name};

/// A topic: a stream or a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Topic {
    /// The notices of a stream.
    Stream(StreamId),
    /// A board, and its stream unless it covers all streams of a court.
    Board(BoardName, Option<StreamId>),
}

/// What a subscriber may see of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Visibility {
    /// Public events.
    Public,
    /// Public events and those of this participant.
    Participant(SmolStr),
    /// All events.
    All,
}

impl Topic {
    /// Parses `court/name`, or a board: `board/court`, `board/court/name`, `board/court/name/part`.
    pub fn read(text: &str) -> Result<Self, BadName> {
        let Some(board) = text.strip_prefix("board/") else { return text.parse().map(Self::Stream) };
        let mut parts = board.splitn(3, '/');
        let court = parts.next().unwrap_or_default();
        check_name(court)?;
        let stream = parts.next().map(|name| StreamId::new(court, name)).transpose()?;
        parts.next().map_or(Ok(()), check_name)?;
        Ok(Self::Board(BoardName::from(board), stream))
    }

    /// The court it belongs to.
    pub fn court(&self) -> &str {
        match self {
            Self::Stream(stream) => stream.court(),
            Self::Board(board, _) => board.court(),
        }
    }

    /// The stream it is about; none for a board over all streams of a court.
    pub fn stream(&self) -> Option<&StreamId> {
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

impl Visibility {
    pub(crate) fn sees(&self, audience: &Audience) -> bool {
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
        let ants = Visibility::Participant("ants".into());
        let bees = Audience::Participant("bees".into());
        assert!(!ants.sees(&bees) && !Visibility::Public.sees(&bees) && Visibility::All.sees(&bees));
        assert!(ants.sees(&Audience::Participant("ants".into())) && ants.sees(&Audience::Everyone));
        assert!(!ants.sees(&Audience::Judges) && Visibility::All.sees(&Audience::Judges));
    }
}
