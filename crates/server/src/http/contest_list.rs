//! Which contests there are, for whoever comes without an address.

use std::ops::ControlFlow;

use assize_courts::contest::ContestEvent;
use assize_kernel::{Moment, RecordRef, RulebookRef, StreamId};
use assize_ledger::Scan;
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::problem::Problem;
use super::query::{Asked, Window};
use super::shapes::{self, Id};
use super::{App, blocking};

/// A page of the contests, by id.
#[derive(Serialize, ToSchema)]
pub(super) struct ContestList {
    /// How many there are.
    pub(super) total: usize,
    pub(super) contests: Vec<ContestListed>,
}

/// A contest in the list.
#[derive(Serialize, ToSchema)]
pub(super) struct ContestListed {
    #[schema(value_type = Id)]
    pub(super) id: String,
    /// What people call it.
    pub(super) name: String,
    #[schema(value_type = shapes::RulebookRef)]
    pub(super) rulebook: RulebookRef,
    #[schema(value_type = shapes::Moment)]
    pub(super) opened_at: Moment,
}

/// The contests, by id.
#[utoipa::path(
    get,
    path = "/api/v1/contests",
    tag = "contests",
    params(Window),
    responses((status = 200, description = "A page of the contests", body = ContestList))
)]
pub(super) async fn list_contests(
    State(app): State<App>,
    Asked(window): Asked<Window>,
) -> Result<Json<ContestList>, Problem> {
    let (total, page) = {
        let views = app.clerk.views();
        let contests = || views.streams("contest").map(|(stream, first)| (stream.clone(), first));
        (contests().count(), contests().skip(window.offset()).take(window.limit()).collect::<Vec<_>>())
    };
    let list = move |app: &App| {
        page.into_iter().filter_map(|(stream, first)| listed(app, &stream, first).transpose()).collect()
    };
    let contests = blocking(&app, list).await?;
    Ok(Json(ContestList { total, contests }))
}

/// What the first record of a contest says of it.
fn listed(app: &App, stream: &StreamId, first: u64) -> Result<Option<ContestListed>, Problem> {
    let mut found = None;
    app.ledger.scan(Scan::at(first), &mut |record| {
        found = read(stream, &record);
        ControlFlow::Break(())
    })?;
    Ok(found)
}

fn read(stream: &StreamId, record: &RecordRef<'_>) -> Option<ContestListed> {
    match serde_json::from_str(record.body).ok()? {
        ContestEvent::ContestOpened { name, rulebook } => {
            Some(ContestListed { id: stream.name().to_owned(), name, rulebook, opened_at: record.at })
        }
        _ => None,
    }
}
