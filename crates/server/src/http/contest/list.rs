//! The list of contests, with pagination.

use assize_courts::contest::ContestEvent;
use assize_kernel::{Draft, Moment, RulebookRef};
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::App;
use crate::http::list_streams::page_of_opened;
use crate::http::problem::Problem;
use crate::http::query::{Pagination, QueryParams};
use crate::http::schemas::Id;

/// A page of the contests, by id.
#[derive(Serialize, ToSchema)]
pub(crate) struct ContestList {
    /// The total number of contests.
    pub(crate) total: usize,
    pub(crate) contests: Vec<ContestListed>,
}

/// A contest in the list.
#[derive(Serialize, ToSchema)]
pub(crate) struct ContestListed {
    #[schema(value_type = Id)]
    pub(crate) id: String,
    /// The display name.
    pub(crate) name: String,
    pub(crate) rulebook: RulebookRef,
    pub(crate) opened_at: Moment,
}

/// Lists the contests, by id.
#[utoipa::path(
    get,
    path = "/api/v1/contests",
    tag = "contests",
    params(Pagination),
    responses((status = 200, description = "A page of the contests", body = ContestList))
)]
pub(crate) async fn list_contests(
    State(app): State<App>,
    QueryParams(window): QueryParams<Pagination>,
) -> Result<Json<ContestList>, Problem> {
    let (total, contests) = page_of_opened(&app, "contest", window, |_| true, read).await?;
    Ok(Json(ContestList { total, contests }))
}

fn read(id: String, first: &Draft) -> Option<ContestListed> {
    match serde_json::from_str(&first.body).ok()? {
        ContestEvent::ContestOpened { name, rulebook } => {
            Some(ContestListed { id, name, rulebook, opened_at: first.at })
        }
        _ => None,
    }
}
