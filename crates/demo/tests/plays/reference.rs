//! Reference implementation of the contest rules: slow, in integers, sharing no code with the court.

use std::collections::BTreeMap;

use assize_demo::DemoPlan;
use serde_json::Value;

use crate::reading::{Correctness, GroundTruth, ParsedAnswer};

/// The same answer within this time is the same submission.
const REPEAT: i64 = 10_000;

/// A line of a board.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct BoardLine {
    pub(crate) rank: usize,
    pub(crate) points: f64,
    /// Whether the team has no scoring submission.
    pub(crate) unscored: bool,
    pub(crate) millis: i64,
}

/// Result of a plan by the rules.
#[derive(Default)]
pub(crate) struct ReferenceContest {
    teams: Vec<String>,
    tasks: BTreeMap<String, ReferenceTask>,
    pub(crate) too_late: u64,
    pub(crate) already_completed: u64,
    pub(crate) malformed: u64,
    pub(crate) repeated: u64,
}

struct ReferenceTask {
    truth: GroundTruth,
    limit: i64,
    rehearsal: bool,
    round: Option<ReferenceRound>,
}

/// The round that counts: all moments are milliseconds of the plan.
struct ReferenceRound {
    begins: i64,
    closes: i64,
    attempts: BTreeMap<String, Vec<ReferenceAttempt>>,
}

struct ReferenceAttempt {
    at: i64,
    answer: ParsedAnswer,
    correctness: Correctness,
    /// In tenths of a point.
    tenths: i64,
    elapsed: i64,
}

impl ReferenceContest {
    pub(crate) fn of(plan: &DemoPlan) -> Self {
        let mut reference = Self::default();
        for step in &plan.steps {
            let (name, about) = step.command.as_object().unwrap().iter().next().unwrap();
            reference.take(step.after.0, name, about);
        }
        reference
    }

    fn take(&mut self, at: i64, name: &str, about: &Value) {
        let task = about["task"].as_str().unwrap_or_default().to_owned();
        match name {
            "RegisterTeam" => self.teams.push(about["team"].as_str().unwrap().to_owned()),
            "AddTask" => {
                let truth = GroundTruth::read(about);
                let limit = millis(&about["time_limit_seconds"]);
                let rehearsal = about["rehearsal"] == true;
                self.tasks.insert(task, ReferenceTask { truth, limit, rehearsal, round: None });
            }
            // A new round: earlier submissions no longer count.
            "StartTask" => {
                let task = self.tasks.get_mut(&task).unwrap();
                let begins = at + millis(&about["countdown_seconds"]);
                let closes = begins + task.limit + millis(&about["buffer_seconds"]);
                task.round = Some(ReferenceRound { begins, closes, attempts: BTreeMap::new() });
            }
            "AdjustTask" => self.round(&task).closes += millis(&about["by_seconds"]),
            "StopTask" => self.round(&task).closes = at,
            "SubmitAnswer" => self.submit(at, &task, about),
            _ => assert!(
                ["OpenContest", "FreezeBoards", "RevealTeam", "UnfreezeBoards"].contains(&name),
                "{name}"
            ),
        }
    }

    fn round(&mut self, task: &str) -> &mut ReferenceRound {
        self.tasks.get_mut(task).unwrap().round.as_mut().unwrap()
    }

