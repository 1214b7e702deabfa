//! Pairs a log with its plan: resolves exercise names, parses amounts and assigns every log entry to a
//! planned exercise.

use assize_kernel::SmolStr;

use super::log::{DoneExercise, Log, Plan, PlannedExercise};
use super::quantity::{MOST_METRES, MOST_SECONDS, Quantity, Unit};
use super::refusals::{QuestRefusal, Unreadable};
use super::rules::{Exercise, QuestRules, normalised};

const MOST_SETS: u32 = 1_000;
/// The limit for a plan or a log.
const MOST_EXERCISES: usize = 100;
const MOST_KILOGRAMS: f64 = 10_000.0;
/// The minimum duration of an exercise.
const LEAST_SECONDS: f64 = 0.1;

/// A plan and a log, paired.
pub(super) struct LoggedWork<'a> {
    pub(super) planned: Vec<PlannedWork<'a>>,
    /// The logged exercises without the skipped ones.
    pub(super) done: Vec<DoneWork<'a>>,
}

/// A planned exercise and the credit for it.
pub(super) struct PlannedWork<'a> {
    key: ExerciseKey<'a>,
    /// The total amount in its own unit.
    pub(super) quantity: Quantity,
    pub(super) seconds: Option<f64>,
    pub(super) rest_seconds: f64,
    /// The amount done that counts for credit.
    pub(super) credit: f64,
    pub(super) is_done: bool,
}

/// A logged exercise that was not skipped.
pub(super) struct DoneWork<'a> {
    pub(super) name: &'a str,
    key: ExerciseKey<'a>,
    pub(super) sets: f64,
    /// The amount of each set; `None` when only seconds or a distance is given.
    pub(super) quantity: Option<Quantity>,
    pub(super) seconds: Option<f64>,
    pub(super) metres: Option<f64>,
    /// The index of the planned exercise; `None` when the plan does not contain it.
    pub(super) plan: Option<usize>,
}

/// The identity of an exercise.
enum ExerciseKey<'a> {
    Known(usize, &'a Exercise),
    Other(SmolStr),
}

impl<'a> LoggedWork<'a> {
    /// Parses and pairs a plan and a log.
    ///
    /// # Errors
    /// Names the exercise and the field that cannot be parsed; refuses an empty plan or log.
    pub(super) fn read(
        rules: &'a QuestRules,
        own: &'a [Exercise],
        plan: &'a Plan,
        log: &'a Log,
    ) -> Result<Self, QuestRefusal> {
        let planned = read_plan(rules, own, plan)?;
        check_log(log)?;
        let entries = log.exercises.iter().enumerate().filter(|(_, entry)| !entry.skipped);
        let done = entries.map(|(index, entry)| read_done(rules, own, index, entry));
        let mut work = Self { planned, done: done.collect::<Result<_, _>>()? };
        if !work.done.iter().any(DoneWork::is_done) {
            return Err(QuestRefusal::NothingDone);
        }
        work.pair(log)?;
        Ok(work)
    }

    /// Pairs entries with planned exercises of the same name in order; surplus entries go to the last of
    /// them.
    fn pair(&mut self, log: &Log) -> Result<(), QuestRefusal> {
        let mut taken = vec![false; self.planned.len()];
        for done in &mut self.done {
            let same = || self.planned.iter().enumerate().filter(|(_, planned)| planned.key.is(&done.key));
            let free = same().find(|(index, _)| taken.get(*index) == Some(&false));
            done.plan = free.or_else(|| same().next_back()).map(|(index, _)| index);
            let Some(index) = done.plan else { continue };
            if let Some(taken) = taken.get_mut(index) {
                *taken = true;
            }
            let Some(planned) = self.planned.get_mut(index) else { continue };
            let Some(credit) = done.credit(planned.quantity.unit) else {
                return Err(other_unit(log, done.name, planned.quantity.unit));
            };
            planned.credit += credit;
            planned.is_done |= credit > 0.0;
        }
        Ok(())
    }

    /// The number of planned exercises that were done.
    pub(super) fn completed(&self) -> usize {
        self.planned.iter().filter(|planned| planned.is_done).count()
    }

    /// The entries of the log for this exercise.
    pub(super) fn named(&self, rules: &QuestRules, own: &[Exercise], name: &str) -> Vec<&DoneWork<'a>> {
        let key = key(rules, own, name);
        self.done.iter().filter(|done| done.key.is(&key)).collect()
    }

    /// The mean share done of the planned exercises.
    pub(super) fn volume(&self) -> f64 {
        let shares = self.planned.iter().map(|planned| planned.credit / planned.quantity.low);
        #[allow(clippy::cast_precision_loss, reason = "at most a hundred")]
        let count = self.planned.len() as f64;
        shares.sum::<f64>() / count
    }
}

