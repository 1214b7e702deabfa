//! Keeping what is sent for others to look at later: recorded in a stream of its own, and decided on by no court.

use assize_kernel::{Actor, Draft, Moment, StreamId};

use super::room::Room;
use super::sitting::{Answered, Sitting};
use super::{Answer, ClerkError, Petition};

/// What such streams are called before their names. No court has this name.
pub(crate) const NOTEBOOK: &str = "log";

/// The same for pictures and videos, each in a stream that is named by its digest.
pub(crate) const MEDIA: &str = "media";

/// Something to be kept as it is.
#[derive(Debug, Clone)]
pub(crate) struct Note {
    /// What was done, in the past tense.
    pub(crate) kind: &'static str,
    /// The event, as JSON.
    pub(crate) body: String,
}

impl Petition {
    /// To have something kept, in a stream of [`NOTEBOOK`] or [`MEDIA`].
    pub(crate) fn to_keep(stream: StreamId, note: Note, actor: Actor, at: Moment) -> Self {
        Self::new(stream, Box::new(note), actor, at)
    }
}

impl Sitting {
    /// Keeps a note.
    pub(super) fn keep(&mut self, room: &Room, petition: &Petition) -> Answered {
        let Some(note) = petition.command.downcast_ref::<Note>() else {
            return Err(ClerkError::Broken("no note to keep".into()));
        };
        let Petition { stream, actor, at, .. } = petition;
        let version = self.version_of(room, stream)? + 1;
        let draft = Draft::of_engine(stream.clone(), version, note.kind, *at, actor, note.body.clone());
        Ok(Answer { records: self.seal(vec![draft]), repeated: false })
    }

    /// How many records a stream has, with those that are not on disk yet.
    fn version_of(&self, room: &Room, stream: &StreamId) -> Result<u64, ClerkError> {
        let flights = room.flights.iter().rev().filter(|flight| flight.streams.contains(stream));
        let flying = flights.flat_map(|flight| flight.records.iter().rev());
        let mut newest_first = self.records_of(stream).rev().chain(flying);
        match newest_first.find(|record| record.draft.stream == *stream) {
            Some(last) => Ok(last.draft.version),
            None => Ok(room.ledger.version(stream.as_str())?),
        }
    }
}
