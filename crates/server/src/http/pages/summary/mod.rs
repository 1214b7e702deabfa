//! The pages of summaries: paste and judge, with every gauge, every cap and the evidence side by side; runs that
//! are kept, with their models ranked.

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
