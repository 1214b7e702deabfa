//! The bytes of a body: all of them, in time, and not too many.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, FromRequest, Request};
use axum::http::{HeaderMap, StatusCode, header};
use tokio::time::timeout;

use super::problem::Problem;
use super::settings::HttpSettings;

/// The body, if it comes in time and is not too long.
pub(super) async fn whole_body(request: Request, settings: &HttpSettings) -> Result<Bytes, Problem> {
    body_up_to(request, settings.body_limit, settings.body_time).await
}

/// The same with bounds of its own.
pub(super) async fn body_up_to(
    mut request: Request,
    body_limit: usize,
    body_time: Duration,
) -> Result<Bytes, Problem> {
    if length(request.headers()).is_some_and(|length| length > body_limit) {
        return Err(Problem::too_large(body_limit));
    }
    DefaultBodyLimit::max(body_limit).apply(&mut request);
    let body = timeout(body_time, Bytes::from_request(request, &())).await;
    let body = body.map_err(|_| Problem::too_slow(body_time))?;
    body.map_err(|problem| match problem.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Problem::too_large(body_limit),
        _ => Problem::malformed("the body ended too early"),
    })
}

fn length(headers: &HeaderMap) -> Option<usize> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}
