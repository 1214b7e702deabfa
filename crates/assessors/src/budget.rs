//! Budgets: limits on calls, tokens and cost, and what has been spent.

use std::sync::{Mutex, PoisonError};

use assize_kernel::Usage;

use crate::settings::BudgetLimits;

/// Counts usage and enforces the limits. A request is counted when its response arrives, so a limit is
/// exceeded by at most the concurrent requests.
#[derive(Debug, Default)]
pub struct Budget {
    limits: BudgetLimits,
    spent: Mutex<SpentBudget>,
}

/// The usage in total, and since the budget was last renewed.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SpentBudget {
    /// In total.
    pub total: Usage,
    /// In the present period.
    pub period: Usage,
    /// The number of the present period.
    pub number: i64,
}

impl Budget {
    pub(crate) fn new(limits: BudgetLimits) -> Self {
        Self { limits, spent: Mutex::default() }
    }

    /// Why no further request may be sent; none when one may.
    pub(crate) fn exhausted(&self) -> Option<String> {
        let Usage { calls, tokens_in, tokens_out, cost } = self.spent().period;
        let BudgetLimits { calls: most_calls, tokens: most_tokens, cost: most_cost } = self.limits;
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

    /// Begins a new period, which is a day on a server. The present number changes nothing.
    pub fn renew(&self, number: i64) {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        if spent.number != number {
            spent.number = number;
            spent.period = Usage::default();
        }
    }

    /// The usage so far.
    #[must_use]
    pub fn spent(&self) -> SpentBudget {
        *self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
