//! The parameters of a contest, checked when a rulebook is read.

use assize_kernel::{Fault, Millis, Rules};
use serde::Deserialize;

/// A week: no task runs longer, and sums of times stay far from overflowing.
pub(super) const LONGEST_SECONDS: f64 = 604_800.0;
const MOST_POINTS: f64 = 1_000_000.0;

/// What a contest is judged by.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContestRules {
    /// How an answer is compared with the ground truth.
    #[serde(default)]
    pub matching: Matching,
    /// What answers earn and cost, where being right and quick earns points.
    pub score: Option<ScoreRules>,
    /// What a partly right answer to a TR task is worth, where there are such.
    pub partial: Option<PartialRules>,
    /// What being near earns, where that earns points.
    pub distance: Option<DistanceRules>,
    /// How long things take.
    pub time: TimeRules,
    /// How people judge, where there is no ground truth.
    #[serde(default)]
    pub judging: JudgingRules,
}

/// How an answer is compared with the ground truth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Matching {
    /// The values must be the boundaries.
    #[default]
    Exact,
    /// The spans must overlap the events.
    Overlap,
    /// The values meet the events in order, and every frame outside one costs.
    Distance,
}

/// What follows from an answer: one of two ways to earn points.
#[derive(Debug, Clone, Copy)]
pub(super) enum Scoring<'a> {
    /// By being right, and quick.
    Timed(&'a ScoreRules, &'a PartialRules),
    /// By being near.
    Near(&'a DistanceRules),
}

/// What answers earn and cost.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScoreRules {
    /// What a right answer earns at the very start.
    pub maximum: f64,
    /// What a right answer still earns when the time limit is reached.
    pub base: f64,
    /// What every wrong attempt before the right one costs.
    pub penalty: f64,
}

/// How long things take.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimeRules {
    /// How long a task runs, unless the task or its start says otherwise.
    pub limit_seconds: f64,
    /// How long after the time limit an answer is still taken.
    pub buffer_seconds: f64,
    /// Within this, the same answer of the same team is the same submission.
    pub repeat_seconds: f64,
}

/// How people judge.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgingRules {
    /// For so long nobody else gets an answer that a judge has taken.
    pub lease_seconds: f64,
}

/// What a partly right answer to a TR task is worth.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartialRules {
    /// From this share of matched boundaries on, an answer is partly right.
    pub threshold: f64,
    /// The correctness of a partly right answer.
    pub factor: f64,
    /// Whether a partly right answer ends the task for the team.
    pub completes: bool,
}

/// What being near earns.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DistanceRules {
    /// What a value inside its event earns.
    pub maximum: f64,
    /// What every frame outside the event costs.
    pub decay: f64,
    /// TR tasks: so many frames outside, a value still earns something.
    pub tolerance_frames: f64,
    /// KIS and QA tasks: so many milliseconds outside.
    pub tolerance_milliseconds: f64,
    /// How many frames a second has, for tasks in milliseconds.
    pub frames_per_second: f64,
    /// What becomes of the scores of several events.
    pub aggregate: Aggregate,
}

/// What becomes of the scores of several events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Aggregate {
    /// Their average.
    Mean,
    /// The lowest of them.
    Min,
    /// All of them together.
    Sum,
}

impl ContestRules {
    /// Which way points are earned.
    #[allow(clippy::panic, reason = "a rulebook with faults is handed to nobody, and this would be one")]
    pub(super) fn scoring(&self) -> Scoring<'_> {
        match self {
            Self { matching: Matching::Distance, distance: Some(distance), .. } => Scoring::Near(distance),
            Self { score: Some(score), partial: Some(partial), .. } => Scoring::Timed(score, partial),
            _ => panic!("a rulebook without a way to earn points"),
        }
    }
}

impl TimeRules {
    /// The time limit of a task that names none.
    #[must_use]
    pub fn limit(&self) -> Millis {
        Millis::from_seconds(self.limit_seconds)
    }

    /// The buffer of a task whose start names none.
    #[must_use]
    pub fn buffer(&self) -> Millis {
        Millis::from_seconds(self.buffer_seconds)
    }

    /// See [`TimeRules::repeat_seconds`].
    #[must_use]
    pub fn repeat(&self) -> Millis {
        Millis::from_seconds(self.repeat_seconds)
    }
}

impl JudgingRules {
    /// See [`JudgingRules::lease_seconds`].
    #[must_use]
    pub fn lease(&self) -> Millis {
        Millis::from_seconds(self.lease_seconds)
    }
}

