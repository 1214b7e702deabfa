//! What goes on while somebody looks: one contest after the other, a class on the frequency, a gym; without end.

use std::convert::Infallible;
use std::time::Duration;

use assize_kernel::{Actor, Millis, Role, StreamId};
use serde_json::json;

use super::past::{LESSONS, called};
use super::{Pace, Size, Step, class, contest_plan, gym, play, play_all};
use crate::{Clerk, ClerkError, Courts};

/// The team that waits for a visitor in every contest.
pub(super) const GUESTS: &str = "guests";
/// Between one contest and the next, and between two logs in the gym, at the speed of life.
const REST: Millis = Millis(60_000);
const BETWEEN_LOGS: Millis = Millis(20_000);

/// Goes on until it is dropped, so many times as fast as life.
///
/// # Errors
/// When the clerk fails, or stops.
pub async fn go_on(clerk: Clerk, courts: &Courts, seed: u64, speed: f64) -> Result<Infallible, ClerkError> {
    let (never, ..) = tokio::try_join!(
        contests(&clerk, courts, seed, speed),
        lessons(&clerk, courts, seed, speed),
        training(&clerk, courts, seed, speed),
    )?;
    Ok(never)
}

/// What the contest of this number is called in addresses.
#[must_use]
pub fn contest_name(number: u64) -> String {
    format!("live-{number}")
}

async fn contests(clerk: &Clerk, courts: &Courts, seed: u64, speed: f64) -> Result<Infallible, ClerkError> {
    let mut number = 0;
    loop {
        number += 1;
        let plan = contest_plan(
            stream("contest", &contest_name(number))?,
            seed ^ number.wrapping_mul(0x00c0_7e57),
            Size { teams: 14, tasks: 10 },
        );
        let mut plan = called(&format!("Live contest {number}"), plan).faster(speed);
        let command = json!({ "RegisterTeam": { "team": GUESTS, "name": "You, if you like" } });
        let actor = Actor::new(Role::Admin, "organiser");
        plan.steps.insert(1, Step { after: Millis(0), actor, command });
        play(clerk, courts, &plan, clerk.now(), Pace::InTime).await?;
        rest(REST, speed).await;
    }
}

async fn lessons(clerk: &Clerk, courts: &Courts, seed: u64, speed: f64) -> Result<Infallible, ClerkError> {
    let mut number = LESSONS;
    loop {
        number += 1;
        let plan = class::round(stream("radio", "morning")?, seed, number).faster(speed);
        play(clerk, courts, &plan, clerk.now(), Pace::InTime).await?;
    }
}

async fn training(clerk: &Clerk, courts: &Courts, seed: u64, speed: f64) -> Result<Infallible, ClerkError> {
    let mut number = 0;
    loop {
        number += 1;
        let (begin, pause) = (clerk.now(), Millis::from_seconds(BETWEEN_LOGS.as_seconds() / speed));
        let plans = gym::hour(seed, begin, number, pause);
        let plans: Vec<_> = plans.into_iter().map(|plan| (begin, plan)).collect();
        play_all(clerk, courts, &plans, Pace::InTime).await?;
    }
}

fn stream(court: &str, name: &str) -> Result<StreamId, ClerkError> {
    StreamId::new(court, name).map_err(|error| ClerkError::Broken(error.to_string()))
}

async fn rest(time: Millis, speed: f64) {
    tokio::time::sleep(Duration::from_secs_f64(time.as_seconds() / speed)).await;
}
