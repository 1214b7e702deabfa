//! Endless simulation while the server runs: one contest after the other, a radio class, a gym.

use std::convert::Infallible;
use std::time::Duration;

use assize_kernel::{Actor, Millis, Role, StreamId};
use serde_json::json;

use super::past::{LESSONS, called};
use super::{ContestSize, DemoStep, PlaybackPace, class, contest_plan, gym, play, play_all};
use assize_engine::{Clerk, ClerkError, Courts};

/// The visitors' team in every contest.
pub(super) const GUESTS: &str = "guests";
/// Pauses between two contests, and between two logs in the gym, at real-time speed.
const REST: Millis = Millis(60_000);
const BETWEEN_LOGS: Millis = Millis(20_000);

/// Runs until it is dropped, `speed` times as fast as real time.
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

/// Stream name of the contest with this number.
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
            ContestSize { teams: 14, tasks: 10 },
        );
        let mut plan = called(&format!("Live contest {number}"), plan).faster(speed);
        let command = json!({ "RegisterTeam": { "team": GUESTS, "name": "You, if you like" } });
        let actor = Actor::new(Role::Admin, "organiser");
        plan.steps.insert(1, DemoStep { after: Millis(0), actor, command });
        play(clerk, courts, &plan, clerk.now(), PlaybackPace::InTime).await?;
        rest(REST, speed).await;
    }
}

async fn lessons(clerk: &Clerk, courts: &Courts, seed: u64, speed: f64) -> Result<Infallible, ClerkError> {
    let mut number = LESSONS;
    loop {
        number += 1;
        let plan = class::round(stream("radio", "morning")?, seed, number).faster(speed);
        play(clerk, courts, &plan, clerk.now(), PlaybackPace::InTime).await?;
    }
}

async fn training(clerk: &Clerk, courts: &Courts, seed: u64, speed: f64) -> Result<Infallible, ClerkError> {
    let mut number = 0;
    loop {
        number += 1;
        let begin = clerk.now();
        let pause = Millis::from_seconds(BETWEEN_LOGS.as_seconds() / speed);
        let plans = gym::hour(seed, begin, number, pause);
        let plans: Vec<_> = plans.into_iter().map(|plan| (begin, plan)).collect();
        play_all(clerk, courts, &plans, PlaybackPace::InTime).await?;
    }
}

fn stream(court: &str, name: &str) -> Result<StreamId, ClerkError> {
    StreamId::new(court, name).map_err(|error| ClerkError::Broken(error.to_string()))
}

async fn rest(time: Millis, speed: f64) {
    tokio::time::sleep(Duration::from_secs_f64(time.as_seconds() / speed)).await;
}
