//! Refusals of the quest court: each with its stable code and message.

use assize_kernel::{BadName, Moment, Refusal, RefusalKind, SmolStr};

use super::profile::Rank;

/// Why a command or a document was refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum QuestRefusal {
    /// Something in a plan or a log cannot be read.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// The plan asks for nothing.
    #[error("plan: there are no exercises in it")]
    PlanEmpty,
    /// The log says that nothing was done.
    #[error("log: nothing was done; a log needs at least one exercise that was not skipped and is above 0")]
    NothingDone,
    /// An exam and a quest that is none, or the other way round.
    #[error("exam: {0}")]
    ExamMisplaced(&'static str),
    /// The document cannot be read.
    #[error("document: {0}")]
    DocumentMalformed(String),
    /// A name that cannot be one.
    #[error("{0}")]
    NameInvalid(String),
    /// The hunter was registered before.
    #[error("the hunter is registered already")]
    AlreadyRegistered,
    /// There is no hunter here.
    #[error("there is no such hunter")]
    NotRegistered,
    /// The name of the quest is taken.
    #[error("there is a quest `{0}` already")]
    QuestExists(SmolStr),
    /// Not this hunter's, or nobody's.
    #[error("this hunter has no quest `{0}`")]
    QuestUnknown(SmolStr),
    /// It was judged before.
    #[error("quest `{0}` was judged already; a quest gets one verdict")]
    QuestJudged(SmolStr),
    /// Its time is over.
    #[error("quest `{quest}` expired at {at}")]
    QuestExpired {
        /// Which one.
        quest: SmolStr,
        /// When.
        at: Moment,
    },
    /// It would have expired before it began.
    #[error("`expires_at` must be after now")]
    ExpiryPast,
    /// Exams come by themselves.
    #[error("a RankUp quest is not given; the hunter accepts an exam")]
    RankUpGiven,
    /// Exams are public.
    #[error("an exam cannot be private")]
    PrivateExam,
    /// A proof without what it is known by.
    #[error("log.proof.sha256: is missing; the same media is known by it")]
    ProofUnnamed,
    /// The same media as before.
    #[error("this media was seen before: {hunter}, quest `{quest}`, on {at}")]
    ProofSeen {
        /// Who used it.
        hunter: SmolStr,
        /// For what.
        quest: SmolStr,
        /// When.
        at: Moment,
    },
    /// Proof can be added to what is flagged, and to nothing else.
    #[error("quest `{0}` has no flagged log that waits for proof")]
    NotWaitingForProof(SmolStr),
    /// Too long ago.
    #[error("proof could be added until {0}")]
    ProofLate(Moment),
    /// Nothing to review.
    #[error("quest `{0}` has no proof that waits for a judge")]
    NoProofToReview(SmolStr),
    /// Not decided by those it is about.
    #[error("nobody decides on what they did or said themselves")]
    OwnCase,
    /// A log with this name was not judged here.
    #[error("this hunter has no log of quest `{0}`")]
    LogUnknown(SmolStr),
    /// By a person, or by somebody who was asked later.
    #[error("what was written beside quest `{0}` has been read by a person, or by whoever was asked later")]
    WordsReadSince(SmolStr),
    /// What words cannot change any more.
    #[error("the log of quest `{0}` stands otherwise by now: a judge has decided, or its exam is over")]
    LogDecided(SmolStr),
    /// No such reason.
    #[error("`{given}` is no reason; there is {}", .known.join(", "))]
    ReasonUnknown {
        /// What was given.
        given: SmolStr,
        /// What there is.
        known: Vec<String>,
    },
    /// On oneself.
    #[error("nobody reports themselves")]
    OwnReport,
    /// The same again.
    #[error("{reporter} has reported the log of quest `{quest}` already")]
    ReportRepeated {
        /// Who.
        reporter: SmolStr,
        /// What.
        quest: SmolStr,
    },
    /// Too many in a day.
    #[error("{0} reports in 24 hours are enough; the next one may be filed at {1}")]
    TooManyReports(u32, Moment),
    /// No such report, or decided.
    #[error("there is no report by {reporter} on quest `{quest}` that waits for a judge")]
    ReportUnknown {
        /// Who.
        reporter: SmolStr,
        /// What.
        quest: SmolStr,
    },
    /// Nothing to be decided about a status.
    #[error("{0}")]
    StatusUnchanged(&'static str),
    /// The level is too low, or the rank the highest.
    #[error("{0}")]
    ExamNotOffered(String),
    /// One at a time.
    #[error("an exam for rank {} is under way", .0.as_str())]
    ExamUnderWay(Rank),
    /// Nothing waits.
    #[error("no exam waits for a decision")]
    NoExamWaiting,
    /// The exercise is known under one of its names.
    #[error("there is an exercise `{0}` already")]
    ExerciseExists(SmolStr),
    /// The exercise makes no sense.
    #[error("exercise: {0}")]
    ExerciseInvalid(String),
}

/// What cannot be read in a plan or a log, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{part}{}.{field}: {problem}", .exercise.as_ref().map(|(index, name)| format!(".exercises[{index}] `{name}`")).unwrap_or_default())]
pub struct Unreadable {
    /// `plan` or `log`.
    pub part: &'static str,
    /// The exercise, by its place and its name.
    pub exercise: Option<(usize, SmolStr)>,
    /// The field.
    pub field: &'static str,
    /// Lower case, no full stop.
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
