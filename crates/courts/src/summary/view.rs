//! Views of a run for responses: its models, best first, and its items with pagination.

#[cfg(feature = "openapi")]
use assize_kernel::openapi::Id;
use assize_kernel::{RulebookRef, SmolStr};
use serde::Serialize;

use super::state::SummaryState;

/// A run with its models.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SummaryRun))]
pub struct SummaryRunView {
    /// The display name of the run.
    pub name: String,
    /// The rulebook of the run.
    pub rulebook: RulebookRef,
    /// The number of summaries.
    pub items: usize,
    /// The models, best first.
    pub models: Vec<SummaryModelView>,
}

/// The rank and mean of a model.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RankedModel))]
pub struct SummaryModelView {
    /// The rank; models with the same mean share one.
    #[cfg_attr(feature = "openapi", schema(minimum = 1))]
    pub rank: usize,
    /// The name of the model.
    #[cfg_attr(feature = "openapi", schema(value_type = Id))]
    pub model: SmolStr,
    /// The number of summaries it wrote.
    pub items: u32,
    /// The mean of their Judge-Lock totals.
    #[cfg_attr(feature = "openapi", schema(minimum = 0, maximum = 10))]
    pub mean: f64,
}

/// A page of items, ordered by name.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SummaryPage))]
pub struct SummaryItemsView {
    /// The number of all items.
    pub total: usize,
    /// The items of this page.
    pub items: Vec<SummaryItemView>,
}

/// An item without its texts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SummaryItem))]
pub struct SummaryItemView {
    /// The name of the item in the run.
    #[cfg_attr(feature = "openapi", schema(value_type = Id))]
    pub item: SmolStr,
    /// The model that wrote the summary, if known.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Id>, required))]
    pub model: Option<SmolStr>,
    /// The position of the judgement in the ledger.
    #[cfg_attr(feature = "openapi", schema(minimum = 1))]
    pub position: u64,
    /// The total of Twin-Lock.
    #[cfg_attr(feature = "openapi", schema(minimum = 0, maximum = 10))]
    pub twin_lock: f64,
    /// The total of Judge-Lock.
    #[cfg_attr(feature = "openapi", schema(minimum = 0, maximum = 10))]
    pub judge_lock: f64,
}

impl SummaryState {
    /// The view of the run; none before it is open.
    #[must_use]
    pub fn view(&self) -> Option<SummaryRunView> {
        let rulebook = self.rulebook.clone()?;
        let mut models: Vec<SummaryModelView> = self
            .models
            .iter()
            .map(|(model, totals)| SummaryModelView {
                rank: 0,
                model: model.clone(),
                items: totals.items,
                mean: totals.mean(),
            })
            .collect();
        // The sort is stable: models with equal means stay ordered by name.
        models.sort_by(|one, other| other.mean.total_cmp(&one.mean));
        let means: Vec<f64> = models.iter().map(|model| model.mean).collect();
        for model in &mut models {
            model.rank = 1 + means.iter().filter(|mean| **mean > model.mean).count();
        }
        Some(SummaryRunView { name: self.name.clone(), rulebook, items: self.items.len(), models })
    }

    /// A page of the items, ordered by name; none before the run is open.
    #[must_use]
    pub fn page(&self, offset: usize, limit: usize) -> Option<SummaryItemsView> {
        self.rulebook.as_ref()?;
        let items = self.items.iter().skip(offset).take(limit).map(|(item, kept)| SummaryItemView {
            item: item.clone(),
            model: kept.model.clone(),
            position: kept.position,
            twin_lock: kept.twin_lock,
            judge_lock: kept.judge_lock,
        });
        Some(SummaryItemsView { total: self.items.len(), items: items.collect() })
    }

    /// The ledger positions of the items in ascending order; none before the run is open.
    #[must_use]
    pub fn positions(&self) -> Option<Vec<u64>> {
        self.rulebook.as_ref()?;
        let mut positions: Vec<u64> = self.items.values().map(|kept| kept.position).collect();
        positions.sort_unstable();
        Some(positions)
    }
}
