//! The radio court: a student pilot on the frequency.
//!
//! A controller speaks, or the situation asks for a call; the student answers, as text. The grader reads both
//! (`reading`), says what had to be read back, what was, and what is wrong, and gives the components of a rubric
//! with four dimensions: phrase accuracy, ordering, omissions and safety. They add up to a number that the session
//! gains or loses. What is dangerous blocks the turn: it must be said again. What could not be read is `say again`,
//! neither right nor wrong.
//!
//! A class is one stream; its sessions are runs of scenarios, which instructors write as TOML.

mod amending;
mod asking;
mod board;
pub mod calibrating;
mod correcting;
mod deciding;
mod detail;
mod document;
mod grading;
mod judging;
mod messages;
mod notice;
pub mod reading;
mod refusals;
mod rubric;
mod rules;
mod scenario;
mod sheet;
mod slots;
mod state;
mod view;
mod written;

use assize_kernel::{
    Court, Decision, Moment, Notice, Occasion, Rulebook, RulebookRef, Ruling, SmolStr, Stamp, StandingChange,
    StreamId,
};

pub use detail::RadioDetail;
pub use judging::{Findings, RadioVerdict};
pub use messages::{RadioCommand, RadioEvent, SessionOutcome, TurnScore};
pub use refusals::RadioRefusal;
pub use rubric::{By, Category, Code, Component, Hazard};
pub use rules::{Difficulty, RadioRules};
pub use scenario::{Chart, Phase, SCENARIOS, Scenario, Slot, read_scenario, shipped_scenario};
pub use state::{RadioState, Session, Turn};
pub use view::{ClassView, SessionSummary, SessionView, TurnView};

const NAME: &str = "radio";
/// The edition of the reader, named in verdicts.
const READER: &str = "1";

const ICAO: &str = include_str!("../../../../rulebooks/radio/icao.toml");
const UK: &str = include_str!("../../../../rulebooks/radio/uk.toml");
const AUSTRALIA: &str = include_str!("../../../../rulebooks/radio/australia.toml");
const FAA: &str = include_str!("../../../../rulebooks/radio/faa.toml");

/// The radio court.
pub struct Radio;

impl Court for Radio {
    const NAME: &'static str = NAME;
    const EDITION: u32 = 1;
    const RULEBOOKS: &'static [(&'static str, &'static str)] =
        &[("icao", ICAO), ("uk", UK), ("australia", AUSTRALIA), ("faa", FAA)];

    type Rules = RadioRules;
    type State = RadioState;
    type Command = RadioCommand;
    type Event = RadioEvent;
    type Refusal = RadioRefusal;

    fn decide(
        book: &Rulebook<RadioRules>,
        state: &RadioState,
        command: &RadioCommand,
        occasion: Occasion<'_>,
    ) -> Result<Ruling<RadioEvent>, RadioRefusal> {
        deciding::decide(book, state, command.clone(), occasion)
    }

    fn evolve(state: &mut RadioState, event: &RadioEvent, stamp: Stamp) {
        state::evolve(state, event, stamp);
    }

    fn rulebook(state: &RadioState) -> Option<&RulebookRef> {
        state.rulebook()
    }

    fn deadline(state: &RadioState) -> Option<(Moment, RadioCommand)> {
        deciding::deadline(state)
    }

    fn judge_again(
        book: &Rulebook<RadioRules>,
        state: &RadioState,
        event: &RadioEvent,
    ) -> Option<Decision<RadioEvent>> {
        deciding::judge_again(book, state, event)
    }

    fn standings(
        stream: &StreamId,
        state: &RadioState,
        event: &RadioEvent,
        changes: &mut Vec<StandingChange>,
    ) {
        board::standings(stream, state, event, changes);
    }

    fn notice(event: &RadioEvent, stamp: Stamp) -> Option<Notice> {
        notice::of(event, stamp)
    }

    fn participant(event: &RadioEvent) -> Option<&SmolStr> {
        amending::participant(event)
    }

    fn under(event: &RadioEvent, rulebook: &RulebookRef) -> Option<RadioEvent> {
        amending::under(event, rulebook)
    }

    fn judge(book: &Rulebook<RadioRules>, document: &str) -> Result<String, RadioRefusal> {
        document::judge(book, document)
    }
}