/// For rulebooks that were written before people could judge.
impl Default for JudgingRules {
    fn default() -> Self {
        Self { lease_seconds: 60.0 }
    }
}

impl Rules for ContestRules {
    fn faults(&self) -> Vec<Fault> {
        let Self { matching, score, partial, distance, time, judging } = self;
        let near = *matching == Matching::Distance;
        let mut faults = vec![
            belongs("score", score.is_some(), !near),
            belongs("partial", partial.is_some(), !near),
            belongs("distance", distance.is_some(), near),
        ];
        faults.extend(score.iter().flat_map(ScoreRules::faults));
        faults.extend(partial.iter().flat_map(PartialRules::faults));
        faults.extend(distance.iter().flat_map(DistanceRules::faults));
        faults.extend([
            above("time.limit_seconds", time.limit_seconds, LONGEST_SECONDS),
            within("time.buffer_seconds", time.buffer_seconds, LONGEST_SECONDS),
            within("time.repeat_seconds", time.repeat_seconds, LONGEST_SECONDS),
            above("judging.lease_seconds", judging.lease_seconds, LONGEST_SECONDS),
        ]);
        faults.into_iter().flatten().collect()
    }
}

impl ScoreRules {
    fn faults(&self) -> [Option<Fault>; 3] {
        [
            above("score.maximum", self.maximum, MOST_POINTS),
            within("score.base", self.base, self.maximum),
            within("score.penalty", self.penalty, MOST_POINTS),
        ]
    }
}

impl PartialRules {
    fn faults(&self) -> [Option<Fault>; 2] {
        [above("partial.threshold", self.threshold, 1.0), within("partial.factor", self.factor, 1.0)]
    }
}

impl DistanceRules {
    fn faults(&self) -> [Option<Fault>; 5] {
        [
            above("distance.maximum", self.maximum, MOST_POINTS),
            within("distance.decay", self.decay, MOST_POINTS),
            within("distance.tolerance_frames", self.tolerance_frames, MOST_POINTS),
            within("distance.tolerance_milliseconds", self.tolerance_milliseconds, MOST_POINTS),
            above("distance.frames_per_second", self.frames_per_second, 1000.0),
        ]
    }
}

/// A table that this way of matching needs, or has no use for.
fn belongs(table: &'static str, there: bool, needed: bool) -> Option<Fault> {
    let problem = match (there, needed) {
        (false, true) => "is missing: this way of matching needs it",
        (true, false) => "has no meaning for this way of matching",
        _ => return None,
    };
    Some(Fault::new(table, problem))
}

/// Not-a-number is in no range, so it is a fault too.
fn within(key: &'static str, value: f64, most: f64) -> Option<Fault> {
    let fault = || Fault::new(key, format!("must be a number from 0 to {most}, is {value}"));
    (!(0.0..=most).contains(&value)).then(fault)
}

fn above(key: &'static str, value: f64, most: f64) -> Option<Fault> {
    let fault = || Fault::new(key, format!("must be above 0 and at most {most}, is {value}"));
    (!(value > 0.0 && value <= most)).then(fault)
}

#[cfg(test)]
mod tests {
    use assize_kernel::Rulebook;

    use super::*;
    use crate::contest::COMPETITION;

    #[track_caller]
    fn check(from: &str, to: &str, expected: &str) {
        let text = COMPETITION.replace(from, to);
        let error = Rulebook::<ContestRules>::read("contest", "mine.toml", &text).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn the_shipped_rulebook_is_without_fault() {
        let book = Rulebook::<ContestRules>::read("contest", "competition.toml", COMPETITION).unwrap();
        assert_eq!(book.rules.time.limit(), Millis(300_000));
    }

    #[test]
    fn a_base_above_the_maximum_would_reward_waiting() {
        check("base = 50", "base = 101", "mine.toml:12: score.base: must be a number from 0 to 100, is 101");
    }

    #[test]
    fn what_is_no_number_is_in_no_range() {
        check(
            "penalty = 10 ",
            "penalty = nan ",
            "mine.toml:13: score.penalty: must be a number from 0 to 1000000, is NaN",
        );
    }

    #[test]
    fn a_time_limit_of_nothing_is_nonsense() {
        check(
            "limit_seconds = 300",
            "limit_seconds = 0",
            "mine.toml:16: time.limit_seconds: must be above 0 and at most 604800, is 0",
        );
    }

    #[test]
    fn a_key_nobody_knows_is_named() {
        check(
            "completes = true",
            "complete = true",
            "mine.toml:23: partial.complete: unknown field `complete`, expected one of `threshold`, `factor`, `completes`",
        );
    }
}
