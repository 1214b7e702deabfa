//! Media of hints: organisers upload pictures and videos, the public may fetch them once their hint is shown.

use std::sync::Arc;
use std::time::Duration;

use assize_courts::contest::{ContestState, HintKind};
use assize_kernel::{Digest, Record, StreamId, to_json};
use axum::Json;
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::contests::{stream_of, unknown_contest};
use super::media_cache::CachedMedia;
use crate::http::access::Act;
use crate::http::body::body_up_to;
use crate::http::caller::Caller;
use crate::http::openapi::{Forbidden, OutOfRange, Unknown};
use crate::http::path::PathParams;
use crate::http::problem::Problem;
use crate::http::range::{ByteRange, part};
use crate::http::records::{Receipt, find};
use crate::http::schemas::Id;
use crate::http::submit::last;
use crate::http::{App, blocking};
use assize_engine::Petition;
use assize_engine::clerk::{MEDIA, RawEntry};
use assize_engine::media::kind_of;

/// Maximum file size: about twenty seconds of video.
const LONGEST: usize = 8 << 20;
/// The media types that every browser displays.
const SHOWN: [&str; 6] = ["image/png", "image/jpeg", "image/gif", "image/webp", "video/mp4", "video/webm"];
/// Timeout of an upload.
const PATIENCE: Duration = Duration::from_secs(60);

/// A stored picture or video.
#[derive(Serialize, ToSchema)]
#[schema(as = HintMedia)]
pub(crate) struct UploadedMedia {
    receipt: Receipt,
    /// The SHA-256 of the file.
    hash: Digest,
    /// The media type, detected from the content.
    #[serde(rename = "type")]
    media_type: &'static str,
    size: usize,
    /// The path of the file, to be used as the `content` of a hint.
    address: String,
}

/// The stored record: in a stream of its own, so large that the store keeps it as a blob.
#[derive(Deserialize)]
struct StoredMedia {
    #[serde(rename = "MediaAdded")]
    added: StoredMediaEvent,
}

#[derive(Deserialize)]
struct StoredMediaEvent {
    r#type: String,
    data: String,
}

/// Stores a picture or a video for hints.
///
/// Uploading the same file again returns the stored one.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/media", tag = "contests",
    params(("contest" = Id, Path, description = "The contest")),
    request_body(
        content = String, content_type = "application/octet-stream",
        description = "The file: PNG, JPEG, GIF, WebP, MP4 or WebM, at most 8 MiB",
    ),
    responses((status = 201, description = "The file is stored", body = UploadedMedia), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn upload_hint_media(
    State(app): State<App>,
    PathParams(contest): PathParams<String>,
    caller: Caller,
    request: Request,
) -> Result<(StatusCode, Json<UploadedMedia>), Problem> {
    let stream = stream_of(&contest)?;
    caller.may(Act::AddTask, &stream)?;
    let open = app.clerk.inspect(stream, |state: &ContestState| state.rulebook().is_some()).await?;
    if !open {
        return Err(unknown_contest(&contest));
    }
    let bytes = body_up_to(request, LONGEST, PATIENCE).await?;
    let media_type = kind_of(&bytes).map(|(_, name)| name).filter(|name| SHOWN.contains(name));
    let media_type = media_type.ok_or_else(|| {
        let detail = "this is neither PNG, JPEG, GIF, WebP, MP4 nor WebM";
        Problem::new(StatusCode::BAD_REQUEST, "media.type.unknown", detail)
    })?;
    let hash = Digest::of(&bytes);
    let size = bytes.len();
    let receipt = match recorded(&app, hash).await? {
        Some(record) => Receipt::of(&record),
        None => keep(&app, &caller, hash, media_type, bytes).await?,
    };
    let address = address(&contest, hash);
    Ok((StatusCode::CREATED, Json(UploadedMedia { receipt, hash, media_type, size, address })))
}

/// Downloads a picture or a video of a hint.
///
/// It is public once the hint has been shown; before that, only admins and judges can download it.
#[utoipa::path(
    get, path = "/api/v1/contests/{contest}/media/{hash}", tag = "contests",
    params(
        ("contest" = Id, Path, description = "The contest"),
        ("hash" = Digest, Path, description = "The SHA-256 of the file"),
        ("Range" = Option<String>, Header, description = "The byte range to send: `bytes=0-1023`"),
    ),
    responses(
        (status = 200, description = "The whole file", content(
            (String = "image/png"), (String = "image/jpeg"), (String = "image/gif"),
            (String = "image/webp"), (String = "video/mp4"), (String = "video/webm"),
        )),
        (status = 206, description = "The requested range", content(
            (String = "image/png"), (String = "image/jpeg"), (String = "image/gif"),
            (String = "image/webp"), (String = "video/mp4"), (String = "video/webm"),
        )),
        OutOfRange,
        Unknown,
    )
)]
pub(crate) async fn read_hint_media(
    State(app): State<App>,
    PathParams((contest, hash)): PathParams<(String, String)>,
    caller: Result<Caller, Problem>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let unknown = || Problem::not_found(format!("there is no picture or video `{hash}`"));
    let stream = stream_of(&contest)?;
    let digest = hash.parse::<Digest>().map_err(|_| unknown())?;
    let early = caller.is_ok_and(|caller| caller.judges(&stream));
    let shown = is_shown(&app, stream, address(&contest, digest)).await?;
    if !shown && !early {
        return Err(unknown());
    }
    let medium = match app.shown.get(&digest) {
        Some(known) => known,
        None => {
            let record = recorded(&app, digest).await?.ok_or_else(unknown)?;
            let medium = Arc::new(decode(&record.draft.body)?);
            app.shown.remember(digest, medium.clone());
            medium
        }
    };
    // A file whose hint is not yet shown must not enter any cache.
    let keep = if shown { "public, max-age=31536000, immutable" } else { "no-store" };
    serve(&medium, digest, &headers, keep)
}

