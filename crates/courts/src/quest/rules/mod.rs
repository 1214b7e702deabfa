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

/// The parameters of verdicts on logs, reports and exams.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuestRules {
    /// Integrity parameters.
    pub(super) integrity: IntegrityRules,
    /// XP parameters.
    pub(super) xp: XpRules,
    /// Effort multipliers: the first row whose limit is not exceeded applies.
    pub(super) effort: Vec<EffortRow>,
    /// The XP multiplier of each hunter status.
    pub(super) hunter_status: BTreeMap<HunterStatus, f64>,
    /// The bonus of each class.
    pub(super) classes: BTreeMap<Class, ClassRules>,
    /// Safety parameters.
    pub(super) safety: SafetyRules,
    /// The minimum XP of each level; the first is 0.
    pub(super) levels: Vec<u64>,
    /// Report parameters.
    pub(super) reports: ReportRules,
    /// Time limits.
    pub(super) times: QuestTimeRules,
    /// The number of verified logs after which a hunter is Verified.
    pub(super) verified_after: u32,
    /// The exams, one for each promotion.
    pub(super) exams: Vec<ExamRules>,
    /// Hand signs, of which one is drawn for every exam attempt.
    pub(super) hand_signs: Vec<SmolStr>,
    /// Messages to hunters.
    pub(super) messages: RulebookMessages,
    /// The exercise table.
    pub(super) exercises: ExerciseTable,
}

impl QuestRules {
    /// The allowed reasons of a report.
    #[must_use]
    pub fn report_reasons(&self) -> &[SmolStr] {
        &self.reports.reasons
    }
}

/// Integrity parameters.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct IntegrityRules {
    /// The minimum time of a repetition, unless the exercise has its own.
    pub(super) seconds_per_rep: f64,
    /// The share of the planned exercises below which a log is incomplete.
    pub(super) incomplete_below: f64,
    /// The score factor of an incomplete log.
    pub(super) incomplete_factor: f64,
    /// The maximum score of a flagged log before proof.
    pub(super) flagged_score: f64,
    /// An exercise claimed in less than this share of its expected time requires proof.
    pub(super) expected_share: f64,
    /// The score added by proof.
    pub(super) proof_lift: f64,
    /// The score added by proof that a judge has verified.
    pub(super) verified_proof_lift: f64,
    /// Whether proof also raises the score of an incomplete log.
    pub(super) proof_lifts_incomplete: bool,
    /// The score below which a log is rejected.
    pub(super) rejected_below: f64,
    /// The score below which a log is flagged.
    pub(super) flagged_below: f64,
    /// The share of XP that a flagged log pays.
    pub(super) flagged_share: f64,
}

/// XP parameters.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct XpRules {
    /// XP for each estimated minute.
    pub(super) per_minute: f64,
    /// The maximum bonus for extra volume, as a share of the base XP.
    pub(super) volume_most: f64,
    /// The share of XP that a penalty quest pays.
    pub(super) penalty_share: f64,
    /// The bonus for each day of a streak.
    pub(super) streak_step: f64,
    /// The maximum bonus of a streak.
    pub(super) streak_most: f64,
    /// The multiplier of a log with proof.
    pub(super) proof: f64,
    /// The maximum a log adds to each stat.
    pub(super) stat_most: f64,
}

/// A row of the effort table.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EffortRow {
    /// The maximum of target minus actual RPE; `None` in the last row.
    pub(super) up_to: Option<f64>,
    pub(super) multiplier: f64,
}

/// The bonus of a class: for exercises with its traits, or for a streak.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClassRules {
    #[serde(default)]
    pub(super) traits: Vec<SmolStr>,
    pub(super) streak_days: Option<u32>,
    pub(super) multiplier: f64,
}

/// Safety parameters.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SafetyRules {
    /// Conditions in which high intensity is a violation.
    pub(super) no_high_intensity: Vec<Condition>,
    /// Exercises that are a violation in a condition.
    pub(super) forbidden: BTreeMap<Condition, Vec<SmolStr>>,
    /// The XP multiplier of a violation.
    pub(super) factor: f64,
    /// The safety score of a violation.
    pub(super) score: f64,
    /// The maximum safety score of a log whose feedback mentions pain.
    pub(super) pain_score: f64,
    /// The maximum safety score of a log whose feedback mentions an injury.
    pub(super) injury_score: f64,
}

/// Report parameters.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReportRules {
    /// The report tally from which a hunter is Flagged.
    pub(super) flagged_at: f64,
    /// The report tally from which a hunter is Corrupted.
    pub(super) corrupted_at: f64,
    /// Whether reports alone make a hunter Corrupted; otherwise a judge must rule.
    pub(super) corrupt_without_judge: bool,
    /// Whether reports are weighted by the reporter's accuracy.
    pub(super) weighted: bool,
    /// The maximum number of reports a hunter may file in 24 hours.
    pub(super) per_day: u32,
    /// The allowed reasons of a report.
    pub(super) reasons: Vec<SmolStr>,
}

/// Time limits.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, expecting = "struct TimeRules")]
pub(super) struct QuestTimeRules {
    /// The default time until a quest expires.
    pub(super) quest_hours: f64,
    /// How long proof may be added to a flagged log.
    pub(super) proof_days: f64,
    /// The review period of a passed exam.
    pub(super) exam_review_hours: f64,
}

impl QuestRules {
    /// The level for an amount of XP, from 1.
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
