//! The exercise table of a rulebook: names, categories and limits.

use std::cmp::Ordering;

use assize_kernel::{Fault, SmolStr};
use serde::{Deserialize, Serialize};

use super::super::profile::Rank;

/// An exercise known to the court.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = OwnExercise))]
#[serde(deny_unknown_fields)]
pub struct Exercise {
    /// What people call it.
    #[cfg_attr(feature = "openapi", schema(value_type = String, min_length = 1, max_length = 80))]
    pub name: SmolStr,
    /// Further names. Case, spaces, hyphens and a plural s are ignored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>))]
    pub aliases: Vec<SmolStr>,
    /// The stat it trains.
    pub category: Category,
    /// What the classes look for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>))]
    pub traits: Vec<SmolStr>,
    /// How many seconds a repetition usually takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tempo_seconds: Option<f64>,
    /// The minimum time of a repetition, if it differs from the rulebook's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least_seconds_per_rep: Option<f64>,
    /// The minimum time of a kilometre.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least_seconds_per_km: Option<f64>,
    /// Limits for repetitions a minute.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "openapi", schema(ignore))]
    pub(crate) rates: Vec<RateLimit>,
    /// Limits for the time of a hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "openapi", schema(ignore))]
    pub(crate) holds: Vec<HoldLimit>,
    /// Limits for pace; the first whose distance is not exceeded applies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "openapi", schema(ignore))]
    pub(crate) paces: Vec<PaceLimit>,
}

/// What an exercise trains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = ExerciseCategory))]
#[serde(rename_all = "lowercase")]
pub enum Category {
    /// Strength.
    Strength,
    /// Agility.
    Agility,
    /// Stamina.
    Stamina,
}

/// The consequence of exceeding a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum LimitFlag {
    Suspicious,
    Flagged,
    Rejected,
    RequiresProof,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RateLimit {
    pub(crate) most_per_minute: f64,
    pub(crate) flag: LimitFlag,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HoldLimit {
    pub(crate) most_seconds: f64,
    pub(crate) ranks: Vec<Rank>,
    pub(crate) flag: LimitFlag,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PaceLimit {
    /// The maximum distance of the limit; `None` is unlimited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) up_to_m: Option<f64>,
    pub(crate) least_seconds_per_km: f64,
    pub(crate) flag: LimitFlag,
}

/// The exercises of a rulebook, found by any of their names.
#[derive(Debug, Clone, Deserialize)]
#[serde(from = "Vec<Exercise>")]
pub(crate) struct ExerciseTable {
    exercises: Vec<Exercise>,
    /// Sorted by length, then by text, for binary search with few comparisons of letters.
    names: Vec<(SmolStr, usize)>,
}

/// The sort order of names: length first.
fn order(one: &str, two: &str) -> Ordering {
    one.len().cmp(&two.len()).then_with(|| one.cmp(two))
}

impl LimitFlag {
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
        let names =
            all.flat_map(|(index, exercise)| exercise.names().map(move |name| (normalised(name), index)));
        let mut names: Vec<_> = names.collect();
        names.sort_by(|(one, first), (two, second)| order(one, two).then(first.cmp(second)));
        names.dedup();
        Self { exercises, names }
    }
}

impl Exercise {
    /// The name, then the aliases.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.name).chain(&self.aliases).map(SmolStr::as_str)
    }
}

impl ExerciseTable {
    /// Finds an exercise by any of its names.
    pub(crate) fn find(&self, name: &str) -> Option<&Exercise> {
        self.find_normalised(&normalised(name)).map(|(_, exercise)| exercise)
    }

    /// Finds an exercise by a normalised name, with its index.
    pub(crate) fn find_normalised(&self, name: &str) -> Option<(usize, &Exercise)> {
        let at = self.names.binary_search_by(|(known, _)| order(known, name)).ok()?;
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

/// Normalises a name: without case, punctuation and a plural s.
pub(crate) fn normalised(name: &str) -> SmolStr {
    // Most names are short ASCII and need no allocation.
    let mut short = [0_u8; 23];
    let mut len = 0;
    if name.is_ascii() && name.len() <= short.len() {
        let letters = name.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| byte.to_ascii_lowercase());
        for (place, letter) in short.iter_mut().zip(letters) {
            *place = letter;
            len += 1;
        }
        let plain = short.get(..len).and_then(|plain| std::str::from_utf8(plain).ok());
        return SmolStr::new(singular(plain.unwrap_or_default()));
    }
    let plain: String =
        name.chars().filter(|char| char.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    SmolStr::new(singular(&plain))
}

fn singular(plain: &str) -> &str {
    plain.strip_suffix('s').filter(|rest| !rest.is_empty()).unwrap_or(plain)
}
