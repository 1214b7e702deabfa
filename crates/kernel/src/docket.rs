//! Any court behind one face, so that the clerk and the program need not know which one they serve.

use std::any::Any;
use std::borrow::Cow;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::board::{Moved, StandingChange};
use crate::court::{Court, Decision, Event, Notice, Occasion, Ruling, Stamp, to_json};
use crate::differences::from_the_record;
use crate::record::{Draft, RecordRef};
use crate::rulebook::{Rulebook, RulebookError, RulebookRef};
use crate::{Actor, Moment, Refusal, StreamId};

/// A command of some court.
pub type AnyCommand = Box<dyn Any + Send>;

/// A court, whichever it is.
pub trait AnyCourt: Send + Sync {
    /// See [`Court::NAME`].
    fn name(&self) -> &'static str;
    /// See [`Court::EDITION`].
    fn edition(&self) -> u32;
    /// See [`Court::RULEBOOKS`].
    fn rulebooks(&self) -> &'static [(&'static str, &'static str)];
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
    /// See [`Court::judge`].
    ///
    /// # Errors
    /// A refusal, or our own fault.
    fn judge(&self, book: &AnyRulebook, document: &str) -> Result<String, Unheard>;
    /// See [`Court::notice`].
    ///
    /// # Errors
    /// When the record cannot be read.
    fn notice(&self, record: &RecordRef<'_>) -> Result<Option<Notice>, Unreadable>;
    /// A stream in which nothing has happened yet.
    fn empty(&self, stream: StreamId) -> Box<dyn Docket>;
    /// A stream as a snapshot has it.
    ///
    /// # Errors
    /// When the snapshot cannot be read; it is then to be discarded.
    fn restore(
        &self,
        stream: StreamId,
        version: u64,
        snapshot: &str,
    ) -> Result<Box<dyn Docket>, serde_json::Error>;
}

/// A stream with its state, in whichever court.
pub trait Docket: Send {
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
    fn hear(
        &mut self,
        book: &AnyRulebook,
        command: &AnyCommand,
        hearing: Hearing<'_>,
    ) -> Result<Heard, Unheard>;
    /// Lets the earliest deadline happen, dated when it was due.
    ///
    /// # Errors
    /// When nothing comes of it: the court is at fault.
    fn fire(&mut self, book: &AnyRulebook, position: u64) -> Result<Vec<Draft>, Unheard>;
    /// Takes a recorded event into the state.
    ///
    /// # Errors
    /// When the record cannot be read.
    fn follow(&mut self, record: &RecordRef<'_>) -> Result<(), Unreadable>;
    /// Moves what the events since the last call have changed on the boards to the end of `changes`.
    fn take_changes(&mut self, changes: &mut Vec<Moved>);
    /// Forgets what they have changed: it is on the boards already.
    fn drop_changes(&mut self);
    /// Judges a recorded input once more, on the state before it, and compares.
    ///
    /// # Errors
    /// When the record cannot be read.
    fn compare(&self, book: &AnyRulebook, record: &RecordRef<'_>) -> Result<Comparison, Unreadable>;
    /// The state, for those who know its type.
    fn state(&self) -> &dyn Any;
    /// The state as JSON.
    fn snapshot(&self) -> String;
}

/// The circumstances in which a command is heard.
#[derive(Debug, Clone, Copy)]
pub struct Hearing<'a> {
    /// When it was received.
    pub at: Moment,
    /// Who sent it.
    pub actor: &'a Actor,
    /// The position that its first event will have.
    pub position: u64,
}

/// What came of a command.
#[derive(Debug)]
pub enum Heard {
    /// To be recorded.
    Decided(Vec<Draft>),
    /// The record at this position has said it already.
    AsBefore(u64),
}

/// Why nothing came of a command.
#[derive(Debug, thiserror::Error)]
pub enum Unheard {
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
        let stamp = Stamp { position: record.position, at: record.at };
        Ok(C::notice(&Case::<C>::read(record)?, stamp))
    }

    fn empty(&self, stream: StreamId) -> Box<dyn Docket> {
        Box::new(Case::<C> {
            stream,
            version: 0,
            state: C::State::default(),
            changes: Vec::new(),
            latest: Vec::new(),
        })
    }

    fn restore(
        &self,
        stream: StreamId,
        version: u64,
        snapshot: &str,
    ) -> Result<Box<dyn Docket>, serde_json::Error> {
        let state = serde_json::from_str(snapshot)?;
        Ok(Box::new(Case::<C> { stream, version, state, changes: Vec::new(), latest: Vec::new() }))
    }
}

/// A stream of the court `C` with its state.
struct Case<C: Court> {
    stream: StreamId,
    version: u64,
    state: C::State,
    changes: Vec<Moved>,
    /// What one event has changed: empty in between, kept for its room.
    latest: Vec<StandingChange>,
}

impl<C: Court> Case<C> {
    fn record(&mut self, decisions: Vec<Decision<C::Event>>, hearing: Hearing<'_>) -> Vec<Draft> {
        let mut position = hearing.position;
        let drafts = decisions.into_iter().map(|Decision { event, verdict }| {
            let draft = Draft {
                stream: self.stream.clone(),
                version: self.version + 1,
                edition: C::EDITION,
                kind: event.kind().into(),
                at: hearing.at,
                actor: hearing.actor.to_string(),
                body: to_json(&event),
                verdict,
            };
            self.take(&event, Stamp { position, at: hearing.at });
            position += 1;
            draft
        });
        drafts.collect()
    }

