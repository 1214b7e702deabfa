//! Has a clerk hear what plans say, each step dated as planned: whoever plays them, the same comes out.

use std::collections::BTreeMap;
use std::time::Duration;

use assize_kernel::{Moment, StreamId};

use super::{Plan, Step};
use crate::{Clerk, ClerkError, Courts, Petition};

/// When the steps of a plan are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// Each when its time has come.
    InTime,
    /// One after the other without waiting.
    AtOnce,
}

/// What has come of a plan.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// Steps that were recorded.
    pub recorded: u64,
    /// Steps that got an earlier answer again.
    pub repeated: u64,
    /// Steps that were not taken up, by the code of the refusal.
    pub refused: BTreeMap<String, u64>,
}

/// Plays a plan from `begin` on, to its end.
///
/// # Errors
/// When the plan is for a court that is not there or says what that court does not know, or when the clerk fails.
pub async fn play(
    clerk: &Clerk,
    courts: &Courts,
    plan: &Plan,
    begin: Moment,
    pace: Pace,
) -> Result<Played, ClerkError> {
    let steps = plan.steps.iter().map(|step| (begin + step.after, &plan.stream, step));
    take(clerk, courts, steps, pace).await
}

/// Plays several plans beside each other, each from its own beginning on, in order of time.
///
/// # Errors
/// As for one of them.
pub async fn play_all(
    clerk: &Clerk,
    courts: &Courts,
    plans: &[(Moment, Plan)],
    pace: Pace,
) -> Result<Played, ClerkError> {
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
    steps: impl Iterator<Item = (Moment, &StreamId, &Step)>,
    pace: Pace,
) -> Result<Played, ClerkError> {
    let broken = |problem: String| ClerkError::Broken(format!("the plan cannot be played: {problem}"));
    let mut played = Played::default();
    for (at, stream, step) in steps {
        let court = courts.get(stream.court());
        let court = court.ok_or_else(|| broken(format!("there is no court for `{stream}`")))?;
        let command = court.read_command(step.command.clone()).map_err(|error| broken(error.to_string()))?;
        if pace == Pace::InTime {
            let wait = u64::try_from((at - clerk.now()).0).unwrap_or_default();
            tokio::time::sleep(Duration::from_millis(wait)).await;
        }
        let petition = Petition::new(stream.clone(), command, step.actor.clone(), at);
        match clerk.hear(petition).await {
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
