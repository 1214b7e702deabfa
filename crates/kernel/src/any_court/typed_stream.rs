//! A stream of one court with its typed state: deciding, folding and judging again.

use std::any::Any;

use super::{AnyCommand, AnyRulebook, AnyStream, Comparison, DecideError, Unreadable};
use crate::board::{PlacedChange, StandingChange};
use crate::court::{CommandContext, Court, Decision, Event, RecordedAt, Ruling, to_json};
use crate::differences::from_the_record;
use crate::record::{Draft, RecordRef};
use crate::revision::{self, Retried, Revising};
use crate::rulebook::{Rulebook, RulebookRef};
use crate::{Actor, Moment, StreamId, VerdictText};

/// A stream of the court `C` with its state.
pub(super) struct TypedStream<C: Court> {
    stream: StreamId,
    version: u64,
    state: C::State,
    changes: Vec<PlacedChange>,
    /// Board changes of the current event; empty between calls, kept for its allocation.
    latest: Vec<StandingChange>,
}

impl<C: Court> TypedStream<C> {
    pub(super) fn new(stream: StreamId, version: u64, state: C::State) -> Self {
        Self { stream, version, state, changes: Vec::new(), latest: Vec::new() }
    }

    fn record(&mut self, decisions: Vec<Decision<C::Event>>, context: CommandContext<'_>) -> Vec<Draft> {
        let mut position = context.position;
        let drafts = decisions.into_iter().map(|Decision { event, verdict }| {
            let draft = Draft {
                stream: self.stream.clone(),
                version: self.version + 1,
                edition: C::EDITION,
                kind: event.kind().into(),
                at: context.at,
                actor: context.actor.written(),
                body: event.to_json(),
                verdict,
            };
            self.take(&event, RecordedAt { position, at: context.at });
            position += 1;
            draft
        });
        drafts.collect()
    }

    fn leave_out(&mut self, event: &C::Event, recorded_at: RecordedAt) {
        C::set_aside(&mut self.state, event, recorded_at);
        self.version += 1;
    }

    fn take(&mut self, event: &C::Event, recorded_at: RecordedAt) {
        C::evolve(&mut self.state, event, recorded_at);
        self.version += 1;
        C::standings(&self.stream, &self.state, event, &mut self.latest);
        let position = recorded_at.position;
        self.changes.extend(self.latest.drain(..).map(|change| PlacedChange { position, change }));
    }

    fn decide_typed(
        &mut self,
        book: &AnyRulebook,
        command: &C::Command,
        context: CommandContext<'_>,
    ) -> Result<Ruling<Draft>, DecideError> {
        let ruling = C::decide(typed::<C>(book)?, &self.state, command, context);
        match ruling.map_err(|refusal| DecideError::Refused(refusal.into()))? {
            Ruling::Decided(decisions) => Ok(Ruling::Decided(self.record(decisions, context))),
            Ruling::AsBefore(position) => Ok(Ruling::AsBefore(position)),
        }
    }

    pub(super) fn read(record: &RecordRef<'_>) -> Result<C::Event, Unreadable> {
        serde_json::from_str(record.body).map_err(|error| Unreadable {
            position: record.position,
            stream: record.stream.to_owned(),
            kind: record.kind.to_owned(),
            problem: error.to_string(),
        })
    }
}

impl<C: Court> AnyStream for TypedStream<C> {
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

    fn decide(
        &mut self,
        book: &AnyRulebook,
        command: &AnyCommand,
        context: CommandContext<'_>,
    ) -> Result<Ruling<Draft>, DecideError> {
        let command = command.downcast_ref::<C::Command>();
        let command = command.ok_or(DecideError::Broken("a command of another court".into()))?;
        self.decide_typed(book, command, context)
    }

    fn fire(&mut self, book: &AnyRulebook, position: u64) -> Result<Vec<Draft>, DecideError> {
        let Some((at, command)) = C::deadline(&self.state) else { return Ok(Vec::new()) };
        let actor = Actor::clock();
        match self.decide_typed(book, &command, CommandContext { at, actor: &actor, position })? {
            // Several deadlines may be due at the same moment, but each call must make progress.
            Ruling::Decided(drafts) if !drafts.is_empty() || self.deadline().is_none_or(|next| next > at) => {
                Ok(drafts)
            }
            _ => Err(DecideError::Broken(
                format!("the deadline of {} at {at} does not pass", self.stream).into(),
            )),
        }
    }

