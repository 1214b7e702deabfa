//! What is known of exercises: their names, what they train, how fast people do them.

use assize_kernel::{Fault, SmolStr};
use serde::{Deserialize, Serialize};

use super::super::profile::Rank;

/// An exercise that the court knows something about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exercise {
    /// What people call it.
    pub name: SmolStr,
    /// What else they call it. Case, spaces, hyphens and a plural s do not matter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<SmolStr>,
    /// What it trains.
    pub category: Category,
    /// What the classes look for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub traits: Vec<SmolStr>,
    /// How many seconds a repetition usually takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tempo_seconds: Option<f64>,
    /// No repetition takes less, where that is not what all exercises have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least_seconds_per_rep: Option<f64>,
    /// No kilometre takes less.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least_seconds_per_km: Option<f64>,
    /// More repetitions a minute than these are remarkable.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) rates: Vec<RateLimit>,
    /// Holding it longer than these is remarkable.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) holds: Vec<HoldLimit>,
    /// Going faster than these is remarkable; the first that reaches as far counts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) paces: Vec<PaceLimit>,
}

/// What an exercise trains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Category {
    /// Strength.
    Strength,
    /// Agility.
    Agility,
    /// Stamina.
    Stamina,
}

/// What a limit says of a log that exceeds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Flag {
    Suspicious,
    Flagged,
    Rejected,
    RequiresProof,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RateLimit {
    pub(crate) most_per_minute: f64,
    pub(crate) flag: Flag,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HoldLimit {
    pub(crate) most_seconds: f64,
    pub(crate) ranks: Vec<Rank>,
    pub(crate) flag: Flag,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PaceLimit {
    /// Up to this distance; none reaches any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) up_to_m: Option<f64>,
    pub(crate) least_seconds_per_km: f64,
    pub(crate) flag: Flag,
}

/// The exercises of a rulebook, found by any of their names.
#[derive(Debug, Clone, Deserialize)]
#[serde(from = "Vec<Exercise>")]
pub(crate) struct ExerciseTable {
    exercises: Vec<Exercise>,
    /// In order, so that a name is found by halving.
    names: Vec<(SmolStr, usize)>,
}

impl Flag {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Suspicious => "SUSPICIOUS",
            Self::Flagged => "FLAGGED",
            Self::Rejected => "REJECTED",
            Self::RequiresProof => "REQUIRES_PROOF",
        }
    }
}

impl From<Vec<Exercise>> for ExerciseTable {
    fn from(exercises: Vec<Exercise>) -> Self {
        let all = exercises.iter().enumerate();
        let names = all.flat_map(|(index, exercise)| {
            exercise.names().map(move |name| (SmolStr::from(normalised(name)), index))
        });
        let mut names: Vec<_> = names.collect();
        names.sort();
        names.dedup();
        Self { exercises, names }
    }
}

impl Exercise {
    /// All of its names, its own first.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.name).chain(&self.aliases).map(SmolStr::as_str)
    }
}

impl ExerciseTable {
    /// An exercise by any of its names.
    pub(crate) fn find(&self, name: &str) -> Option<&Exercise> {
        self.find_normalised(&normalised(name)).map(|(_, exercise)| exercise)
    }

    /// The same, for a name that is normalised already, with its place in the table.
    pub(crate) fn find_normalised(&self, name: &str) -> Option<(usize, &Exercise)> {
        let at = self.names.binary_search_by(|(known, _)| known.as_str().cmp(name)).ok()?;
        let (_, index) = self.names.get(at)?;
        Some((*index, self.exercises.get(*index)?))
    }

    pub(super) fn faults(&self) -> Vec<Fault> {
        let twice = self.names.iter().zip(self.names.iter().skip(1)).filter(|(one, next)| one.0 == next.0);
        let twice = twice.map(|((name, _), _)| {
            Fault::new("exercises", format!("`{name}` is the name of more than one exercise"))
        });
        let positive = |value: Option<f64>| value.is_none_or(|value| value > 0.0 && value <= 86_400.0);
        let wrong = self.exercises.iter().filter(|exercise| {
            let Exercise { tempo_seconds, least_seconds_per_rep, least_seconds_per_km, .. } = exercise;
            let times = [*tempo_seconds, *least_seconds_per_rep, *least_seconds_per_km];
            let limits = exercise.rates.iter().map(|limit| limit.most_per_minute);
            let limits = limits.chain(exercise.holds.iter().map(|limit| limit.most_seconds));
            let limits = limits.chain(exercise.paces.iter().map(|limit| limit.least_seconds_per_km));
            !times.into_iter().chain(limits.map(Some)).all(positive)
        });
        let wrong = wrong.map(|exercise| {
            Fault::new("exercises", format!("`{}`: times and limits must be above 0", exercise.name))
        });
        twice.chain(wrong).collect()
    }
}

/// A name without case, signs and a plural s: how exercises are told apart.
pub(crate) fn normalised(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    if name.is_ascii() {
        plain.extend(
            name.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| char::from(byte.to_ascii_lowercase())),
        );
    } else {
        plain.extend(name.chars().filter(|char| char.is_alphanumeric()).flat_map(char::to_lowercase));
    }
    if plain.len() > 1 && plain.ends_with('s') {
        plain.pop();
    }
    plain
}
