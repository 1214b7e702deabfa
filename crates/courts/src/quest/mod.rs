//! The quest court: self-reported effort.
//!
//! Hunters log workouts that nobody watched. The court compares a log with its plan and with human limits;
//! the result is an integrity score and, from it, a status. XP is a product: the plan's minutes plus a bonus
//! for extra volume, times integrity, effort, class, safety, streak, hunter status and proof. A log that
//! cannot be parsed is refused and costs nothing.
//!
//! Every hunter has a stream, and so has every picture or video that was ever used as proof. Reports are
//! filed in the reporter's stream, which enforces the daily rate limit, and received in the stream of the
//! reported hunter. Ranks change only by exams, which the clock grants unless a report objects.

mod amending;
mod asking;
mod board;
mod day;
mod deciding;
mod delivery;
mod document;
mod events;
mod exam;
mod integrity;
mod judging;
mod log;
mod messages;
mod modifiers;
mod notice;
mod profile;
mod quantity;
mod reading;
mod reasons;
mod refusals;
mod rules;
mod state;
#[cfg(test)]
mod tests;
mod verdict;
mod view;
mod words;
mod work;

use assize_kernel::{
    Audience, CommandContext, Court, Decision, Moment, Notice, RecordedAt, Rulebook, RulebookRef, Ruling,
    SmolStr, StandingChange, StreamId, VerdictText,
};

pub use board::{HUNTERS, QUEUE, board_name, is_flagged};
pub use day::{Day, NotADay};
pub use delivery::LoggedText;
pub use events::{LogJudged, QuestEvent, Rejudged, WordsRead};
pub use log::{DoneExercise, Log, Plan, PlannedExercise, Proof};
pub use messages::{QuestCommand, Submission};
pub use profile::{Class, Condition, HunterStatus, Intensity, Profile, ProofKind, QuestType, Rank};
pub use quantity::Amount;
pub use reading::{Reading, Sign, SignKind, WORD_LIST, read};
pub use refusals::{QuestRefusal, Unreadable};
pub use rules::{Category, ExamType, Exercise, QuestRules};
pub use state::{Hunter, QuestState};
pub use verdict::{LogAction, StatUpdates, Status, VerificationStatus};
pub use view::{ExamView, HunterView, LogView, QuestView, ReportView, StatsView};
pub use words::{Basis, ReportReading, WordsReading};

const HUNTER: &str = include_str!("../../../../rulebooks/quest/hunter.toml");
const FAIR: &str = include_str!("../../../../rulebooks/quest/fair.toml");

/// The quest court.
pub struct Quest;

impl Quest {
    /// Whether a stream name belongs to a picture or video instead of a hunter.
    #[must_use]
    pub fn is_media(name: &str) -> bool {
        deciding::is_media(name)
    }
}

impl Court for Quest {
    const NAME: &'static str = "quest";
    const EDITION: u32 = 2;
    const RULEBOOKS: &'static [(&'static str, &'static str)] = &[("hunter", HUNTER), ("fair", FAIR)];
    const BOARD_AUDIENCE: Audience = Audience::Everyone;

    type Rules = QuestRules;
    type State = QuestState;
    type Command = QuestCommand;
    type Event = QuestEvent;
    type Refusal = QuestRefusal;

    fn decide(
        book: &Rulebook<QuestRules>,
        state: &QuestState,
        command: &QuestCommand,
        context: CommandContext<'_>,
    ) -> Result<Ruling<Decision<QuestEvent>>, QuestRefusal> {
        deciding::decide(book, state, command, context)
    }

    fn evolve(state: &mut QuestState, event: &QuestEvent, recorded_at: RecordedAt) {
        state::evolve(state, event, recorded_at);
    }

    fn rulebook(state: &QuestState) -> Option<&RulebookRef> {
        state.rulebook()
    }

    fn deadline(state: &QuestState) -> Option<(Moment, QuestCommand)> {
        deciding::deadline(state)
    }

    fn judge_again(
        book: &Rulebook<QuestRules>,
        state: &QuestState,
        event: &QuestEvent,
    ) -> Option<Decision<QuestEvent>> {
        deciding::judge_again(book, state, event)
    }

    fn standings(
        stream: &StreamId,
        state: &QuestState,
        event: &QuestEvent,
        changes: &mut Vec<StandingChange>,
    ) {
        board::standings(stream, state, event, changes);
    }

    fn notice(event: &QuestEvent, recorded_at: RecordedAt) -> Option<Notice> {
        notice::of(event, recorded_at)
    }

    fn participant(event: &QuestEvent) -> Option<&SmolStr> {
        amending::participant(event)
    }

    fn under(event: &QuestEvent, rulebook: &RulebookRef) -> Option<QuestEvent> {
        amending::under(event, rulebook)
    }

    fn objection(
        book: &Rulebook<QuestRules>,
        state: &QuestState,
        event: &QuestEvent,
    ) -> Option<QuestRefusal> {
        deciding::objection(book, state.hunter()?, event)
    }

    fn judge(book: &Rulebook<QuestRules>, document: &str) -> Result<VerdictText, QuestRefusal> {
        document::judge(book, document)
    }
}
