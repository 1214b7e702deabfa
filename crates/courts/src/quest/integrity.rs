//! The integrity score of a log: minimum time, completion of the plan, and human limits.

use assize_kernel::round;

use super::profile::Rank;
use super::quantity::Unit;
use super::rules::{IntegrityRules, LimitFlag, QuestRules};
use super::work::{DoneWork, LoggedWork, PlannedWork};

/// The findings about the plausibility of a log.
pub(super) struct LogIntegrity<'a> {
    /// The repetitions claimed in total.
    pub(super) repetitions: f64,
    /// The minimum time for everything claimed, in seconds.
    pub(super) time_needed: f64,
    pub(super) duration: f64,
    pub(super) completed: u32,
    pub(super) planned: u32,
    pub(super) exceeded: Vec<ExceededLimit<'a>>,
    /// Exercises without seconds of their own, so that their pace is unknown.
    pub(super) without_seconds: Vec<&'a str>,
    /// Exercises without an expected duration.
    pub(super) without_expectation: Vec<&'a str>,
    /// The score before proof, from 0 to 1.
    pub(super) before_proof: f64,
    /// The increase of the score by proof.
    pub(super) lift: f64,
    /// The final score, from 0 to 1.
    pub(super) score: f64,
}

/// A limit that was exceeded.
pub(super) struct ExceededLimit<'a> {
    pub(super) flag: LimitFlag,
    pub(super) exercise: &'a str,
    pub(super) message: String,
}

/// The strength of the evidence behind a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ProofLevel {
    No,
    Claimed,
    /// Verified by a judge.
    Verified,
}

pub(super) fn weigh<'a>(
    rules: &QuestRules,
    work: &'a LoggedWork<'a>,
    duration: f64,
    rank: Rank,
    proven: ProofLevel,
) -> LogIntegrity<'a> {
    let mut found = LogIntegrity {
        repetitions: 0.0,
        time_needed: 0.0,
        duration,
        completed: u32::try_from(work.completed()).unwrap_or(u32::MAX),
        planned: u32::try_from(work.planned.len()).unwrap_or(u32::MAX),
        exceeded: Vec::new(),
        without_seconds: Vec::new(),
        without_expectation: Vec::new(),
        before_proof: 1.0,
        lift: 0.0,
        score: 1.0,
    };
    for done in &work.done {
        found.repetitions += done.claimed(Unit::Repetitions).unwrap_or(0.0);
        found.time_needed += least_time(&rules.integrity, done);
        found.exceeded.extend(limits(done, rank));
        let planned = done.plan.and_then(|index| work.planned.get(index));
        found.expect(&rules.integrity, done, planned);
    }
    found.time_needed = round(found.time_needed, 3);
    found.score_it(&rules.integrity, proven);
    found
}

impl<'a> LogIntegrity<'a> {
    /// Whether the log is impossible, so that no proof can lift its score.
    pub(super) fn is_impossible(&self) -> bool {
        self.time_needed > self.duration || self.has(LimitFlag::Rejected)
    }

    pub(super) fn has(&self, flag: LimitFlag) -> bool {
        self.exceeded.iter().any(|exceeded| exceeded.flag == flag)
    }

    pub(super) fn completion(&self) -> f64 {
        f64::from(self.completed) / f64::from(self.planned)
    }

    /// The most severe status among the exceeded limits.
    pub(super) fn worst_flag(&self) -> Option<LimitFlag> {
        [LimitFlag::Rejected, LimitFlag::Flagged, LimitFlag::Suspicious, LimitFlag::RequiresProof]
            .into_iter()
            .find(|flag| self.has(*flag))
    }

    fn score_it(&mut self, rules: &IntegrityRules, proven: ProofLevel) {
        let incomplete = self.completion() < rules.incomplete_below;
        let mut score = 1.0;
        if incomplete {
            score *= rules.incomplete_factor;
        }
        let unproven = self.has(LimitFlag::RequiresProof) && proven == ProofLevel::No;
        if self.has(LimitFlag::Suspicious) || self.has(LimitFlag::Flagged) || unproven {
            score = score.min(rules.flagged_score);
        }
        if self.is_impossible() {
            score = 0.0;
        }
        let may_lift = !self.is_impossible() && (!incomplete || rules.proof_lifts_incomplete);
        self.lift = match proven {
            ProofLevel::Claimed if may_lift => rules.proof_lift,
            ProofLevel::Verified if may_lift => rules.verified_proof_lift,
            _ => 0.0,
        };
        self.before_proof = round(score, 6);
        self.score = round((score + self.lift).min(1.0), 6);
    }

