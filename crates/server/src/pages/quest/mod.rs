//! Quest pages: board of hunters, hunter with match history, training log, moderation queue.

mod board;
mod exam;
mod history;
mod hunter;
mod log;
mod moderation;
mod steps;
mod waiting;
mod words;

use axum::Router;
use axum::routing::get;

use crate::http::App;

pub(super) fn pages() -> Router<App> {
    Router::new()
        .route("/hunters", get(board::read_hunters))
        .route("/hunters/{hunter}", get(hunter::read_hunter).post(hunter::post_hunter))
        .route("/hunters/{hunter}/logs/{quest}", get(log::read_log).post(log::post_report))
        .route("/moderation", get(moderation::read_moderation).post(moderation::post_moderation))
}
