//! The board of a run: models by the mean Judge-Lock total of their summaries.

use assize_kernel::{BoardName, Standing, StandingChange, StreamId};

use super::messages::SummaryEvent;
use super::state::{SummaryState, UNNAMED};

/// Appends the board changes of an event to `changes`; `state` is the state after the event.
pub(super) fn standings(
    stream: &StreamId,
    state: &SummaryState,
    event: &SummaryEvent,
    changes: &mut Vec<StandingChange>,
) {
    let SummaryEvent::SummaryJudged { model, .. } = event else { return };
    let model = model.clone().unwrap_or_else(|| UNNAMED.into());
    let standing = state.models.get(&model).map(|totals| Standing { points: totals.mean(), ties: [0, 0] });
    changes.push(StandingChange { board: BoardName::of(stream), participant: model, standing });
}
