//! The state of a run: its items and the totals of each model.

use std::collections::BTreeMap;

use assize_kernel::{RecordedAt, RulebookRef, SmolStr};
use serde::{Deserialize, Serialize};

use super::messages::SummaryEvent;

/// The state of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SummaryState {
    /// The display name of the run.
    pub name: String,
    /// The rulebook of the run; none before it is open.
    pub rulebook: Option<RulebookRef>,
    /// The items by name.
    pub items: BTreeMap<SmolStr, JudgedItem>,
    /// The totals of each model.
    pub models: BTreeMap<SmolStr, ModelTotals>,
}

/// A judged item; the texts and findings are in the ledger only.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JudgedItem {
    /// The position of the event in the ledger.
    pub position: u64,
    /// The model that wrote the summary.
    pub model: Option<SmolStr>,
    /// The total of Twin-Lock.
    pub twin_lock: f64,
    /// The total of Judge-Lock.
    pub judge_lock: f64,
}

/// The sums over a model's summaries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelTotals {
    /// The number of summaries.
    pub items: u32,
    /// The sum of the Judge-Lock totals in hundredths; an integer, so the result does not depend on the
    /// order.
    pub judge_lock_hundredths: i64,
}

/// The board entry of summaries without a model.
pub(super) const UNNAMED: &str = "unnamed";

pub(super) fn evolve(state: &mut SummaryState, event: &SummaryEvent, recorded_at: RecordedAt) {
    match event {
        SummaryEvent::RunOpened { name, rulebook } => {
            state.name.clone_from(name);
            state.rulebook = Some(rulebook.clone());
        }
        SummaryEvent::SummaryJudged { item, model, twin_lock, judge_lock, .. } => {
            let kept = JudgedItem {
                position: recorded_at.position,
                model: model.clone(),
                twin_lock: *twin_lock,
                judge_lock: *judge_lock,
            };
            state.items.insert(item.clone(), kept);
            let model = model.clone().unwrap_or_else(|| UNNAMED.into());
            let totals = state.models.entry(model).or_default();
            totals.items += 1;
            #[allow(clippy::cast_possible_truncation, reason = "a total is from 0 to 10")]
            let hundredths = assize_kernel::round(judge_lock * 100.0, 0) as i64;
            totals.judge_lock_hundredths += hundredths;
        }
    }
}

impl ModelTotals {
    /// The mean of the Judge-Lock totals.
    #[must_use]
    pub fn mean(&self) -> f64 {
        #[allow(clippy::cast_precision_loss, reason = "a sum of totals from 0 to 1000 hundredths")]
        let sum = self.judge_lock_hundredths as f64;
        assize_kernel::round(sum / 100.0 / f64::from(self.items.max(1)), 2)
    }
}
