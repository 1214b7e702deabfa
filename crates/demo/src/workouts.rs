//! Workout plans of the simulated hunters, and the logs they submit.

use serde_json::{Value, json};

use super::dice::SeededRng;

/// An exercise of a plan.
struct PlannedExercise {
    name: &'static str,
    sets: u64,
    /// Amount per set: repetitions, or a time or distance with its unit.
    reps: &'static str,
    /// Total time of the exercise, for those measured by time.
    seconds: Option<u64>,
}

/// A plan for one day.
pub(super) struct WorkoutPlan {
    minutes: u64,
    rpe: u64,
    intensity: &'static str,
    exercises: &'static [PlannedExercise],
}

/// How a log relates to its plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LogStyle {
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
    /// In an impossibly short time.
    Impossible,
}

const fn exercise(
    name: &'static str,
    sets: u64,
    reps: &'static str,
    seconds: Option<u64>,
) -> PlannedExercise {
    PlannedExercise { name, sets, reps, seconds }
}

const fn workout(
    minutes: u64,
    rpe: u64,
    intensity: &'static str,
    exercises: &'static [PlannedExercise],
) -> WorkoutPlan {
    WorkoutPlan { minutes, rpe, intensity, exercises }
}

/// Two workouts per class.
const WORKOUTS: [(&str, [WorkoutPlan; 2]); 4] = [
    (
        "Tank",
        [
            workout(
                45,
                8,
                "High",
                &[
                    exercise("Deadlift", 5, "5", None),
                    exercise("Overhead Press", 4, "6", None),
                    exercise("Plank", 3, "60s", None),
                ],
            ),
            workout(
                40,
                7,
                "Medium",
                &[
                    exercise("Goblet Squat", 5, "8", None),
                    exercise("Pull-ups", 4, "6", None),
                    exercise("Dips", 4, "8", None),
                ],
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
                    exercise("Push-ups", 4, "15", None),
                    exercise("Squats", 4, "20", None),
                    exercise("Kettlebell Swing", 4, "15", None),
                ],
            ),
            workout(
                30,
                8,
                "High",
                &[
                    exercise("Jump Squats", 4, "12", None),
                    exercise("Sit-ups", 4, "20", None),
                    exercise("Calf Raises", 3, "20", None),
                ],
            ),
        ],
    ),
    (
        "Assassin",
        [
            workout(
                35,
                7,
                "Medium",
                &[exercise("Running", 1, "5km", Some(1_680)), exercise("Burpees", 3, "12", None)],
            ),
            workout(
                30,
                8,
                "High",
                &[
                    exercise("Jump Rope", 5, "100", None),
                    exercise("Mountain Climbers", 4, "30", None),
                    exercise("Burpees", 3, "10", None),
                ],
            ),
        ],
    ),
    (
        "Novice",
        [
            workout(
                35,
                5,
                "Low",
                &[exercise("Walking", 1, "3km", Some(1_700)), exercise("Squats", 3, "10", None)],
            ),
            workout(
                25,
                6,
                "Medium",
                &[
                    exercise("Push-ups", 3, "8", None),
                    exercise("Lunges", 3, "10", None),
                    exercise("Glute Bridge", 3, "12", None),
                ],
            ),
        ],
    ),
];

/// A random workout for a class.
pub(super) fn workout_for(class: &str, rng: &mut SeededRng) -> Option<&'static WorkoutPlan> {
    let (_, two) = WORKOUTS.iter().find(|(known, _)| *known == class)?;
    let [one, other] = two;
    Some(if rng.chance(500) { one } else { other })
}

impl WorkoutPlan {
    /// The plan as JSON.
    pub(super) fn plan(&self) -> Value {
        let exercise = |PlannedExercise { name, sets, reps, seconds }: &PlannedExercise| match seconds {
            Some(seconds) => json!({ "name": name, "sets": sets, "reps": reps, "seconds": seconds }),
            None => json!({ "name": name, "sets": sets, "reps": reps }),
        };
        let exercises: Vec<Value> = self.exercises.iter().map(exercise).collect();
        json!({
            "estimated_duration_min": self.minutes, "target_rpe": self.rpe, "intensity": self.intensity,
            "exercises": exercises,
        })
    }

    /// A log of the workout as JSON.
    pub(super) fn log(&self, manner: LogStyle, proof: Option<Value>, rng: &mut SeededRng) -> Value {
        let count = self.exercises.len();
        let done: Vec<Value> = self
            .exercises
            .iter()
            .enumerate()
            .map(|(index, exercise)| {
                let skipped = match manner {
                    LogStyle::Less => index + 1 == count && count > 2,
                    LogStyle::HardlyAny => index > 0,
                    _ => false,
                };
                done(exercise, manner, skipped)
            })
            .collect();
        let seconds = match manner {
            LogStyle::Impossible => 45,
            _ => self.minutes * rng.within(51..66),
        };
        let felt = match manner {
            LogStyle::Easy => self.rpe.saturating_sub(3),
            _ => (self.rpe + rng.within(0..3)).saturating_sub(1).min(10),
        };
        let condition = match manner {
            LogStyle::Sore => "Sore",
            _ => rng.one_of(&["Fresh", "Normal", "Normal", "Tired"]),
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

fn done(exercise: &PlannedExercise, manner: LogStyle, skipped: bool) -> Value {
    let PlannedExercise { name, sets, reps, seconds } = exercise;
    if skipped {
        return json!({ "name": name, "skipped": true });
    }
    let sets = if manner == LogStyle::More { sets + 1 } else { *sets };
    let mut fields = json!({ "name": name, "sets_done": sets, "reps_done": reps });
    if let (Some(fields), Some(seconds)) = (fields.as_object_mut(), seconds) {
        let seconds = if manner == LogStyle::Impossible { seconds / 60 } else { *seconds };
        fields.insert("seconds".into(), seconds.into());
    }
    fields
}
