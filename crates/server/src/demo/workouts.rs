//! What hunters do on a day, and what they say they did.

use serde_json::{Value, json};

use super::dice::Dice;

/// An exercise of a plan: its name, sets, how much in each, and how long all of it takes, where that is said.
type Exercise = (&'static str, u64, &'static str, Option<u64>);

/// A plan for one day.
pub(super) struct Workout {
    minutes: u64,
    rpe: u64,
    intensity: &'static str,
    exercises: &'static [Exercise],
}

/// How somebody tells of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    AsPlanned,
    More,
    /// The last exercise was left out.
    Less,
    /// All but one were left out.
    HardlyAny,
    /// It felt much easier than it should.
    Easy,
    /// With sore muscles.
    Sore,
    /// In less time than anybody can.
    Impossible,
}

const fn workout(minutes: u64, rpe: u64, intensity: &'static str, exercises: &'static [Exercise]) -> Workout {
    Workout { minutes, rpe, intensity, exercises }
}

/// By class, two for each.
const WORKOUTS: [(&str, [Workout; 2]); 4] = [
    (
        "Tank",
        [
            workout(
                45,
                8,
                "High",
                &[("Deadlift", 5, "5", None), ("Overhead Press", 4, "6", None), ("Plank", 3, "60s", None)],
            ),
            workout(
                40,
                7,
                "Medium",
                &[("Goblet Squat", 5, "8", None), ("Pull-ups", 4, "6", None), ("Dips", 4, "8", None)],
            ),
        ],
    ),
    (
        "Striker",
        [
            workout(
                30,
                7,
                "Medium",
                &[
                    ("Push-ups", 4, "15", None),
                    ("Squats", 4, "20", None),
                    ("Kettlebell Swing", 4, "15", None),
                ],
            ),
            workout(
                30,
                8,
                "High",
                &[("Jump Squats", 4, "12", None), ("Sit-ups", 4, "20", None), ("Calf Raises", 3, "20", None)],
            ),
        ],
    ),
    (
        "Assassin",
        [
            workout(35, 7, "Medium", &[("Running", 1, "5km", Some(1_680)), ("Burpees", 3, "12", None)]),
            workout(
                30,
                8,
                "High",
                &[
                    ("Jump Rope", 5, "100", None),
                    ("Mountain Climbers", 4, "30", None),
                    ("Burpees", 3, "10", None),
                ],
            ),
        ],
    ),
    (
        "Novice",
        [
            workout(35, 5, "Low", &[("Walking", 1, "3km", Some(1_700)), ("Squats", 3, "10", None)]),
            workout(
                25,
                6,
                "Medium",
                &[("Push-ups", 3, "8", None), ("Lunges", 3, "10", None), ("Glute Bridge", 3, "12", None)],
            ),
        ],
    ),
];

/// One that suits a class.
pub(super) fn workout_for(class: &str, dice: &mut Dice) -> Option<&'static Workout> {
    let (_, two) = WORKOUTS.iter().find(|(known, _)| *known == class)?;
    let [one, other] = two;
    Some(if dice.chance(500) { one } else { other })
}

impl Workout {
    /// The plan.
    pub(super) fn plan(&self) -> Value {
        let exercise = |(name, sets, reps, seconds): &Exercise| match seconds {
            Some(seconds) => json!({ "name": name, "sets": sets, "reps": reps, "seconds": seconds }),
            None => json!({ "name": name, "sets": sets, "reps": reps }),
        };
        let exercises: Vec<Value> = self.exercises.iter().map(exercise).collect();
        json!({
            "estimated_duration_min": self.minutes, "target_rpe": self.rpe, "intensity": self.intensity,
            "exercises": exercises,
        })
    }

    /// The log.
    pub(super) fn log(&self, manner: Manner, proof: Option<Value>, dice: &mut Dice) -> Value {
        let count = self.exercises.len();
        let done: Vec<Value> = self
            .exercises
            .iter()
            .enumerate()
            .map(|(index, exercise)| {
                let skipped = match manner {
                    Manner::Less => index + 1 == count && count > 2,
                    Manner::HardlyAny => index > 0,
                    _ => false,
                };
                done(exercise, manner, skipped)
            })
            .collect();
        let seconds = match manner {
            Manner::Impossible => 45,
            _ => self.minutes * dice.within(51..66),
        };
        let felt = match manner {
            Manner::Easy => self.rpe.saturating_sub(3),
            _ => (self.rpe + dice.within(0..3)).saturating_sub(1).min(10),
        };
        let condition = match manner {
            Manner::Sore => "Sore",
            _ => dice.one_of(&["Fresh", "Normal", "Normal", "Tired"]),
        };
        let mut log = json!({
            "duration_seconds": seconds, "actual_rpe": felt, "condition": condition, "exercises": done,
        });
        if let (Some(fields), Some(proof)) = (log.as_object_mut(), proof) {
            fields.insert("proof".into(), proof);
        }
        log
    }
}

fn done((name, sets, reps, seconds): &Exercise, manner: Manner, skipped: bool) -> Value {
    if skipped {
        return json!({ "name": name, "skipped": true });
    }
    let sets = if manner == Manner::More { sets + 1 } else { *sets };
    let mut fields = json!({ "name": name, "sets_done": sets, "reps_done": reps });
    if let (Some(fields), Some(seconds)) = (fields.as_object_mut(), seconds) {
        let seconds = if manner == Manner::Impossible { seconds / 60 } else { *seconds };
        fields.insert("seconds".into(), seconds.into());
    }
    fields
}