    /// An exercise claimed in much less than its expected time needs proof.
    fn expect(
        &mut self,
        rules: &IntegrityRules,
        done: &'a DoneWork<'a>,
        planned: Option<&'a PlannedWork<'a>>,
    ) {
        let held = done.quantity.is_none_or(|quantity| quantity.unit == Unit::Seconds);
        if held && done.metres.is_none() {
            return;
        }
        let Some(seconds) = done.seconds else { return self.without_seconds.push(done.name) };
        let Some(expected) = expected_time(done, planned) else {
            return self.without_expectation.push(done.name);
        };
        if seconds < expected * rules.expected_share {
            let message = format!(
                "{} in {seconds} s, less than {} of the {} s expected",
                done.name,
                rules.expected_share,
                round(expected, 3)
            );
            self.exceeded.push(ExceededLimit {
                flag: LimitFlag::RequiresProof,
                exercise: done.name,
                message,
            });
        }
    }
}

/// The plan's time, scaled to the part that was done; otherwise repetitions times usual tempo, plus rests.
fn expected_time(done: &DoneWork<'_>, planned: Option<&PlannedWork<'_>>) -> Option<f64> {
    if let Some(planned) = planned
        && planned.quantity.unit != Unit::Seconds
        && let Some(seconds) = planned.seconds
    {
        return Some(seconds * (planned.credit / planned.quantity.low).min(1.0));
    }
    let tempo = done.known()?.tempo_seconds?;
    let repetitions = done.claimed(Unit::Repetitions)?;
    let rest = planned.map_or(0.0, |planned| planned.rest_seconds) * (done.sets - 1.0).max(0.0);
    Some(repetitions * tempo + rest)
}

/// The minimum time of an exercise: the largest of what its repetitions, distance and claimed seconds need.
fn least_time(rules: &IntegrityRules, done: &DoneWork<'_>) -> f64 {
    let known = done.known();
    let each = known.and_then(|known| known.least_seconds_per_rep).unwrap_or(rules.seconds_per_rep);
    let repetitions = done.claimed(Unit::Repetitions).unwrap_or(0.0) * each;
    let kilometre = known.and_then(|known| known.least_seconds_per_km).unwrap_or(0.0);
    let distance = done.claimed(Unit::Metres).unwrap_or(0.0) / 1000.0 * kilometre;
    let held = done.claimed(Unit::Seconds).unwrap_or(0.0);
    let own = done.seconds.unwrap_or(0.0);
    repetitions.max(distance).max(held).max(own)
}

fn limits<'a>(done: &'a DoneWork<'a>, rank: Rank) -> Vec<ExceededLimit<'a>> {
    let Some(known) = done.known() else { return Vec::new() };
    let mut exceeded = Vec::new();
    let mut exceeds = |flag: LimitFlag, message: String| {
        exceeded.push(ExceededLimit { flag, exercise: done.name, message });
    };
    if let (Some(repetitions), Some(seconds)) = (done.claimed(Unit::Repetitions), done.seconds) {
        let rate = round(repetitions / seconds * 60.0, 1);
        let broken = known.rates.iter().find(|limit| repetitions * 60.0 > limit.most_per_minute * seconds);
        if let Some(limit) = broken {
            let most = limit.most_per_minute;
            exceeds(limit.flag, format!("{}: {rate} a minute, the limit is {most}", done.name));
        }
    }
    if let Some(held) = held_seconds(done) {
        let broken =
            known.holds.iter().find(|limit| limit.ranks.contains(&rank) && held > limit.most_seconds);
        if let Some(limit) = broken {
            let most = limit.most_seconds;
            let rank = rank.as_str();
            let message = format!("{}: held {held} s, the limit at rank {rank} is {most} s", done.name);
            exceeds(limit.flag, message);
        }
    }
    if let (Some(metres), Some(seconds)) = (done.claimed(Unit::Metres), done.seconds) {
        let reached = known.paces.iter().find(|limit| limit.up_to_m.is_none_or(|most| metres <= most));
        let pace = round(seconds / metres * 1000.0, 1);
        if let Some(limit) = reached.filter(|limit| seconds * 1000.0 < limit.least_seconds_per_km * metres) {
            let least = limit.least_seconds_per_km;
            exceeds(limit.flag, format!("{}: {pace} s a kilometre, the limit is {least} s", done.name));
        }
    }
    exceeded
}

/// The seconds that one set was held.
fn held_seconds(done: &DoneWork<'_>) -> Option<f64> {
    match done.quantity {
        Some(quantity) if quantity.unit == Unit::Seconds => Some(quantity.high),
        None if done.metres.is_none() => Some(done.seconds? / done.sets.max(1.0)),
        _ => None,
    }
}
