//! Which radio classes there are, for whoever may come into them.

use std::ops::ControlFlow;

use assize_courts::radio::RadioEvent;
use assize_kernel::{Moment, RecordRef, RulebookRef, StreamId};
use assize_ledger::Scan;
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::super::caller::Caller;
use super::super::document::Unauthorized;
use super::super::problem::Problem;
use super::super::query::{Asked, Window};
use super::super::shapes::{self, Id};
use super::super::{App, blocking};

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
    let (total, page) = {
        let views = app.clerk.views();
        let within = |stream: &StreamId| caller.scope.covers(stream.as_str());
        let classes = || views.streams("radio").filter(|(stream, _)| within(stream));
        let page = classes().skip(window.offset()).take(window.limit());
        (classes().count(), page.map(|(stream, first)| (stream.clone(), first)).collect::<Vec<_>>())
    };
    let list = move |app: &App| {
        page.into_iter().filter_map(|(stream, first)| listed(app, &stream, first).transpose()).collect()
    };
    let classes = blocking(&app, list).await?;
    Ok(Json(ClassList { total, classes }))
}

/// What the first record of a class says of it.
fn listed(app: &App, stream: &StreamId, first: u64) -> Result<Option<ClassListed>, Problem> {
    let mut found = None;
    app.ledger.scan(Scan::at(first), &mut |record| {
        found = read(stream, &record);
        ControlFlow::Break(())
    })?;
    Ok(found)
}

fn read(stream: &StreamId, record: &RecordRef<'_>) -> Option<ClassListed> {
    match serde_json::from_str(record.body).ok()? {
        RadioEvent::ClassOpened { name, rulebook } => {
            Some(ClassListed { id: stream.name().to_owned(), name, rulebook, opened_at: record.at })
        }
        _ => None,
    }
}
