//! Summary pages: judge pasted texts, with gauges, caps and evidence; stored runs with their models ranked.

mod claims;
mod gauges;
mod judge;
mod runs;
mod sides;

use axum::Router;
use axum::routing::get;

use crate::http::App;

pub(super) fn pages() -> Router<App> {
    Router::new()
        .route("/summaries", get(judge::read_summaries).post(judge::post_summary))
        .route("/summaries/{run}", get(runs::read_run))
        .route("/summaries/{run}/{item}", get(runs::read_item))
}
