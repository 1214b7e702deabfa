//! What the summary court's views look like on the wire, for the OpenAPI document.

use utoipa::ToSchema;

use super::{Id, RulebookRef};

/// A run of summaries.
#[derive(ToSchema)]
#[schema(as = SummaryRun)]
pub(in super::super) struct RunView {
    /// What people call it.
    name: String,
    rulebook: RulebookRef,
    /// How many summaries there are.
    items: usize,
    /// Who wrote them, best first.
    models: Vec<ModelView>,
}

/// What a model has to show.
#[derive(ToSchema)]
#[schema(as = RankedModel)]
pub(in super::super) struct ModelView {
    /// Its place; models with the same mean share one.
    #[schema(minimum = 1)]
    rank: usize,
    model: Id,
    /// How many summaries it wrote.
    items: u32,
    /// The mean of their Judge-Lock totals.
    #[schema(minimum = 0, maximum = 10)]
    mean: f64,
}

/// A page of the summaries of a run, by name.
#[derive(ToSchema)]
#[schema(as = SummaryPage)]
pub(in super::super) struct ItemsView {
    /// How many there are.
    total: usize,
    items: Vec<ItemView>,
}

/// A summary in short.
#[derive(ToSchema)]
#[schema(as = SummaryItem)]
pub(in super::super) struct ItemView {
    item: Id,
    /// The model that wrote it; null when that was not said.
    #[schema(required = true)]
    model: Option<Id>,
    /// Its place in the ledger.
    #[schema(minimum = 1)]
    position: u64,
    /// The total of Twin-Lock.
    #[schema(minimum = 0, maximum = 10)]
    twin_lock: f64,
    /// The total of Judge-Lock.
    #[schema(minimum = 0, maximum = 10)]
    judge_lock: f64,
}
