//! The contest court: live video-retrieval contests.
//!
//! An organiser opens a contest, registers teams and adds tasks. A task asks for moments in a video: `KIS` (find
//! what was shown), `QA` (find it and answer a question about it) or `TR` (find the frames of several events).
//! While a task runs, teams submit. An answer is compared with the ground truth exactly; a right one earns more
//! the sooner it comes and less for every wrong attempt before it, and then the team is done with the task. A
//! TR answer that is partly right earns part of it. What cannot be read is refused and costs nothing. To a task
//! without a ground truth, answers wait until a judge has said how right they are; equal answers get equal verdicts.
//!
//! Time is what the command says it is: the court reads no clock. Attempts follow the order of the records,
//! lateness follows the moment of receipt.

mod amending;
mod answer;
mod board;
mod csv;
mod deciding;
mod document;
mod fields;
mod fingerprint;
mod hint;
mod import;
mod judges;
mod judging;
mod matching;
mod messages;
mod near;
mod notice;
mod open_house;
mod outcome;
mod people;
mod programme;
mod queue;
mod queue_view;
mod reasons;
mod recent;
mod refusals;
mod rules;
mod state;
mod submission;
mod task;
#[cfg(test)]
mod tests;
mod timed;
mod view;
mod written;

use assize_kernel::{
    Correction, Court, Decision, Moment, Notice, Occasion, Refusal, Rulebook, RulebookRef, Ruling, SmolStr,
    Stamp, StandingChange, StreamId,
};

pub use amending::ContestAmendment;
pub use fields::NotAField;
pub use hint::{Hint, HintKind};
pub use import::{ImportFault, ReadTask, read_tasks};
pub use messages::{ContestCommand, ContestEvent, Outcome};
pub use people::Decided;
pub use queue::{Fate, Lease, Waiting};
pub use queue_view::{Held, QueueView, QueuedView};
pub use refusals::ContestRefusal;
pub use rules::{
    Aggregate, ContestRules, DistanceRules, JudgingRules, Matching, PartialRules, ScoreRules, TimeRules,
};
pub use state::{Attempts, Best, ContestState, Round, Task, Team};
pub use submission::{Mark, SubmissionBody, SubmittedAnswer};
pub use task::{Points, TaskFault, TaskSpec, TaskType};
pub use view::{ContestView, RoundView, TaskView, TeamView};

const COMPETITION: &str = include_str!("../../../../rulebooks/contest/competition.toml");
const TOLERANCE: &str = include_str!("../../../../rulebooks/contest/tolerance.toml");
const TOLERANCE_STRICT: &str = include_str!("../../../../rulebooks/contest/tolerance-strict.toml");
const TOLERANCE_LENIENT: &str = include_str!("../../../../rulebooks/contest/tolerance-lenient.toml");
const VBS: &str = include_str!("../../../../rulebooks/contest/vbs.toml");

/// The contest court.
pub struct Contest;

impl Court for Contest {
    const NAME: &'static str = "contest";
    const EDITION: u32 = 1;
    const RULEBOOKS: &'static [(&'static str, &'static str)] = &[
        ("competition", COMPETITION),
        ("tolerance", TOLERANCE),
        ("tolerance-strict", TOLERANCE_STRICT),
        ("tolerance-lenient", TOLERANCE_LENIENT),
        ("vbs", VBS),
    ];

    type Rules = ContestRules;
    type State = ContestState;
    type Command = ContestCommand;
    type Event = ContestEvent;
    type Refusal = ContestRefusal;

    fn decide(
        book: &Rulebook<ContestRules>,
        state: &ContestState,
        command: &ContestCommand,
        occasion: Occasion<'_>,
    ) -> Result<Ruling<ContestEvent>, ContestRefusal> {
        deciding::decide(book, state, command.clone(), occasion)
    }

    fn evolve(state: &mut ContestState, event: &ContestEvent, stamp: Stamp) {
        state::evolve(state, event, stamp);
    }

    fn rulebook(state: &ContestState) -> Option<&RulebookRef> {
        state.rulebook()
    }

    fn deadline(state: &ContestState) -> Option<(Moment, ContestCommand)> {
        deciding::deadline(state)
    }

    fn judge_again(
        book: &Rulebook<ContestRules>,
        state: &ContestState,
        event: &ContestEvent,
    ) -> Option<Decision<ContestEvent>> {
        deciding::judge_again(book, state, event)
    }

    fn standings(
        stream: &StreamId,
        state: &ContestState,
        event: &ContestEvent,
        changes: &mut Vec<StandingChange>,
    ) {
        board::standings(stream, state, event, changes);
    }

    fn notice(event: &ContestEvent, stamp: Stamp) -> Option<Notice> {
        notice::of(event, stamp)
    }

    fn participant(event: &ContestEvent) -> Option<&SmolStr> {
        amending::participant(event)
    }

    fn under(event: &ContestEvent, rulebook: &RulebookRef) -> Option<ContestEvent> {
        amending::under(event, rulebook)
    }

    fn amend(
        _book: &Rulebook<ContestRules>,
        event: &ContestEvent,
        stamp: Stamp,
        correction: &Correction<'_>,
    ) -> Result<Option<ContestEvent>, Refusal> {
        amending::amend(event, stamp, correction)
    }

    fn objection(
        book: &Rulebook<ContestRules>,
        state: &ContestState,
        event: &ContestEvent,
    ) -> Option<ContestRefusal> {
        amending::objection(book, state, event)
    }

    fn set_aside(state: &mut ContestState, event: &ContestEvent, stamp: Stamp) {
        amending::set_aside(state, event, stamp);
    }

    fn judge(book: &Rulebook<ContestRules>, document: &str) -> Result<String, ContestRefusal> {
        document::judge(book, document)
    }
}
