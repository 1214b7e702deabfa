//! What a court is: a pure decider. It reads no clock, asks nobody, and gives reasons.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::board::StandingChange;
use crate::revision::Correction;
use crate::rulebook::{Rulebook, RulebookRef, Rules};
use crate::verdict::{Derivation, Detail, Verdict};
use crate::{Actor, Moment, Refusal, RefusalKind, SmolStr, StreamId};

/// A court: how one kind of thing is judged.
///
/// `decide` and `evolve` are all there is to it. The same records give the same verdicts, byte for byte.
pub trait Court: Send + Sync + 'static {
    /// The court's name, first part of its streams' names.
    const NAME: &'static str;
    /// Counted up whenever the same input may be judged or remembered differently.
    const EDITION: u32;
    /// The rulebooks that ship, the default first: name and text.
    const RULEBOOKS: &'static [(&'static str, &'static str)];
    /// Whether people are told of it among the courts.
    const LISTED: bool = true;
    /// Who may see the court's boards. Judges only, unless the court opens them.
    const BOARD_AUDIENCE: Audience = Audience::Judges;

    /// The parameters.
    type Rules: Rules;
    /// What has come of a stream's events so far.
    type State: Default + Serialize + DeserializeOwned + Send + 'static;
    /// What somebody wants to happen; imperative.
    type Command: Serialize + DeserializeOwned + Send + 'static;
    /// What has happened; past tense.
    type Event: Event;
    /// Why a command was not taken up; a state.
    type Refusal: Into<Refusal>;

    /// What follows from a command.
    ///
    /// # Errors
    /// A refusal, when it is not taken up.
    fn decide(
        book: &Rulebook<Self::Rules>,
        state: &Self::State,
        command: &Self::Command,
        context: CommandContext<'_>,
    ) -> Result<Ruling<Decision<Self::Event>>, Self::Refusal>;

    /// Takes an event into the state. Cannot fail: what has happened has happened.
    fn evolve(state: &mut Self::State, event: &Self::Event, recorded_at: RecordedAt);

    /// The rulebook the stream was opened with; none before that.
    fn rulebook(state: &Self::State) -> Option<&RulebookRef>;

    /// What must happen next by itself, and when.
    fn deadline(state: &Self::State) -> Option<(Moment, Self::Command)>;

    /// Judges the input of a recorded event once more, on the state just before it; none when there is nothing to
    /// judge. A fact that depends on the rulebook comes back without a verdict, as it would be under this one.
    fn judge_again(
        book: &Rulebook<Self::Rules>,
        state: &Self::State,
        event: &Self::Event,
    ) -> Option<Decision<Self::Event>>;

    /// Adds what an event has changed on the boards to `changes`; `state` is the one after it.
    fn standings(
        stream: &StreamId,
        state: &Self::State,
        event: &Self::Event,
        changes: &mut Vec<StandingChange>,
    );

    /// What others may be told of an event when it has happened; none when that is nobody's business.
    /// It must follow from the event alone, so that whoever was away can be told the same later.
    fn notice(event: &Self::Event, recorded_at: RecordedAt) -> Option<Notice>;

    /// Whom a judged event is about: what comes of it is theirs to know.
    fn participant(_event: &Self::Event) -> Option<&SmolStr> {
        None
    }

    /// Whether records of this kind are hidden from the actor who caused them, because they hold something that
    /// only judges may know.
    fn is_hidden_from_actor(_kind: &str) -> bool {
        false
    }

    /// The event that opens a stream, as it would have been under another rulebook; none for any other event.
    fn under(_event: &Self::Event, _rulebook: &RulebookRef) -> Option<Self::Event> {
        None
    }

    /// An event as somebody corrects it; none when the correction is about another one. What is judged is judged
    /// again afterwards.
    ///
    /// # Errors
    /// A refusal, when the correction cannot be read or makes no sense.
    fn amend(
        _book: &Rulebook<Self::Rules>,
        _event: &Self::Event,
        _stamp: RecordedAt,
        _correction: &Correction<'_>,
    ) -> Result<Option<Self::Event>, Refusal> {
        let message = format!("nothing can be corrected in a {}; give another rulebook", Self::NAME);
        Err(Refusal::new("revision.amendment.unknown", RefusalKind::Malformed, message))
    }

    /// Why an event that was recorded would not have been taken up on this state, that of a revised history; none
    /// when it would have been.
    fn objection(
        _book: &Rulebook<Self::Rules>,
        _state: &Self::State,
        _event: &Self::Event,
    ) -> Option<Self::Refusal> {
        None
    }

    /// Takes an event into the state that would not have been taken up in a revised history: it counts nothing.
    fn set_aside(_state: &mut Self::State, _event: &Self::Event, _stamp: RecordedAt) {}

    /// Judges a document by itself, without a stream: what `assize judge` does.
    ///
    /// # Errors
    /// A refusal that names what is wrong in the document and where.
    fn judge(book: &Rulebook<Self::Rules>, document: &str) -> Result<String, Self::Refusal>;
}

