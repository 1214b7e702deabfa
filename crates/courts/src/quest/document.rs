//! Judges a standalone document: a quest type, a plan, a log, a profile and, for a promotion, an exam.

use assize_kernel::{Assessor, Rulebook, SmolStr, VerdictText};
use serde::Deserialize;

use super::exam::ExamTerms;
use super::judging::{self, LogClaim};
use super::log::{Log, Plan};
use super::profile::{Profile, ProofKind, QuestType, Rank};
use super::reading;
use super::reasons;
use super::refusals::QuestRefusal;
use super::rules::{ExamRules, ExamType, Exercise, QuestRules, RequiredExercise};

/// The document of `assize judge quest`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "struct Document")]
struct QuestDocument {
    quest_type: QuestType,
    plan: Plan,
    log: Log,
    profile: Profile,
    exam: Option<ExamDocument>,
    /// Exercises that the rulebook does not know.
    #[serde(default)]
    own_exercises: Vec<Exercise>,
    /// The text of a report about this log, read instead of the hunter's feedback. It lowers no score.
    report: Option<String>,
    /// The findings of an external assessor; without them the word list reads the text.
    reading: Option<reading::Reading>,
    /// The assessor of `reading`.
    assessor: Option<Assessor>,
}

/// An exam. Fields left out come from the rulebook's exam for this rank.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct ExamDocument {
    to_rank: Option<Rank>,
    #[allow(dead_code, reason = "said for people; no check depends on it")]
    exam_type: Option<ExamType>,
    required_exercises: Option<Vec<RequiredExercise>>,
    proof_type: Option<ProofKind>,
    #[allow(dead_code, reason = "seen by whoever looks at the proof")]
    hand_sign: Option<SmolStr>,
    time_limit_hours: Option<f64>,
    /// How long after accepting it was submitted.
    elapsed_hours: Option<f64>,
}

/// Judges a document; returns the verdict as JSON.
pub(super) fn judge(book: &Rulebook<QuestRules>, document: &str) -> Result<VerdictText, QuestRefusal> {
    let document: QuestDocument =
        serde_json::from_str(document).map_err(|error| QuestRefusal::DocumentMalformed(error.to_string()))?;
    let QuestDocument { quest_type, plan, log, profile, exam, own_exercises, report, reading, assessor } =
        document;
    if assessor.is_some() != reading.is_some() {
        let problem = "`reading` and `assessor` go together";
        return Err(QuestRefusal::DocumentMalformed(problem.to_owned()));
    }
    if report.is_some() && log.user_feedback.is_some() {
        let problem = "`report` and `log.user_feedback`: one text is read at a time";
        return Err(QuestRefusal::DocumentMalformed(problem.to_owned()));
    }
    let exam = exam.unwrap_or_default();
    let terms = match quest_type {
        QuestType::RankUp => Some(terms(&book.rules, profile.rank, &exam)?),
        _ if exam.is_given() => return Err(QuestRefusal::ExamMisplaced("only a RankUp quest has one")),
        _ => None,
    };
    let text = report.as_deref().or(log.user_feedback.as_deref());
    let own = || text.map(reading::read).unwrap_or_default();
    let mut reading = reading::Reading { by: assessor, ..reading.unwrap_or_else(own) };
    // Signs in a report do not change the score; judges weigh them.
    let said = if report.is_some() { std::mem::take(&mut reading.signs) } else { Vec::new() };
    let claim = LogClaim {
        quest_type,
        plan: &plan,
        log: &log,
        profile,
        exam: terms,
        reading: &reading,
        verified: false,
        own: &own_exercises,
    };
    let mut verdict = judging::judge(book, &claim)?.verdict;
    verdict.reasons.extend(reasons::of_report(&said));
    Ok(verdict.to_text())
}

fn terms<'a>(
    rules: &'a QuestRules,
    rank: Rank,
    exam: &'a ExamDocument,
) -> Result<ExamTerms<'a>, QuestRefusal> {
    let offered: Option<&ExamRules> = rules.exams.iter().find(|offered| offered.from_rank == rank);
    let offered = offered.ok_or(QuestRefusal::ExamMisplaced("there is no rank above S"))?;
    if exam.to_rank.is_some_and(|rank| rank != offered.to_rank) {
        return Err(QuestRefusal::ExamMisplaced("`to_rank` must be the rank above the hunter's"));
    }
    let hours = [exam.elapsed_hours, exam.time_limit_hours].into_iter().flatten();
    if hours.into_iter().any(|hours| !(0.0..=87_600.0).contains(&hours)) {
        return Err(QuestRefusal::ExamMisplaced("hours must be 0 to 87600"));
    }
    let mut terms = ExamTerms::of(offered, exam.elapsed_hours.unwrap_or(0.0));
    if let Some(required) = &exam.required_exercises {
        if let Some(problem) = required.iter().find_map(|exercise| exercise.reps.read().err()) {
            return Err(QuestRefusal::DocumentMalformed(format!("exam.required_exercises: {problem}")));
        }
        terms.required = required;
    }
    terms.proof_type = exam.proof_type.unwrap_or(terms.proof_type);
    terms.time_limit_hours = exam.time_limit_hours.unwrap_or(terms.time_limit_hours);
    Ok(terms)
}

impl ExamDocument {
    const fn is_given(&self) -> bool {
        self.to_rank.is_some()
            || self.exam_type.is_some()
            || self.required_exercises.is_some()
            || self.proof_type.is_some()
            || self.hand_sign.is_some()
            || self.time_limit_hours.is_some()
            || self.elapsed_hours.is_some()
    }
}
