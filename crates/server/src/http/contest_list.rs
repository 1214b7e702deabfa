//! Which contests there are, for whoever comes without an address.

use assize_courts::contest::ContestEvent;
use assize_kernel::{Draft, Moment, RulebookRef};
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::App;
use super::opened::page_of_opened;
use super::problem::Problem;
use super::query::{Asked, Window};
use super::shapes::{self, Id};

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