    fn follow(&mut self, record: &RecordRef<'_>) -> Result<(), Unreadable> {
        // The fast path reads nearly every record, and never one of a revision.
        let event = match C::Event::facts(record.body) {
            Some(event) => event,
            None if revision::is_one(record.kind) => {
                self.pass();
                return Ok(());
            }
            None => Self::read(record)?,
        };
        self.take(&event, RecordedAt { position: record.position, at: record.at });
        Ok(())
    }

    fn take_changes(&mut self, changes: &mut Vec<PlacedChange>) {
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
        let body = event.to_json();
        if body == record.body && verdict.as_deref() == record.verdict {
            return Ok(Comparison::Same);
        }
        let mut differences = Vec::new();
        from_the_record("the event", Some(record.body), Some(&body), &mut differences);
        from_the_record("the verdict", record.verdict, verdict.as_deref(), &mut differences);
        Ok(Comparison::Different(differences))
    }

    fn retry(
        &mut self,
        book: Option<&AnyRulebook>,
        record: &RecordRef<'_>,
        revising: &Revising<'_>,
    ) -> Result<Retried, DecideError> {
        let book = book.map(typed::<C>).transpose()?;
        let recorded_at = RecordedAt { position: record.position, at: record.at };
        let event = Self::read(record).map_err(|error| DecideError::Broken(error.to_string().into()))?;
        let (revised, corrections) = revise::<C>(book, &event, recorded_at, revising)?;
        let (is_revised, event) = (revised.is_some(), revised.unwrap_or(event));
        let participant = C::participant(&event).cloned();
        let objection = book.and_then(|book| C::objection(book, &self.state, &event));
        if let Some(refusal) = objection {
            self.leave_out(&event, recorded_at);
            let (body, refusal) = (is_revised.then(|| event.to_json()), Some(refusal.into()));
            return Ok(Retried { participant, corrections, body, verdict: None, refusal });
        }
        let judged = book.and_then(|book| C::judge_again(book, &self.state, &event));
        let is_new = is_revised || judged.is_some();
        let kept = |event| Decision { event, verdict: record.verdict.map(VerdictText::from) };
        let Decision { event, verdict } = judged.unwrap_or_else(|| kept(event));
        self.take(&event, recorded_at);
        let body = is_new.then(|| event.to_json());
        Ok(Retried { participant, corrections, body, verdict, refusal: None })
    }

    fn pass(&mut self) {
        self.version += 1;
    }

    fn set_aside(&mut self, record: &RecordRef<'_>) -> Result<(), Unreadable> {
        let event = Self::read(record)?;
        self.leave_out(&event, RecordedAt { position: record.position, at: record.at });
        Ok(())
    }

    fn state(&self) -> &dyn Any {
        &self.state
    }

    fn snapshot(&self) -> String {
        to_json(&self.state)
    }
}

/// Applies the revision to an event. Returns the revised event, none if nothing changes, and the indexes of
/// the corrections that match it.
fn revise<C: Court>(
    book: Option<&Rulebook<C::Rules>>,
    event: &C::Event,
    recorded_at: RecordedAt,
    revising: &Revising<'_>,
) -> Result<(Option<C::Event>, Vec<usize>), DecideError> {
    let mut revised = revising.rulebook.and_then(|rulebook| C::under(event, rulebook));
    let mut about = Vec::new();
    for (index, correction) in revising.corrections.iter().enumerate() {
        let Some(book) = book else { break };
        if let Some(amended) = C::amend(book, revised.as_ref().unwrap_or(event), recorded_at, correction)? {
            revised = Some(amended);
            about.push(index);
        }
    }
    Ok((revised, about))
}

pub(crate) fn typed<C: Court>(book: &AnyRulebook) -> Result<&Rulebook<C::Rules>, DecideError> {
    book.typed.downcast_ref().ok_or(DecideError::Broken("a rulebook of another court".into()))
}