    fn take(&mut self, event: &C::Event, stamp: Stamp) {
        C::evolve(&mut self.state, event, stamp);
        self.version += 1;
        C::standings(&self.stream, &self.state, event, &mut self.latest);
        let position = stamp.position;
        self.changes.extend(self.latest.drain(..).map(|change| Moved { position, change }));
    }

    fn decide(
        &mut self,
        book: &AnyRulebook,
        command: &C::Command,
        hearing: Hearing<'_>,
    ) -> Result<Heard, Unheard> {
        let occasion = Occasion { at: hearing.at, actor: hearing.actor };
        let ruling = C::decide(typed::<C>(book)?, &self.state, command, occasion);
        match ruling.map_err(|refusal| Unheard::Refused(refusal.into()))? {
            Ruling::Decided(decisions) => Ok(Heard::Decided(self.record(decisions, hearing))),
            Ruling::AsBefore(position) => Ok(Heard::AsBefore(position)),
        }
    }

    fn read(record: &RecordRef<'_>) -> Result<C::Event, Unreadable> {
        serde_json::from_str(record.body).map_err(|error| Unreadable {
            position: record.position,
            stream: record.stream.to_owned(),
            kind: record.kind.to_owned(),
            problem: error.to_string(),
        })
    }
}

impl<C: Court> Docket for Case<C> {
    fn stream(&self) -> &StreamId {
        &self.stream
    }

    fn version(&self) -> u64 {
        self.version
    }

    fn rulebook(&self) -> Option<&RulebookRef> {
        C::rulebook(&self.state)
    }

    fn deadline(&self) -> Option<Moment> {
        C::deadline(&self.state).map(|(at, _)| at)
    }

    fn hear(
        &mut self,
        book: &AnyRulebook,
        command: &AnyCommand,
        hearing: Hearing<'_>,
    ) -> Result<Heard, Unheard> {
        let command = command.downcast_ref::<C::Command>();
        let command = command.ok_or(Unheard::Broken("a command of another court".into()))?;
        self.decide(book, command, hearing)
    }

    fn fire(&mut self, book: &AnyRulebook, position: u64) -> Result<Vec<Draft>, Unheard> {
        let Some((at, command)) = C::deadline(&self.state) else { return Ok(Vec::new()) };
        let actor = Actor::clock();
        match self.decide(book, &command, Hearing { at, actor: &actor, position })? {
            // Several things may be due at the same moment; something must have happened, though.
            Heard::Decided(drafts) if !drafts.is_empty() || self.deadline().is_none_or(|next| next > at) => {
                Ok(drafts)
            }
            _ => {
                Err(Unheard::Broken(format!("the deadline of {} at {at} does not pass", self.stream).into()))
            }
        }
    }

    fn follow(&mut self, record: &RecordRef<'_>) -> Result<(), Unreadable> {
        let event = C::Event::facts(record.body).map_or_else(|| Self::read(record), Ok)?;
        self.take(&event, Stamp { position: record.position, at: record.at });
        Ok(())
    }

    fn take_changes(&mut self, changes: &mut Vec<Moved>) {
        changes.append(&mut self.changes);
    }

    fn drop_changes(&mut self) {
        self.changes.clear();
    }

    fn compare(&self, book: &AnyRulebook, record: &RecordRef<'_>) -> Result<Comparison, Unreadable> {
        if record.verdict.is_none() {
            return Ok(Comparison::NoVerdict);
        }
        let event = Self::read(record)?;
        let Ok(book) = typed::<C>(book) else { return Ok(Comparison::NoVerdict) };
        let Some(Decision { event, verdict }) = C::judge_again(book, &self.state, &event) else {
            return Ok(Comparison::NoVerdict);
        };
        let body = to_json(&event);
        if body == record.body && verdict.as_deref() == record.verdict {
            return Ok(Comparison::Same);
        }
        let mut differences = Vec::new();
        from_the_record("the event", Some(record.body), Some(&body), &mut differences);
        from_the_record("the verdict", record.verdict, verdict.as_deref(), &mut differences);
        Ok(Comparison::Different(differences))
    }

    fn state(&self) -> &dyn Any {
        &self.state
    }

    fn snapshot(&self) -> String {
        to_json(&self.state)
    }
}

fn typed<C: Court>(book: &AnyRulebook) -> Result<&Rulebook<C::Rules>, Unheard> {
    book.typed.downcast_ref().ok_or(Unheard::Broken("a rulebook of another court".into()))
}
