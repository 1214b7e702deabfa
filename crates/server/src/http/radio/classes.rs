//! The list of radio classes within the caller's scope.

use assize_courts::radio::RadioEvent;
use assize_kernel::{Draft, Moment, RulebookRef, StreamId};
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::super::App;
use super::super::caller::Caller;
use super::super::list_streams::page_of_opened;
use super::super::openapi::Unauthorized;
use super::super::problem::Problem;
use super::super::query::{Pagination, QueryParams};
use super::super::schemas::Id;

/// A page of the classes, by id.
#[derive(Serialize, ToSchema)]
#[schema(as = RadioClassList)]
pub(crate) struct ClassList {
    /// The total number of classes within the caller's scope.
    pub(crate) total: usize,
    pub(crate) classes: Vec<ClassListed>,
}

/// A class in the list.
#[derive(Serialize, ToSchema)]
#[schema(as = RadioClassListed)]
pub(crate) struct ClassListed {
    #[schema(value_type = Id)]
    pub(crate) id: String,
    /// The display name.
    pub(crate) name: String,
    pub(crate) rulebook: RulebookRef,
    pub(crate) opened_at: Moment,
}

/// Lists the classes within the caller's scope, by id.
#[utoipa::path(
    get, path = "/api/v1/radio/classes", tag = "radio",
    params(Pagination),
    responses((status = 200, description = "A page of the classes", body = ClassList), Unauthorized),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn list_classes(
    State(app): State<App>,
    QueryParams(window): QueryParams<Pagination>,
    caller: Caller,
) -> Result<Json<ClassList>, Problem> {
    let within = |stream: &StreamId| caller.scope.covers(stream.as_str());
    let (total, classes) = page_of_opened(&app, "radio", window, within, read).await?;
    Ok(Json(ClassList { total, classes }))
}

fn read(id: String, first: &Draft) -> Option<ClassListed> {
    match serde_json::from_str(&first.body).ok()? {
        RadioEvent::ClassOpened { name, rulebook } => {
            Some(ClassListed { id, name, rulebook, opened_at: first.at })
        }
        _ => None,
    }
}
