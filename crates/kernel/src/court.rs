//! The [`Court`] trait. A court is a pure decider: it reads no clock, does no I/O, and gives reasons.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::board::StandingChange;
use crate::revision::Correction;
use crate::rulebook::{Rulebook, RulebookRef, Rules};
use crate::verdict::{Derivation, Detail, Verdict, VerdictText};
use crate::{Actor, Moment, Refusal, RefusalKind, SmolStr, StreamId};

/// A court: how one kind of thing is judged.
///
/// `decide` and `evolve` are all there is to it. The same records give the same verdicts, byte for byte.
///
/// # Examples
/// A whole court:
/// ```
#[doc = include_str!("../examples/coin_court.rs")]
/// ```
pub trait Court: Send + Sync + 'static {
    /// The court's name, the first part of its streams' names.
    const NAME: &'static str;
    /// Incremented whenever the same input may be judged or folded differently.
    const EDITION: u32;
    /// The built-in rulebooks as name and text, the default first.
    const RULEBOOKS: &'static [(&'static str, &'static str)];
    /// Whether the court is listed to users.
    const LISTED: bool = true;
    /// Who may see the court's boards. Judges only, unless the court opens them.
    const BOARD_AUDIENCE: Audience = Audience::Judges;

    /// The parameters that a rulebook sets.
    type Rules: Rules;
    /// The state of a stream, folded from its events.
    type State: Default + Serialize + DeserializeOwned + Send + 'static;
    /// What a client asks for; named in the imperative.
    type Command: Serialize + DeserializeOwned + Send + 'static;
    /// What has happened; named in the past tense.
    type Event: Event;
    /// Why a command is refused; named after the state that prevents it.
    type Refusal: Into<Refusal>;

    /// Decides a command: the events that follow from it.
    ///
    /// # Errors
    /// A refusal, when the command is not accepted.
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

    /// The next deadline: when it is due and the command to decide then.
    fn deadline(state: &Self::State) -> Option<(Moment, Self::Command)>;

    /// Judges the input of a recorded event again, on the state just before it; none when there is nothing to
    /// judge. A fact that depends on the rulebook is returned without a verdict, as it would be under this
    /// rulebook.
    fn judge_again(
        book: &Rulebook<Self::Rules>,
        state: &Self::State,
        event: &Self::Event,
    ) -> Option<Decision<Self::Event>>;

    /// Adds the board changes of an event to `changes`; `state` is the state after the event.
    fn standings(
        stream: &StreamId,
        state: &Self::State,
        event: &Self::Event,
        changes: &mut Vec<StandingChange>,
    );

    /// The notice that clients receive of an event; none when it is not published. It must follow from the
    /// event alone, so that a client that was disconnected can be sent the same notice later.
    fn notice(event: &Self::Event, recorded_at: RecordedAt) -> Option<Notice>;

    /// The participant that a judged event concerns, who may read what comes of it.
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

    /// Applies a correction to an event; none when the correction is about another event. Judged events are
    /// judged again afterwards.
    ///
    /// # Errors
    /// The correction cannot be parsed or is not consistent with the event.
    fn amend(
        _book: &Rulebook<Self::Rules>,
        _event: &Self::Event,
        _recorded_at: RecordedAt,
        _correction: &Correction<'_>,
    ) -> Result<Option<Self::Event>, Refusal> {
        let message = format!("nothing can be corrected in a {}; give another rulebook", Self::NAME);
        Err(Refusal::new("revision.amendment.unknown", RefusalKind::Malformed, message))
    }

    /// The refusal that a recorded event would meet on this state, that of a revised history; none when it
    /// would be accepted.
    fn objection(
        _book: &Rulebook<Self::Rules>,
        _state: &Self::State,
        _event: &Self::Event,
    ) -> Option<Self::Refusal> {
        None
    }

    /// Takes an event into the state that would be refused in a revised history: it must not count.
    fn set_aside(_state: &mut Self::State, _event: &Self::Event, _recorded_at: RecordedAt) {}

    /// Judges a single document without a stream, as `assize judge` does.
    ///
    /// # Errors
    /// A refusal that names the wrong field of the document.
    fn judge(book: &Rulebook<Self::Rules>, document: &str) -> Result<VerdictText, Self::Refusal>;
}

/// An event of a court.
pub trait Event: Serialize + DeserializeOwned + Send + 'static {
    /// The name in the past tense, the same as in its JSON.
    fn kind(&self) -> &'static str;

    /// Parses only the fields that a state is folded from, where that is faster than parsing all of the JSON.
    /// None where there is no fast path, or where the JSON is not formatted as `Serialize` formats it.
    fn facts(_json: &str) -> Option<Self> {
        None
    }

    /// The event as JSON. An override must write the same bytes as serde.
    fn to_json(&self) -> String {
        to_json(self)
    }
}

/// The circumstances of a command: when it was received, from whom, and where its first event will be
/// recorded.
#[derive(Debug, Clone, Copy)]
pub struct CommandContext<'a> {
    /// When the command was received, not when it is decided.
    pub at: Moment,
    /// The sender.
    pub actor: &'a Actor,
    /// The ledger position of the command's first event.
    pub position: u64,
}

/// Where and when an event was recorded.
#[derive(Debug, Clone, Copy)]
pub struct RecordedAt {
    /// The position in the ledger.
    pub position: u64,
    /// When the event's command was received.
    pub at: Moment,
}

/// A message to clients about an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Who may receive it.
    pub audience: Audience,
    /// The content as JSON: never more than the audience may know.
    pub data: String,
}

/// Who may receive a notice. Admins and judges receive all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Audience {
    /// Everybody.
    Everyone,
    /// This participant of the stream only.
    Participant(SmolStr),
    /// Admins and judges only.
    Judges,
}

/// The result of a command: decisions of a court, or drafts of the records they become.
#[derive(Debug)]
pub enum Ruling<T> {
    /// These follow from the command, in order.
    Decided(Vec<T>),
    /// The command was decided before, by the record at this position: the answer is repeated.
    AsBefore(u64),
}

/// An event, with its verdict if something was judged.
#[derive(Debug)]
pub struct Decision<E> {
    /// The event.
    pub event: E,
    /// The verdict as JSON.
    pub verdict: Option<VerdictText>,
}

impl<E> Decision<E> {
    /// An event without a verdict.
    pub const fn fact(event: E) -> Self {
        Self { event, verdict: None }
    }

    /// An event with its verdict.
    pub fn judged<D: Detail, S: Derivation>(event: E, verdict: &Verdict<D, S>) -> Self {
        Self { event, verdict: Some(verdict.to_text()) }
    }
}

impl<E> From<Decision<E>> for Ruling<Decision<E>> {
    fn from(decision: Decision<E>) -> Self {
        Self::Decided(vec![decision])
    }
}

/// Serializes a value that always can be: our own types, whose maps have string keys.
#[must_use]
pub fn to_json<T: Serialize>(value: &T) -> String {
    // Sized for a typical record or verdict, to avoid growing the buffer four times.
    let mut json = Vec::with_capacity(1024);
    #[allow(clippy::expect_used, reason = "only maps with keys that are no text fail, and we have none")]
    serde_json::to_writer(&mut json, value).expect("our structures are writable as JSON");
    #[allow(clippy::expect_used, reason = "JSON is written as UTF-8")]
    String::from_utf8(json).expect("JSON is text")
}
