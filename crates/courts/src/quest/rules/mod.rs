//! The rulebook of the quest court, validated when it is read.

mod checks;
mod exams;
mod exercises;
mod words;

use std::collections::BTreeMap;

use assize_kernel::{Fault, Rules, SmolStr};
use serde::Deserialize;

use super::profile::{Class, Condition, HunterStatus};
use checks::{above, within};
pub use exams::ExamType;
pub(super) use exams::{ExamRules, RequiredExercise};
pub use exercises::{Category, Exercise};
pub(super) use exercises::{ExerciseTable, LimitFlag, normalised};
pub(super) use words::RulebookMessages;

/// What logs, reports and exams are judged by.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuestRules {
    /// How believable a log is.
    pub(super) integrity: IntegrityRules,
    /// What a log is worth.
    pub(super) xp: XpRules,
    /// What trying hard is worth: the first row that the difference does not exceed.
    pub(super) effort: Vec<EffortRow>,
    /// What a hunter's status does to what they earn.
    pub(super) hunter_status: BTreeMap<HunterStatus, f64>,
    /// What the classes reward.
    pub(super) classes: BTreeMap<Class, ClassRules>,
    /// What is dangerous.
    pub(super) safety: SafetyRules,
    /// From how much XP on a hunter has which level; the first is 0.
    pub(super) levels: Vec<u64>,
    /// What reports do.
    pub(super) reports: ReportRules,
    /// How long things are open.
    pub(super) times: QuestTimeRules,
    /// Of how many logs a judge must have verified the proof before a hunter is Verified.
    pub(super) verified_after: u32,
    /// The exams, one for each promotion.
    pub(super) exams: Vec<ExamRules>,
    /// Signs of which one is drawn for every attempt at an exam.
    pub(super) hand_signs: Vec<SmolStr>,
    /// What people are told.
    pub(super) messages: RulebookMessages,
    /// What is known of exercises.
    pub(super) exercises: ExerciseTable,
}

impl QuestRules {
    /// What a report can be for.
    #[must_use]
    pub fn report_reasons(&self) -> &[SmolStr] {
        &self.reports.reasons
    }
}

/// How believable a log is.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct IntegrityRules {
    /// No repetition takes less, unless the exercise says otherwise.
    pub(super) seconds_per_rep: f64,
    /// Below this share of the planned exercises a log is incomplete.
    pub(super) incomplete_below: f64,
    /// What that does to the score.
    pub(super) incomplete_factor: f64,
    /// The most a flagged log scores before proof.
    pub(super) flagged_score: f64,
    /// An exercise claimed in less than this share of its expected time needs proof.
    pub(super) expected_share: f64,
    /// What proof adds.
    pub(super) proof_lift: f64,
    /// What proof adds that a judge has verified.
    pub(super) verified_proof_lift: f64,
    /// Whether proof also lifts a log that is incomplete.
    pub(super) proof_lifts_incomplete: bool,
    /// Below this score a log is rejected.
    pub(super) rejected_below: f64,
    /// Below this score a log is flagged.
    pub(super) flagged_below: f64,
    /// What a flagged log pays.
    pub(super) flagged_share: f64,
}

/// What a log is worth.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct XpRules {
    /// For every estimated minute.
    pub(super) per_minute: f64,
    /// The most that doing more than planned adds, as a share of the base.
    pub(super) volume_most: f64,
    /// What a penalty quest pays.
    pub(super) penalty_share: f64,
    /// What every day of a streak adds.
    pub(super) streak_step: f64,
    /// The most a streak adds.
    pub(super) streak_most: f64,
    /// What a log with proof is multiplied by.
    pub(super) proof: f64,
    /// The most a log adds to each of the three stats.
    pub(super) stat_most: f64,
}

/// A row of the table of effort.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EffortRow {
    /// Up to this difference; the last row has none.
    pub(super) up_to: Option<f64>,
    pub(super) multiplier: f64,
}

/// What a class rewards: exercises with its traits, or a streak.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClassRules {
    #[serde(default)]
    pub(super) traits: Vec<SmolStr>,
    pub(super) streak_days: Option<u32>,
    pub(super) multiplier: f64,
}

/// What is dangerous.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SafetyRules {
    /// In these conditions high intensity is.
    pub(super) no_high_intensity: Vec<Condition>,
    /// Exercises that are, by condition.
    pub(super) forbidden: BTreeMap<Condition, Vec<SmolStr>>,
    /// What a violation does to what is earned.
    pub(super) factor: f64,
    /// The safety score of a violation.
    pub(super) score: f64,
    /// The highest safety score of a log whose words speak of pain.
    pub(super) pain_score: f64,
    /// The same for an injury.
    pub(super) injury_score: f64,
}

/// What reports do.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReportRules {
    /// From so many distinct reporters on a hunter is Flagged.
    pub(super) flagged_at: f64,
    /// And from so many on Corrupted.
    pub(super) corrupted_at: f64,
    /// Whether reports alone make a hunter Corrupted; else a judge must.
    pub(super) corrupt_without_judge: bool,
    /// Whether a reporter counts by how often they were right.
    pub(super) weighted: bool,
    /// How many reports somebody may file in 24 hours.
    pub(super) per_day: u32,
    /// What may be reported.
    pub(super) reasons: Vec<SmolStr>,
}

/// How long things are open.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, expecting = "struct TimeRules")]
pub(super) struct QuestTimeRules {
    /// How long a quest is open when its giver does not say.
    pub(super) quest_hours: f64,
    /// How long proof may be added to a flagged log.
    pub(super) proof_days: f64,
    /// How long an exam that was passed waits for reports.
    pub(super) exam_review_hours: f64,
}