impl ExerciseKey<'_> {
    fn is(&self, other: &ExerciseKey<'_>) -> bool {
        match (self, other) {
            (Self::Known(one, _), ExerciseKey::Known(two, _)) => one == two,
            (Self::Other(one), ExerciseKey::Other(two)) => one == two,
            _ => false,
        }
    }
}

impl DoneWork<'_> {
    /// The exercise's table entry, if it is known.
    pub(super) const fn known(&self) -> Option<&Exercise> {
        match &self.key {
            ExerciseKey::Known(_, exercise) => Some(exercise),
            ExerciseKey::Other(_) => None,
        }
    }

    /// Whether the entry has any credit.
    pub(super) fn is_done(&self) -> bool {
        let counted = self.quantity.is_some_and(|quantity| self.sets * quantity.low > 0.0);
        counted
            || (self.quantity.is_none() && self.seconds.or(self.metres).is_some_and(|amount| amount > 0.0))
    }

    /// The total in a unit by the low end; `None` when the entry does not give it.
    pub(super) fn credit(&self, unit: Unit) -> Option<f64> {
        match (self.quantity, unit) {
            (Some(quantity), _) if quantity.unit == unit => Some(self.sets * quantity.low),
            (_, Unit::Seconds) => self.seconds,
            (_, Unit::Metres) => self.metres,
            (_, Unit::Repetitions) => None,
        }
    }

    /// The total in a unit by the high end.
    pub(super) fn claimed(&self, unit: Unit) -> Option<f64> {
        match (self.quantity, unit) {
            (Some(quantity), _) if quantity.unit == unit => Some(self.sets * quantity.high),
            (_, Unit::Seconds) => self.seconds,
            (_, Unit::Metres) => self.metres,
            (_, Unit::Repetitions) => None,
        }
    }
}

fn key<'a>(rules: &'a QuestRules, own: &'a [Exercise], name: &str) -> ExerciseKey<'a> {
    let plain = normalised(name);
    if let Some((index, exercise)) = rules.exercises.find_normalised(&plain) {
        return ExerciseKey::Known(index, exercise);
    }
    let is_own = |exercise: &Exercise| exercise.names().any(|known| normalised(known) == plain);
    match own.iter().position(is_own).and_then(|index| Some((index, own.get(index)?))) {
        // Custom exercises count down from `usize::MAX`, beyond the indexes of the table.
        Some((index, exercise)) => ExerciseKey::Known(usize::MAX - index, exercise),
        None => ExerciseKey::Other(plain),
    }
}

/// Parses the exercises of a plan.
pub(super) fn read_plan<'a>(
    rules: &'a QuestRules,
    own: &'a [Exercise],
    plan: &'a Plan,
) -> Result<Vec<PlannedWork<'a>>, QuestRefusal> {
    if plan.exercises.is_empty() {
        return Err(QuestRefusal::PlanEmpty);
    }
    if plan.exercises.len() > MOST_EXERCISES {
        return Err(Unreadable::of_plan("exercises", format!("more than {MOST_EXERCISES} exercises")).into());
    }
    number("plan", "estimated_duration_min", plan.estimated_duration_min, 0.1, 1_440.0)?;
    number("plan", "target_rpe", plan.target_rpe, 1.0, 10.0)?;
    let read = |(index, entry)| read_planned(rules, own, index, entry);
    plan.exercises.iter().enumerate().map(read).collect()
}

fn read_planned<'a>(
    rules: &'a QuestRules,
    own: &'a [Exercise],
    index: usize,
    entry: &'a PlannedExercise,
) -> Result<PlannedWork<'a>, QuestRefusal> {
    let wrong = |field, problem| Unreadable::of_exercise("plan", index, &entry.name, field, problem);
    let sets = entry.sets.as_ref().map_or(Ok(1), |sets| sets.whole(1, MOST_SETS));
    let sets = f64::from(sets.map_err(|problem| wrong("sets", problem))?);
    check_name(&entry.name).map_err(|problem| wrong("name", problem))?;
    let bounds = [
        ("seconds", entry.seconds, LEAST_SECONDS, MOST_SECONDS),
        ("distance_m", entry.distance_m, 0.0, MOST_METRES),
        ("load_kg", entry.load_kg, 0.0, MOST_KILOGRAMS),
        ("rest_seconds", entry.rest_seconds, 0.0, MOST_SECONDS),
    ];
    for (field, value, least, most) in bounds {
        bounded(value, least, most).map_err(|problem| wrong(field, problem))?;
    }
    let each = match (&entry.reps, entry.distance_m, entry.seconds) {
        (Some(reps), ..) => {
            let each = reps.read().map_err(|problem| wrong("reps", problem))?;
            Quantity { low: each.low * sets, high: each.high * sets, ..each }
        }
        (None, Some(metres), _) => Quantity::exactly(Unit::Metres, metres),
        (None, None, Some(seconds)) => Quantity::exactly(Unit::Seconds, seconds),
        (None, None, None) => {
            return Err(wrong("reps", "is missing; give reps, seconds or distance_m".into()).into());
        }
    };
    if each.low <= 0.0 {
        return Err(wrong("reps", "must be above 0".into()).into());
    }
    let rest_seconds = entry.rest_seconds.unwrap_or(0.0);
    let key = key(rules, own, &entry.name);
    let seconds = entry.seconds;
    Ok(PlannedWork { key, quantity: each, seconds, rest_seconds, credit: 0.0, is_done: false })
}

