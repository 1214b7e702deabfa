//! Plays plans: submits every step to a clerk with its planned time, so that the result is deterministic.

use std::collections::BTreeMap;
use std::time::Duration;

use assize_kernel::{Moment, StreamId};

use super::{DemoPlan, DemoStep};
use assize_engine::{Clerk, ClerkError, Courts, Petition};

/// When the steps of a plan are submitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlaybackPace {
    /// Each at its planned time.
    InTime,
    /// One after the other without waiting.
    AtOnce,
}

/// Result of playing a plan.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct PlaybackReport {
    /// Steps that were recorded.
    pub recorded: u64,
    /// Steps that repeated an earlier one and got its answer.
    pub repeated: u64,
    /// Refused steps, by the refusal's code.
    pub refused: BTreeMap<String, u64>,
}

/// Plays a plan from `begin` on, to its end.
///
/// # Errors
/// When the plan's court is missing or does not know a command, or when the clerk fails.
pub async fn play(
    clerk: &Clerk,
    courts: &Courts,
    plan: &DemoPlan,
    begin: Moment,
    pace: PlaybackPace,
) -> Result<PlaybackReport, ClerkError> {
    let steps = plan.steps.iter().map(|step| (begin + step.after, &plan.stream, step));
    take(clerk, courts, steps, pace).await
}

/// Plays several plans merged in order of time, each from its own beginning.
///
/// # Errors
/// As for one of them.
pub async fn play_all(
    clerk: &Clerk,
    courts: &Courts,
    plans: &[(Moment, DemoPlan)],
    pace: PlaybackPace,
) -> Result<PlaybackReport, ClerkError> {
    let mut steps = Vec::new();
    for (begin, plan) in plans {
        steps.extend(plan.steps.iter().map(|step| (*begin + step.after, &plan.stream, step)));
    }
    steps.sort_by_key(|(at, ..)| *at);
    take(clerk, courts, steps.into_iter(), pace).await
}

async fn take(
    clerk: &Clerk,
    courts: &Courts,
    steps: impl Iterator<Item = (Moment, &StreamId, &DemoStep)>,
    pace: PlaybackPace,
) -> Result<PlaybackReport, ClerkError> {
    let broken = |problem: String| ClerkError::Broken(format!("the plan cannot be played: {problem}"));
    let mut played = PlaybackReport::default();
    for (at, stream, step) in steps {
        let court = courts.get(stream.court());
        let court = court.ok_or_else(|| broken(format!("there is no court for `{stream}`")))?;
        let command = court.read_command(step.command.clone()).map_err(|error| broken(error.to_string()))?;
        if pace == PlaybackPace::InTime {
            let wait = u64::try_from((at - clerk.now()).0).unwrap_or_default();
            tokio::time::sleep(Duration::from_millis(wait)).await;
        }
        let petition = Petition::new(stream.clone(), command, step.actor.clone(), at);
        match clerk.submit(petition).await {
            Ok(answer) if answer.repeated => played.repeated += 1,
            Ok(_) => played.recorded += 1,
            Err(ClerkError::Refused(refusal)) => {
                *played.refused.entry(refusal.code.to_string()).or_default() += 1;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(played)
}
