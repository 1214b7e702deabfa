//! The bytes of a body: all of them, in time, and not too many.

use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, FromRequest, Request};
use axum::http::{HeaderMap, StatusCode, header};
use tokio::time::timeout;

use super::problem::Problem;
use super::settings::HttpSettings;

/// The body, if it comes in time and is not too long.
pub(super) async fn whole_body(mut request: Request, settings: &HttpSettings) -> Result<Bytes, Problem> {
    let HttpSettings { body_limit, body_time, .. } = *settings;
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
