//! Any court behind one face, so that the clerk and the program need not know which one they serve.

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

/// A command of some court.
pub type AnyCommand = Box<dyn Any + Send>;

/// A court, whichever it is.
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
    /// Everything that is wrong with it.
    fn read_rulebook(&self, file: &str, text: &str) -> Result<AnyRulebook, RulebookError>;
    /// Reads a command from JSON, as case files have it.
    ///
    /// # Errors
    /// What is wrong with it.
    fn read_command(&self, json: serde_json::Value) -> Result<AnyCommand, serde_json::Error>;
    /// See [`Court::judge`](crate::Court::judge).
    ///
    /// # Errors
    /// A refusal, or our own fault.
    fn judge(&self, book: &AnyRulebook, document: &str) -> Result<String, DecideError>;
    /// See [`Court::notice`](crate::Court::notice).
    ///
    /// # Errors
    /// When the record cannot be read.
    fn notice(&self, record: &RecordRef<'_>) -> Result<Option<Notice>, Unreadable>;
    /// A stream in which nothing has happened yet.
    fn empty(&self, stream: StreamId) -> Box<dyn AnyStream>;
    /// A stream as a snapshot has it.
    ///
    /// # Errors
    /// When the snapshot cannot be read; it is then to be discarded.
    fn restore(
        &self,
        stream: StreamId,
        version: u64,
        snapshot: &str,
    ) -> Result<Box<dyn AnyStream>, serde_json::Error>;
}

/// A stream with its state, in whichever court.
pub trait AnyStream: Send {
    /// The stream.
    fn stream(&self) -> &StreamId;
    /// How many events it has.
    fn version(&self) -> u64;
    /// The rulebook it was opened with.
    fn rulebook(&self) -> Option<&RulebookRef>;
    /// When something must happen by itself.
    fn deadline(&self) -> Option<Moment>;
    /// Decides a command and takes what follows from it into the state.
    ///
    /// # Errors
    /// A refusal, which leaves the state as it was, or our own fault.
    fn decide(
        &mut self,
        book: &AnyRulebook,
        command: &AnyCommand,
        context: CommandContext<'_>,
    ) -> Result<Ruling<Draft>, DecideError>;
    /// Lets the earliest deadline happen, dated when it was due.
    ///
    /// # Errors
    /// When nothing comes of it: the court is at fault.
    fn fire(&mut self, book: &AnyRulebook, position: u64) -> Result<Vec<Draft>, DecideError>;
    /// Takes a recorded event into the state.
    ///
    /// # Errors
    /// When the record cannot be read.
    fn follow(&mut self, record: &RecordRef<'_>) -> Result<(), Unreadable>;
    /// Moves what the events since the last call have changed on the boards to the end of `changes`.
    fn take_changes(&mut self, changes: &mut Vec<PlacedChange>);
    /// Forgets what they have changed: it is on the boards already.
    fn drop_changes(&mut self);
    /// Judges a recorded input once more, on the state before it, and compares.
    ///
    /// # Errors
    /// When the record cannot be read.
    fn compare(&self, book: &AnyRulebook, record: &RecordRef<'_>) -> Result<Comparison, Unreadable>;
    /// Takes a recorded event into the state as it would have come out here, with what is to be different. It is
    /// judged by `book`; without one nothing is judged.
    ///
    /// # Errors
    /// A refusal of what is to be different, or our own fault.
    fn retry(
        &mut self,
        book: Option<&AnyRulebook>,
        record: &RecordRef<'_>,
        revising: &Revising<'_>,
    ) -> Result<Retried, DecideError>;
    /// Passes over a record of which no state is made.
    fn pass(&mut self);
    /// Takes a recorded event that counts nothing since its history was revised.
    ///
    /// # Errors
    /// When the record cannot be read.
    fn set_aside(&mut self, record: &RecordRef<'_>) -> Result<(), Unreadable>;
    /// The state, for those who know its type.
    fn state(&self) -> &dyn Any;
    /// The state as JSON.
    fn snapshot(&self) -> String;
}

/// Why nothing came of a command.
#[derive(Debug, thiserror::Error)]
pub enum DecideError {
    /// It was not taken up.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Our fault.
    #[error("internal error: {0}")]
    Broken(Cow<'static, str>),
}

/// A record that this program cannot read.
#[derive(Debug, thiserror::Error)]
#[error("record {position} of {stream} ({kind}) cannot be read: {problem}")]
pub struct Unreadable {
    /// Where it stands.
    pub position: u64,
    /// The stream it belongs to.
    pub stream: String,
    /// What it says it is.
    pub kind: String,
    /// What is wrong with it.
    pub problem: String,
}

/// What judging again has shown.
#[derive(Debug, PartialEq, Eq)]
pub enum Comparison {
    /// The record is no verdict.
    NoVerdict,
    /// Byte for byte the same.
    Same,
    /// Something else comes out today; in what, path by path, the event's first.
    Different(Vec<String>),
}

/// A rulebook of some court; cheap to clone.
#[derive(Debug, Clone)]
pub struct AnyRulebook {
    /// The court it is for.
    pub court: &'static str,
    /// What verdicts name it by.
    pub reference: RulebookRef,
    /// The text as it was read.
    pub text: Arc<str>,
    typed: Arc<dyn Any + Send + Sync>,
}
