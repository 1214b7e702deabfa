//! OpenAPI schemas of the summary court's views.

use utoipa::ToSchema;

use super::{Id, RulebookRef};

/// A run of summaries.
#[derive(ToSchema)]
#[schema(as = SummaryRun)]
pub(crate) struct RunViewSchema {
    /// What people call it.
    name: String,
    rulebook: RulebookRef,
    /// How many summaries there are.
    items: usize,
    /// Who wrote them, best first.
    models: Vec<ModelViewSchema>,
}

/// What a model has to show.
#[derive(ToSchema)]
#[schema(as = RankedModel)]
pub(crate) struct ModelViewSchema {
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
pub(crate) struct ItemsViewSchema {
    /// How many there are.
    total: usize,
    items: Vec<ItemViewSchema>,
}

/// A summary in short.
#[derive(ToSchema)]
#[schema(as = SummaryItem)]
pub(crate) struct ItemViewSchema {
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
