//! Request bodies: reads all bytes within a size limit and a timeout.

use std::future::poll_fn;
use std::pin::Pin;
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::{HeaderMap, header};

use super::body_access;
use super::problem::Problem;
use super::settings::HttpSettings;
use super::timeout::within;

/// The body, within the limits of the settings.
pub(crate) async fn whole_body(request: Request, settings: &HttpSettings) -> Result<Bytes, Problem> {
    body_up_to(request, settings.body_limit, settings.body_time).await
}

/// The body, within the given limits. A caller whose role may not use the route is refused before.
pub(crate) async fn body_up_to(
    request: Request,
    body_limit: usize,
    body_time: Duration,
) -> Result<Bytes, Problem> {
    body_access::check(&request)?;
    if length(request.headers()).is_some_and(|length| length > body_limit) {
        return Err(Problem::too_large(body_limit));
    }
    let body = within(body_time, collected(request.into_body(), body_limit)).await;
    body.unwrap_or_else(|| Err(Problem::too_slow(body_time)))
}

/// Collects the frames of a body. Most bodies are a single frame, which is returned without a copy.
async fn collected(mut body: Body, limit: usize) -> Result<Bytes, Problem> {
    let mut whole = Vec::new();
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        let frame = frame.map_err(|_| Problem::malformed("the body ended too early"))?;
        let Ok(piece) = frame.into_data() else { continue };
        if whole.len() + piece.len() > limit {
            return Err(Problem::too_large(limit));
        }
        if whole.is_empty() && body.is_end_stream() {
            return Ok(piece);
        }
        whole.extend_from_slice(&piece);
    }
    Ok(whole.into())
}

fn length(headers: &HeaderMap) -> Option<usize> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::io::{Error, ErrorKind};

    use axum::response::IntoResponse;
    use futures_util::stream;

    use super::*;

    /// Reads a body made of these frames; the status code of the problem otherwise.
    async fn read(pieces: &[Option<&'static str>], limit: usize) -> Result<Bytes, u16> {
        let pieces: Vec<_> =
            pieces.iter().map(|piece| piece.ok_or(Error::from(ErrorKind::BrokenPipe))).collect();
        let body = collected(Body::from_stream(stream::iter(pieces)), limit).await;
        body.map_err(|problem| problem.into_response().status().as_u16())
    }

    #[tokio::test]
    async fn a_body_is_the_same_in_one_piece_and_in_many() {
        assert_eq!(collected(Body::from("a body"), 6).await.ok(), Some(Bytes::from("a body")));
        assert_eq!(read(&[Some("a "), Some(""), Some("bo"), Some("dy")], 6).await, Ok(Bytes::from("a body")));
        assert_eq!(read(&[], 6).await, Ok(Bytes::new()));
        assert_eq!(read(&[Some("a "), Some("bo"), Some("dy")], 5).await, Err(413));
        assert_eq!(read(&[Some("a bo"), None], 6).await, Err(400));
    }
}
