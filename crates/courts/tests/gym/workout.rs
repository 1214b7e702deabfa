//! Random workouts and the plans and logs made from them.

use assize_courts::quest::{
    Amount, Condition, DoneExercise, Intensity, Log, Plan, PlannedExercise, Proof, ProofKind,
};
use assize_kernel::Digest;

use crate::dice::Dice;

/// A day's work, honest or not.
#[derive(Debug, Clone)]
pub(crate) struct Workout {
    pub(crate) minutes: u32,
    pub(crate) target: u32,
    pub(crate) actual: u32,
    pub(crate) hard: bool,
    pub(crate) sore: bool,
    pub(crate) duration: u32,
    pub(crate) sets: Vec<Set>,
    /// The number of a video.
    pub(crate) video: Option<u32>,
}

#[derive(Debug, Clone)]
pub(crate) struct Set {
    /// Which of `EXERCISES`.
    pub(crate) exercise: usize,
    pub(crate) planned: u32,
    pub(crate) done: u32,
    pub(crate) skipped: bool,
    pub(crate) seconds: Option<u32>,
}

pub(crate) const EXERCISES: [&str; 5] = ["Push-ups", "Squats", "Burpees", "Deadlift", "Box Jumps"];

impl Workout {
    pub(crate) fn throw(dice: &mut Dice, video: u32) -> Self {
        let count = 1 + dice.below(4) as usize;
        let first = dice.below(5) as usize;
        let sets = (0..count).map(|index| Set::throw(dice, (first + index) % EXERCISES.len())).collect();
        Self {
            minutes: 10 + dice.below(60),
            target: 5 + dice.below(6),
            actual: 3 + dice.below(8),
            hard: dice.percent(30),
            sore: dice.percent(10),
            duration: if dice.percent(5) { 20 + dice.below(60) } else { 600 + dice.below(3000) },
            sets,
            video: dice.percent(25).then_some(video),
        }
    }

    pub(crate) fn plan(&self) -> Plan {
        let planned = |set: &Set| PlannedExercise {
            name: EXERCISES[set.exercise].into(),
            sets: None,
            reps: Some(Amount::Whole(set.planned.into())),
            seconds: None,
            distance_m: None,
            load_kg: None,
            rest_seconds: None,
        };
        Plan {
            estimated_duration_min: self.minutes.into(),
            target_rpe: self.target.into(),
            intensity: if self.hard { Intensity::High } else { Intensity::Medium },
            exercises: self.sets.iter().map(planned).collect(),
        }
    }

    pub(crate) fn log(&self) -> Log {
        let done = |set: &Set| DoneExercise {
            name: EXERCISES[set.exercise].to_lowercase().into(),
            sets_done: None,
            reps_done: Some(Amount::Text(set.done.to_string().into())),
            skipped: set.skipped,
            seconds: set.seconds.map(f64::from),
            distance_m: None,
            load_kg: None,
        };
        Log {
            duration_seconds: self.duration.into(),
            actual_rpe: self.actual.into(),
            condition: if self.sore { Condition::Sore } else { Condition::Fresh },
            user_feedback: None,
            exercises: self.sets.iter().map(done).collect(),
            proof: self.video.map(video),
        }
    }

    /// Whether there is anything in it at all.
    pub(crate) fn is_something(&self) -> bool {
        self.sets.iter().any(|set| !set.skipped && set.done > 0)
    }
}

impl Set {
    fn throw(dice: &mut Dice, exercise: usize) -> Self {
        let planned = 5 + dice.below(40);
        let done = if dice.percent(20) { planned + dice.below(planned) } else { planned };
        let seconds = dice.percent(30).then(|| 1 + done / 2 + dice.below(4 * done));
        Self { exercise, planned, done, skipped: dice.percent(10), seconds }
    }
}

pub(crate) fn video(number: u32) -> Proof {
    let sha256 = Some(Digest::of(&number.to_le_bytes()));
    Proof { kind: ProofKind::Video, sha256, url: None, taken_at: None, length_seconds: None }
}
