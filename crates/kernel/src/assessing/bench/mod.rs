//! The bench: where submissions wait until whoever is to assess them has done so.
//!
//! A stream beside those of its court. A submission is received before anybody is asked, begun by an assessor for so
//! long, reported on, and judged when all who are asked have reported; when they are too far apart, a person is asked.
//! What an assessor has answered is recorded with the exact words of both sides: nobody is ever asked again to compute
//! a verdict once more. Where the verdict is wanted in another stream of its court, such as a run, it is remembered until
//! it is there. A lease that nobody came back from lapses by the clock, and the submission waits again.

mod deciding;
mod messages;
mod notice;
mod state;

use std::marker::PhantomData;

pub use messages::{BenchCommand, BenchEvent, Destination, Exchange, PANEL, PERSON, Panel, Testimony, Usage};
pub use state::{Begun, BenchState, Phase, Reported, Undelivered, Waiting};

use super::Assessable;
use super::concluding::verdict;
use crate::board::StandingChange;
use crate::court::{CommandContext, Court, Decision, Notice, RecordedAt, Ruling};
use crate::refusal::Refusal;
use crate::rulebook::{Rulebook, RulebookRef};
use crate::{Moment, StreamId};

/// The bench of the court `C`.
pub struct Assessed<C>(PhantomData<C>);

impl<C> Assessed<C> {
    /// The bench of the court `C`.
    #[must_use]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<C> Default for Assessed<C> {
    fn default() -> Self {
        Self::new()
    }
}

/// Counted up when a bench may decide or remember the same differently.
const OWN_EDITION: u32 = 2;

impl<C: Assessable> Court for Assessed<C> {
    const NAME: &'static str = C::BENCH;
    /// What the court does differently, its bench does differently.
    const EDITION: u32 = C::EDITION * 1000 + OWN_EDITION;
    /// Those of its court, which are handed in with what opens a stream.
    const RULEBOOKS: &'static [(&'static str, &'static str)] = &[];
    const LISTED: bool = false;

    type Rules = C::Rules;
    type State = BenchState;
    type Command = BenchCommand;
    type Event = BenchEvent;
    type Refusal = Refusal;

    fn decide(
        book: &Rulebook<C::Rules>,
        state: &BenchState,
        command: &BenchCommand,
        _: CommandContext<'_>,
    ) -> Result<Ruling<Decision<BenchEvent>>, Refusal> {
        deciding::decide::<C>(book, state, command)
    }

    fn evolve(state: &mut BenchState, event: &BenchEvent, recorded_at: RecordedAt) {
        state.take(event, recorded_at);
    }

    fn rulebook(state: &BenchState) -> Option<&RulebookRef> {
        state.rulebook.as_ref()
    }

    fn deadline(state: &BenchState) -> Option<(Moment, BenchCommand)> {
        let Begun { id, assessor, until } = state.begun.iter().min_by_key(|begun| begun.until)?;
        Some((*until, BenchCommand::Lapse { id: *id, assessor: assessor.clone() }))
    }

    fn judge_again(
        book: &Rulebook<C::Rules>,
        _: &BenchState,
        event: &BenchEvent,
    ) -> Option<Decision<BenchEvent>> {
        let BenchEvent::SubmissionJudged { document, remarks, .. } = event else { return None };
        let verdict = verdict::<C>(book, document, remarks).ok()?;
        Some(Decision { event: event.clone(), verdict: Some(verdict) })
    }

    fn standings(_: &StreamId, _: &BenchState, _: &BenchEvent, _: &mut Vec<StandingChange>) {}

    fn notice(event: &BenchEvent, _: RecordedAt) -> Option<Notice> {
        Some(notice::of(event))
    }

    fn under(event: &BenchEvent, rulebook: &RulebookRef) -> Option<BenchEvent> {
        let BenchEvent::SubmissionReceived { rulebook: Some(_), .. } = event else { return None };
        let mut revised = event.clone();
        if let BenchEvent::SubmissionReceived { rulebook: own, .. } = &mut revised {
            *own = Some(rulebook.clone());
        }
        Some(revised)
    }

    fn judge(book: &Rulebook<C::Rules>, document: &str) -> Result<String, Refusal> {
        C::judge(book, document).map_err(Into::into)
    }
}
