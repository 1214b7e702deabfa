//! Radio pages: scenarios and classes, sessions, their debriefs, and overruling by instructors.

mod call;
mod class;
mod debrief;
mod lobby;
mod overruling;
mod progress;
mod session;
mod turns;

use axum::Router;
use axum::routing::get;

use crate::http::App;

pub(super) fn pages() -> Router<App> {
    Router::new()
        .route("/radio", get(lobby::read_lobby).post(lobby::post_class))
        .route("/radio/{class}", get(class::read_class).post(class::post_session))
        .route("/radio/{class}/sessions/{session}", get(session::read_session).post(session::post_session))
        .route("/radio/{class}/sessions/{session}/debrief", get(debrief::read_debrief))
}
