//! The clock of a question, and its submission counts.

use assize_courts::contest::TaskRound;
use assize_kernel::{Millis, Moment};

/// The clock of a question.
pub(super) struct QuestionClock {
    /// Whether answers are accepted, including the buffer.
    pub(super) is_active: bool,
    /// Seconds since the start; the duration once it has ended.
    pub(super) elapsed: f64,
    /// Seconds until the time limit; the buffer is not part of it.
    pub(super) remaining: f64,
}

/// What teams have submitted so far.
pub(super) struct SubmissionCounts {
    pub(super) submissions: u64,
    pub(super) teams: u64,
    pub(super) completed: u64,
}

impl QuestionClock {
    pub(super) fn of(round: &TaskRound, now: Moment) -> Self {
        let is_active = round.started_at <= now && now <= round.open_until();
        let elapsed = (now.min(round.open_until()) - round.started_at).max(Millis(0));
        let limit = Millis(round.time_limit.0 + round.adjusted.0);
        let left = if round.open_until() < now { Millis(0) } else { Millis((limit.0 - elapsed.0).max(0)) };
        Self { is_active, elapsed: elapsed.as_seconds(), remaining: left.as_seconds() }
    }
}

impl SubmissionCounts {
    pub(super) fn of(round: &TaskRound) -> Self {
        let attempts = || round.attempts.values();
        let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
        Self {
            submissions: attempts().map(|attempts| u64::from(attempts.submissions)).sum(),
            teams: count(round.attempts.len()),
            completed: count(attempts().filter(|attempts| attempts.completed_at.is_some()).count()),
        }
    }
}
