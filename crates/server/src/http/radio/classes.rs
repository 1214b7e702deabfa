//! Which radio classes there are, for whoever may come into them.

use assize_courts::radio::RadioEvent;
use assize_kernel::{Draft, Moment, RulebookRef, StreamId};
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::super::App;
use super::super::caller::Caller;
use super::super::document::Unauthorized;
use super::super::opened::page_of_opened;
use super::super::problem::Problem;
use super::super::query::{Asked, Window};
use super::super::shapes::{self, Id};

/// A page of the classes, by id.
#[derive(Serialize, ToSchema)]
#[schema(as = RadioClassList)]
pub(in super::super) struct ClassList {
    /// How many there are.
    pub(in super::super) total: usize,
    pub(in super::super) classes: Vec<ClassListed>,
}

/// A class in the list.
#[derive(Serialize, ToSchema)]
#[schema(as = RadioClassListed)]
pub(in super::super) struct ClassListed {
    #[schema(value_type = Id)]
    pub(in super::super) id: String,
    /// What people call it.
    pub(in super::super) name: String,
    #[schema(value_type = shapes::RulebookRef)]
    pub(in super::super) rulebook: RulebookRef,
    #[schema(value_type = shapes::Moment)]
    pub(in super::super) opened_at: Moment,
}

/// The classes within the caller's scope, by id.
#[utoipa::path(
    get, path = "/api/v1/radio/classes", tag = "radio",
    params(Window),
    responses((status = 200, description = "A page of the classes", body = ClassList), Unauthorized),
    security(("bearer" = []), ("session" = []))
)]
pub(in super::super) async fn list_classes(
    State(app): State<App>,
    Asked(window): Asked<Window>,
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
