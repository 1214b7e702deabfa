//! What has come of a run so far: its items, and what each model has to show.

use std::collections::BTreeMap;

use assize_kernel::{RulebookRef, SmolStr, Stamp};
use serde::{Deserialize, Serialize};

use super::messages::SummaryEvent;

/// A run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SummaryState {
    /// What people call it.
    pub name: String,
    /// What it is judged by; none before it is open.
    pub rulebook: Option<RulebookRef>,
    /// The items by name.
    pub items: BTreeMap<SmolStr, Kept>,
    /// What each model has to show.
    pub models: BTreeMap<SmolStr, Totals>,
}

/// What is remembered of an item; the rest stands in the ledger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    /// Where in the ledger.
    pub position: u64,
    /// The model that wrote it.
    pub model: Option<SmolStr>,
    /// The total of Twin-Lock.
    pub twin_lock: f64,
    /// The total of Judge-Lock.
    pub judge_lock: f64,
}

/// The totals of a model's summaries, added up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// How many summaries.
    pub items: u32,
    /// Their Judge-Lock totals in hundredths: whole numbers, so that the order of adding leaves no trace.
    pub judge_lock_hundredths: i64,
}

/// Summaries whose model is not named.
pub(super) const UNNAMED: &str = "unnamed";

pub(super) fn evolve(state: &mut SummaryState, event: &SummaryEvent, stamp: Stamp) {
    match event {
        SummaryEvent::RunOpened { name, rulebook } => {
            state.name.clone_from(name);
            state.rulebook = Some(rulebook.clone());
        }
        SummaryEvent::SummaryJudged { item, model, twin_lock, judge_lock, .. } => {
            let kept = Kept {
                position: stamp.position,
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

impl Totals {
    /// The mean of the Judge-Lock totals.
    #[must_use]
    pub fn mean(&self) -> f64 {
        #[allow(clippy::cast_precision_loss, reason = "a sum of totals from 0 to 1000 hundredths")]
        let sum = self.judge_lock_hundredths as f64;
        assize_kernel::round(sum / 100.0 / f64::from(self.items.max(1)), 2)
    }
}