    fn submit(&mut self, at: i64, task: &str, about: &Value) {
        let ReferenceTask { truth, limit, rehearsal, round } = self.tasks.get_mut(task).unwrap();
        let round = round.as_mut().expect("nobody answers before the start");
        let team = about["team"].as_str().unwrap().to_owned();
        let answer = truth.answer(&about["answers"]);
        let before = round.attempts.get(&team).map(Vec::as_slice).unwrap_or_default();
        let same = |attempt: &&ReferenceAttempt| {
            Some(&attempt.answer) == answer.as_ref() && at - attempt.at <= REPEAT
        };
        if before.iter().any(|attempt| same(&attempt)) {
            self.repeated += 1;
            return;
        }
        if at > round.closes {
            self.too_late += 1;
            return;
        }
        if before.iter().any(|attempt| attempt.correctness != Correctness::Wrong) {
            self.already_completed += 1;
            return;
        }
        let Some(answer) = answer else {
            self.malformed += 1;
            return;
        };
        let correctness = truth.judge(&answer);
        let elapsed = at - round.begins;
        let tenths = if *rehearsal { 0 } else { tenths(correctness, elapsed, *limit, before.len() as i64) };
        let attempt = ReferenceAttempt { at, answer, correctness, tenths, elapsed };
        round.attempts.entry(team).or_default().push(attempt);
    }

    /// The board over all tasks under the empty name, and that of each task with an answer.
    pub(crate) fn boards(&self) -> BTreeMap<String, BTreeMap<String, BoardLine>> {
        let mut boards = BTreeMap::new();
        for (name, task) in &self.tasks {
            let Some(round) = &task.round else { continue };
            let lines = round.attempts.iter().map(|(team, attempts)| (team, scored(attempts)));
            let lines = lines.map(|(team, best)| {
                (team.clone(), best.map_or((0, true, 0), |(points, time)| (points, false, time)))
            });
            boards.insert(name.clone(), ranked(lines.collect()));
        }
        boards.retain(|_, board| !board.is_empty());
        let total = |team: &String| {
            let counting = self.tasks.values().filter(|task| !task.rehearsal);
            let attempts = counting.filter_map(|task| task.round.as_ref()?.attempts.get(team));
            let scores: Vec<(i64, i64)> = attempts.filter_map(|attempts| scored(attempts)).collect();
            let (points, time) =
                scores.iter().fold((0, 0), |(points, time), (more, longer)| (points + more, time + longer));
            (team.clone(), (points, scores.is_empty(), time))
        };
        boards.insert(String::new(), ranked(self.teams.iter().map(total).collect()));
        boards
    }
}

/// max(0, 50 + 50 × (1 − t ÷ T) − k × 10) × correctness, to one decimal, half up: as fractions, so that nothing is
/// lost before the one rounding.
fn tenths(correctness: Correctness, elapsed: i64, limit: i64, wrong: i64) -> i64 {
    let factor = match correctness {
        Correctness::Full => 2,
        Correctness::Half => 1,
        Correctness::Wrong => return 0,
    };
    // In the buffer the time factor stays 0. Everything times ten, times the limit, times two.
    let left = (limit - elapsed).max(0);
    let numerator = (500 * limit + 500 * left - 100 * wrong * limit).max(0) * factor;
    let denominator = 2 * limit;
    (2 * numerator + denominator).div_euclid(2 * denominator)
}

/// The score and the time of the one submission that counts.
fn scored(attempts: &[ReferenceAttempt]) -> Option<(i64, i64)> {
    let right = attempts.iter().find(|attempt| attempt.correctness != Correctness::Wrong)?;
    Some((right.tenths, right.elapsed))
}

/// Orders by points, scored before unscored, then time; a rank is one more than the number of better teams.
fn ranked(lines: BTreeMap<String, (i64, bool, i64)>) -> BTreeMap<String, BoardLine> {
    let better = |one: &(i64, bool, i64), other: &(i64, bool, i64)| {
        one.0 > other.0 || (one.0 == other.0 && (one.1, one.2) < (other.1, other.2))
    };
    let line = |(team, line): (&String, &(i64, bool, i64))| {
        let rank = 1 + lines.values().filter(|other| better(other, line)).count();
        let (tenths, unscored, millis) = *line;
        (team.clone(), BoardLine { rank, points: tenths as f64 / 10.0, unscored, millis })
    };
    lines.iter().map(line).collect()
}

fn millis(seconds: &Value) -> i64 {
    (seconds.as_f64().unwrap() * 1_000.0).round() as i64
}
