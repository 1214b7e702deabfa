//! Whether the process lives, and whether it can do its work.

use axum::extract::State;
use axum::http::StatusCode;

use super::App;
use super::document::{Throttled, Unavailable};
use super::problem::Problem;

/// Whether the server answers at all.
#[utoipa::path(
    get, path = "/healthz", tag = "operations",
    responses((status = 200, description = "It does", body = String, content_type = "text/plain"), Throttled)
)]
pub(super) async fn check_health() -> &'static str {
    "ok"
}

/// Whether what comes in now can be expected to be recorded.
///
/// The boards are loaded before the first request is taken.
#[utoipa::path(
    get, path = "/readyz", tag = "operations",
    responses(
        (status = 200, description = "It can", body = String, content_type = "text/plain"),
        Throttled,
        Unavailable,
    )
)]
pub(super) async fn check_readiness(State(app): State<App>) -> Result<&'static str, Problem> {
    let not_ready = |why: String| Problem::new(StatusCode::SERVICE_UNAVAILABLE, "server.not_ready", why);
    if app.closing.has_begun() {
        return Err(not_ready("the server is stopping".into()));
    }
    app.clerk.store_is_writable().await.map(|()| "ready").map_err(not_ready)
}
