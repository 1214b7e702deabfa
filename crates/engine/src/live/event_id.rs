//! Event ids: a client that reconnects names the last event it received.

use std::fmt;
use std::str::FromStr;

use assize_kernel::Digest;

/// The id of an event: a position of the ledger and, when the ledger was found to have another history than
/// before, a mark of that history. A client with an id of another history must load everything again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventId {
    /// The client has everything up to this position.
    pub position: u64,
    /// The first bytes of [`Views::fork`](crate::Views::fork).
    pub history: Option<[u8; 4]>,
}

/// The error for a text that is not an event id.
#[derive(Debug, PartialEq, Eq)]
pub struct NotAnEventId;

impl EventId {
    pub(crate) fn new(position: u64, fork: Option<Digest>) -> Self {
        let history = fork.and_then(|Digest(bytes)| bytes.first_chunk().copied());
        Self { position, history }
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.history {
            None => write!(f, "{}", self.position),
            Some(history) => write!(f, "{}-{:08x}", self.position, u32::from_be_bytes(history)),
        }
    }
}

impl FromStr for EventId {
    type Err = NotAnEventId;

    fn from_str(text: &str) -> Result<Self, NotAnEventId> {
        let (position, history) = match text.split_once('-') {
            Some((position, history)) => (position, Some(history)),
            None => (text, None),
        };
        let mark = |text: &str| {
            let is_hex = text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
            is_hex.then(|| u32::from_str_radix(text, 16).ok()).flatten().ok_or(NotAnEventId)
        };
        let history = history.map(mark).transpose()?.map(u32::to_be_bytes);
        Ok(Self { position: position.parse().map_err(|_| NotAnEventId)?, history })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_as_they_are_written() {
        for (text, history) in [("0", None), ("12", None), ("12-00ab00ff", Some([0, 0xab, 0, 0xff]))] {
            let id: EventId = text.parse().unwrap();
            assert_eq!(id.history, history);
            assert_eq!(id.to_string(), text);
        }
        for text in ["", "-", "x", "12-", "12-1", "12-1234567g", "12-+1234567", "-12", "12-123456789"] {
            assert_eq!(text.parse::<EventId>(), Err(NotAnEventId), "{text}");
        }
    }
}