impl QuestRules {
    /// What the level of a hunter with so much XP is, from 1.
    pub(super) fn level(&self, xp: u64) -> u32 {
        u32::try_from(self.levels.partition_point(|least| *least <= xp)).unwrap_or(u32::MAX)
    }
}

impl Rules for QuestRules {
    fn faults(&self) -> Vec<Fault> {
        let mut faults: Vec<Fault> = self.integrity.faults().into_iter().flatten().collect();
        faults.extend(self.xp.faults().into_iter().flatten());
        faults.extend(self.effort_faults());
        faults.extend(self.class_faults());
        faults.extend(self.safety.faults(&self.exercises));
        faults.extend(self.level_fault());
        faults.extend(self.reports.faults());
        faults.extend(self.times.faults().into_iter().flatten());
        faults.extend(exams::faults(&self.exams));
        faults.extend(self.hand_signs.is_empty().then(|| Fault::new("hand_signs", "must not be empty")));
        faults.extend(self.exercises.faults());
        faults
    }

    fn unlisted(&self) -> Vec<Fault> {
        let classes = Class::ALL.into_iter().filter(|class| !self.classes.contains_key(class));
        let classes = classes.map(|class| Fault::new("classes", format!("`{}` is missing", class.as_str())));
        let statuses =
            HunterStatus::ALL.into_iter().filter(|status| !self.hunter_status.contains_key(status));
        let statuses =
            statuses.map(|status| Fault::new("hunter_status", format!("`{}` is missing", status.as_str())));
        classes.chain(statuses).chain(exams::unlisted(&self.exams)).collect()
    }
}

impl QuestRules {
    fn effort_faults(&self) -> Vec<Fault> {
        let rows = &self.effort;
        let limits: Vec<f64> = rows.iter().map(|row| row.up_to.unwrap_or(f64::INFINITY)).collect();
        let ordered =
            limits.is_sorted_by(|left, right| left < right) && limits.last() == Some(&f64::INFINITY);
        let mut faults: Vec<Fault> =
            rows.iter().filter_map(|row| within("effort", row.multiplier, 10.0)).collect();
        if !ordered {
            faults.push(Fault::new("effort", "`up_to` must grow from row to row, and the last row has none"));
        }
        faults
    }

    fn class_faults(&self) -> Vec<Fault> {
        let classes = self.classes.values().filter_map(|class| within("classes", class.multiplier, 10.0));
        let statuses =
            self.hunter_status.values().filter_map(|multiplier| within("hunter_status", *multiplier, 10.0));
        classes.chain(statuses).collect()
    }

    fn level_fault(&self) -> Option<Fault> {
        let good = self.levels.first() == Some(&0) && self.levels.is_sorted_by(|left, right| left < right);
        (!good).then(|| Fault::new("levels", "must begin with 0 and grow from level to level"))
    }
}

impl IntegrityRules {
    fn faults(&self) -> [Option<Fault>; 10] {
        [
            above("integrity.seconds_per_rep", self.seconds_per_rep, 60.0),
            within("integrity.incomplete_below", self.incomplete_below, 1.0),
            within("integrity.incomplete_factor", self.incomplete_factor, 1.0),
            within("integrity.flagged_score", self.flagged_score, 1.0),
            within("integrity.expected_share", self.expected_share, 1.0),
            within("integrity.proof_lift", self.proof_lift, 1.0),
            within("integrity.verified_proof_lift", self.verified_proof_lift, 1.0),
            within("integrity.rejected_below", self.rejected_below, self.flagged_below),
            within("integrity.flagged_below", self.flagged_below, 1.0),
            within("integrity.flagged_share", self.flagged_share, 1.0),
        ]
    }
}

impl XpRules {
    fn faults(&self) -> [Option<Fault>; 7] {
        [
            above("xp.per_minute", self.per_minute, 10_000.0),
            within("xp.volume_most", self.volume_most, 10.0),
            within("xp.penalty_share", self.penalty_share, 1.0),
            within("xp.streak_step", self.streak_step, 1.0),
            within("xp.streak_most", self.streak_most, 10.0),
            above("xp.proof", self.proof, 10.0),
            within("xp.stat_most", self.stat_most, 100.0),
        ]
    }
}

impl SafetyRules {
    fn faults(&self, table: &ExerciseTable) -> Vec<Fault> {
        let shares = [
            within("safety.factor", self.factor, 1.0),
            within("safety.score", self.score, 1.0),
            within("safety.pain_score", self.pain_score, 1.0),
            within("safety.injury_score", self.injury_score, 1.0),
        ];
        let unknown = self.forbidden.values().flatten().filter(|name| table.find(name).is_none());
        let unknown =
            unknown.map(|name| Fault::new("safety.forbidden", format!("there is no exercise `{name}`")));
        shares.into_iter().flatten().chain(unknown).collect()
    }
}

impl ReportRules {
    fn faults(&self) -> Vec<Fault> {
        let counts = [
            above("reports.flagged_at", self.flagged_at, self.corrupted_at),
            above("reports.corrupted_at", self.corrupted_at, 1_000_000.0),
            above("reports.per_day", f64::from(self.per_day), 1_000_000.0),
        ];
        let none = self.reasons.is_empty().then(|| Fault::new("reports.reasons", "must not be empty"));
        counts.into_iter().flatten().chain(none).collect()
    }
}

impl QuestTimeRules {
    fn faults(&self) -> [Option<Fault>; 3] {
        const YEAR: f64 = 8_784.0;
        [
            above("times.quest_hours", self.quest_hours, YEAR),
            above("times.proof_days", self.proof_days, 366.0),
            above("times.exam_review_hours", self.exam_review_hours, YEAR),
        ]
    }
}
