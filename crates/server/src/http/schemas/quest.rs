//! OpenAPI schemas of the quest court's types: the court itself does not depend on utoipa.

use utoipa::ToSchema;

use super::{DigestSchema, Id, MomentSchema, RulebookRef};

/// How a hunter fights.
#[derive(ToSchema)]
#[schema(as = Class)]
pub(crate) enum ClassSchema {
    Tank,
    Striker,
    Assassin,
    Novice,
}

/// How far a hunter has been promoted.
#[derive(ToSchema)]
#[schema(as = Rank)]
pub(crate) enum RankSchema {
    E,
    D,
    C,
    B,
    A,
    S,
}

/// What others make of a hunter.
#[derive(ToSchema)]
#[schema(as = HunterStatus)]
pub(crate) enum HunterStatusSchema {
    Normal,
    Verified,
    Flagged,
    Corrupted,
}

/// What a quest is for.
#[derive(ToSchema)]
#[schema(as = QuestType)]
pub(crate) enum QuestTypeSchema {
    Daily,
    Penalty,
    RankUp,
}

/// What came of a log.
#[derive(ToSchema)]
#[schema(as = LogStatus, rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum StatusSchema {
    Approved,
    Rejected,
    Flagged,
    PendingVerification,
}

/// How far a log has been looked at.
#[derive(ToSchema)]
#[schema(as = VerificationStatus)]
pub(crate) enum VerificationStatusSchema {
    #[schema(rename = "Auto_Approved")]
    AutoApproved,
    Pending,
    Verified,
    Rejected,
}

/// How somebody felt before.
#[derive(ToSchema)]
#[schema(as = Condition)]
pub(crate) enum ConditionSchema {
    Fresh,
    Normal,
    Tired,
    Sore,
    Injured,
}

/// How hard a plan is.
#[derive(ToSchema)]
#[schema(as = Intensity)]
pub(crate) enum IntensitySchema {
    Low,
    Medium,
    High,
}

/// What a proof is, the weakest first.
#[derive(ToSchema)]
#[schema(as = ProofKind)]
pub(crate) enum ProofKindSchema {
    Photo,
    Timelapse,
    Video,
}

/// `12`, `"12"`, `"10-12"`, `"30s"`, `"1:30"`, `"400m"` or `"2km"`.
#[derive(ToSchema)]
#[schema(as = ExerciseAmount)]
#[serde(untagged)]
pub(crate) enum AmountSchema {
    Count(u32),
    Text(String),
}

/// What was planned.
#[derive(ToSchema)]
#[schema(as = QuestPlan)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlanSchema {
    #[schema(minimum = 0.1, maximum = 1_440)]
    estimated_duration_min: f64,
    #[schema(minimum = 1, maximum = 10)]
    target_rpe: f64,
    intensity: IntensitySchema,
    #[schema(min_items = 1, max_items = 100)]
    exercises: Vec<PlannedExerciseSchema>,
}

/// One exercise of a plan.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PlannedExercise)]
pub(crate) struct PlannedExerciseSchema {
    #[schema(min_length = 1, max_length = 80)]
    name: String,
    /// 1 unless given.
    sets: Option<AmountSchema>,
    /// How much in each set.
    reps: Option<AmountSchema>,
    /// How long all of it should take.
    seconds: Option<f64>,
    distance_m: Option<f64>,
    load_kg: Option<f64>,
    /// Between sets.
    rest_seconds: Option<f64>,
}

/// What somebody says they did.
#[derive(ToSchema)]
#[schema(as = QuestLog)]
#[serde(deny_unknown_fields)]
pub(crate) struct LogSchema {
    #[schema(minimum = 1, maximum = 86_400)]
    duration_seconds: f64,
    #[schema(minimum = 1, maximum = 10)]
    actual_rpe: f64,
    condition: ConditionSchema,
    /// In their own words: kept where it can be erased.
    #[schema(max_length = 4_000)]
    user_feedback: Option<String>,
    #[schema(max_items = 100)]
    exercises: Vec<DoneExerciseSchema>,
    proof: Option<ProofSchema>,
}

/// One exercise of a log.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = DoneExercise)]
pub(crate) struct DoneExerciseSchema {
    #[schema(min_length = 1, max_length = 80)]
    name: String,
    /// 1 unless given.
    sets_done: Option<AmountSchema>,
    /// How much in each set.
    reps_done: Option<AmountSchema>,
    /// Whether it was left out; then nothing else about it counts.
    #[schema(required = false)]
    skipped: bool,
    /// How long all of it took.
    seconds: Option<f64>,
    distance_m: Option<f64>,
    load_kg: Option<f64>,
}

