//! Commands of the quest court. They never contain free text, only its digest and the signs read in it.

use assize_kernel::{Digest, Moment, SmolStr};
use serde::{Deserialize, Serialize};

use super::day::Day;
use super::log::{Log, Plan, Proof};
use super::profile::{Class, QuestType};
use super::reading::Reading;
use super::rules::Exercise;
use super::words::{ReportReading, WordsReading};

/// A command to the stream of a hunter or, for `ClaimMedia`, of a picture or video.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum QuestCommand {
    /// Registers a hunter under the current rulebook.
    RegisterHunter {
        /// The hunter's name in URLs and on boards.
        hunter: SmolStr,
        /// The hunter's class.
        class: Class,
        /// The time zone their days are counted in.
        zone: SmolStr,
        /// The digest of the display name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<Digest>,
    },
    /// Changes the hunter's class.
    ChangeClass {
        /// The new class.
        class: Class,
    },
    /// Changes the hunter's time zone.
    ChangeZone {
        /// The new time zone.
        zone: SmolStr,
    },
    /// Adds a custom exercise.
    AddExercise {
        /// The exercise.
        exercise: Exercise,
    },
    /// Assigns a quest.
    AssignQuest {
        /// The name of the quest.
        quest: SmolStr,
        /// What it is for.
        quest_type: QuestType,
        /// The plan of the quest.
        plan: Plan,
        /// When the quest expires; by default after the rulebook's `quest_hours`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expires_at: Option<Moment>,
    },
    /// Expires a quest. Sent by the clock.
    ExpireQuest {
        /// The quest.
        quest: SmolStr,
    },
    /// Submits a log.
    SubmitLog(Submission),
    /// Adds proof to a flagged log.
    AddProof {
        /// The quest of the log.
        quest: SmolStr,
        /// The proof.
        proof: Proof,
    },
    /// Records a judge's review of a proof.
    ReviewProof {
        /// The quest of the log.
        quest: SmolStr,
        /// Whether it shows what was logged.
        accepted: bool,
        /// The digest of the judge's note.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<Digest>,
    },
    /// Records an external assessor's reading of the feedback of a log.
    ReadWords(WordsReading),
    /// In the reporter's stream: files a report. This stream enforces the rate limit and sets the weight.
    FileReport {
        /// The reported hunter.
        hunter: SmolStr,
        /// The quest of the reported log.
        quest: SmolStr,
        /// Why, from the rulebook's list.
        reason: SmolStr,
    },
    /// In the reported hunter's stream: receives a filed report.
    ReceiveReport {
        /// Who reports.
        reporter: SmolStr,
        /// The quest of the reported log.
        quest: SmolStr,
        /// Why.
        reason: SmolStr,
        /// The reporter's weight, from the reporter's stream.
        weight: f64,
        /// The digest of the reporter's text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<Digest>,
    },
    /// Records an external assessor's reading of a report, which is shown to judges.
    ReadReport(ReportReading),
    /// Records a judge's decision on a report.
    DecideReport {
        /// The reporter.
        reporter: SmolStr,
        /// The quest of the reported log.
        quest: SmolStr,
        /// Whether the judge confirms the report.
        confirmed: bool,
        /// Whether the log is taken out with it.
        #[serde(default)]
        remove_log: bool,
        /// The digest of the judge's note.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<Digest>,
    },
    /// In the reporter's stream: records whether a filed report was confirmed.
    NoteReport {
        /// The reported hunter.
        hunter: SmolStr,
        /// The quest of the reported log.
        quest: SmolStr,
        /// Whether the judge confirmed the report.
        confirmed: bool,
    },
    /// Makes a hunter Corrupted by a judge's word, or takes that back.
    RuleStatus {
        /// Whether the judge rules the hunter Corrupted.
        corrupted: bool,
        /// The digest of the judge's note.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<Digest>,
    },
    /// Accepts the offered exam and starts its time limit.
    AcceptExam {
        /// The name for the quest of the exam.
        quest: SmolStr,
        /// A random number from outside the court that selects the hand sign of this attempt.
        draw: u32,
    },
    /// Grants an exam without objections. Sent by the clock.
    GrantExam {
        /// Its quest.
        quest: SmolStr,
    },
    /// Records a judge's decision on an exam.
    DecideExam {
        /// Its quest.
        quest: SmolStr,
        /// Whether the exam is granted.
        granted: bool,
        /// The digest of the judge's note.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<Digest>,
    },
    /// In the stream of a picture or video: claims it as proof.
    ClaimMedia {
        /// The hunter who claims it.
        hunter: SmolStr,
        /// The quest it proves.
        quest: SmolStr,
    },
}

/// A log as submitted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Submission {
    /// The quest of the log.
    pub quest: SmolStr,
    /// The log without its feedback text.
    pub log: Log,
    /// The day the log counts for, in the hunter's time zone.
    pub day: Day,
    /// Whether nobody else is to see it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub private: bool,
    /// The digest of the feedback.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feedback: Option<Digest>,
    /// The signs read in the feedback.
    #[serde(default)]
    pub reading: Reading,
}
