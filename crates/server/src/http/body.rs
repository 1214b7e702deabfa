//! The bytes of a body: all of them, in time, and not too many.

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, header};
use futures_util::StreamExt;
use tokio::time::timeout;

use super::problem::Problem;
use super::settings::HttpSettings;

/// How much of a body that is too long is taken and thrown away. Who is still sending when the connection ends may
/// never hear why; who sends even more than this, or asks first, is told at once.
const POLITENESS: usize = 8 << 20;

/// The body, if it comes in time and is not too long.
pub(super) async fn whole_body(request: Request, settings: &HttpSettings) -> Result<Bytes, Problem> {
    let HttpSettings { body_limit, body_time, .. } = *settings;
    let (parts, body) = request.into_parts();
    let announced = length(&parts.headers);
    let asks_first = parts.headers.contains_key(header::EXPECT);
    let read = async {
        match announced {
            Some(length) if length <= body_limit => to_bytes(body, body_limit).await.map_err(|_| cut_off()),
            Some(length) if length > POLITENESS || asks_first => Err(Problem::too_large(body_limit)),
            _ => collect(body, body_limit).await,
        }
    };
    timeout(body_time, read).await.unwrap_or_else(|_| Err(Problem::too_slow(body_time)))
}

fn length(headers: &HeaderMap) -> Option<usize> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

fn cut_off() -> Problem {
    Problem::malformed("the body ended too early")
}

/// Takes what comes, and keeps it for as long as it may be.
async fn collect(body: Body, limit: usize) -> Result<Bytes, Problem> {
    let (mut stream, mut kept, mut taken) = (body.into_data_stream(), Vec::new(), 0);
    while let Some(piece) = stream.next().await {
        let piece = piece.map_err(|_| cut_off())?;
        taken += piece.len();
        if taken <= limit {
            kept.extend_from_slice(&piece);
        } else if taken > POLITENESS.max(limit) {
            break;
        }
    }
    if taken > limit { Err(Problem::too_large(limit)) } else { Ok(kept.into()) }
}
