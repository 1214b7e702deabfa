//! Health checks: liveness and readiness.

use axum::extract::State;
use axum::http::StatusCode;

use super::App;
use super::openapi::{Throttled, Unavailable};
use super::problem::Problem;

/// Whether the server answers at all.
#[utoipa::path(
    get, path = "/healthz", tag = "operations",
    responses((status = 200, description = "It does", body = String, content_type = "text/plain"), Throttled)
)]
pub(crate) async fn check_health() -> &'static str {
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
pub(crate) async fn check_readiness(State(app): State<App>) -> Result<&'static str, Problem> {
    let not_ready = |why: String| Problem::new(StatusCode::SERVICE_UNAVAILABLE, "server.not_ready", why);
    if app.closing.has_begun() {
        return Err(not_ready("the server is stopping".into()));
    }
    app.clerk.store_is_writable().await.map(|()| "ready").map_err(not_ready)
}