fn check_log(log: &Log) -> Result<(), QuestRefusal> {
    number("log", "duration_seconds", log.duration_seconds, 1.0, MOST_SECONDS)?;
    number("log", "actual_rpe", log.actual_rpe, 1.0, 10.0)?;
    if log.exercises.len() > MOST_EXERCISES {
        return Err(Unreadable::of_log("exercises", format!("more than {MOST_EXERCISES} exercises")).into());
    }
    let length = log.proof.as_ref().and_then(|proof| proof.length_seconds);
    let length = bounded(length, 0.0, MOST_SECONDS);
    Ok(length.map_err(|problem| Unreadable::of_log("proof.length_seconds", problem))?)
}

fn read_done<'a>(
    rules: &'a QuestRules,
    own: &'a [Exercise],
    index: usize,
    entry: &'a DoneExercise,
) -> Result<DoneWork<'a>, QuestRefusal> {
    let wrong = |field, problem| Unreadable::of_exercise("log", index, &entry.name, field, problem);
    check_name(&entry.name).map_err(|problem| wrong("name", problem))?;
    let sets = entry.sets_done.as_ref().map_or(Ok(1), |sets| sets.whole(0, MOST_SETS));
    let sets = f64::from(sets.map_err(|problem| wrong("sets_done", problem))?);
    let quantity = entry.reps_done.as_ref().map(|reps| reps.read()).transpose();
    let quantity = quantity.map_err(|problem| wrong("reps_done", problem))?;
    let bounds = [
        ("seconds", entry.seconds, LEAST_SECONDS, MOST_SECONDS),
        ("distance_m", entry.distance_m, 0.0, MOST_METRES),
        ("load_kg", entry.load_kg, 0.0, MOST_KILOGRAMS),
    ];
    for (field, value, least, most) in bounds {
        bounded(value, least, most).map_err(|problem| wrong(field, problem))?;
    }
    if quantity.is_none() && entry.seconds.is_none() && entry.distance_m.is_none() {
        let problem = "is missing; give reps_done, seconds or distance_m, or say skipped";
        return Err(wrong("reps_done", problem.into()).into());
    }
    let key = key(rules, own, &entry.name);
    Ok(DoneWork {
        name: entry.name.as_str(),
        key,
        sets,
        quantity,
        seconds: entry.seconds,
        metres: entry.distance_m,
        plan: None,
    })
}

fn other_unit(log: &Log, name: &str, unit: Unit) -> QuestRefusal {
    let index = log.exercises.iter().position(|entry| entry.name == name).unwrap_or_default();
    let problem = format!("the plan asks for {}, and this says nothing of them", unit.as_str());
    Unreadable::of_exercise("log", index, name, "reps_done", problem).into()
}

fn number(
    part: &'static str,
    field: &'static str,
    value: f64,
    least: f64,
    most: f64,
) -> Result<(), Unreadable> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(Unreadable { part, exercise: None, field, problem: format!("must be {least} to {most}, is {value}") })
}

fn bounded(value: Option<f64>, least: f64, most: f64) -> Result<(), String> {
    match value.filter(|value| !(least..=most).contains(value)) {
        Some(value) => Err(format!("must be {least} to {most}, is {value}")),
        None => Ok(()),
    }
}

pub(super) fn check_name(name: &str) -> Result<(), String> {
    let short = name.len() <= 80 || name.chars().count() <= 80;
    let good = short && name.chars().any(char::is_alphanumeric) && !name.chars().any(char::is_control);
    if good { Ok(()) } else { Err("must be 1 to 80 characters with a letter or a digit among them".into()) }
}
