//! The rulebooks that streams were opened with, kept in the ledger so that any verdict can be computed again.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use assize_kernel::{Actor, AnyRulebook, Digest, Draft, Moment, RecordRef, StreamId};
use assize_ledger::{Depth, Ledger, LedgerError, Scan};
use serde::{Deserialize, Serialize};

use crate::Courts;

/// The stream in which rulebooks are entered.
pub(crate) const RULEBOOKS: &str = "assize/rulebooks";

/// Rulebooks by their hash.
#[derive(Clone, Default)]
pub(crate) struct Shelf {
    books: BTreeMap<Digest, AnyRulebook>,
    version: u64,
}

#[derive(Serialize, Deserialize)]
enum Entry {
    RulebookEntered { court: String, name: String, version: u32, hash: Digest, text: String },
}

impl Shelf {
    /// Reads what has been entered.
    pub(crate) fn load(ledger: &dyn Ledger, courts: &Courts) -> Result<Self, LedgerError> {
        let mut shelf = Self::default();
        ledger.scan(Scan::stream(RULEBOOKS, 0, Depth::Facts), &mut |record| {
            shelf.follow(courts, &record);
            ControlFlow::Continue(())
        })?;
        Ok(shelf)
    }

    /// A rulebook by its hash.
    pub(crate) fn get(&self, hash: &Digest) -> Option<&AnyRulebook> {
        self.books.get(hash)
    }

    /// All of them.
    pub(crate) fn books(&self) -> impl Iterator<Item = &AnyRulebook> {
        self.books.values()
    }

    /// How many records the stream has.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// Takes in a record of the stream. One that this program cannot read is left out: whoever needs it is told.
    pub(crate) fn follow(&mut self, courts: &Courts, record: &RecordRef<'_>) {
        self.version = record.version;
        let Ok(Entry::RulebookEntered { court, name, text, hash, .. }) = serde_json::from_str(record.body)
        else {
            tracing::warn!(position = record.position, "a rulebook cannot be read");
            return;
        };
        let read = courts.get(&court).map(|court| court.read_rulebook(&format!("{name}.toml"), &text));
        match read {
            Some(Ok(book)) => drop(self.books.insert(hash, book)),
            Some(Err(error)) => tracing::warn!(%error, "a rulebook of the ledger cannot be read any more"),
            None => tracing::warn!(court, "a rulebook of a court that this program does not have"),
        }
    }

    /// The record that enters a rulebook as the `version`th of the stream.
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
