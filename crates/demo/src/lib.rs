//! Simulations for the demo: contest teams, radio students, hunters and models; deterministic by seed.
//!
//! A [`DemoPlan`] lists commands with their actors and times. [`play`] submits it to a clerk, in time or all
//! at once. Plans write commands as case files do and use no court's types. [`fill`] plays the history before
//! the server starts, [`go_on`] the endless simulation while it runs.

mod answers;
mod articles;
mod calls;
mod class;
mod dice;
mod gym;
mod past;
mod play;
mod present;
mod programme;
mod runs;
mod tasks;
mod teams;
mod visitors;
mod workouts;

use assize_kernel::{Actor, Millis, StreamId};
use serde_json::Value;

pub use past::{fill, past};
pub use play::{PlaybackPace, PlaybackReport, play, play_all};
pub use present::{contest_name, go_on};
pub use programme::contest_plan;
pub use visitors::{DemoAccount, visitors};

/// Name of the judge in all simulations.
const JUDGE: &str = "kim";

/// Size of a simulated contest.
#[derive(Debug, Clone, Copy)]
pub struct ContestSize {
    /// Number of teams.
    pub teams: usize,
    /// Number of tasks, without the rehearsal.
    pub tasks: usize,
}

/// Timed commands for one stream.
#[derive(Debug, Clone, PartialEq)]
pub struct DemoPlan {
    /// The stream of all commands.
    pub stream: StreamId,
    /// In order of time.
    pub steps: Vec<DemoStep>,
}

/// One timed command.
#[derive(Debug, Clone, PartialEq)]
pub struct DemoStep {
    /// Time since the beginning of the plan.
    pub after: Millis,
    /// Actor of the command.
    pub actor: Actor,
    /// A command of the stream's court, in the JSON of case files.
    pub command: Value,
}

impl Default for ContestSize {
    fn default() -> Self {
        Self { teams: 60, tasks: 12 }
    }
}

impl DemoPlan {
    /// Speeds the plan up by a factor: divides all times, including those inside the commands.
    #[must_use]
    pub fn faster(mut self, times: f64) -> Self {
        for step in &mut self.steps {
            step.after = Millis::from_seconds(step.after.as_seconds() / times);
            hurry(&mut step.command, times);
        }
        self
    }

    /// Duration of the plan.
    #[must_use]
    pub fn length(&self) -> Millis {
        self.steps.last().map_or(Millis(0), |step| step.after)
    }
}

fn hurry(value: &mut Value, times: f64) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                match field.as_f64().filter(|_| name.ends_with("_seconds")) {
                    Some(seconds) => *field = (seconds / times).into(),
                    None => hurry(field, times),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| hurry(item, times)),
        _ => {}
    }
}
