//! Refusals of the quest court: each with its stable code and message.

use assize_kernel::{BadName, Moment, Refusal, RefusalKind, SmolStr};

use super::profile::Rank;

/// Why a command or a document was refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum QuestRefusal {
    /// A field of a plan or a log cannot be parsed.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// The plan has no exercises.
    #[error("plan: there are no exercises in it")]
    PlanEmpty,
    /// The log has no completed exercise.
    #[error("log: nothing was done; a log needs at least one exercise that was not skipped and is above 0")]
    NothingDone,
    /// An exam for a quest of another type, or wrong terms for the exam.
    #[error("exam: {0}")]
    ExamMisplaced(&'static str),
    /// The document cannot be parsed.
    #[error("document: {0}")]
    DocumentMalformed(String),
    /// The name is not allowed.
    #[error("{0}")]
    NameInvalid(String),
    /// The hunter is already registered.
    #[error("the hunter is registered already")]
    AlreadyRegistered,
    /// The stream has no hunter.
    #[error("there is no such hunter")]
    NotRegistered,
    /// The name of the quest is in use.
    #[error("there is a quest `{0}` already")]
    QuestExists(SmolStr),
    /// The hunter has no such quest.
    #[error("this hunter has no quest `{0}`")]
    QuestUnknown(SmolStr),
    /// The quest already has a verdict.
    #[error("quest `{0}` was judged already; a quest gets one verdict")]
    QuestJudged(SmolStr),
    /// The quest has expired.
    #[error("quest `{quest}` expired at {at}")]
    QuestExpired {
        /// The quest.
        quest: SmolStr,
        /// When it expired.
        at: Moment,
    },
    /// The expiry is not in the future, or a quest is expired too early.
    #[error("`expires_at` must be after now")]
    ExpiryPast,
    /// Exams are accepted by the hunter, not assigned.
    #[error("a RankUp quest is not given; the hunter accepts an exam")]
    RankUpGiven,
    /// Exams cannot be private.
    #[error("an exam cannot be private")]
    PrivateExam,
    /// The proof has no digest.
    #[error("log.proof.sha256: is missing; the same media is known by it")]
    ProofUnnamed,
    /// The media was already used as proof.
    #[error("this media was seen before: {hunter}, quest `{quest}`, on {at}")]
    ProofSeen {
        /// The hunter who used it.
        hunter: SmolStr,
        /// The quest it was used for.
        quest: SmolStr,
        /// When it was used.
        at: Moment,
    },
    /// Proof can only be added to a flagged log.
    #[error("quest `{0}` has no flagged log that waits for proof")]
    NotWaitingForProof(SmolStr),
    /// The deadline for proof has passed.
    #[error("proof could be added until {0}")]
    ProofLate(Moment),
    /// No proof waits for review.
    #[error("quest `{0}` has no proof that waits for a judge")]
    NoProofToReview(SmolStr),
    /// Judges may not decide cases that concern themselves.
    #[error("nobody decides on what they did or said themselves")]
    OwnCase,
    /// The hunter has no such log.
    #[error("this hunter has no log of quest `{0}`")]
    LogUnknown(SmolStr),
    /// The reading has lower priority than one already recorded.
    #[error("what was written beside quest `{0}` has been read by a person, or by whoever was asked later")]
    WordsReadSince(SmolStr),
    /// The log was decided by a judge or its exam is over, so a reading cannot apply.
    #[error("the log of quest `{0}` stands otherwise by now: a judge has decided, or its exam is over")]
    LogDecided(SmolStr),
    /// The report reason is not in the rulebook.
    #[error("`{given}` is no reason; there is {}", .known.join(", "))]
    ReasonUnknown {
        /// The given reason.
        given: SmolStr,
        /// The reasons of the rulebook.
        known: Vec<String>,
    },
    /// Hunters cannot report themselves.
    #[error("nobody reports themselves")]
    OwnReport,
    /// The reporter has already reported this log.
    #[error("{reporter} has reported the log of quest `{quest}` already")]
    ReportRepeated {
        /// The reporter.
        reporter: SmolStr,
        /// The quest of the log.
        quest: SmolStr,
    },
    /// The daily limit of reports is reached.
    #[error("{0} reports in 24 hours are enough; the next one may be filed at {1}")]
    TooManyReports(u32, Moment),
    /// There is no such report, or it was decided.
    #[error("there is no report by {reporter} on quest `{quest}` that waits for a judge")]
    ReportUnknown {
        /// The reporter.
        reporter: SmolStr,
        /// The quest of the log.
        quest: SmolStr,
    },
    /// The status ruling would change nothing.
    #[error("{0}")]
    StatusUnchanged(&'static str),
    /// The hunter's level is too low, or the rank is already the highest.
    #[error("{0}")]
    ExamNotOffered(String),
    /// Another exam is in progress.
    #[error("an exam for rank {} is under way", .0.as_str())]
    ExamUnderWay(Rank),
    /// No exam waits for a decision.
    #[error("no exam waits for a decision")]
    NoExamWaiting,
    /// The exercise's name or alias is in use.
    #[error("there is an exercise `{0}` already")]
    ExerciseExists(SmolStr),
    /// The exercise has an invalid name or time, or the hunter has too many.
    #[error("exercise: {0}")]
    ExerciseInvalid(String),
}

/// A parse error in a plan or a log, with its place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{part}{}.{field}: {problem}", .exercise.as_ref().map(|(index, name)| format!(".exercises[{index}] `{name}`")).unwrap_or_default())]
pub struct Unreadable {
    /// `plan` or `log`.
    pub part: &'static str,
    /// The index and name of the exercise.
    pub exercise: Option<(usize, SmolStr)>,
    /// The field.
    pub field: &'static str,
    /// The error message: lower case, no full stop.
    pub problem: String,
}

impl Unreadable {
    pub(super) const fn of_plan(field: &'static str, problem: String) -> Self {
        Self { part: "plan", exercise: None, field, problem }
    }

    pub(super) const fn of_log(field: &'static str, problem: String) -> Self {
        Self { part: "log", exercise: None, field, problem }
    }

    pub(super) fn of_exercise(
        part: &'static str,
        index: usize,
        name: &str,
        field: &'static str,
        problem: String,
    ) -> Self {
        let name = name.chars().take(80).collect::<String>();
        Self { part, exercise: Some((index, name.into())), field, problem }
    }
}

impl QuestRefusal {
    /// The stable code and the kind.
    const fn class(&self) -> (&'static str, RefusalKind) {
        use RefusalKind::{Conflict, Forbidden, Late, Malformed, Unknown};
        match self {
            Self::Unreadable(Unreadable { part, .. }) => match part.as_bytes() {
                b"plan" => ("quest.plan.malformed", Malformed),
                _ => ("quest.log.malformed", Malformed),
            },
            Self::PlanEmpty => ("quest.plan.empty", Malformed),
            Self::NothingDone => ("quest.log.nothing_done", Malformed),
            Self::ExamMisplaced(_) => ("quest.exam.malformed", Malformed),
            Self::DocumentMalformed(_) => ("quest.document.malformed", Malformed),
            Self::NameInvalid(_) => ("quest.name.invalid", Malformed),
            Self::AlreadyRegistered => ("quest.hunter.exists", Conflict),
            Self::NotRegistered => ("quest.hunter.unknown", Unknown),
            Self::QuestExists(_) => ("quest.quest.exists", Conflict),
            Self::QuestUnknown(_) => ("quest.quest.unknown", Unknown),
            Self::QuestJudged(_) => ("quest.quest.judged", Conflict),
            Self::QuestExpired { .. } => ("quest.quest.expired", Late),
            Self::ExpiryPast => ("quest.quest.expiry_past", Malformed),
            Self::RankUpGiven => ("quest.quest.rank_up", Malformed),
            Self::PrivateExam => ("quest.exam.private", Malformed),
            Self::ProofUnnamed => ("quest.proof.unnamed", Malformed),
            Self::ProofSeen { .. } => ("quest.proof.seen", Conflict),
            Self::NotWaitingForProof(_) => ("quest.proof.not_waited_for", Conflict),
            Self::ProofLate(_) => ("quest.proof.late", Late),
            Self::NoProofToReview(_) => ("quest.proof.none", Conflict),
            Self::OwnCase => ("quest.moderation.own_case", Forbidden),
            Self::LogUnknown(_) => ("quest.log.unknown", Unknown),
            Self::WordsReadSince(_) => ("quest.words.read_since", Conflict),
            Self::LogDecided(_) => ("quest.words.decided", Conflict),
            Self::ReasonUnknown { .. } => ("quest.report.reason_unknown", Malformed),
            Self::OwnReport => ("quest.report.own", Forbidden),
            Self::ReportRepeated { .. } => ("quest.report.repeated", Conflict),
            Self::TooManyReports(..) => ("quest.report.too_many", Conflict),
            Self::ReportUnknown { .. } => ("quest.report.unknown", Unknown),
            Self::StatusUnchanged(_) => ("quest.status.unchanged", Conflict),
            Self::ExamNotOffered(_) => ("quest.exam.not_offered", Conflict),
            Self::ExamUnderWay(_) => ("quest.exam.under_way", Conflict),
            Self::NoExamWaiting => ("quest.exam.none", Conflict),
            Self::ExerciseExists(_) => ("quest.exercise.exists", Conflict),
            Self::ExerciseInvalid(_) => ("quest.exercise.invalid", Malformed),
        }
    }
}

impl From<QuestRefusal> for Refusal {
    fn from(refusal: QuestRefusal) -> Self {
        let (code, kind) = refusal.class();
        let said = Self::new(code, kind, refusal.to_string());
        match refusal {
            QuestRefusal::Unreadable(Unreadable { exercise, field, .. }) => {
                let said = said.with("field", field);
                exercise.map_or(said.clone(), |(_, name)| said.with("exercise", name.as_str()))
            }
            QuestRefusal::ProofSeen { hunter, quest, at } => {
                said.with("hunter", hunter.as_str()).with("quest", quest.as_str()).with("at", at.to_string())
            }
            _ => said,
        }
    }
}

impl From<BadName> for QuestRefusal {
    fn from(bad: BadName) -> Self {
        Self::NameInvalid(bad.to_string())
    }
}
