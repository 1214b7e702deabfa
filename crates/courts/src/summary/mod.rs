//! The summary court: scores how faithful a summary is to its article.
//!
//! An assessor reports findings: key points and whether they are covered, claims and whether the article
//! backs them, questions asked both ways, segments, deviations, tone and issues. From the findings the court
//! computes two frameworks, Twin-Lock and Judge-Lock, of five metrics each; every cap is a step of the
//! derivation. The assessor is the rule-based reading of this court, a language model or a person; the
//! arithmetic is the same.

mod asking;
mod board;
mod checking;
mod deciding;
mod delivery;
mod document;
mod findings;
mod judging;
mod messages;
mod metrics;
mod notice;
mod reading;
mod refusals;
mod rules;
mod state;
mod view;

use std::sync::LazyLock;

use assize_kernel::{
    CommandContext, Court, Decision, Moment, Notice, RecordedAt, Rulebook, RulebookRef, Ruling,
    StandingChange, StreamId, VerdictText,
};

pub use document::{assess, read};
pub use findings::{
    AnswerStatus, Claim, ClaimLabel, Deviation, DriftAspect, DriftDegree, Findings, Issue, IssueKind,
    KeyPoint, Objection, Passage, PointCoverage, Question, ReadingNote, Segment, SummaryTone,
};
pub use judging::{
    AlignmentScore, BiasToxicityScore, CoverageScore, FrameworkScores, HallucinationScore,
    HallucinationSeverity, RelevanceScore, SegmentLabel, SummaryDetail,
};
pub use messages::{SummaryCommand, SummaryEvent};
pub use metrics::{
    FRAMEWORKS, METRIC_COUNT, METRICS, SCORES, SummaryFramework, SummaryMetric, SummaryScore, TOTAL_SCORE,
};
pub use refusals::SummaryRefusal;
pub use rules::{
    AlignmentRules, BiasRules, JudgeLockRules, OverlapMeasure, QuestionMetric, SummaryRules, TwinLockRules,
    Weights,
};
pub use state::{JudgedItem, ModelTotals, SummaryState};
pub use view::{SummaryItemView, SummaryItemsView, SummaryModelView, SummaryRunView};

const LOCKS: &str = include_str!("../../../../rulebooks/summary/locks.toml");

/// An article and its summary.
#[derive(Debug, Clone, Copy)]
pub struct TextPair<'a> {
    /// The text that was summarised.
    pub article: &'a str,
    /// The summary of the article.
    pub summary: &'a str,
}

/// The summary court.
pub struct Summary;

static SHIPPED: LazyLock<Vec<Rulebook<SummaryRules>>> = LazyLock::new(|| {
    let read = |(name, text): &(&str, &str)| Rulebook::read(Summary::NAME, name, text).ok();
    Summary::RULEBOOKS.iter().filter_map(read).collect()
});

/// The built-in rulebook that a verdict refers to, looked up by hash.
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
        _: CommandContext<'_>,
    ) -> Result<Ruling<Decision<SummaryEvent>>, SummaryRefusal> {
        deciding::decide(book, state, command)
    }

    fn evolve(state: &mut SummaryState, event: &SummaryEvent, recorded_at: RecordedAt) {
        state::evolve(state, event, recorded_at);
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

    fn notice(event: &SummaryEvent, _: RecordedAt) -> Option<Notice> {
        Some(notice::of(event))
    }

    fn under(event: &SummaryEvent, rulebook: &RulebookRef) -> Option<SummaryEvent> {
        deciding::under(event, rulebook)
    }

    fn judge(book: &Rulebook<SummaryRules>, document: &str) -> Result<VerdictText, SummaryRefusal> {
        document::judge(book, document)
    }
}
