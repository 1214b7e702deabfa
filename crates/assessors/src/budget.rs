//! What asking may cost, and what it has cost.

use std::sync::{Mutex, PoisonError};

use assize_kernel::Usage;

use crate::settings::Limits;

/// Counts what is spent, and says when it is enough. What is on its way is counted when it has come back, so a limit
/// is overrun by at most the requests that run at once.
#[derive(Debug, Default)]
pub struct Budget {
    limits: Limits,
    spent: Mutex<Spent>,
}

/// What was spent since the beginning, and since the budget was last renewed.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Spent {
    /// Since the beginning.
    pub total: Usage,
    /// Since the budget was renewed.
    pub period: Usage,
    /// Which period that is.
    pub number: i64,
}

impl Budget {
    pub(crate) fn new(limits: Limits) -> Self {
        Self { limits, spent: Mutex::default() }
    }

    /// Why nothing more may be asked; none when it may.
    pub(crate) fn exhausted(&self) -> Option<String> {
        let Usage { calls, tokens_in, tokens_out, cost } = self.spent().period;
        let Limits { calls: most_calls, tokens: most_tokens, cost: most_cost } = self.limits;
        if let Some(most) = most_calls.filter(|most| u64::from(calls) >= *most) {
            return Some(format!("all {most} calls are used up"));
        }
        if let Some(most) = most_tokens.filter(|most| tokens_in + tokens_out >= *most) {
            return Some(format!("all {most} tokens are used up"));
        }
        most_cost.filter(|most| cost >= *most).map(|most| format!("all money ({most}) is used up"))
    }

    pub(crate) fn add(&self, usage: Usage) {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        spent.total += usage;
        spent.period += usage;
    }

    /// Begins another period: a day on a server. The same number again changes nothing.
    pub fn renew(&self, number: i64) {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        if spent.number != number {
            (spent.number, spent.period) = (number, Usage::default());
        }
    }

    /// What was spent.
    #[must_use]
    pub fn spent(&self) -> Spent {
        *self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
