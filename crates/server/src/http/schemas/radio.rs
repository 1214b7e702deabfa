//! OpenAPI schemas of the radio court's types: the court itself does not depend on utoipa.

use utoipa::ToSchema;

use super::{EvidenceSchema, Id, MomentSchema, RulebookRef, SeveritySchema, VerdictSchema};
use crate::http::records::Receipt;

/// How strict a session is.
#[derive(ToSchema)]
#[schema(as = Difficulty, rename_all = "lowercase")]
pub(crate) enum DifficultySchema {
    Student,
    Solo,
    Exam,
}

/// How a session ends.
#[derive(ToSchema)]
#[schema(as = SessionOutcome, rename_all = "snake_case")]
pub(crate) enum SessionOutcomeSchema {
    Completed,
    Timeout,
    SafetyBlock,
}

/// A class, with its sessions in short.
#[derive(ToSchema)]
pub(crate) struct RadioClass {
    name: String,
    /// What it is judged by.
    rulebook: RulebookRef,
    /// Its sessions, by name.
    sessions: Vec<SessionSummarySchema>,
}

/// A session in short.
#[derive(ToSchema)]
#[schema(as = RadioSessionSummary)]
pub(crate) struct SessionSummarySchema {
    session: Id,
    student: Id,
    scenario: String,
    difficulty: DifficultySchema,
    opened_at: MomentSchema,
    /// Null while it runs.
    #[schema(required = true)]
    outcome: Option<SessionOutcomeSchema>,
    /// How many turns it has.
    turns: usize,
    /// What the accepted turns add up to.
    score_total: f64,
    /// Over the accepted turns; null without any.
    #[schema(required = true)]
    average_normalized: Option<f64>,
    /// Blocked turns before accepted ones.
    retries: u32,
    /// From beginning to end, in seconds; null while it runs.
    #[schema(required = true)]
    total_time: Option<f64>,
}

/// A session as its student sees it.
#[derive(ToSchema)]
pub(crate) struct RadioSession {
    #[serde(flatten)]
    #[schema(inline)]
    summary: SessionSummarySchema,
    title: String,
    airfield: String,
    runway: String,
    weather: String,
    /// The student's.
    callsign: String,
    aircraft: String,
    /// Null when it is over.
    #[schema(required = true)]
    phase: Option<String>,
    /// What the controller says now.
    #[schema(required = true)]
    controller: Option<String>,
    /// What the student is told now.
    #[schema(required = true)]
    cue: Option<String>,
    /// When it ends by itself.
    #[schema(required = true)]
    idle_at: Option<MomentSchema>,
    /// What was said so far.
    line: Vec<TurnViewSchema>,
}

/// A turn as its student sees it.
#[derive(ToSchema)]
#[schema(as = RadioTurn)]
pub(crate) struct TurnViewSchema {
    /// Counted from 1.
    #[schema(minimum = 1)]
    turn: usize,
    phase: String,
    /// What the controller had said.
    #[schema(required = true)]
    controller: Option<String>,
    /// What the student had been told.
    #[schema(required = true)]
    cue: Option<String>,
    text: String,
    at: MomentSchema,
    /// Where its verdict stands in the ledger.
    #[schema(minimum = 1)]
    position: u64,
    /// What came of it at first.
    score: TurnScoreSchema,
    /// What counts instead, where an instructor saw it otherwise.
    #[schema(required = true)]
    overruled: Option<OverruledTurn>,
}

/// How an instructor saw a turn.
#[derive(ToSchema)]
pub(crate) struct OverruledTurn {
    score: TurnScoreSchema,
    reason: String,
    /// Where its verdict stands in the ledger.
    #[schema(minimum = 1)]
    position: u64,
}

/// What came of a turn; a dimension is null without components.
#[derive(ToSchema)]
#[schema(as = TurnScore, rename_all = "camelCase")]
pub(crate) struct TurnScoreSchema {
    normalized: f64,
    score_delta: f64,
    safety_flag: bool,
    blocked: bool,
    #[schema(required = true)]
    phrase_accuracy: Option<f64>,
    #[schema(required = true)]
    ordering: Option<f64>,
    #[schema(required = true)]
    omissions: Option<f64>,
    #[schema(required = true)]
    safety: Option<f64>,
}

