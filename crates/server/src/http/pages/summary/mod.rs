//! The pages of summaries: paste and judge, with every gauge, every cap and the evidence side by side.

mod claims;
mod gauges;
mod judge;
mod sides;

use axum::Router;
use axum::routing::get;

use crate::http::App;

pub(super) fn pages() -> Router<App> {
    Router::new().route("/summaries", get(judge::read_summaries).post(judge::post_summary))
}
