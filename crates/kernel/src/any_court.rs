//! Type-erased courts and streams: the clerk and the CLI work with any court without knowing its types.

mod adapter;
mod typed_stream;

use std::any::Any;
use std::borrow::Cow;
use std::sync::Arc;

use crate::board::PlacedChange;
use crate::court::{Audience, CommandContext, Notice, Ruling};
use crate::record::{Draft, RecordRef};
use crate::revision::{Retried, Revising};
use crate::rulebook::{RulebookError, RulebookRef};
use crate::{Moment, Refusal, StreamId};

pub use adapter::CourtAdapter;
pub(crate) use typed_stream::typed;

/// A command of any court, to be downcast by the court's adapter.
pub type AnyCommand = Box<dyn Any + Send>;

/// A court with its types erased. [`CourtAdapter`] implements it for every [`Court`](crate::Court).
pub trait AnyCourt: Send + Sync {
    /// See [`Court::NAME`](crate::Court::NAME).
    fn name(&self) -> &'static str;
    /// See [`Court::EDITION`](crate::Court::EDITION).
    fn edition(&self) -> u32;
    /// See [`Court::RULEBOOKS`](crate::Court::RULEBOOKS).
    fn rulebooks(&self) -> &'static [(&'static str, &'static str)];
    /// See [`Court::LISTED`](crate::Court::LISTED).
    fn is_listed(&self) -> bool;
    /// See [`Court::BOARD_AUDIENCE`](crate::Court::BOARD_AUDIENCE).
    fn board_audience(&self) -> Audience;
    /// See [`Court::is_hidden_from_actor`](crate::Court::is_hidden_from_actor).
    fn is_hidden_from_actor(&self, kind: &str) -> bool;
    /// Reads a rulebook; `file` is what errors call it.
    ///
    /// # Errors
    /// Lists every mistake in the rulebook.
    fn read_rulebook(&self, file: &str, text: &str) -> Result<AnyRulebook, RulebookError>;
    /// Parses a command from JSON, the form that case files use.
    ///
    /// # Errors
    /// Says what is wrong with the JSON.
    fn read_command(&self, json: serde_json::Value) -> Result<AnyCommand, serde_json::Error>;
    /// See [`Court::judge`](crate::Court::judge).
    ///
    /// # Errors
    /// A refusal, or an internal error.
    fn judge(&self, book: &AnyRulebook, document: &str) -> Result<String, DecideError>;
    /// See [`Court::notice`](crate::Court::notice).
    ///
    /// # Errors
    /// The record cannot be parsed.
    fn notice(&self, record: &RecordRef<'_>) -> Result<Option<Notice>, Unreadable>;
    /// A new stream without events.
    fn empty(&self, stream: StreamId) -> Box<dyn AnyStream>;
    /// A stream restored from a snapshot.
    ///
    /// # Errors
    /// The snapshot cannot be parsed; the caller discards it and folds the records instead.
    fn restore(
        &self,
        stream: StreamId,
        version: u64,
        snapshot: &str,
    ) -> Result<Box<dyn AnyStream>, serde_json::Error>;
}

/// A stream with its state, whatever its court.
pub trait AnyStream: Send {
    /// The stream's name.
    fn stream(&self) -> &StreamId;
    /// The number of events in the stream.
    fn version(&self) -> u64;
    /// The rulebook that the stream was opened with; none before it is opened.
    fn rulebook(&self) -> Option<&RulebookRef>;
    /// The time of the next deadline.
    fn deadline(&self) -> Option<Moment>;
    /// Decides a command and applies the resulting events to the state.
    ///
    /// # Errors
    /// A refusal, which leaves the state unchanged, or an internal error.
    fn decide(
        &mut self,
        book: &AnyRulebook,
        command: &AnyCommand,
        context: CommandContext<'_>,
    ) -> Result<Ruling<Draft>, DecideError>;
    /// Decides the command of the earliest deadline, dated at the time it was due.
    ///
    /// # Errors
    /// An internal error when the deadline is still due afterwards: the court would fire it for ever.
    fn fire(&mut self, book: &AnyRulebook, position: u64) -> Result<Vec<Draft>, DecideError>;
    /// Applies a recorded event to the state.
    ///
    /// # Errors
    /// The record cannot be parsed.
    fn follow(&mut self, record: &RecordRef<'_>) -> Result<(), Unreadable>;
    /// Appends the board changes of all events since the last call to `changes`.
    fn take_changes(&mut self, changes: &mut Vec<PlacedChange>);
    /// Discards these board changes because the boards already contain them.
    fn drop_changes(&mut self);
    /// Judges the input of a record again, on the state before it, and compares the verdicts.
    ///
    /// # Errors
    /// The record cannot be parsed.
    fn compare(&self, book: &AnyRulebook, record: &RecordRef<'_>) -> Result<Comparison, Unreadable>;
    /// Applies a recorded event as it would be under the revision. It is judged again by `book`; without a
    /// book nothing is judged.
    ///
    /// # Errors
    /// A refusal of the revision, or an internal error.
    fn retry(
        &mut self,
        book: Option<&AnyRulebook>,
        record: &RecordRef<'_>,
        revising: &Revising<'_>,
    ) -> Result<Retried, DecideError>;
    /// Counts a record that does not change the state, such as one of a revision.
    fn pass(&mut self);
    /// Applies a recorded event that a revision has set aside: it no longer counts.
    ///
    /// # Errors
    /// The record cannot be parsed.
    fn set_aside(&mut self, record: &RecordRef<'_>) -> Result<(), Unreadable>;
    /// The state, for callers that know its type and downcast it.
    fn state(&self) -> &dyn Any;
    /// The state as JSON.
    fn snapshot(&self) -> String;
}

/// Why a command was not decided.
#[derive(Debug, thiserror::Error)]
pub enum DecideError {
    /// The court refused the command.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// An internal error, such as a rulebook of another court.
    #[error("internal error: {0}")]
    Broken(Cow<'static, str>),
}

/// The error for a record that this version of the program cannot parse.
#[derive(Debug, thiserror::Error)]
#[error("record {position} of {stream} ({kind}) cannot be read: {problem}")]
pub struct Unreadable {
    /// The position of the record.
    pub position: u64,
    /// The stream of the record.
    pub stream: String,
    /// The kind of the record.
    pub kind: String,
    /// What is wrong with it.
    pub problem: String,
}

/// The result of judging a record again.
#[derive(Debug, PartialEq, Eq)]
pub enum Comparison {
    /// The record has no verdict.
    NoVerdict,
    /// The verdict is the same, byte for byte.
    Same,
    /// The verdict differs; one line for each path that does, those of the event first.
    Different(Vec<String>),
}

/// A rulebook with its type erased; cheap to clone.
#[derive(Debug, Clone)]
pub struct AnyRulebook {
    /// The court that the rulebook is for.
    pub court: &'static str,
    /// The name, version and hash that verdicts quote.
    pub reference: RulebookRef,
    /// The text that was parsed.
    pub text: Arc<str>,
    typed: Arc<dyn Any + Send + Sync>,
}
