//! Raw logs and media: entries recorded as they are, without a court.

use assize_kernel::{Actor, Draft, Moment, StreamId};

use super::batch::{BatchBuilder, DecideResult};
use super::context::DecideContext;
use super::{Answer, ClerkError, Petition};

/// Stream prefix of raw logs; not the name of a court.
pub const RAW_LOG: &str = "log";

/// Stream prefix of pictures and videos; each stream is named by the digest of its file.
pub const MEDIA: &str = "media";

/// An entry to record as it is.
#[derive(Debug, Clone)]
pub struct RawEntry {
    /// The kind of the event, in the past tense.
    pub kind: &'static str,
    /// The event, as JSON.
    pub body: String,
}

impl Petition {
    /// A petition to record an entry in a stream of [`RAW_LOG`] or [`MEDIA`].
    pub fn to_log(stream: StreamId, entry: RawEntry, actor: Actor, at: Moment) -> Self {
        Self::new(stream, Box::new(entry), actor, at)
    }
}

impl BatchBuilder {
    /// Records an entry.
    pub(super) fn keep(&mut self, context: &DecideContext, petition: &Petition) -> DecideResult {
        let Some(entry) = petition.command.downcast_ref::<RawEntry>() else {
            return Err(ClerkError::Broken("no entry to keep".into()));
        };
        let Petition { stream, actor, at, .. } = petition;
        let version = self.version_of(context, stream)? + 1;
        let draft = Draft::of_engine(stream.clone(), version, entry.kind, *at, actor, entry.body.clone());
        Ok(Answer { records: self.seal(vec![draft]), repeated: false })
    }

    /// The version of a stream, including batches in flight and this batch.
    fn version_of(&self, context: &DecideContext, stream: &StreamId) -> Result<u64, ClerkError> {
        let in_flight = context.in_flight.iter().rev().filter(|batch| batch.streams.contains(stream));
        let in_flight = in_flight.flat_map(|batch| batch.records.iter().rev());
        let mut newest_first = self.records_of(stream).rev().chain(in_flight);
        match newest_first.find(|record| record.draft.stream == *stream) {
            Some(last) => Ok(last.draft.version),
            None => Ok(context.ledger.version(stream.as_str())?),
        }
    }
}
