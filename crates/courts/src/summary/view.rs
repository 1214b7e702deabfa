//! What may be seen of a run: its models, best first, and its items page by page.

use assize_kernel::{RulebookRef, SmolStr};
use serde::Serialize;

use super::state::SummaryState;

/// A run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunView {
    /// What people call it.
    pub name: String,
    /// What it is judged by.
    pub rulebook: RulebookRef,
    /// How many summaries there are.
    pub items: usize,
    /// Who wrote them, best first.
    pub models: Vec<ModelView>,
}

/// What a model has to show.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ModelView {
    /// Its place; models with the same mean share one.
    pub rank: usize,
    /// Its name.
    pub model: SmolStr,
    /// How many summaries it wrote.
    pub items: u32,
    /// The mean of their Judge-Lock totals.
    pub mean: f64,
}

/// Some of the items, by name.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ItemsView {
    /// How many there are.
    pub total: usize,
    /// Those that were asked for.
    pub items: Vec<ItemView>,
}

/// An item in short.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ItemView {
    /// Its name in the run.
    pub item: SmolStr,
    /// The model that wrote it; null when that was not said.
    pub model: Option<SmolStr>,
    /// Where in the ledger it was judged.
    pub position: u64,
    /// The total of Twin-Lock.
    pub twin_lock: f64,
    /// The total of Judge-Lock.
    pub judge_lock: f64,
}

impl SummaryState {
    /// The run; none before it is open.
    #[must_use]
    pub fn view(&self) -> Option<RunView> {
        let rulebook = self.rulebook.clone()?;
        let mut models: Vec<ModelView> = self
            .models
            .iter()
            .map(|(model, totals)| ModelView {
                rank: 0,
                model: model.clone(),
                items: totals.items,
                mean: totals.mean(),
            })
            .collect();
        // By name where the means are equal: that is how they come.
        models.sort_by(|one, other| other.mean.total_cmp(&one.mean));
        let means: Vec<f64> = models.iter().map(|model| model.mean).collect();
        for model in &mut models {
            model.rank = 1 + means.iter().filter(|mean| **mean > model.mean).count();
        }
        Some(RunView { name: self.name.clone(), rulebook, items: self.items.len(), models })
    }

    /// A page of the items, by name; none before the run is open.
    #[must_use]
    pub fn page(&self, offset: usize, limit: usize) -> Option<ItemsView> {
        self.rulebook.as_ref()?;
        let items = self.items.iter().skip(offset).take(limit).map(|(item, kept)| ItemView {
            item: item.clone(),
            model: kept.model.clone(),
            position: kept.position,
            twin_lock: kept.twin_lock,
            judge_lock: kept.judge_lock,
        });
        Some(ItemsView { total: self.items.len(), items: items.collect() })
    }

    /// Where in the ledger its items were judged, in that order; none before the run is open.
    #[must_use]
    pub fn positions(&self) -> Option<Vec<u64>> {
        self.rulebook.as_ref()?;
        let mut positions: Vec<u64> = self.items.values().map(|kept| kept.position).collect();
        positions.sort_unstable();
        Some(positions)
    }
}
