//! The face of a court: what can be asked of it whatever its types are.

use std::marker::PhantomData;
use std::sync::Arc;

use super::history::{History, typed};
use super::{AnyCommand, AnyCourt, AnyRulebook, Docket, Unheard, Unreadable};
use crate::StreamId;
use crate::court::{Court, Notice, Stamp};
use crate::record::RecordRef;
use crate::revision::{self, HISTORY_REVISED, RECORD_REVISED, RecordRevised};
use crate::rulebook::{Rulebook, RulebookError};

/// The face of the court `C`.
pub struct Seat<C>(PhantomData<C>);

impl<C> Seat<C> {
    /// The face of the court `C`.
    #[must_use]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<C> Default for Seat<C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<C: Court> AnyCourt for Seat<C> {
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

    fn read_rulebook(&self, file: &str, text: &str) -> Result<AnyRulebook, RulebookError> {
        let book = Rulebook::<C::Rules>::read(C::NAME, file, text)?;
        let (reference, text) = (book.reference.clone(), book.text.clone());
        Ok(AnyRulebook { court: C::NAME, reference, text, typed: Arc::new(book) })
    }

    fn read_command(&self, json: serde_json::Value) -> Result<AnyCommand, serde_json::Error> {
        Ok(Box::new(serde_json::from_value::<C::Command>(json)?))
    }

    fn judge(&self, book: &AnyRulebook, document: &str) -> Result<String, Unheard> {
        C::judge(typed::<C>(book)?, document).map_err(|refusal| Unheard::Refused(refusal.into()))
    }

    fn notice(&self, record: &RecordRef<'_>) -> Result<Option<Notice>, Unreadable> {
        match record.kind {
            HISTORY_REVISED => Ok(Some(revision::notice_of_history())),
            RECORD_REVISED => {
                let revised = RecordRevised::read(record)?;
                let event = History::<C>::read(&RecordRef { body: revised.event.get(), ..*record })?;
                Ok(Some(revised.notice(C::participant(&event))))
            }
            _ => {
                let stamp = Stamp { position: record.position, at: record.at };
                Ok(C::notice(&History::<C>::read(record)?, stamp))
            }
        }
    }

    fn empty(&self, stream: StreamId) -> Box<dyn Docket> {
        Box::new(History::<C>::new(stream, 0, C::State::default()))
    }

    fn restore(
        &self,
        stream: StreamId,
        version: u64,
        snapshot: &str,
    ) -> Result<Box<dyn Docket>, serde_json::Error> {
        Ok(Box::new(History::<C>::new(stream, version, serde_json::from_str(snapshot)?)))
    }
}