/// A picture or a video.
#[derive(ToSchema)]
#[schema(as = QuestProof)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProofSchema {
    kind: ProofKindSchema,
    /// The digest of its bytes: the same media is taken once.
    sha256: Option<DigestSchema>,
    /// Where it is.
    url: Option<String>,
    taken_at: Option<MomentSchema>,
    /// How long it plays.
    length_seconds: Option<f64>,
}

/// An exercise that the rulebook does not know.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OwnExercise {
    #[schema(min_length = 1, max_length = 80)]
    name: String,
    /// What else it is called.
    #[schema(required = false)]
    aliases: Vec<String>,
    category: CategorySchema,
    /// What the classes look for.
    #[schema(required = false)]
    traits: Vec<String>,
    /// How many seconds a repetition usually takes.
    tempo_seconds: Option<f64>,
    least_seconds_per_rep: Option<f64>,
    least_seconds_per_km: Option<f64>,
}

/// What an exercise trains.
#[derive(ToSchema)]
#[schema(as = ExerciseCategory, rename_all = "lowercase")]
pub(crate) enum CategorySchema {
    Strength,
    Agility,
    Stamina,
}

/// A hunter as everybody may see them.
#[derive(ToSchema)]
#[schema(as = Hunter)]
pub(crate) struct HunterSchema {
    /// What people call them; null when nothing, and when it was erased.
    #[schema(required = true)]
    name: Option<String>,
    hunter: Id,
    class: ClassSchema,
    rank: RankSchema,
    level: u32,
    xp: u64,
    status: HunterStatusSchema,
    /// `verified`, `yellow` or `red`.
    #[schema(required = true)]
    badge: Option<String>,
    /// Days in a row, as of today.
    streak_days: u32,
    longest_streak_days: u32,
    stats: StatsSchema,
    /// Logs whose proof a judge has verified.
    verified_logs: u32,
    /// How many logs everybody may see.
    logs: u64,
    /// The time zone their days are counted in.
    zone: String,
    /// The rank whose exam is offered.
    #[schema(required = true)]
    exam_offered: Option<RankSchema>,
    #[schema(required = true)]
    exam: Option<ExamSchema>,
    #[schema(required = true)]
    rulebook: Option<RulebookRef>,
}

/// What a hunter has trained.
#[derive(ToSchema)]
#[schema(as = HunterStats)]
pub(crate) struct StatsSchema {
    strength: f64,
    agility: f64,
    stamina: f64,
}

/// An exam and its clock.
#[derive(ToSchema)]
#[schema(as = HunterExam)]
pub(crate) struct ExamSchema {
    quest: Id,
    to_rank: RankSchema,
    /// The sign of the exam.
    hand_sign: String,
    /// The sign that was drawn for this attempt.
    drawn_sign: String,
    accepted_at: MomentSchema,
    /// To be submitted until then.
    due: MomentSchema,
    /// Whether it was submitted and passed.
    pending: bool,
    /// When it is granted by itself; null while somebody objects, or before it is submitted.
    #[schema(required = true)]
    grant_at: Option<MomentSchema>,
}

/// A quest that waits for a log.
#[derive(ToSchema)]
pub(crate) struct Quest {
    quest: Id,
    quest_type: QuestTypeSchema,
    plan: PlanSchema,
    given_at: MomentSchema,
    expires_at: MomentSchema,
}

/// One line of a match history.
#[derive(ToSchema)]
pub(crate) struct LogLine {
    quest: Id,
    quest_type: QuestTypeSchema,
    at: MomentSchema,
    /// Where its first verdict stands in the ledger.
    position: u64,
    /// And the last.
    last_position: u64,
    status: StatusSchema,
    verification_status: VerificationStatusSchema,
    /// `verified`, `proof-backed`, `flagged`, `removed` or `unverified`.
    badge: String,
    xp: u64,
    /// Whether nobody else may see it.
    private: bool,
    reports: Vec<ReportLine>,
}

/// A report without who made it.
#[derive(ToSchema)]
pub(crate) struct ReportLine {
    at: MomentSchema,
    reason: String,
    /// `waiting`, `confirmed` or `dismissed`.
    standing: String,
}
