//! The radio court: grades the radio calls of student pilots.
//!
//! The student answers a controller, or makes the first call; transmissions are transcripts. The grader
//! parses both (`reading`), compares the readback with the instruction item by item, and fills the components
//! of a rubric with four dimensions: phrase accuracy, ordering, omissions and safety. The sum is added to the
//! score of the session. A dangerous error blocks the turn, and the call must be repeated. A call that cannot
//! be parsed is answered with `say again` and counts as neither right nor wrong.
//!
//! A class is one stream. Its sessions are runs of scenarios, which instructors write as TOML.

mod amending;
mod asking;
mod board;
pub mod calibrating;
mod correcting;
mod deciding;
mod delivery;
mod detail;
mod document;
mod grading;
mod json;
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

use assize_kernel::{
    CommandContext, Court, Decision, Moment, Notice, RecordedAt, Rulebook, RulebookRef, Ruling, SmolStr,
    StandingChange, StreamId, VerdictText,
};

pub use detail::RadioDetail;
pub use judging::{RadioFindings, RadioVerdict};
pub use messages::{RadioCommand, RadioEvent, SessionOutcome, TurnScore};
pub use refusals::RadioRefusal;
pub use rubric::{ComponentCode, FindingSource, RubricCategory, RubricComponent, SafetyHazard};
pub use rules::{RadioRules, SessionDifficulty};
pub use scenario::{
    PhaseSlot, SCENARIOS, Scenario, ScenarioChart, ScenarioPhase, read_scenario, shipped_scenario,
};
pub use state::{ClassSession, RadioState, SessionTurn};
pub use view::{ClassView, SessionSummary, SessionView, TurnView};

const NAME: &str = "radio";
/// Version of the parser in `reading`, named in verdicts.
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

    /// The opening record of a session holds the whole scenario, with the answers that its student must not
    /// read.
    fn is_hidden_from_actor(kind: &str) -> bool {
        kind == "SessionOpened"
    }

    fn decide(
        book: &Rulebook<RadioRules>,
        state: &RadioState,
        command: &RadioCommand,
        context: CommandContext<'_>,
    ) -> Result<Ruling<Decision<RadioEvent>>, RadioRefusal> {
        deciding::decide(book, state, command.clone(), context)
    }

    fn evolve(state: &mut RadioState, event: &RadioEvent, recorded_at: RecordedAt) {
        state::evolve(state, event, recorded_at);
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

    fn notice(event: &RadioEvent, recorded_at: RecordedAt) -> Option<Notice> {
        notice::of(event, recorded_at)
    }

    fn participant(event: &RadioEvent) -> Option<&SmolStr> {
        amending::participant(event)
    }

    fn under(event: &RadioEvent, rulebook: &RulebookRef) -> Option<RadioEvent> {
        amending::under(event, rulebook)
    }

    fn judge(book: &Rulebook<RadioRules>, document: &str) -> Result<VerdictText, RadioRefusal> {
        document::judge(book, document)
    }
}