/// Something that has happened, as a court writes it down.
pub trait Event: Serialize + DeserializeOwned + Send + 'static {
    /// Its name in the past tense, the same as in its JSON.
    fn kind(&self) -> &'static str;

    /// What a state is made of, where there is a faster way to it than reading all of the JSON; none where there is
    /// not, or where that is written in another way than `Serialize` does.
    fn facts(_json: &str) -> Option<Self> {
        None
    }

    /// As JSON: as serde writes it, unless there is a faster way to the same letters.
    fn to_json(&self) -> String {
        to_json(self)
    }
}

/// When a command was received, from whom, and where its first event will be recorded.
#[derive(Debug, Clone, Copy)]
pub struct CommandContext<'a> {
    /// When the command was received, not when it is decided.
    pub at: Moment,
    /// Who sent it.
    pub actor: &'a Actor,
    /// The position that its first event will have in the ledger.
    pub position: u64,
}

/// Where and when an event was recorded.
#[derive(Debug, Clone, Copy)]
pub struct RecordedAt {
    /// Its place in the ledger.
    pub position: u64,
    /// When its command was received.
    pub at: Moment,
}

/// What is told of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Who may hear it.
    pub audience: Audience,
    /// What is said, as JSON: never more than its audience may know.
    pub data: String,
}

/// Who may hear a notice. Admins and judges may hear all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Audience {
    /// Whoever listens.
    Everyone,
    /// This participant of the stream.
    Participant(SmolStr),
    /// Nobody else.
    Judges,
}

/// What follows from a command: decisions of a court, or drafts of the records they become.
#[derive(Debug)]
pub enum Ruling<T> {
    /// These follow, in order.
    Decided(Vec<T>),
    /// The command was decided before, by the record at this position: the same answer again.
    AsBefore(u64),
}

/// An event, with the verdict behind it when it is one.
#[derive(Debug)]
pub struct Decision<E> {
    /// What has happened.
    pub event: E,
    /// The verdict, as JSON.
    pub verdict: Option<String>,
}

impl<E> Decision<E> {
    /// Something happened that needs no verdict.
    pub const fn fact(event: E) -> Self {
        Self { event, verdict: None }
    }

    /// Something was judged.
    pub fn judged<D: Detail, S: Derivation>(event: E, verdict: &Verdict<D, S>) -> Self {
        Self { event, verdict: Some(verdict.to_json()) }
    }
}

impl<E> From<Decision<E>> for Ruling<Decision<E>> {
    fn from(decision: Decision<E>) -> Self {
        Self::Decided(vec![decision])
    }
}

/// JSON of a value that can always be written as such: our own structures with text keys.
#[must_use]
pub fn to_json<T: Serialize>(value: &T) -> String {
    // Most of what is written here is a record or a verdict: room for one at once instead of growing four times.
    let mut json = Vec::with_capacity(1024);
    #[allow(clippy::expect_used, reason = "only maps with keys that are no text fail, and we have none")]
    serde_json::to_writer(&mut json, value).expect("our structures are writable as JSON");
    #[allow(clippy::expect_used, reason = "JSON is written as UTF-8")]
    String::from_utf8(json).expect("JSON is text")
}
