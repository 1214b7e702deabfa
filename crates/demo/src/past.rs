//! History of the demo: a month of a gym, radio lessons, a finished contest, a run of summaries.

use std::sync::Arc;
use std::sync::atomic::AtomicI64;

use assize_kernel::{Millis, Moment, StreamId};
use assize_ledger::Ledger;
use serde_json::Value;

use super::{ContestSize, DemoPlan, PlaybackPace, PlaybackReport, class, contest_plan, gym, play_all, runs};
use assize_engine::{Clerk, ClerkError, ClerkSettings, Clock, Courts};

const DAY: Millis = Millis(86_400_000);
/// Days of training in the gym.
const GYM_DAYS: u32 = 28;
/// Rounds of lessons in the radio class.
pub(super) const LESSONS: u64 = 3;

/// Plans of everything until `now`, each with its begin; deterministic for a seed and a moment.
#[must_use]
pub fn past(seed: u64, now: Moment) -> Vec<(Moment, DemoPlan)> {
    let before = |days: i64| now + Millis(-days * DAY.0);
    let opened = before(i64::from(GYM_DAYS));
    let mut plans: Vec<(Moment, DemoPlan)> =
        gym::days(seed, opened, GYM_DAYS).into_iter().map(|plan| (opened, plan)).collect();
    let streams = [("contest", "autumn"), ("radio", "morning"), ("summary", "newsroom")];
    let [contest, lessons, run] = streams.map(|(court, name)| StreamId::new(court, name).ok());
    let size = ContestSize { teams: 20, tasks: 8 };
    let contest = contest.map(|stream| called("The autumn contest", contest_plan(stream, seed, size)));
    let lessons = lessons.map(|stream| class::lessons(stream, seed, LESSONS));
    plans.extend(contest.map(|plan| (before(7), plan)));
    plans.extend(lessons.map(|plan| (before(4), plan)));
    plans.extend(run.map(|stream| (before(1), runs::run(stream))));
    plans
}

/// Plays the history with a clerk whose clock stands before it, so that no step is late.
///
/// # Errors
/// When the clerk fails.
pub async fn fill(
    courts: Arc<Courts>,
    ledger: Arc<dyn Ledger>,
    seed: u64,
    now: Moment,
) -> Result<PlaybackReport, ClerkError> {
    static STANDS_STILL: AtomicI64 = AtomicI64::new(0);
    let plans = past(seed, now);
    let begin = plans.iter().map(|(begin, _)| *begin).min().unwrap_or(now);
    let clock = Clock::by_hand(begin, &STANDS_STILL);
    let (clerk, thread) = Clerk::start_by(clock, courts.clone(), ledger, ClerkSettings::default())?;
    let played = play_all(&clerk, &courts, &plans, PlaybackPace::AtOnce).await;
    thread.close();
    played
}

/// The same contest under another name.
pub(super) fn called(name: &str, mut plan: DemoPlan) -> DemoPlan {
    let opening = plan.steps.iter_mut().find_map(|step| step.command.pointer_mut("/OpenContest/name"));
    if let Some(known) = opening {
        *known = Value::from(name);
    }
    plan
}