/// Whether a hint with this file has been shown in the current round of its task.
async fn is_shown(app: &App, stream: StreamId, address: String) -> Result<bool, Problem> {
    let look = move |state: &ContestState| {
        let rounds = state.view().tasks.into_iter().filter_map(|task| task.round);
        let mut hints = rounds.flat_map(|round| round.hints);
        hints.any(|hint| hint.kind != HintKind::Text && hint.content == address)
    };
    Ok(app.clerk.inspect(stream, look).await?)
}

fn serve(medium: &CachedMedia, hash: Digest, headers: &HeaderMap, keep: &str) -> Result<Response, Problem> {
    let range = headers.get(header::RANGE).and_then(|range| range.to_str().ok());
    let all = medium.bytes.len();
    let (status, bytes, range) = match part(range, all) {
        ByteRange::All => (StatusCode::OK, medium.bytes.clone(), None),
        ByteRange::Bytes(first, last) => {
            let range = format!("bytes {first}-{last}/{all}");
            (StatusCode::PARTIAL_CONTENT, medium.bytes.slice(first..=last), Some(range))
        }
        ByteRange::Beyond => {
            let detail = format!("there are only {all} bytes");
            return Err(Problem::new(StatusCode::RANGE_NOT_SATISFIABLE, "request.range", detail));
        }
    };
    let mut answer = (status, bytes).into_response();
    let headers = answer.headers_mut();
    let mut say = |name, value: &str| {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(name, value);
        }
    };
    say(header::CONTENT_TYPE, &medium.media_type);
    say(header::ACCEPT_RANGES, "bytes");
    say(header::CACHE_CONTROL, keep);
    say(header::ETAG, &format!("\"{hash}\""));
    if let Some(range) = range {
        say(header::CONTENT_RANGE, &range);
    }
    Ok(answer)
}

async fn keep(
    app: &App,
    caller: &Caller,
    hash: Digest,
    media_type: &'static str,
    bytes: Bytes,
) -> Result<Receipt, Problem> {
    let write = move |_: &App| {
        let size = bytes.len();
        let data = BASE64_STANDARD.encode(&bytes);
        Ok(to_json(
            &json!({ "MediaAdded": { "hash": hash, "type": media_type, "size": size, "data": data } }),
        ))
    };
    let body = blocking(app, write).await?;
    let note = RawEntry { kind: "MediaAdded", body };
    let petition = Petition::to_log(kept_in(hash)?, note, caller.actor.clone(), app.clerk.now());
    let answer = app.clerk.submit(Petition { origin: caller.origin(), ..petition }).await?;
    Ok(Receipt::of(last(&answer)?))
}

/// The record of a file, if there is one.
async fn recorded(app: &App, hash: Digest) -> Result<Option<Record>, Problem> {
    let stream = kept_in(hash)?;
    let first = {
        let views = app.clerk.views();
        views.streams(MEDIA).find(|(known, _)| **known == stream).map(|(_, first)| first)
    };
    let Some(first) = first else { return Ok(None) };
    blocking(app, move |app| find(app, first)).await
}

/// The stream of a file: files are identified by digest, across contests.
fn kept_in(hash: Digest) -> Result<StreamId, Problem> {
    StreamId::new(MEDIA, &hash.to_string()).map_err(|error| Problem::internal(&error.to_string()))
}

fn address(contest: &str, hash: Digest) -> String {
    format!("/api/v1/contests/{contest}/media/{hash}")
}

fn decode(body: &str) -> Result<CachedMedia, Problem> {
    let unreadable =
        |error: &dyn std::fmt::Display| Problem::internal(&format!("a picture or video: {error}"));
    let StoredMedia { added } = serde_json::from_str(body).map_err(|error| unreadable(&error))?;
    let bytes = BASE64_STANDARD.decode(added.data).map_err(|error| unreadable(&error))?;
    Ok(CachedMedia { media_type: added.r#type, bytes: bytes.into() })
}
