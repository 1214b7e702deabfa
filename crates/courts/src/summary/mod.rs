//! The summary court: is a summary true to its article?
//!
//! An assessor reports findings: key points and whether they are covered, claims and whether the article backs
//! them, questions asked both ways, segments, deviations, tone and issues. The court computes two frameworks from
//! them, Twin-Lock and Judge-Lock: five metrics each, every cap a step of the derivation. The assessor is the
//! reading in this court, a language model or a person; the arithmetic is the same.

mod asking;
mod board;
mod checking;
mod deciding;
mod document;
mod findings;
mod judging;
mod messages;
mod notice;
mod reading;
mod refusals;
mod rules;
mod state;
mod view;
mod written;

use std::sync::LazyLock;

use assize_kernel::{
    Court, Decision, Moment, Notice, Occasion, Rulebook, RulebookRef, Ruling, Stamp, StandingChange, StreamId,
};

pub use document::{assess, read};
pub use findings::{
    Aspect, Claim, Coverage, Degree, Deviation, Findings, Issue, IssueKind, KeyPoint, Label, Note, Objection,
    Passage, Question, Segment, Status, Tone,
};
pub use judging::{
    AlignmentScore, BiasToxicityScore, CoverageScore, Framework, HallucinationScore, RelevanceScore,
    SegmentLabel, Severity, SummaryDetail,
};
pub use messages::{SummaryCommand, SummaryEvent};
pub use refusals::SummaryRefusal;
pub use rules::{
    AlignmentRules, BiasRules, JudgeLockRules, Metric, Overlap, SummaryRules, TwinLockRules, Weights,
};
pub use state::{Kept, SummaryState, Totals};
pub use view::{ItemView, ItemsView, ModelView, RunView};

const LOCKS: &str = include_str!("../../../../rulebooks/summary/locks.toml");

/// The two texts.
#[derive(Debug, Clone, Copy)]
pub struct Texts<'a> {
    /// What was summarised.
    pub article: &'a str,
    /// The summary of it.
    pub summary: &'a str,
}

/// The summary court.
pub struct Summary;

static SHIPPED: LazyLock<Vec<Rulebook<SummaryRules>>> = LazyLock::new(|| {
    let read = |(name, text): &(&str, &str)| Rulebook::read(Summary::NAME, name, text).ok();
    Summary::RULEBOOKS.iter().filter_map(read).collect()
});

/// A rulebook that ships, by what it is called in verdicts.
#[must_use]
pub fn shipped_rulebook(reference: &RulebookRef) -> Option<&'static Rulebook<SummaryRules>> {
    SHIPPED.iter().find(|book| book.reference.hash == reference.hash)
}

impl Court for Summary {
    const NAME: &'static str = "summary";
    const EDITION: u32 = 1;
    const RULEBOOKS: &'static [(&'static str, &'static str)] = &[("locks", LOCKS)];

    type Rules = SummaryRules;
    type State = SummaryState;
    type Command = SummaryCommand;
    type Event = SummaryEvent;
    type Refusal = SummaryRefusal;

    fn decide(
        book: &Rulebook<SummaryRules>,
        state: &SummaryState,
        command: &SummaryCommand,
        _: Occasion<'_>,
    ) -> Result<Ruling<SummaryEvent>, SummaryRefusal> {
        deciding::decide(book, state, command)
    }

    fn evolve(state: &mut SummaryState, event: &SummaryEvent, stamp: Stamp) {
        state::evolve(state, event, stamp);
    }

    fn rulebook(state: &SummaryState) -> Option<&RulebookRef> {
        state.rulebook.as_ref()
    }

    fn deadline(_: &SummaryState) -> Option<(Moment, SummaryCommand)> {
        None
    }

    fn judge_again(
        book: &Rulebook<SummaryRules>,
        _: &SummaryState,
        event: &SummaryEvent,
    ) -> Option<Decision<SummaryEvent>> {
        deciding::judge_again(book, event)
    }

    fn standings(
        stream: &StreamId,
        state: &SummaryState,
        event: &SummaryEvent,
        changes: &mut Vec<StandingChange>,
    ) {
        board::standings(stream, state, event, changes);
    }

    fn notice(event: &SummaryEvent, _: Stamp) -> Option<Notice> {
        Some(notice::of(event))
    }

    fn under(event: &SummaryEvent, rulebook: &RulebookRef) -> Option<SummaryEvent> {
        deciding::under(event, rulebook)
    }

    fn judge(book: &Rulebook<SummaryRules>, document: &str) -> Result<String, SummaryRefusal> {
        document::judge(book, document)
    }
}
