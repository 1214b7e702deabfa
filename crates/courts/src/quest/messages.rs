//! Commands of the quest court. They never contain free text, only its digest and the signs read in it.

use assize_kernel::{Digest, Moment, SmolStr};
use serde::{Deserialize, Serialize};

use super::day::Day;
use super::log::{Log, Plan, Proof};
use super::profile::{Class, QuestType};
use super::reading::Reading;
use super::rules::Exercise;
use super::words::{ReportReading, WordsReading};

/// What somebody wants to happen in the stream of a hunter; or, for the last one, in that of a picture or a video.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum QuestCommand {
    /// Begins a hunter's history under the rulebook at hand.
    RegisterHunter {
        /// Their name in addresses and on boards.
        hunter: SmolStr,
        /// How they fight.
        class: Class,
        /// The time zone their days are counted in.
        zone: SmolStr,
        /// The digest of what people call them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<Digest>,
    },
    /// Lets them fight in another way.
    ChangeClass {
        /// From now on.
        class: Class,
    },
    /// Counts their days elsewhere.
    ChangeZone {
        /// From now on.
        zone: SmolStr,
    },
    /// Adds an exercise that only they have.
    AddExercise {
        /// What is known of it.
        exercise: Exercise,
    },
    /// Gives them a quest.
    AssignQuest {
        /// Its name.
        quest: SmolStr,
        /// What it is for.
        quest_type: QuestType,
        /// What is to be done.
        plan: Plan,
        /// Until when; what the rulebook says otherwise.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expires_at: Option<Moment>,
    },
    /// Ends a quest whose time is over: the clock's command.
    ExpireQuest {
        /// Which one.
        quest: SmolStr,
    },
    /// Submits what they did.
    SubmitLog(Submission),
    /// Adds proof to a flagged log.
    AddProof {
        /// Of which quest.
        quest: SmolStr,
        /// What there is to show.
        proof: Proof,
    },
    /// Says what a judge thinks of a proof.
    ReviewProof {
        /// Of which quest.
        quest: SmolStr,
        /// Whether it shows what was logged.
        accepted: bool,
        /// The digest of what they wrote.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<Digest>,
    },
    /// Takes up what somebody else has read in what the hunter wrote beside a log.
    ReadWords(WordsReading),
    /// In the reporter's stream: reports somebody's log. It decides how many are too many, and what they weigh.
    FileReport {
        /// Whose log.
        hunter: SmolStr,
        /// Of which quest.
        quest: SmolStr,
        /// Why, from the rulebook's list.
        reason: SmolStr,
    },
    /// In the stream of whoever is reported: takes up what was filed.
    ReceiveReport {
        /// Who reports.
        reporter: SmolStr,
        /// Of which quest.
        quest: SmolStr,
        /// Why.
        reason: SmolStr,
        /// What the reporter weighs, as their own stream has it.
        weight: f64,
        /// The digest of what they wrote.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<Digest>,
    },
    /// Takes up what somebody else has read in a report's text: for judges to see.
    ReadReport(ReportReading),
    /// Says what a judge thinks of a report.
    DecideReport {
        /// By whom.
        reporter: SmolStr,
        /// Of which quest.
        quest: SmolStr,
        /// Whether it is right.
        confirmed: bool,
        /// Whether the log is taken out with it.
        #[serde(default)]
        remove_log: bool,
        /// The digest of what they wrote.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<Digest>,
    },
    /// In the reporter's stream: remembers whether they were right.
    NoteReport {
        /// About whom.
        hunter: SmolStr,
        /// Of which quest.
        quest: SmolStr,
        /// Whether it was right.
        confirmed: bool,
    },
    /// Makes a hunter Corrupted by a judge's word, or takes that back.
    RuleStatus {
        /// Whether they are.
        corrupted: bool,
        /// The digest of what they wrote.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<Digest>,
    },
    /// Accepts the exam that is offered: its clock runs.
    AcceptExam {
        /// What its quest is to be called.
        quest: SmolStr,
        /// Drawn outside: decides on the hand sign of this attempt.
        draw: u32,
    },
    /// Grants an exam that nobody objected to: the clock's command.
    GrantExam {
        /// Its quest.
        quest: SmolStr,
    },
    /// Says what a judge thinks of an exam.
    DecideExam {
        /// Its quest.
        quest: SmolStr,
        /// Whether it is passed.
        granted: bool,
        /// The digest of what they wrote.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<Digest>,
    },
    /// In the stream of a picture or a video: uses it as proof.
    ClaimMedia {
        /// Who.
        hunter: SmolStr,
        /// For which quest.
        quest: SmolStr,
    },
}

/// What somebody did, as it is submitted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Submission {
    /// For which quest.
    pub quest: SmolStr,
    /// Without their words.
    pub log: Log,
    /// The day it counts for, in their own time zone.
    pub day: Day,
    /// Whether nobody else is to see it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub private: bool,
    /// The digest of their words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feedback: Option<Digest>,
    /// What was read in them.
    #[serde(default)]
    pub reading: Reading,
}
