//! Implements [`AnyCourt`] for every court.

use std::marker::PhantomData;
use std::sync::Arc;

use super::typed_stream::{TypedStream, typed};
use super::{AnyCommand, AnyCourt, AnyRulebook, AnyStream, DecideError, Unreadable};
use crate::court::{Audience, Court, Notice, RecordedAt};
use crate::record::RecordRef;
use crate::revision::{self, HISTORY_REVISED, RECORD_REVISED, RecordRevised};
use crate::rulebook::{Rulebook, RulebookError};
use crate::{StreamId, VerdictText};

/// Makes the court `C` available as an [`AnyCourt`].
pub struct CourtAdapter<C>(PhantomData<C>);

impl<C> CourtAdapter<C> {
    /// The adapter of the court `C`.
    #[must_use]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<C> Default for CourtAdapter<C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<C: Court> AnyCourt for CourtAdapter<C> {
    fn name(&self) -> &'static str {
        C::NAME
    }

    fn edition(&self) -> u32 {
        C::EDITION
    }

    fn rulebooks(&self) -> &'static [(&'static str, &'static str)] {
        C::RULEBOOKS
    }

    fn is_listed(&self) -> bool {
        C::LISTED
    }

    fn board_audience(&self) -> Audience {
        C::BOARD_AUDIENCE
    }

    fn is_hidden_from_actor(&self, kind: &str) -> bool {
        C::is_hidden_from_actor(kind)
    }

    fn read_rulebook(&self, file: &str, text: &str) -> Result<AnyRulebook, RulebookError> {
        let book = Rulebook::<C::Rules>::read(C::NAME, file, text)?;
        let (reference, text) = (book.reference.clone(), book.text.clone());
        Ok(AnyRulebook { court: C::NAME, reference, text, typed: Arc::new(book) })
    }

    fn read_command(&self, json: serde_json::Value) -> Result<AnyCommand, serde_json::Error> {
        Ok(Box::new(serde_json::from_value::<C::Command>(json)?))
    }

    fn judge(&self, book: &AnyRulebook, document: &str) -> Result<String, DecideError> {
        let verdict = C::judge(typed::<C>(book)?, document);
        verdict.map(VerdictText::into_string).map_err(|refusal| DecideError::Refused(refusal.into()))
    }

    fn notice(&self, record: &RecordRef<'_>) -> Result<Option<Notice>, Unreadable> {
        match record.kind {
            HISTORY_REVISED => Ok(Some(revision::notice_of_history())),
            RECORD_REVISED => {
                let revised = RecordRevised::read(record)?;
                let event = TypedStream::<C>::read(&RecordRef { body: revised.event.get(), ..*record })?;
                Ok(Some(revised.notice(C::participant(&event))))
            }
            _ => {
                let recorded_at = RecordedAt { position: record.position, at: record.at };
                Ok(C::notice(&TypedStream::<C>::read(record)?, recorded_at))
            }
        }
    }

    fn empty(&self, stream: StreamId) -> Box<dyn AnyStream> {
        Box::new(TypedStream::<C>::new(stream, 0, C::State::default()))
    }

    fn restore(
        &self,
        stream: StreamId,
        version: u64,
        snapshot: &str,
    ) -> Result<Box<dyn AnyStream>, serde_json::Error> {
        Ok(Box::new(TypedStream::<C>::new(stream, version, serde_json::from_str(snapshot)?)))
    }
}
