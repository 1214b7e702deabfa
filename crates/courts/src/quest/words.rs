//! Readings by external assessors of feedback and reports, and their precedence.

use std::cmp::Ordering;

use assize_kernel::{Assessor, Millis, Reason, SmolStr, to_json};
use serde::{Deserialize, Serialize};

use super::log::{Log, Plan};
use super::profile::{Profile, QuestType};
use super::reading::Reading;
use super::refusals::QuestRefusal;
use super::rules::Exercise;
use super::state::Hunter;

/// An external assessor's reading of the feedback of a log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WordsReading {
    /// The quest of the log.
    pub quest: SmolStr,
    /// The reading, with its assessor.
    pub reading: Reading,
    /// The ledger position of the assessment.
    pub assessment: u64,
    /// The input of the log's verdict.
    pub basis: Basis,
    /// Additional reasons about the assessors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<Reason>,
}

/// The input of a log's verdict that the state does not keep for ever. It does not depend on the rulebook.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Basis {
    /// The plan.
    pub plan: Plan,
    /// The log as submitted, without its feedback.
    pub log: Log,
    /// The number of custom exercises the hunter had at that time.
    #[serde(default, skip_serializing_if = "is_none")]
    pub own: usize,
    /// For an exam, the milliseconds from acceptance to submission.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elapsed_ms: Option<i64>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks like that")]
const fn is_none(count: &usize) -> bool {
    *count == 0
}

/// An external assessor's reading of a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReportReading {
    /// The quest of the reported log.
    pub quest: SmolStr,
    /// The reporter.
    pub reporter: SmolStr,
    /// The reading, with its assessor.
    pub reading: Reading,
    /// The ledger position of the assessment.
    pub assessment: u64,
}

/// The precedence of readings of a text: a person's before a model's, then the latest assessment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ReadingPriority {
    pub(super) person: bool,
    pub(super) assessment: u64,
    /// The ledger position of the reading.
    pub(super) position: u64,
}

impl ReadingPriority {
    pub(super) fn of(reading: &Reading, assessment: u64, position: u64) -> Self {
        Self { person: reading.by.as_ref().is_some_and(Assessor::is_person), assessment, position }
    }

    /// The position of the same reading, if it is recorded already; `None` if this one applies.
    ///
    /// # Errors
    /// When a recorded reading has priority.
    pub(super) fn before(self, earlier: Option<&Self>, quest: &SmolStr) -> Result<Option<u64>, QuestRefusal> {
        let Some(earlier) = earlier else { return Ok(None) };
        let weight = |taken: &Self| (taken.person, taken.assessment);
        match weight(&self).cmp(&weight(earlier)) {
            Ordering::Equal => Ok(Some(earlier.position)),
            Ordering::Less => Err(QuestRefusal::WordsReadSince(quest.clone())),
            Ordering::Greater => Ok(None),
        }
    }
}

/// A log as a document for `assize judge`.
#[derive(Serialize)]
struct LogDocument<'a> {
    quest_type: QuestType,
    plan: &'a Plan,
    log: Log,
    profile: Profile,
    own_exercises: &'a [Exercise],
    #[serde(skip_serializing_if = "Option::is_none")]
    exam: Option<SatExam>,
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<&'a str>,
}

/// An exam with the elapsed time; its terms come from the rulebook.
#[derive(Serialize)]
struct SatExam {
    elapsed_hours: f64,
}

impl Hunter {
    /// A log as a document to assess, with `text` as the hunter's feedback or as a report.
    #[must_use]
    pub fn document(&self, quest: &str, basis: &Basis, text: &str, by_reporter: bool) -> Option<String> {
        let entry = self.logs.get(quest).filter(|entry| !entry.removed)?;
        let user_feedback = (!by_reporter).then(|| text.to_owned());
        let sat = |elapsed| SatExam { elapsed_hours: Millis(elapsed).as_seconds() / 3600.0 };
        Some(to_json(&LogDocument {
            quest_type: entry.quest_type,
            plan: &basis.plan,
            log: Log { user_feedback, ..basis.log.clone() },
            profile: entry.profile,
            own_exercises: self.own.get(..basis.own)?,
            exam: basis.elapsed_ms.map(sat),
            report: by_reporter.then_some(text),
        }))
    }
}
