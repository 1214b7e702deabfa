//! Health checks: liveness and readiness.

use axum::extract::State;
use axum::http::StatusCode;

use super::App;
use super::openapi::{Throttled, Unavailable};
use super::problem::Problem;

/// Checks that the process is alive.
#[utoipa::path(
    get, path = "/healthz", tag = "operations",
    responses((status = 200, description = "`ok`: the process is alive", body = String, content_type = "text/plain"), Throttled)
)]
pub(crate) async fn check_health() -> &'static str {
    "ok"
}

/// Checks that requests can be recorded: the ledger can be written and the server is not stopping.
///
/// The boards are loaded before the first request is accepted.
#[utoipa::path(
    get, path = "/readyz", tag = "operations",
    responses(
        (status = 200, description = "`ready`: requests can be recorded", body = String, content_type = "text/plain"),
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
