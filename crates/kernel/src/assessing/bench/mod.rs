//! The bench: a queue of submissions that wait for their assessors.
//!
//! A bench is a stream beside those of its court. A submission is received, leased to each assessor, reported
//! on, and judged when all assessors have reported; if they disagree too much, a person is asked as well.
//! Every answer is recorded verbatim with its question, so no assessor is asked again when a verdict is
//! computed again. A verdict that is to be delivered to another stream of its court, such as a run, is kept
//! until it has arrived there. An expired lease puts its submission back into the queue.

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
use crate::{Moment, StreamId, VerdictText};

/// The bench of the court `C`, itself a court.
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

/// Incremented when a bench decides or folds the same input differently.
const OWN_EDITION: u32 = 2;

impl<C: Assessable> Court for Assessed<C> {
    const NAME: &'static str = C::BENCH;
    /// Changes with the edition of the judging court as well.
    const EDITION: u32 = C::EDITION * 1000 + OWN_EDITION;
    /// None of its own: a bench uses the rulebooks of its court.
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

    fn judge(book: &Rulebook<C::Rules>, document: &str) -> Result<VerdictText, Refusal> {
        C::judge(book, document).map_err(Into::into)
    }
}
