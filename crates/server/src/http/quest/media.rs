//! Media over HTTP: pictures and videos, typed by their bytes, visible to callers who may see the log.

use assize_courts::quest::QuestState;
use assize_kernel::{Digest, StreamId};
use axum::Json;
use axum::body::Bytes;
use axum::extract::{FromRequest, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::super::App;
use super::super::body::whole_body;
use super::super::caller::Caller;
use super::super::openapi::{Conflict, Forbidden, Unknown};
use super::super::path::PathParams;
use super::super::problem::Problem;
use super::super::schemas::Id;
use super::super::settings::HttpSettings;
use super::{look, stream_of};
use assize_engine::media::{MediaError, MediaKind, MediaStore, kind_of};

/// A stored picture or video.
#[derive(Serialize, ToSchema)]
pub(crate) struct MediaKept {
    /// The SHA-256 of the file, by which a log names it as proof.
    sha256: Digest,
    /// `image` or `video`, detected from the content.
    kind: &'static str,
    content_type: &'static str,
    bytes: usize,
}

/// An uploaded file within the size limit.
pub(crate) struct MediaUpload(Bytes);

impl FromRequest<App> for MediaUpload {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Self, Problem> {
        let media = store(app)?;
        let _place = app.uploads.acquire().await.map_err(|_| Problem::internal("no place for uploads"))?;
        let settings = HttpSettings { body_limit: media.most, ..app.front.settings.clone() };
        whole_body(request, &settings).await.map(Self)
    }
}

/// Stores a picture or a video that a log can name as proof.
#[utoipa::path(
    post, path = "/api/v1/hunters/{hunter}/media", tag = "hunters",
    params(("hunter" = Id, Path, description = "The hunter")),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 201, description = "The file was stored", body = MediaKept), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn upload_media(
    State(app): State<App>,
    PathParams(hunter): PathParams<String>,
    caller: Caller,
    upload: Result<MediaUpload, Problem>,
) -> Result<(StatusCode, Json<MediaKept>), Problem> {
    caller.acts_as(&stream_of(&hunter)?, &hunter)?;
    look(&app, &hunter, |_| ()).await?;
    let MediaUpload(bytes) = upload?;
    let Some((kind, content_type)) = kind_of(&bytes) else {
        return Err(Problem::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "media.unknown_kind",
            "this is no picture (JPEG, PNG, GIF, WebP, HEIC, AVIF) and no video (MP4, WebM, QuickTime) by its bytes",
        ));
    };
    let sha256 = Digest::of(&bytes);
    must_be_free(&app, &hunter, &sha256).await?;
    let kind = if kind == MediaKind::Image { "image" } else { "video" };
    let kept = MediaKept { sha256, kind, content_type, bytes: bytes.len() };
    store(&app)?.put(&sha256, bytes).await?;
    Ok((StatusCode::CREATED, Json(kept)))
}

/// Downloads a picture or a video that a hunter has used as proof.
///
/// It is public if the log is; otherwise it is visible to the hunter, their app, judges and admins only.
#[utoipa::path(
    get, path = "/api/v1/hunters/{hunter}/media/{digest}", tag = "hunters",
    params(("hunter" = Id, Path, description = "The hunter"), ("digest" = Digest, Path, description = "The SHA-256 of the file")),
    responses(
        (status = 200, description = "The file", body = Vec<u8>, content_type = "application/octet-stream"),
        Unknown
    ),
    security((), ("bearer" = []))
)]
pub(crate) async fn read_media(
    State(app): State<App>,
    PathParams((hunter, digest)): PathParams<(String, String)>,
    caller: Result<Caller, Problem>,
) -> Result<Response, Problem> {
    let unknown = || Problem::not_found(format!("there is no picture or video `{digest}` of this hunter"));
    let stream = stream_of(&hunter)?;
    let name = digest.parse::<Digest>().map_err(|_| unknown())?;
    let inside = caller.is_ok_and(|caller| caller.sees_private(&stream, &hunter));
    let may_see = move |seen: &assize_courts::quest::Hunter| {
        let log = seen.media_of(&name).and_then(|quest| seen.log(quest));
        log.is_some_and(|log| inside || !log.private)
    };
    if !look(&app, &hunter, may_see).await? {
        return Err(unknown());
    }
    let bytes = store(&app)?.get(&name).await?.ok_or_else(unknown)?;
    let content_type = kind_of(&bytes).map_or("application/octet-stream", |(_, content_type)| content_type);
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(content_type)),
        (header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=3600")),
        // Opened on its own, the file runs no scripts.
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("sandbox; default-src 'none'")),
    ];
    Ok((headers, bytes).into_response())
}

/// Rejects media that was already used in a log.
async fn must_be_free(app: &App, hunter: &str, digest: &Digest) -> Result<(), Problem> {
    let stream = StreamId::new("quest", &digest.to_string());
    let stream = stream.map_err(|error| Problem::internal(&error.to_string()))?;
    let seen = app.clerk.inspect(stream, |state: &QuestState| state.claimed()).await?;
    match seen {
        Some((owner, quest, at)) => Err(Problem::new(
            StatusCode::CONFLICT,
            "quest.proof.seen",
            format!("this media was seen before: {owner}, quest `{quest}`, on {at}"),
        )),
        None => {
            tracing::debug!(hunter, %digest, "new media");
            Ok(())
        }
    }
}

fn store(app: &App) -> Result<&MediaStore, Problem> {
    let none = || {
        let detail = "this server keeps no pictures and videos; it is started with --media to do so";
        Problem::new(StatusCode::NOT_FOUND, "media.not_kept", detail)
    };
    app.media.as_ref().ok_or_else(none)
}

impl From<MediaError> for Problem {
    fn from(error: MediaError) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "media.unavailable", error.to_string())
    }
}
