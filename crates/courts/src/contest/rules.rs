//! The rulebook of a contest, validated when it is read.

use assize_kernel::{Fault, Millis, Rules};
use serde::Deserialize;

/// A week. No task runs longer, so sums of times cannot overflow.
pub(super) const LONGEST_SECONDS: f64 = 604_800.0;
const MOST_POINTS: f64 = 1_000_000.0;

/// The rules of a contest.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContestRules {
    /// How an answer is compared with the ground truth.
    #[serde(default)]
    pub matching: MatchingMode,
    /// Points and penalties under timed scoring.
    pub score: Option<ScoreRules>,
    /// Partial credit for TR tasks under timed scoring.
    pub partial: Option<PartialRules>,
    /// Distance scoring.
    pub distance: Option<DistanceRules>,
    /// Time limits.
    pub time: TaskTimeRules,
    /// Judging by people, for tasks without a ground truth.
    #[serde(default)]
    pub judging: JudgingRules,
}

/// How an answer is compared with the ground truth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MatchingMode {
    /// The values must be the boundaries.
    #[default]
    Exact,
    /// The spans must overlap the events.
    Overlap,
    /// The values are matched with the events in order, and every frame outside an event costs points.
    Distance,
}

/// The scoring mode with its rules.
#[derive(Debug, Clone, Copy)]
pub(super) enum ScoringMode<'a> {
    /// Points for being right and quick.
    Timed(&'a ScoreRules, &'a PartialRules),
    /// Points for being near.
    Near(&'a DistanceRules),
}

/// Points and penalties under timed scoring.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScoreRules {
    /// Points of a right answer at the start.
    pub maximum: f64,
    /// Points of a right answer at the time limit.
    pub base: f64,
    /// Penalty for every earlier wrong attempt.
    pub penalty: f64,
}

/// Time limits of a task.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, expecting = "struct TimeRules")]
pub struct TaskTimeRules {
    /// The default time limit of a task; the task or its start may override it.
    pub limit_seconds: f64,
    /// How long after the time limit answers are still accepted.
    pub buffer_seconds: f64,
    /// The window within which an equal answer of the same team is a retry.
    pub repeat_seconds: f64,
}

/// Judging by people.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgingRules {
    /// The duration of a judge's lease on an answer.
    pub lease_seconds: f64,
}

/// Partial credit for TR tasks.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartialRules {
    /// The share of matched boundaries from which an answer is partly right.
    pub threshold: f64,
    /// The correctness of a partly right answer.
    pub factor: f64,
    /// Whether a partly right answer completes the task for the team.
    pub completes: bool,
}

/// Distance scoring.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DistanceRules {
    /// Points of a value inside its event.
    pub maximum: f64,
    /// Points lost for every frame outside the event.
    pub decay: f64,
    /// TR tasks: the largest distance in frames that still scores.
    pub tolerance_frames: f64,
    /// KIS and QA tasks: the largest distance in milliseconds that still scores.
    pub tolerance_milliseconds: f64,
    /// Frames per second, for tasks in milliseconds.
    pub frames_per_second: f64,
    /// How the scores of several events are aggregated.
    pub aggregate: ScoreAggregate,
}

/// How the scores of several events are aggregated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScoreAggregate {
    /// Their average.
    Mean,
    /// The lowest of them.
    Min,
    /// Their sum.
    Sum,
}

impl ContestRules {
    /// The scoring mode.
    #[allow(clippy::panic, reason = "a rulebook without a scoring mode fails validation")]
    pub(super) fn scoring(&self) -> ScoringMode<'_> {
        match self {
            Self { matching: MatchingMode::Distance, distance: Some(distance), .. } => {
                ScoringMode::Near(distance)
            }
            Self { score: Some(score), partial: Some(partial), .. } => ScoringMode::Timed(score, partial),
            _ => panic!("a rulebook without a way to earn points"),
        }
    }
}

impl TaskTimeRules {
    /// The default time limit.
    #[must_use]
    pub fn limit(&self) -> Millis {
        Millis::from_seconds(self.limit_seconds)
    }

    /// The default buffer.
    #[must_use]
    pub fn buffer(&self) -> Millis {
        Millis::from_seconds(self.buffer_seconds)
    }

    /// See [`TaskTimeRules::repeat_seconds`].
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

/// For rulebooks older than judging by people.
impl Default for JudgingRules {
    fn default() -> Self {
        Self { lease_seconds: 60.0 }
    }
}

impl Rules for ContestRules {
    fn faults(&self) -> Vec<Fault> {
        let Self { matching, score, partial, distance, time, judging } = self;
        let near = *matching == MatchingMode::Distance;
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

/// A fault if a table is missing or has no meaning for the matching mode.
fn belongs(table: &'static str, there: bool, needed: bool) -> Option<Fault> {
    let problem = match (there, needed) {
        (false, true) => "is missing: this way of matching needs it",
        (true, false) => "has no meaning for this way of matching",
        _ => return None,
    };
    Some(Fault::new(table, problem))
}

/// NaN is in no range and therefore a fault, too.
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
