//! The contest court: live video-retrieval contests.
//!
//! An organiser opens a contest, registers teams and adds tasks. A task asks for moments in a video: `KIS`
//! (find what was shown), `QA` (find it and answer a question about it) or `TR` (find the frames of several
//! events). While a task runs, teams submit. An answer is compared with the ground truth; a right one earns
//! more the sooner it comes and less for every wrong attempt before it, and completes the task for the team.
//! A partly right TR answer earns part of that. An answer that does not parse is refused and costs nothing.
//! For a task without a ground truth, answers wait in a queue until a judge decides them; equal answers get
//! equal verdicts.
//!
//! The court reads no clock: the time comes with the command. Attempts follow the order of the records,
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
mod json;
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

use assize_kernel::{
    Audience, CommandContext, Correction, Court, Decision, Moment, Notice, RecordedAt, Refusal, Rulebook,
    RulebookRef, Ruling, SmolStr, StandingChange, StreamId, VerdictText,
};

pub use amending::ContestAmendment;
pub use board::scoring_time;
pub use fields::FieldError;
pub use hint::{HintKind, TaskHint};
pub use import::{ImportFault, ImportedTask, read_tasks};
pub use messages::{AnswerOutcome, ContestCommand, ContestEvent};
pub use people::JudgeDecision;
pub use queue::{AnswerLease, AnswerRecords, WaitingAnswer};
pub use queue_view::{HeldAnswer, QueueView, QueuedView};
pub use refusals::ContestRefusal;
pub use rules::{
    ContestRules, DistanceRules, JudgingRules, MatchingMode, PartialRules, ScoreAggregate, ScoreRules,
    TaskTimeRules,
};
pub use state::{BestSubmission, ContestState, ContestTask, ContestTeam, TaskRound, TeamAttempts};
pub use submission::{SubmissionBody, SubmittedAnswer, VideoMark};
pub use task::{TaskFault, TaskPoints, TaskSpec, TaskType};
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
    const BOARD_AUDIENCE: Audience = Audience::Everyone;

    type Rules = ContestRules;
    type State = ContestState;
    type Command = ContestCommand;
    type Event = ContestEvent;
    type Refusal = ContestRefusal;

    fn decide(
        book: &Rulebook<ContestRules>,
        state: &ContestState,
        command: &ContestCommand,
        context: CommandContext<'_>,
    ) -> Result<Ruling<Decision<ContestEvent>>, ContestRefusal> {
        deciding::decide(book, state, command.clone(), context)
    }

    fn evolve(state: &mut ContestState, event: &ContestEvent, recorded_at: RecordedAt) {
        state::evolve(state, event, recorded_at);
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

    fn notice(event: &ContestEvent, recorded_at: RecordedAt) -> Option<Notice> {
        notice::of(event, recorded_at)
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
        recorded_at: RecordedAt,
        correction: &Correction<'_>,
    ) -> Result<Option<ContestEvent>, Refusal> {
        amending::amend(event, recorded_at, correction)
    }

    fn objection(
        book: &Rulebook<ContestRules>,
        state: &ContestState,
        event: &ContestEvent,
    ) -> Option<ContestRefusal> {
        amending::objection(book, state, event)
    }

    fn set_aside(state: &mut ContestState, event: &ContestEvent, recorded_at: RecordedAt) {
        amending::set_aside(state, event, recorded_at);
    }

    fn judge(book: &Rulebook<ContestRules>, document: &str) -> Result<VerdictText, ContestRefusal> {
        document::judge(book, document)
    }
}