/// A run of a scenario has begun.
#[derive(ToSchema)]
pub(crate) struct RadioSessionOpened {
    receipt: Receipt,
    session: RadioSession,
    /// Whether this is the answer to an earlier request, given again.
    repeated: bool,
}

/// A turn was judged, with the session after it.
#[derive(ToSchema)]
pub(crate) struct TurnJudged {
    receipt: Receipt,
    verdict: VerdictSchema<RadioDetailSchema>,
    session: RadioSession,
    /// Whether this is the answer to an earlier request, given again.
    repeated: bool,
}

/// What a verdict says of a turn. With the grader there are also `flagged`, `unclear`, `errors` and `entities`.
#[derive(ToSchema)]
#[schema(as = RadioDetail, rename_all = "camelCase")]
pub(crate) struct RadioDetailSchema {
    rubric_version: String,
    #[schema(nullable = false)]
    scenario: Option<RulebookRef>,
    #[schema(nullable = false)]
    phase: Option<String>,
    components: Vec<ComponentSchema>,
    /// Σ weight × score outside Safety.
    normalized: f64,
    /// What it adds to the session.
    #[schema(minimum = -15, maximum = 15)]
    score_delta: f64,
    safety_flag: bool,
    /// Why it must be said again.
    #[schema(required = true)]
    block_reason: Option<String>,
    #[schema(required = true)]
    phrase_accuracy: Option<f64>,
    #[schema(required = true)]
    ordering: Option<f64>,
    #[schema(required = true)]
    omissions: Option<f64>,
    #[schema(required = true)]
    safety: Option<f64>,
    /// The same numbers under the names `turn.normalized`, `turn.phraseAccuracy` and so on.
    #[schema(value_type = Object)]
    metrics: (),
    /// The call as it should have been.
    #[schema(nullable = false)]
    corrected: Option<String>,
}

/// What somebody observed of a turn, instead of the grader.
#[derive(ToSchema)]
#[schema(as = RadioFindings)]
#[serde(deny_unknown_fields)]
pub(crate) struct FindingsSchema {
    by: Observer,
    /// Their name, for the verdict.
    assessor: Option<String>,
    components: Vec<ComponentSchema>,
    /// Why the turn must be said again.
    #[schema(rename = "blockReason")]
    block_reason: Option<String>,
}

/// Who observed.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub(crate) enum Observer {
    Model,
    Person,
}

/// One observation about a turn.
#[derive(ToSchema)]
#[schema(as = RadioComponent)]
#[serde(deny_unknown_fields)]
pub(crate) struct ComponentSchema {
    /// Short and unique: `PA_CALLSIGN`.
    code: String,
    category: DimensionSchema,
    severity: SeveritySchema,
    /// Those outside Safety sum to at most 1.
    #[schema(minimum = 0, maximum = 1)]
    weight: f64,
    #[schema(minimum = 0, maximum = 1)]
    score: f64,
    /// What it adds to the score of the turn, or takes from it.
    delta: f64,
    /// In words.
    #[schema(required = false)]
    detail: String,
    #[schema(nullable = false)]
    hazard: Option<HazardSchema>,
    /// The words it rests on.
    #[schema(required = false)]
    evidence: Vec<EvidenceSchema>,
    /// What would have been right.
    #[schema(nullable = false)]
    corrected: Option<String>,
    /// The rule it rests on.
    #[schema(nullable = false)]
    rule: Option<String>,
}

/// The four dimensions of the rubric.
#[derive(ToSchema)]
#[schema(as = Dimension)]
pub(crate) enum DimensionSchema {
    PhraseAccuracy,
    Ordering,
    Omissions,
    Safety,
}

/// Dangers across the dimensions.
#[derive(ToSchema)]
#[schema(as = RadioHazard, rename_all = "snake_case")]
pub(crate) enum HazardSchema {
    WrongRunway,
    WrongLevel,
    TakeOffForLineUp,
    WrongCallsign,
}
