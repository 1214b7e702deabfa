//! The rulebooks that streams were opened with, recorded in the ledger so that every verdict can be
//! recomputed.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use assize_kernel::{Actor, AnyRulebook, Digest, Draft, Moment, RecordRef, StreamId};
use assize_ledger::{Depth, Ledger, LedgerError, Scan};
use serde::{Deserialize, Serialize};

use crate::Courts;

/// The stream of rulebooks.
pub const RULEBOOKS: &str = "assize/rulebooks";

/// Rulebooks by their hash.
#[derive(Clone, Default)]
pub struct RulebookIndex {
    books: BTreeMap<Digest, AnyRulebook>,
    version: u64,
}

#[derive(Serialize, Deserialize)]
enum Entry {
    RulebookEntered { court: String, name: String, version: u32, hash: Digest, text: String },
}

impl RulebookIndex {
    /// Loads the rulebooks from the ledger.
    pub fn load(ledger: &dyn Ledger, courts: &Courts) -> Result<Self, LedgerError> {
        let mut rulebooks = Self::default();
        ledger.scan(Scan::stream(RULEBOOKS, 0, Depth::Facts), &mut |record| {
            rulebooks.follow(courts, &record);
            ControlFlow::Continue(())
        })?;
        Ok(rulebooks)
    }

    /// A rulebook by its hash.
    pub fn get(&self, hash: &Digest) -> Option<&AnyRulebook> {
        self.books.get(hash)
    }

    /// All rulebooks.
    pub(crate) fn books(&self) -> impl Iterator<Item = &AnyRulebook> {
        self.books.values()
    }

    /// Version of the stream of rulebooks.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// Applies a record of the stream. A rulebook that this build cannot read is skipped with a warning;
    /// streams that need it report an error.
    pub(crate) fn follow(&mut self, courts: &Courts, record: &RecordRef<'_>) {
        self.version = record.version;
        let Ok(Entry::RulebookEntered { court, name, text, hash, .. }) = serde_json::from_str(record.body)
        else {
            tracing::warn!(position = record.position, "failed to read a rulebook record");
            return;
        };
        let read = courts.get(&court).map(|court| court.read_rulebook(&format!("{name}.toml"), &text));
        match read {
            Some(Ok(book)) => drop(self.books.insert(hash, book)),
            Some(Err(error)) => tracing::warn!(%error, "a recorded rulebook is not valid in this build"),
            None => tracing::warn!(court, "a recorded rulebook belongs to an unknown court"),
        }
    }

    /// The draft that records a rulebook as version `version` of the stream.
    pub(crate) fn entry(book: &AnyRulebook, version: u64, at: Moment, actor: &Actor) -> Option<Draft> {
        let stream: StreamId = RULEBOOKS.parse().ok()?;
        let reference = &book.reference;
        let entry = Entry::RulebookEntered {
            court: book.court.to_owned(),
            name: reference.name.to_string(),
            version: reference.version,
            hash: reference.hash,
            text: book.text.to_string(),
        };
        let body = assize_kernel::to_json(&entry);
        Some(Draft::of_engine(stream, version, "RulebookEntered", at, actor, body))
    }
}
