//! Courts that play themselves: teams that search, err, repeat themselves and find, students on the frequency,
//! hunters and those who doubt them, models that summarise; the same for the same seed.
//!
//! A [`Plan`] says who does what and when. [`play`] has a clerk hear it, at the times the plan says or all at once.
//! Plans name commands as case files do, and know no court's types. [`fill`] plays what happened before anybody
//! looks, [`go_on`] what happens while they do.

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
pub use play::{Pace, Played, play, play_all};
pub use present::{contest_name, go_on};
pub use programme::contest_plan;
pub use visitors::{Visitor, visitors};

/// Who judges wherever a person does.
const JUDGE: &str = "kim";

/// How large a contest to plan.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    /// How many teams take part.
    pub teams: usize,
    /// How many tasks there are beside the rehearsal.
    pub tasks: usize,
}

/// Who does what and when.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Where it happens.
    pub stream: StreamId,
    /// In order of time.
    pub steps: Vec<Step>,
}

/// Something that somebody does.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// How long after the beginning.
    pub after: Millis,
    /// Who.
    pub actor: Actor,
    /// What: a command of the stream's court, as case files have it.
    pub command: Value,
}

impl Default for Size {
    fn default() -> Self {
        Self { teams: 60, tasks: 12 }
    }
}

impl Plan {
    /// The same so many times as fast: every time in it is divided, also those inside the commands.
    #[must_use]
    pub fn faster(mut self, times: f64) -> Self {
        for step in &mut self.steps {
            step.after = Millis::from_seconds(step.after.as_seconds() / times);
            hurry(&mut step.command, times);
        }
        self
    }

    /// How long it takes.
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
