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

/// What somebody else has read in what a hunter wrote beside a log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WordsReading {
    /// Beside the log of which quest.
    pub quest: SmolStr,
    /// What, and who.
    pub reading: Reading,
    /// Where they were asked: the place of that record in the ledger.
    pub assessment: u64,
    /// What the log was judged by.
    pub basis: Basis,
    /// What is to be said about the readers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<Reason>,
}

/// What a log was judged by that its hunter's state does not hold for ever. Nothing of it changes with a rulebook.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Basis {
    /// What was to be done.
    pub plan: Plan,
    /// As it was submitted, without words.
    pub log: Log,
    /// How many exercises of their own the hunter had then.
    #[serde(default, skip_serializing_if = "is_none")]
    pub own: usize,
    /// How long after accepting, for an exam.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elapsed_ms: Option<i64>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks like that")]
const fn is_none(count: &usize) -> bool {
    *count == 0
}

/// What somebody else has read in a report's text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReportReading {
    /// Of which log.
    pub quest: SmolStr,
    /// Whose report.
    pub reporter: SmolStr,
    /// What, and who.
    pub reading: Reading,
    /// Where they were asked: the place of that record in the ledger.
    pub assessment: u64,
}

/// The precedence of readings of a text: a person's before a model's, then the latest assessment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ReadingPriority {
    pub(super) person: bool,
    pub(super) assessment: u64,
    /// Where it stands in the ledger.
    pub(super) position: u64,
}

impl ReadingPriority {
    pub(super) fn of(reading: &Reading, assessment: u64, position: u64) -> Self {
        Self { person: reading.by.as_ref().is_some_and(Assessor::is_person), assessment, position }
    }

    /// Where the same reading stands already; none when this one is to be taken up.
    ///
    /// # Errors
    /// When another one counts more.
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

/// A log as `assize judge` takes it.
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

/// An exam: what the rulebook asks for, after so long.
#[derive(Serialize)]
struct SatExam {
    elapsed_hours: f64,
}

impl Hunter {
    /// A log as a document to be assessed, with this text as what was written: by the hunter, or by a reporter.
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
